package disk

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/syntax"
)

// errNotGo is the error of a package that has more in it than Go.
var errNotGo = errors.New("cells run Go alone")

// tags are those by which packages offer a form in plain Go.
var tags = []string{"purego", "noasm", "appengine", "safe"}

// portable is a kind of machine for which nobody writes assembly: packages that have some have Go for it.
const portable = "mips64le"

func arch() string { return runtime.GOARCH }

// files are those of a package.
type files struct {
	sources []*check.Source
	stamp   stamp
}

// largest is how long a file may be.
const largest = 4 << 20

// files reads those files of a folder that count: no tests, none for other systems.
func (r *reading) files(f found, goarch string) (set files, err error) {
	ctx := build.Default
	ctx.OpenFile = func(name string) (io.ReadCloser, error) { // of a pipe, a read might never end
		text, err := readFile(name)
		return io.NopCloser(bytes.NewReader(text)), err
	}
	ctx.CgoEnabled, ctx.GOARCH, ctx.BuildTags = false, goarch, append(ctx.BuildTags, tags...)
	set.stamp = stampOf(f.dir)
	left := 0
	for _, name := range set.stamp.names() {
		if strings.HasSuffix(name, "_test.go") {
			left++
			continue
		}
		ok, err := ctx.MatchFile(f.dir, name)
		if err != nil || !ok {
			left++
			continue
		}
		file := filepath.Join(f.dir, name)
		text, err := readFile(file)
		if err != nil {
			return set, err
		}
		s, err := r.parse(path.Join(f.shown, name), text)
		if err != nil {
			return set, err
		}
		if len(set.sources) > 0 {
			if first := set.sources[0]; first.Tree.Name.Name != s.Tree.Name.Name {
				return set, fmt.Errorf("%s has two packages: %s in %s and %s in %s", f.shown,
					first.Tree.Name.Name, first.Text.Name, s.Tree.Name.Name, s.Text.Name)
			}
		}
		set.sources = append(set.sources, s)
	}
	switch {
	case len(set.sources) == 0 && left > 0:
		return set, fmt.Errorf("package %s: the Go files in %s are tests, or for other systems", f.path, f.shown)
	case len(set.sources) == 0:
		return set, fmt.Errorf("package %s: there is no Go in %s", f.path, f.shown)
	case set.sources[0].Tree.Name.Name == "main":
		return set, fmt.Errorf("%s is a program, package main: it cannot be imported, %%run runs it", f.shown)
	}
	return set, nil
}

func readFile(name string) ([]byte, error) {
	fi, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > largest {
		return nil, fmt.Errorf("%s is no file of at most %d MiB", name, largest>>20)
	}
	if fi.Size() == 0 { // empty, or a file of the system's, which may never end
		return nil, nil
	}
	return os.ReadFile(name)
}

// parse reads a file, which messages call shown.
func (r *reading) parse(shown string, text []byte) (*check.Source, error) {
	name := shown
	if r.Name != nil {
		name = r.Name(shown)
	}
	tree, err := parser.ParseFile(r.Fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), name+":", shown+":"))
	}
	cell := &syntax.Cell{Name: shown, Src: string(text), File: r.Fset.File(tree.FileStart)}
	return &check.Source{Text: cell, Tree: tree}, nil
}

// pure reports an error where a package has what cells do not run.
func (r *reading) pure(f found, set files) error {
	for _, s := range set.sources {
		for _, spec := range s.Tree.Imports {
			switch unquoted(spec.Path.Value) {
			case "C":
				return fmt.Errorf("%s: package %s uses cgo: %w", r.where(spec.Pos()), f.path, errNotGo)
			case "unsafe":
				if spec.Name == nil || spec.Name.Name != "_" {
					return fmt.Errorf("%s: package %s uses unsafe, which cells do not have: %w",
						r.where(spec.Pos()), f.path, errNotGo)
				}
			}
		}
		for _, d := range s.Tree.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body == nil {
				return fmt.Errorf("%s: %s has no body, so it is in assembly or elsewhere: %w",
					r.where(fd.Pos()), fd.Name.Name, errNotGo)
			}
		}
	}
	return nil
}

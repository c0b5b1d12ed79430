// Command rename gives the module another path: in sources, generated files, documents, tests and the programs that
// gotorch exports.
//
//	go run ./internal/rename example.com/gotorch
//
// Where the module will be hosted is its owner's decision; the go command can only download a path that begins with a
// host.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", ".", "the module's directory")
	generate := flag.Bool("generate", true,
		"write the generated files anew, which holds the embedded types of packages too")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./internal/rename [flags] PATH")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := rename(*dir, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
	if *generate {
		cmd := exec.Command("go", "generate", "./tensor/...", "./visualize", "./interp/...")
		cmd.Dir, cmd.Stdout, cmd.Stderr = *dir, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			log.Fatalf("go generate: %v", err)
		}
	}
}

// rename writes path in place of the module's path in every file beneath dir.
func rename(dir, path string) error {
	if err := module.CheckImportPath(path); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	old := modfile.ModulePath(text)
	if old == "" {
		return fmt.Errorf("%s has no module line", filepath.Join(dir, "go.mod"))
	}
	folders, err := packageFolders(dir)
	if err != nil {
		return err
	}
	r := newReplacer(old, path, folders)
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != dir && strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci" {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains(texts, filepath.Ext(name)) || !d.Type().IsRegular() {
			return nil
		}
		before, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		after := r.replace(before)
		if bytes.Equal(before, after) {
			return nil
		}
		if filepath.Ext(name) == ".go" { // imports are sorted by path
			if sorted, err := format.Source(after); err == nil && formatted(before) {
				after = sorted
			}
		}
		return os.WriteFile(name, after, 0o666)
	})
}

// texts are the endings of files that may name the module.
var texts = []string{"", ".go", ".ipynb", ".md", ".mod", ".s", ".sh", ".txt", ".txtar", ".yaml", ".yml"}

func formatted(text []byte) bool {
	same, err := format.Source(text)
	return err == nil && bytes.Equal(text, same)
}

// packageFolders lists the module's top folders that hold Go packages.
func packageFolders(dir string) (folders []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		err := filepath.WalkDir(filepath.Join(dir, e.Name()), func(name string, d fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(name) == ".go" {
				folders = append(folders, e.Name())
				return filepath.SkipAll
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return folders, err
}

// replacer finds a module's path in text. The path may be a word that means other things too, as gotorch is a program,
// a kernel and a folder of settings: so it counts only before one of the module's folders, as a whole import, and in
// go.mod.
type replacer struct {
	patterns []*regexp.Regexp
	with     []byte
}

func newReplacer(old, path string, folders []string) *replacer {
	for i, f := range folders {
		folders[i] = regexp.QuoteMeta(f)
	}
	o := regexp.QuoteMeta(old)
	r := &replacer{with: []byte("${1}" + strings.ReplaceAll(path, "$", "$$") + "${2}")}
	for _, p := range []string{
		`(^|[^\w./~-])` + o + `(/(?:` + strings.Join(folders, "|") + `)\b)`, // gotorch/tensor
		`(")` + o + `(/")`,               // "gotorch/", of which the paths of all packages begin
		`((?:^|\W)_ ")` + o + `(")`,      // import _ "gotorch"
		`((?m:^)module )` + o + `(\s|$)`, // go.mod
	} {
		r.patterns = append(r.patterns, regexp.MustCompile(p))
	}
	return r
}

func (r *replacer) replace(text []byte) []byte {
	for _, p := range r.patterns {
		text = p.ReplaceAll(text, r.with)
	}
	return text
}

package main

import (
	"errors"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"gotorch/internal/ipynb"
	"gotorch/internal/lazyre"
	"gotorch/internal/module"
	"gotorch/interp"
	"gotorch/interp/disk"
	"gotorch/interp/export"
	"gotorch/interp/exportdata"
)

type exportCommand struct {
	File    string `arg:"" help:"A notebook, or a file of cells."`
	Dir     string `short:"o" required:"" help:"Where main.go and go.mod are written." placeholder:"DIR"`
	Module  string `help:"The module's path; the directory's name is the default." placeholder:"PATH"`
	Bare    bool   `help:"Leave out the places and names that views show."`
	Gotorch string `help:"Where gotorch's source is; found by itself where this program was built from a checkout that is still there." placeholder:"DIR"`
}

// Run writes a Go program that does what the cells do.
func (e exportCommand) Run() error {
	text, err := os.ReadFile(e.File)
	if err != nil {
		return err
	}
	cells, err := exportCells(e.File, text)
	if err != nil {
		return err
	}
	if e.Dir, err = filepath.Abs(e.Dir); err != nil {
		return err
	}
	if filepath.Ext(e.File) == ".ipynb" { // a notebook's packages lie beside it
		if err := os.Chdir(filepath.Dir(e.File)); err != nil {
			return err
		}
	}
	name, err := e.name()
	if err != nil {
		return err
	}
	base, err := os.Getwd()
	if err != nil {
		return err
	}
	loader, names := disk.New(exportdata.NewImporter(), token.NewFileSet()), looseNames{name, base}
	files, problems, err := export.Program(cells, export.Options{Bare: e.Bare, Importer: loader, Path: names.of})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(e.Dir, 0o777); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(e.Dir, name), text, 0o666); err != nil {
			return err
		}
	}
	if err := e.goMod(); err != nil {
		return err
	}
	if err := e.addModules(loader.Modules()); err != nil {
		return err
	}
	if err := e.copyLoose(loader, names); err != nil {
		return err
	}
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, p)
	}
	fmt.Printf("%d cells written to %s\n", len(cells)-len(problems), filepath.Join(e.Dir, "main.go"))
	if len(problems) > 0 {
		return errFailed
	}
	return nil
}

// exportCells reads the cells of a notebook, with the text that stands before them, or of a file.
func exportCells(name string, text []byte) (cells []export.Cell, err error) {
	if filepath.Ext(name) != ".ipynb" {
		s := newSession()
		defer s.Close()
		parts, err := s.Parts(name, text)
		for i, p := range parts {
			cells = append(cells, plainCells(i+1, p.Src, "", false)...)
		}
		return cells, err
	}
	_, list, err := ipynb.Parse(text)
	doc, n := "", 0
	for _, c := range list {
		switch src := ipynb.Source(c); {
		case ipynb.Skipped(c):
		case c["cell_type"] == "markdown":
			doc = strings.TrimSpace(doc + "\n\n" + src)
		case c["cell_type"] == "code" && strings.TrimSpace(src) != "":
			n++
			cells = append(cells, plainCells(n, src, doc, failed(c))...)
			doc = ""
		}
	}
	return cells, err
}

// plainCells are the parts of a cell that show something of their own.
func plainCells(n int, src, doc string, fails bool) (cells []export.Cell) {
	for _, part := range interp.PlainGo(src) {
		cells = append(cells, export.Cell{Name: fmt.Sprintf("In[%d]", n), Src: part, Doc: doc, Fails: fails})
		doc = ""
	}
	return cells
}

// failed reports whether a notebook's cell ended with an error when it was run.
func failed(cell map[string]any) bool {
	list, _ := cell["outputs"].([]any)
	for _, o := range list {
		if m, ok := o.(map[string]any); ok && m["output_type"] == "error" {
			return true
		}
	}
	return false
}

// source is the directory of gotorch's own source, as the compiler knew it.
func (e exportCommand) source() (string, error) {
	dir := e.Gotorch
	if dir == "" {
		if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
			dir = filepath.Dir(filepath.Dir(filepath.Dir(file)))
		}
	}
	if dir == "" {
		cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module.Path)
		out, _ := cmd.Output()
		dir = strings.TrimSpace(string(out))
	}
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || modfile.ModulePath(data) != module.Path {
		return "", errors.New("gotorch's source was not found: say where it is with --gotorch DIR")
	}
	return filepath.Abs(dir)
}

var notInPath = lazyre.New(`[^a-zA-Z0-9._~-]+`)

// released is the version of this program that the go command can download; ok is false for a build of a checkout.
func released() (v string, ok bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	host, _, _ := strings.Cut(module.Path, "/")
	v = info.Main.Version
	return v, strings.Contains(host, ".") && semver.IsValid(v) && semver.Build(v) == ""
}

// goMod writes go.mod and go.sum: gotorch as it is here, and what it needs in the same versions, so that the program
// builds without asking anybody. A program that was installed without its source names its version.
func (e exportCommand) goMod() error {
	dir, err := e.source()
	if v, ok := released(); err != nil && ok {
		return e.require(v)
	}
	if err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	theirs, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return err
	}
	name, err := e.name()
	if err != nil {
		return err
	}
	m := new(modfile.File)
	if err := m.AddModuleStmt(name); err != nil {
		return err
	}
	if theirs.Go != nil {
		if err := m.AddGoStmt(theirs.Go.Version); err != nil {
			return err
		}
	}
	if err := m.AddRequire(module.Path, "v0.0.0"); err != nil {
		return err
	}
	for _, r := range theirs.Require {
		m.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
	}
	if err := m.AddReplace(module.Path, "", dir, ""); err != nil {
		return err
	}
	for _, r := range theirs.Replace { // those of a module count only where it is the main one
		to := r.New.Path
		if modfile.IsDirectoryPath(to) && !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		if err := m.AddReplace(r.Old.Path, r.Old.Version, to, r.New.Version); err != nil {
			return err
		}
	}
	m.Cleanup()
	text, err := m.Format()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(e.Dir, "go.mod"), text, 0o666); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(e.Dir, "go.sum"), sums, 0o666)
}

// require writes a go.mod that wants gotorch in version v; go mod tidy adds what that needs.
func (e exportCommand) require(v string) error {
	name, err := e.name()
	if err != nil {
		return err
	}
	text := fmt.Sprintf("module %s\n\ngo %s\n\nrequire %s %s\n", name, strings.TrimPrefix(runtime.Version(), "go"),
		module.Path, v)
	return os.WriteFile(filepath.Join(e.Dir, "go.mod"), []byte(text), 0o666)
}

// name is the path of the program's module.
func (e exportCommand) name() (string, error) {
	if e.Module != "" {
		return e.Module, nil
	}
	abs, err := filepath.Abs(e.Dir)
	if err != nil {
		return "", err
	}
	name := strings.Trim(notInPath.ReplaceAllString(filepath.Base(abs), "-"), "-.")
	if name == "" || name == module.Path {
		name = "program"
	}
	return name, nil
}

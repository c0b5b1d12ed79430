// Command exportdata writes what the checker of cells knows of compiled
// packages: their types, as the Go compiler's export data, and their
// documentation. It is run by go generate in interp/exportdata.
//
// The output is a zip file: types/PATH and docs/PATH for each package, and
// version, the Go release that made it. The same sources and the same Go
// release give the same bytes. The types of package tensor, which the first
// cell of every session waits for, are not compressed.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

	"gotorch/internal/module"
	"gotorch/interp/std/packages"
)

func main() {
	out := flag.String("o", "data_gen.zip", "the file to write")
	flag.Parse()
	b, err := build()
	if err == nil {
		err = os.WriteFile(*out, b, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "exportdata:", err)
		os.Exit(1)
	}
}

type pkg struct {
	ImportPath, Export, Dir string
	GoFiles                 []string
	Error                   *struct{ Err string }
}

// list asks the go command for the packages and all that they depend on.
func list() (all map[string]pkg, wanted []string, err error) {
	for _, p := range packages.All {
		wanted = append(wanted, p.Path)
	}
	cmd := exec.Command("go",
		append([]string{"list", "-e", "-export", "-deps", "-json=ImportPath,Export,Dir,GoFiles,Error", "--"}, wanted...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, err
	}
	all = map[string]pkg{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, err
		}
		all[p.ImportPath] = p
	}
	for _, path := range wanted {
		if all[path].Export == "" {
			return nil, nil, fmt.Errorf("%s does not build", path)
		}
	}
	slices.Sort(wanted)
	return all, wanted, nil
}

func build() ([]byte, error) {
	all, wanted, err := list()
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	add := func(name string, b []byte) error {
		method := zip.Deflate
		if name == "types/gotorch/tensor" {
			method = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	}
	if err := add("version", []byte(runtime.Version())); err != nil {
		return nil, err
	}
	imports := map[string]*types.Package{}
	for _, path := range wanted {
		t, err := typesOf(all[path], imports)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		d, err := docsOf(all[path])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := errors.Join(add("types/"+path, t), add("docs/"+path, d)); err != nil {
			return nil, err
		}
	}
	for _, path := range behind(imports, wanted) {
		d, err := docsOf(all[path])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := add("docs/"+path, d); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// behind lists our packages that cells cannot import and of which one that they can offers types under another name:
// the documentation of such types' methods stands there.
func behind(imports map[string]*types.Package, wanted []string) (paths []string) {
	for _, path := range wanted {
		scope := imports[path].Scope()
		for _, name := range scope.Names() {
			o, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || !o.Exported() || !o.IsAlias() {
				continue
			}
			t, ok := types.Unalias(o.Type()).(*types.Named)
			if !ok || t.Obj().Pkg() == nil {
				continue
			}
			if p := t.Obj().Pkg().Path(); module.Has(p) && !slices.Contains(wanted, p) && !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// typesOf reads a package's export data and writes it again without positions,
// so that a change of comments or line numbers changes nothing.
func typesOf(p pkg, imports map[string]*types.Package) ([]byte, error) {
	f, err := os.Open(p.Export)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 what go list -export names is still an archive of the compiler
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	t, err := gcexportdata.Read(r, token.NewFileSet(), imports, p.ImportPath)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = gcexportdata.Write(&b, token.NewFileSet(), t)
	return b.Bytes(), err
}

// docsOf returns the documentation of every exported name: "" for the package,
// F, T, T.M (methods and fields), C, V.
func docsOf(p pkg) ([]byte, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(fset, files, p.ImportPath)
	if err != nil {
		return nil, err
	}
	docs := map[string]string{}
	add := func(name, text string) {
		if text = strings.TrimSpace(text); text != "" {
			docs[name] = text
		}
	}
	values := func(vs []*doc.Value) {
		for _, v := range vs {
			for _, s := range v.Decl.Specs {
				s := s.(*ast.ValueSpec)
				text := v.Doc
				if own := strings.TrimSpace(s.Doc.Text() + s.Comment.Text()); own != "" {
					text = own
				}
				for _, n := range s.Names {
					if n.IsExported() {
						add(n.Name, text)
					}
				}
			}
		}
	}
	funcs := func(prefix string, fs []*doc.Func) {
		for _, f := range fs {
			add(prefix+f.Name, f.Doc)
		}
	}
	add("", d.Doc)
	values(d.Consts)
	values(d.Vars)
	funcs("", d.Funcs)
	for _, t := range d.Types {
		add(t.Name, t.Doc)
		values(t.Consts)
		values(t.Vars)
		funcs("", t.Funcs)
		funcs(t.Name+".", t.Methods)
		for _, s := range t.Decl.Specs {
			members(s.(*ast.TypeSpec), func(name, text string) { add(t.Name+"."+name, text) })
		}
	}
	return json.Marshal(docs)
}

// members returns the exported fields of a struct and methods of an interface.
func members(s *ast.TypeSpec, add func(name, text string)) {
	var list *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			if n.IsExported() {
				add(n.Name, f.Doc.Text()+f.Comment.Text())
			}
		}
	}
}

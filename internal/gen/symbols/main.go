// Command symbols writes the interpreter's tables of compiled packages,
// interp/symbols/*_gen.go, from the packages' export data.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

	"gotorch/internal/module"
	"gotorch/interp/allow"
	"gotorch/interp/std/packages"
)

func main() {
	log.SetFlags(0)
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		log.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "interp", "symbols")
	files, err := Files()
	if err != nil {
		log.Fatal(err)
	}
	old, _ := filepath.Glob(filepath.Join(dir, "*_gen.go"))
	for _, f := range old {
		if files[filepath.Base(f)] == nil {
			os.Remove(f)
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// namesFile is the list of the restricted mode, beside interp/symbols.
const namesFile = "../allow/names.txt"

// boundaryFile is the table of guarded arguments.
const boundaryFile = "../std/boundary_gen.go"

// Files makes the generated files by name, relative to interp/symbols.
func Files() (map[string][]byte, error) {
	var paths []string
	for _, p := range packages.All {
		paths = append(paths, p.Path)
	}
	pkgs, err := read(paths)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{namesFile: []byte(allowed(pkgs, allow.Names()).String())}
	if files[boundaryFile], err = boundary(pkgs); err != nil {
		return nil, err
	}
	for _, pkg := range pkgs {
		all := map[string]bool{}
		for _, name := range pkg.Scope().Names() {
			all[name] = true
		}
		tables := map[*types.Package]map[string]bool{pkg: all}
		behind(pkg, paths, tables)
		for pkg, names := range tables {
			text, err := write(pkg, names)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", pkg.Path(), err)
			}
			files[packages.FileName(pkg.Path())+"_gen.go"] = text
		}
	}
	return files, nil
}

// read reads the export data of packages.
func read(paths []string) (list []*types.Package, err error) {
	export, err := exports(paths)
	if err != nil {
		return nil, err
	}
	fset, pkgs := token.NewFileSet(), map[string]*types.Package{}
	for _, p := range paths {
		f, err := os.Open(export[p])
		if err != nil {
			return nil, err
		}
		//lint:ignore SA1019 what go list -export names is still an archive of the compiler
		r, err := gcexportdata.NewReader(f)
		if err != nil {
			return nil, err
		}
		pkg, err := gcexportdata.Read(r, fset, pkgs, p)
		f.Close()
		if err != nil {
			return nil, err
		}
		list = append(list, pkg)
	}
	return list, nil
}

// behind adds the types that a package of ours offers under another name though cells cannot import their packages:
// visualize.Chart is plot.Chart.
func behind(pkg *types.Package, paths []string, tables map[*types.Package]map[string]bool) {
	for _, name := range pkg.Scope().Names() {
		o, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !o.Exported() || !o.IsAlias() {
			continue
		}
		t, ok := types.Unalias(o.Type()).(*types.Named)
		if !ok || t.Obj().Pkg() == nil || !module.Has(t.Obj().Pkg().Path()) || slices.Contains(paths, t.Obj().Pkg().Path()) {
			continue
		}
		home := t.Obj().Pkg()
		if tables[home] == nil {
			tables[home] = map[string]bool{}
		}
		tables[home][t.Obj().Name()] = true
	}
}

// exports returns the files with the packages' export data, by path.
func exports(paths []string) (map[string]string, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-json=ImportPath,Export"}, paths...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	res := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		res[p.ImportPath] = p.Export
	}
	return res, nil
}

// writer writes one package's file; it notes the packages that it mentions.
type writer struct {
	pkg     *types.Package
	imports map[string]string // path → name in the file
}

func (w *writer) qualify(p *types.Package) string {
	if p == w.pkg {
		return "p"
	}
	name := strings.NewReplacer("/", "_", ".", "_", "-", "_").Replace(p.Path())
	w.imports[p.Path()] = name
	return name
}

// write writes the table of some names of a package.
func write(pkg *types.Package, names map[string]bool) ([]byte, error) {
	w := &writer{pkg, map[string]string{}}
	var table, wraps bytes.Buffer
	id := strings.NewReplacer("/", "_", ".", "_").Replace(pkg.Path())
	uses := false
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() || !names[name] {
			continue
		}
		switch o := o.(type) {
		case *types.Func:
			if o.Type().(*types.Signature).TypeParams().Len() > 0 {
				continue // the lowering makes instances from source
			}
			fmt.Fprintf(&table, "%q: reflect.ValueOf(p.%s),\n", name, name)
		case *types.Var:
			fmt.Fprintf(&table, "%q: reflect.ValueOf(&p.%s).Elem(),\n", name, name)
		case *types.TypeName:
			if o.IsAlias() {
				if a, ok := o.Type().(*types.Alias); ok && a.TypeParams().Len() > 0 {
					continue
				}
			}
			if n, ok := o.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
				continue
			}
			it, isInterface := o.Type().Underlying().(*types.Interface)
			if isInterface && !it.IsMethodSet() {
				continue // a constraint
			}
			fmt.Fprintf(&table, "%q: reflect.ValueOf((*p.%s)(nil)),\n", name, name)
			if isInterface && !o.IsAlias() && w.implementable(it) {
				fmt.Fprintf(&table, "%q: reflect.ValueOf((*%s_%s)(nil)),\n", "_"+name, id, name)
				w.wrapper(&wraps, id+"_"+name, name, it)
			}
		default:
			continue
		}
		uses = true
	}
	var b bytes.Buffer
	b.WriteString("// Code generated by internal/gen/symbols. DO NOT EDIT.\n\n//lint:file-ignore SA1019 cells may use " +
		"what is deprecated\n\npackage symbols\n\nimport (\n\"reflect\"\n")
	if uses {
		fmt.Fprintf(&b, "p %q\n", pkg.Path())
	}
	var paths []string
	for p := range w.imports {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		fmt.Fprintf(&b, "%s %q\n", w.imports[p], p)
	}
	fmt.Fprintf(&b, ")\n\nfunc init() {\nregister(%q, %q, func() map[string]reflect.Value {\nreturn "+
		"map[string]reflect.Value{\n%s}\n})\n}\n%s",
		pkg.Path(), pkg.Name(), table.Bytes(), wraps.Bytes())
	return format.Source(b.Bytes())
}

// implementable: another package can implement the interface and write its
// methods' types.
func (w *writer) implementable(it *types.Interface) bool {
	for i := range it.NumMethods() {
		m := it.Method(i)
		if !m.Exported() {
			return false
		}
		ok := true
		types.TypeString(m.Type(), func(p *types.Package) string {
			if strings.Contains("/"+p.Path()+"/", "/internal/") || strings.HasPrefix(p.Path(), "vendor/") {
				ok = false
			}
			return ""
		})
		if !ok {
			return false
		}
	}
	return true
}

// wrapper writes a struct that implements an interface by its fields.
func (w *writer) wrapper(b *bytes.Buffer, typ, name string, it *types.Interface) {
	var fields, methods bytes.Buffer
	for i := range it.NumMethods() {
		m := it.Method(i)
		sig := m.Type().(*types.Signature)
		var params, args []string
		for j := range sig.Params().Len() {
			t := types.TypeString(sig.Params().At(j).Type(), w.qualify)
			a := fmt.Sprintf("a%d", j)
			if sig.Variadic() && j == sig.Params().Len()-1 {
				t = "..." + strings.TrimPrefix(t, "[]")
				params, args = append(params, a+" "+t), append(args, a+"...")
				continue
			}
			params, args = append(params, a+" "+t), append(args, a)
		}
		var results []string
		for j := range sig.Results().Len() {
			results = append(results, types.TypeString(sig.Results().At(j).Type(), w.qualify))
		}
		ret := ""
		if len(results) > 0 {
			ret = "return "
		}
		head := fmt.Sprintf("(%s) (%s)", strings.Join(params, ", "), strings.Join(results, ", "))
		fmt.Fprintf(&fields, "W%s func%s\n", m.Name(), head)
		fmt.Fprintf(&methods, "func (w %s) %s%s { %sw.W%s(%s) }\n", typ, m.Name(), head, ret, m.Name(),
			strings.Join(args, ", "))
	}
	fmt.Fprintf(b, "\n// %s implements %s.%s.\ntype %s struct {\nIValue any\n%s}\n\n%s", typ, w.pkg.Path(), name, typ,
		fields.Bytes(), methods.Bytes())
}

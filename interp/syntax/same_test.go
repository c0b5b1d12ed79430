package syntax

import (
	"fmt"
	"go/ast"
	"go/build"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"
)

// A text that go/parser accepts gives go/parser's tree. The test reads a sample
// of GOROOT/src; with GOTORCH_WHOLE=1 all of it.

const whole = "GOTORCH_WHOLE"

// differ compares two trees with their positions, and says where they differ.
// Comments and identifier resolution are left out.
func differ(path string, a, b reflect.Value) string {
	if a.Kind() != b.Kind() {
		return fmt.Sprintf("%s: %v, want %v", path, a.Kind(), b.Kind())
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return fmt.Sprintf("%s: nil %v, want nil %v", path, a.IsNil(), b.IsNil())
			}
			return ""
		}
		if a.Kind() == reflect.Interface && a.Elem().Type() != b.Elem().Type() {
			return fmt.Sprintf("%s: a %v, want a %v", path, a.Elem().Type(), b.Elem().Type())
		}
		return differ(path, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s: %d elements, want %d", path, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if d := differ(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)); d != "" {
				return d
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			switch f.Name {
			case "Doc", "Comment", "Obj", "Scope", "Unresolved", "Comments":
				continue
			}
			if d := differ(path+"."+f.Name, a.Field(i), b.Field(i)); d != "" {
				return d
			}
		}
	default:
		if !a.Equal(b) {
			return fmt.Sprintf("%s: %v, want %v", path, a, b)
		}
	}
	return ""
}

// items puts the parts of a cell back into one list.
func items(c *Cell) []ast.Node {
	var list []ast.Node
	for _, d := range c.Imports {
		list = append(list, d)
	}
	for _, d := range c.Decls {
		list = append(list, d)
	}
	for _, s := range c.Stmts {
		list = append(list, s)
	}
	show := c.Show
	if n := len(c.Stmts); n > 0 && len(show) == 1 { // a value under a label, which Go's parser leaves there
		if l, ok := c.Stmts[n-1].(*ast.LabeledStmt); ok {
			if e, ok := l.Stmt.(*ast.EmptyStmt); ok && e.Implicit && e.Semicolon == show[0].Pos() {
				list[len(list)-1] = &ast.LabeledStmt{Label: l.Label, Colon: l.Colon, Stmt: &ast.ExprStmt{X: show[0]}}
				show = nil
			}
		}
	}
	for _, x := range show {
		list = append(list, &ast.ExprStmt{X: x})
	}
	for i, n := range list {
		if d, ok := n.(*ast.DeclStmt); ok {
			list[i] = d.Decl
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Pos() < list[j].Pos() })
	return list
}

func sameList(got, want []ast.Node) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d items, want %d", len(got), len(want))
	}
	for i := range got {
		if reflect.TypeOf(got[i]) != reflect.TypeOf(want[i]) {
			return fmt.Sprintf("item %d: a %T, want a %T", i, got[i], want[i])
		}
		if d := differ(fmt.Sprintf("item %d", i), reflect.ValueOf(got[i]), reflect.ValueOf(want[i])); d != "" {
			return d
		}
	}
	return ""
}

// sameAsFile reads src as a file and, without its package clause, as a cell.
// ok is false for what go/parser does not take.
func sameAsFile(src string) (diff string, f *ast.File, ok bool) {
	f, err := goparser.ParseFile(token.NewFileSet(), "f.go", src, goparser.SkipObjectResolution)
	if err != nil {
		return "", nil, false
	}
	from, to := int(f.Package)-1, int(f.Name.End())-1
	cell := src[:from] + strings.Repeat(" ", to-from) + src[to:]
	c, err := Parse(token.NewFileSet(), "f.go", cell)
	if err != nil {
		return "does not parse: " + err.Error(), f, true
	}
	if !c.Empty() {
		return "has tensor forms", f, true
	}
	var want []ast.Node
	for _, d := range f.Decls {
		want = append(want, d)
	}
	return sameList(items(c), want), f, true
}

// beginsWithType reports whether a statement begins with the type of a function that has no body: func() A(), which
// means nothing in a body, is a method's head in a cell.
func beginsWithType(s ast.Stmt) (found bool) {
	whole := map[*ast.FuncType]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			whole[n.Type] = true
		case *ast.FuncType:
			found = found || n.Pos() == s.Pos() && !whole[n]
		}
		return true
	})
	return found
}

// sameAsBody reads the text of a function's body as a cell.
func sameAsBody(body string) (diff string, ok bool) {
	const head = "package p; func _() {"
	f, err := goparser.ParseFile(token.NewFileSet(), "f.go", head+body+"\n}", goparser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 { // or it closes the body, and opens another
		return "", false
	}
	for _, st := range f.Decls[0].(*ast.FuncDecl).Body.List {
		if beginsWithType(st) {
			return "", false
		}
	}
	fset := token.NewFileSet()
	fset.AddFile("", 1, len(head)-1) // so that positions are the same
	c, err := Parse(fset, "f.go", body)
	if err != nil {
		return "does not parse: " + err.Error(), true
	}
	if !c.Empty() {
		return "has tensor forms", true
	}
	var want []ast.Node
	for _, s := range f.Decls[0].(*ast.FuncDecl).Body.List {
		switch s := s.(type) {
		case *ast.DeclStmt:
			want = append(want, s.Decl)
		case *ast.EmptyStmt:
		case *ast.LabeledStmt:
			last := s.Stmt
			for l, ok := last.(*ast.LabeledStmt); ok; l, ok = last.(*ast.LabeledStmt) {
				last = l.Stmt
			}
			if _, empty := last.(*ast.EmptyStmt); empty {
				return "", false // a label at the end stands before a brace that the cell has not
			}
			want = append(want, s)
		default:
			want = append(want, s)
		}
	}
	return sameList(items(c), want), true
}

func goFiles(t testing.TB) []string {
	var files []string
	root := filepath.Join(build.Default.GOROOT, "src")
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return nil
	})
	if len(files) == 0 {
		t.Skip("no Go sources in GOROOT")
	}
	return files
}

func TestSameTreesAsGoParser(t *testing.T) {
	files := goFiles(t)
	rng := rand.New(rand.NewSource(1))
	rng.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	switch {
	case os.Getenv(whole) != "":
	case testing.Short():
		files = files[:min(len(files), 60)]
	default:
		files = files[:min(len(files), 500)]
	}
	nf, nb, bad := 0, 0, 0
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		src := string(b)
		diff, f, ok := sameAsFile(src)
		if !ok {
			continue
		}
		nf++
		if diff != "" {
			bad++
			t.Errorf("%s: %s", path, diff)
		}
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			body := src[int(fd.Body.Lbrace) : int(fd.Body.Rbrace)-1]
			if diff, ok := sameAsBody(body); ok {
				if nb++; diff != "" {
					bad++
					t.Errorf("%s: body of %s: %s", path, fd.Name.Name, diff)
				}
			}
		}
		if bad > 20 {
			t.Fatal("and more")
		}
	}
	t.Logf("%d files, %d bodies", nf, nb)
	if nf < 50 || nb < 50 {
		t.Errorf("only %d files and %d bodies were read", nf, nb)
	}
}

// Mutated files that go/parser still accepts give the same trees too.
func TestSameTreesAfterMutation(t *testing.T) {
	files := goFiles(t)
	rng := rand.New(rand.NewSource(2))
	n := 60
	switch {
	case os.Getenv(whole) != "":
		n = 5000
	case testing.Short():
		n = 15
	}
	taken := 0
	for range n {
		b, err := os.ReadFile(files[rng.Intn(len(files))])
		if err != nil || len(b) > 20000 {
			continue
		}
		for range 40 {
			src := mutate(rng, string(b))
			diff, _, ok := sameAsFile(src)
			if !ok {
				continue
			}
			if taken++; diff != "" {
				t.Errorf("%s\n%s", diff, src)
				return
			}
		}
	}
	t.Logf("%d mutated files were accepted", taken)
	if taken == 0 {
		t.Error("no mutated file was accepted")
	}
}

// mutate takes a few tokens of src away, doubles or swaps them.
func mutate(rng *rand.Rand, src string) string {
	p := newParser(token.NewFileSet(), "", src)
	at := func(i int) (int, int) {
		t := p.toks[i]
		lo := int(t.pos) - p.file.Base()
		return lo, int(p.endOf(t)) - p.file.Base()
	}
	for range 1 + rng.Intn(2) {
		if len(p.toks) < 12 {
			return src
		}
		i, j := 4+rng.Intn(len(p.toks)-6), 4+rng.Intn(len(p.toks)-6)
		lo, hi := at(i)
		lo2, hi2 := at(j)
		if hi > len(src) || hi2 > len(src) || hi < lo || hi2 < lo2 {
			return src
		}
		switch rng.Intn(3) {
		case 0:
			src = src[:lo] + src[hi:]
		case 1:
			src = src[:lo] + src[lo2:hi2] + src[hi:]
		case 2:
			src = src[:lo] + src[lo2:hi2] + " " + src[lo:]
		}
		p = newParser(token.NewFileSet(), "", src)
	}
	return src
}

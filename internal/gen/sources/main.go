// Command sources writes the archive of package internal/sources: the hand-written files of the packages that
// operators are made of, the generated methods and functions by which operators are called, and a list of the tests of
// each operator. It is run by go generate there. The same files
// give the same archive, and what did not change stays the same bytes.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gotorch/tensor/opdef"
)

// packages are those whose files are in the archive; testPackages those whose tests are listed.
var (
	packages = []string{"tensor", "tensor/opdef", "autograd", "backends/cpu", "internal/simd", "internal/parallel",
		"internal/gemm", "internal/lapack"}
	testPackages = []string{"tensor", "autograd", "backends/cpu", "internal/simd"}
)

// generated are the generated files that are in the archive too: bindings of operators, declarations of kernels.
var generated = []string{"tensor/methods_gen.go", "tensor/functions_gen.go", "tensor/factory_gen.go",
	"internal/simd/*_stubs_gen.go"}

const (
	testsFile        = "tests.txt"
	conformance      = "internal/conformance/conformance_test.go"
	conformanceTests = "internal/conformance/testdata/passing.json"
)

// mostTests is how many tests of an operator are listed.
const mostTests = 5

func main() {
	out := flag.String("o", "data_gen.zip", "the file to write")
	flag.Parse()
	b, err := build()
	if err == nil {
		err = os.WriteFile(*out, b, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sources:", err)
		os.Exit(1)
	}
}

func build() ([]byte, error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return nil, err
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	contents := map[string][]byte{}
	for _, p := range packages {
		list, err := filepath.Glob(filepath.Join(root, p, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			base := filepath.Base(f)
			if strings.HasSuffix(base, "_test.go") || strings.HasSuffix(base, "_gen.go") {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			if !strings.HasPrefix(string(text), "// Code generated") {
				contents[p+"/"+base] = text
			}
		}
	}
	for _, pattern := range generated {
		list, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			name := path.Dir(pattern) + "/" + filepath.Base(f)
			if contents[name], err = os.ReadFile(f); err != nil {
				return nil, err
			}
		}
	}
	if contents[testsFile], err = tests(root); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, 9) })
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		w, err := z.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(contents[name]); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return buf.Bytes(), err
}

// test is a test function and what it mentions.
type test struct {
	file, name string
	line       int
	calls      map[string]int  // functions and methods that it calls, by name without the underscore of in-place forms
	strings    map[string]bool // its string literals
}

// tests writes the list of tests of all operators.
func tests(root string) ([]byte, error) {
	var all []test
	for _, p := range testPackages {
		list, err := filepath.Glob(filepath.Join(root, p, "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			found, err := testsOf(f, p+"/"+filepath.Base(f))
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	vectors, line, err := recorded(root)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	sigs := opdef.Signatures()
	for i := range sigs {
		s := &sigs[i]
		type scored struct {
			*test
			score int
		}
		var list []scored
		for j := range all {
			if n := all[j].score(s); n >= 2 {
				list = append(list, scored{&all[j], n})
			}
		}
		slices.SortStableFunc(list, func(a, b scored) int { return b.score - a.score })
		for _, t := range list[:min(mostTests, len(list))] {
			fmt.Fprintf(&out, "%s\t%s\t%d\t%s\n", s.FullName(), t.file, t.line, t.name)
		}
		for _, v := range []string{"opinfo/" + s.FullName(), "opinfo/" + s.Name} {
			if vectors[v] {
				fmt.Fprintf(&out, "%s\t%s\t%d\tTestConformance/%s\n", s.FullName(), conformance, line, v)
				break
			}
		}
	}
	return out.Bytes(), nil
}

// recorded are the names of PyTorch's recorded answers, and the line of the test that compares them.
func recorded(root string) (names map[string]bool, line int, err error) {
	text, err := os.ReadFile(filepath.Join(root, conformanceTests))
	if err != nil {
		return nil, 0, err
	}
	var passing map[string]json.RawMessage
	if err := json.Unmarshal(text, &passing); err != nil {
		return nil, 0, err
	}
	names = map[string]bool{}
	for n := range passing {
		names[n] = true
	}
	found, err := testsOf(filepath.Join(root, conformance), conformance)
	for _, t := range found {
		if t.name == "TestConformance" {
			line = t.line
		}
	}
	return names, line, err
}

func testsOf(file, as string) (list []test, err error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Body == nil {
			continue
		}
		name := f.Name.Name
		if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Example") &&
			!strings.HasPrefix(name, "Fuzz") {
			continue
		}
		t := test{file: path.Clean(as), name: name, line: fset.Position(f.Pos()).Line, calls: map[string]int{},
			strings: map[string]bool{}}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				switch f := n.Fun.(type) {
				case *ast.SelectorExpr:
					t.calls[strings.TrimSuffix(f.Sel.Name, "_")]++
				case *ast.Ident:
					t.calls[strings.TrimSuffix(f.Name, "_")]++
				}
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					t.strings[s] = true
				}
			}
			return true
		})
		list = append(list, t)
	}
	return list, nil
}

// score says how much a test is about an operator: its name has the operator's, it gives the operator's name as a
// string, it calls the operator.
func (t *test) score(s *opdef.Sig) (n int) {
	goName := s.GoName()
	for rest, at := t.name, 0; ; {
		i := strings.Index(rest[at:], goName)
		if i < 0 {
			break
		}
		at += i + len(goName)
		if at == len(rest) || rest[at] == '_' || rest[at] >= 'A' && rest[at] <= 'Z' {
			n += 10
			break
		}
	}
	if t.strings[s.FullName()] {
		n += 5
	}
	return n + min(t.calls[goName], 4)
}

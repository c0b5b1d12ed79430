package house

import (
	"bytes"
	"encoding/json"
	"go/build"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/internal/module"
)

const root = "../.."

// layers lists the groups of packages from bottom to top: a package imports only from lower layers, or from its
// own group.
var layers = []struct {
	layer  int
	groups []string
}{
	{-1, []string{"gotorch/internal/simd"}},
	{0, []string{"gotorch/tensor/opdef", "gotorch/internal/parallel", "gotorch/internal/hugepages"}},
	{1, []string{"gotorch/tensor", "gotorch/visualize/display"}},
	{2, []string{"gotorch/tensor/opt", "gotorch/visualize/widgets", "gotorch/jupyter"}},
	{3, []string{"gotorch/autograd", "gotorch/backends"}},
	{4, []string{"gotorch/visualize/draw", "gotorch/nn"}},
	{5, []string{"gotorch/visualize/internal/fold"}},
	{6, []string{"gotorch/visualize/plot", "gotorch/visualize/shapes", "gotorch/visualize/operators",
		"gotorch/visualize/grad"}},
	{7, []string{"gotorch/visualize/memory", "gotorch/visualize/runs", "gotorch/visualize/programs",
		"gotorch/visualize/training"}},
	{8, []string{"gotorch/nn/train"}},
	{9, []string{module.Path, "gotorch/visualize"}},
	{10, []string{"gotorch/interp"}},
	{11, []string{"gotorch/cmd"}},
}

// never lists what a group must not import although it is lower.
var never = map[string][]string{
	"gotorch/autograd":          {"gotorch/backends"},
	"gotorch/backends":          {"gotorch/autograd"},
	"gotorch/jupyter":           {"gotorch/tensor", "gotorch/interp", "gotorch/visualize"},
	"gotorch/visualize/display": {"gotorch/tensor"},
	"gotorch/visualize/widgets": {"gotorch/tensor"},
	"gotorch/tensor":            {"gotorch/tensor/opt"},
	"gotorch/tensor/opdef":      {"gotorch/internal"},
}

// groupOf finds the group with the longest matching path.
func groupOf(pkg string) (group string, layer int, ok bool) {
	for _, l := range layers {
		for _, g := range l.groups {
			if (pkg == g || strings.HasPrefix(pkg, g+"/")) && len(g) >= len(group) && (g != module.Path || pkg == g) {
				group, layer, ok = g, l.layer, true
			}
		}
	}
	return group, layer, ok
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func TestArrows(t *testing.T) {
	pkgs := packages(t)
	if len(pkgs) < 10 {
		t.Fatalf("go list found %d packages only", len(pkgs))
	}
	for _, p := range pkgs {
		group, layer, ok := groupOf(p.ImportPath)
		if ok && strings.Contains(p.ImportPath, "/internal/") && !strings.HasPrefix(p.ImportPath, "gotorch/internal/") {
			continue // what tests share
		}
		if !ok {
			if !strings.HasPrefix(p.ImportPath, "gotorch/internal/") && !strings.HasPrefix(p.ImportPath, "gotorch/examples") {
				t.Errorf("%s is in no layer", p.ImportPath)
			}
			continue // generators and tests of the whole look at everything
		}
		for _, imp := range p.Imports {
			if !module.Has(imp) {
				continue
			}
			other, height, ok := groupOf(imp)
			if !ok {
				if strings.HasPrefix(imp, "gotorch/internal/") {
					continue
				}
				t.Errorf("%s imports %s, which is in no layer", p.ImportPath, imp)
			}
			if other != group && height >= layer {
				t.Errorf("%s must not import %s, which is not in a lower layer", p.ImportPath, imp)
			}
			for _, bad := range never[group] {
				if other != group && (imp == bad || strings.HasPrefix(imp, bad+"/")) {
					t.Errorf("%s must not import %s", p.ImportPath, imp)
				}
			}
		}
	}
}

// handWritten calls f with every Go file that a user wrote.
func handWritten(t *testing.T, f func(name string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if b := d.Name(); name != root && (b == "testdata" || strings.HasPrefix(b, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_gen.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f(name, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesStaySmall(t *testing.T) {
	handWritten(t, func(name string, text []byte) {
		if n := bytes.Count(text, []byte("\n")); n > 600 {
			t.Errorf("%s has %d lines: split it", name, n)
		}
	})
}

// TestFoldersStaySmall: a reader finds a view by the names of the files in its folder.
func TestFoldersStaySmall(t *testing.T) {
	count := map[string]int{}
	handWritten(t, func(name string, _ []byte) {
		if !strings.HasSuffix(name, "_test.go") {
			count[filepath.ToSlash(filepath.Dir(strings.TrimPrefix(name, root+"/")))]++
		}
	})
	for dir, n := range count {
		if strings.HasPrefix(dir+"/", "visualize/") && n > 30 {
			t.Errorf("%s has %d hand-written files, at most 30 are allowed", dir, n)
		}
	}
}

func TestNoCgo(t *testing.T) {
	handWritten(t, func(name string, text []byte) {
		if bytes.Contains(text, []byte("import \"C\"\n")) {
			t.Errorf("%s uses cgo", name)
		}
	})
	if build.Default.Compiler != "gc" {
		t.Skip("needs the gc toolchain")
	}
}

// TestOperatorsFresh runs the generator of the operator table into an empty folder and compares.
func TestOperatorsFresh(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"tensor/opdef", "tensor/opt", "docs", "interp/check"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "./internal/gen", dir)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("generator: %v\n%s", err, out)
	}
	n := 0
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, rel))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./...", rel)
		}
		n++
		return nil
	})
	if n == 0 {
		t.Fatal("the generator wrote nothing")
	}
}

// TestFileNames: names that differ by case alone are one file on some systems, and no module zip may hold both.
func TestFileNames(t *testing.T) {
	seen := map[string]string{}
	filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if other := seen[strings.ToLower(name)]; other != "" {
			t.Errorf("%s and %s differ by case alone", other, name)
		}
		seen[strings.ToLower(name)] = name
		return nil
	})
}

package sources

import (
	"archive/zip"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFresh: the archive has the files as they are. The bytes of the archive depend on the Go release.
func TestFresh(t *testing.T) {
	out := filepath.Join(t.TempDir(), "data.zip")
	if text, err := exec.Command("go", "run", "gotorch/internal/gen/sources", "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("generator: %v\n%s", err, text)
	}
	z, err := zip.OpenReader(out)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := Read(f.Name); !ok || got != string(want) {
			t.Errorf("%s is stale: run go generate ./internal/sources", f.Name)
		}
	}
	if len(files()) != len(z.File) {
		t.Errorf("%d files in the archive, %d are there: run go generate ./internal/sources", len(files()),
			len(z.File))
	}
	if Size() > 1<<20 {
		t.Errorf("the archive has %d bytes", Size())
	}
}

func TestRead(t *testing.T) {
	if text, ok := Read("tensor/op.go"); !ok || !strings.HasPrefix(text, "package tensor") {
		t.Errorf("tensor/op.go begins %.20q", text)
	}
	if _, ok := Read("tensor/none.go"); ok {
		t.Error("a file that is not there")
	}
	for _, path := range []string{"/home/x/gotorch/tensor/op.go", `C:\src\gotorch\tensor\op.go`,
		"gotorch/tensor/op.go"} {
		if name, ok := Named(path); !ok || name != "tensor/op.go" {
			t.Errorf("%s is %q", path, name)
		}
	}
}

// TestAround: a line of a function finds the whole of it, in generated files as well; a line between functions none.
func TestAround(t *testing.T) {
	text, ok := Read("tensor/methods_gen.go")
	if !ok {
		t.Fatal("the methods are not in the archive")
	}
	before, _, _ := strings.Cut(text, "\tc := begin(opExp)\n")
	line := strings.Count(before, "\n") + 1
	p, ok := Around("tensor/methods_gen.go", line)
	if !ok || p.Name != "Exp" || p.Line != line-1 || !strings.HasPrefix(p.Text, "func (x *Tensor) Exp(") ||
		!strings.HasSuffix(p.Text, "\n}") {
		t.Errorf("%v %+v", ok, p)
	}
	if p, ok := Around("tensor/methods_gen.go", line-3); ok {
		t.Errorf("a line between functions is in %+v", p)
	}
	if p, ok := Around("tensor/methods_gen.go", 1); ok {
		t.Errorf("the first line is in %+v", p)
	}
	if p, ok := Declared("internal/simd", "addFloat32AVX2"); !ok || p.Line < 3 ||
		!strings.HasPrefix(p.Text, "func addFloat32AVX2(n int") {
		t.Errorf("%v %+v", ok, p)
	}
	if _, ok := Declared("internal/simd", "addFloat32"); ok {
		t.Error("a function that is not there")
	}
	if _, ok := Around("tensor/none.go", 1); ok {
		t.Error("a file that is not there")
	}
}

func TestIndex(t *testing.T) {
	f, ok := Function("tensor", "CurrentSite")
	if !ok || !strings.Contains(f.Text, "func CurrentSite() Site {") || f.File != "tensor/storage.go" {
		t.Errorf("%+v", f)
	}
	m := Mentions("backends/cpu", "sum")
	m = slices.DeleteFunc(m, func(m Mention) bool { return m.In != "kernels" })
	if len(m) != 1 || m[0].Names[0] != "sumKernel" || !strings.HasPrefix(m[0].Text, `"sum":`) {
		t.Errorf("%+v", m)
	}
	if r, ok := Row("max.dim"); !ok || !strings.Contains(r.Text, "max.dim(Tensor self, int dim") {
		t.Errorf("%+v", r)
	}
	if list := Tests("cumsum"); len(list) == 0 || list[0].Line == 0 {
		t.Errorf("%+v", list)
	}
}

// TestReaches: of what mentions an operator's name, some comes to register a kernel, and some is of another table.
func TestReaches(t *testing.T) {
	got := map[string]bool{}
	for _, m := range Mentions("backends/cpu", "add") {
		got[m.File] = got[m.File] || Reaches("backends/cpu", m, "Register")
	}
	for file, want := range map[string]bool{"arith.go": true, "unsigned.go": true, "combine.go": false,
		"norm_grad.go": false, "pool_average.go": false} {
		if reaches, found := got["backends/cpu/"+file]; !found || reaches != want {
			t.Errorf("%s: found %v, reaches Register %v, want %v", file, found, reaches, want)
		}
	}
	for _, m := range Mentions("backends/cpu", "exp") { // elements of tables that functions walk
		if strings.HasSuffix(m.File, "/math.go") && !Reaches("backends/cpu", m, "Register") {
			t.Errorf("%s:%d: %s", m.File, m.Line, m.Text)
		}
	}
}

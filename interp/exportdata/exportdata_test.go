package exportdata

import (
	"go/types"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"archive/zip"
	"io"
)

func TestImport(t *testing.T) {
	m := NewImporter()
	for _, path := range Paths() {
		p, err := m.Import(path)
		if err != nil || !p.Complete() || p.Path() != path {
			t.Errorf("%s: %v %v", path, p, err)
		}
		if again, _ := m.Import(path); again != p {
			t.Errorf("%s: another package the second time", path)
		}
	}
	p, err := m.Import("strings")
	if err != nil {
		t.Fatal(err)
	}
	sig := p.Scope().Lookup("Cut").Type().(*types.Signature)
	if got := sig.String(); got != "func(s string, sep string) (before string, after string, found bool)" {
		t.Errorf("strings.Cut is a %s", got)
	}
	if _, err := m.Import("net/smtp"); err == nil || !strings.Contains(err.Error(), "net/smtp is not available") {
		t.Errorf("net/smtp: %v", err)
	}
}

// Packages that see each other agree on types in whatever order they are read.
func TestIdentity(t *testing.T) {
	for _, order := range [][]string{{"io", "bufio"}, {"bufio", "io"}} {
		m := NewImporter()
		for _, p := range order {
			if _, err := m.Import(p); err != nil {
				t.Fatal(err)
			}
		}
		io, _ := m.Import("io")
		bufio, _ := m.Import("bufio")
		want := io.Scope().Lookup("Reader").Type()
		got := bufio.Scope().Lookup("NewReader").Type().(*types.Signature).Params().At(0).Type()
		if !types.Identical(got, want) {
			t.Errorf("%v: bufio's io.Reader is not io's", order)
		}
	}
}

func TestDoc(t *testing.T) {
	m := NewImporter()
	for _, tc := range [][3]string{
		{"fmt", "Println", "Println formats"}, {"fmt", "", "Package fmt"}, {"time", "Duration.Seconds", "Seconds returns"},
		{"bytes", "Buffer", "A Buffer is"}, {"io", "EOF", "EOF is"}, {"gotorch/tensor", "Tensor", "Tensor is"},
	} {
		if d := m.Doc(tc[0], tc[1]); !strings.HasPrefix(d, tc[2]) {
			t.Errorf("%s.%s: %q", tc[0], tc[1], d)
		}
	}
	if d := m.Doc("fmt", "NoSuch") + m.Doc("no/such", "X"); d != "" {
		t.Errorf("%q", d)
	}
}

// contents reads a zip file into a map.
func contents(t *testing.T, name string) map[string]string {
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	m := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		m[f.Name] = string(b)
	}
	return m
}

// TestFresh runs the generator again. Export data depends on the Go release, so
// another release than the one that made the data cannot be compared.
func TestFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: it lists and reads all packages")
	}
	if v := Version(); v != runtime.Version() {
		t.Skipf("the data was made with %s, this is %s", v, runtime.Version())
	}
	out := filepath.Join(t.TempDir(), "data.zip")
	if b, err := exec.Command("go", "run", "gotorch/internal/gen/exportdata", "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	got, want := contents(t, "data_gen.zip"), contents(t, out)
	for name, b := range want {
		if got[name] != b {
			t.Errorf("%s is stale: run go generate ./...", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is no more: run go generate ./...", name)
		}
	}
}

func BenchmarkImport(b *testing.B) {
	for _, path := range []string{"fmt", "strings", "gotorch/tensor"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				if _, err := NewImporter().Import(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

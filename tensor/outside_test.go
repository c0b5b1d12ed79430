package tensor_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestOutside tests a module outside of the repository, testdata/outside, which adds a device, an operator and a
// wrapper without a change to gotorch. Nothing is downloaded.
func TestOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program: half a minute")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "outside"))); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod := "module example.com/outside\n\ngo 1.26\n\nrequire gotorch v0.0.0\n\nreplace gotorch => " + root + "\n"
	for name, text := range map[string]string{"go.mod": mod, "go.sum": string(sums)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(goTool, "test", "-mod=mod", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

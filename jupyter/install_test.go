package jupyter_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gotorch/jupyter"
)

func TestInstall(t *testing.T) {
	data, venv, prefix := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", data)
	t.Setenv("VIRTUAL_ENV", venv)
	for _, c := range []struct {
		o    jupyter.InstallOptions
		want string
	}{
		{jupyter.InstallOptions{Executable: "bin/x"}, filepath.Join(data, "kernels", "gotorch")},
		{jupyter.InstallOptions{Executable: "bin/x", Prefix: prefix, Name: "other"},
			filepath.Join(prefix, "share", "jupyter", "kernels", "other")},
		{jupyter.InstallOptions{Executable: "bin/x", SysPrefix: true},
			filepath.Join(venv, "share", "jupyter", "kernels", "gotorch")},
	} {
		for range 2 { // again over itself
			dir, err := jupyter.Install(c.o)
			if err != nil || dir != c.want {
				t.Fatalf("%s, %v; want %s", dir, err, c.want)
			}
		}
		text, err := os.ReadFile(filepath.Join(c.want, "kernel.json"))
		if err != nil {
			t.Fatal(err)
		}
		var spec struct {
			Argv                                   []string
			Display_name, Language, Interrupt_mode string
			Kernel_protocol_version                string
		}
		if err := json.Unmarshal(text, &spec); err != nil {
			t.Fatal(err)
		}
		if len(spec.Argv) != 3 || !filepath.IsAbs(spec.Argv[0]) || spec.Argv[1] != "kernel" ||
			spec.Argv[2] != "{connection_file}" {
			t.Errorf("argv %q", spec.Argv)
		}
		equal(t, "the rest", []string{spec.Display_name, spec.Language, spec.Interrupt_mode, spec.Kernel_protocol_version},
			[]string{"Go (gotorch)", "go", "message", "5.5"})
		for name, size := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
			b, err := os.ReadFile(filepath.Join(c.want, name))
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(b))
			if err != nil || img.Bounds().Dx() != size || img.Bounds().Dy() != size {
				t.Errorf("%s: %v", name, err)
			}
		}
		if b, err := os.ReadFile(filepath.Join(c.want, "logo-svg.svg")); err != nil || !bytes.HasPrefix(b, []byte("<svg ")) {
			t.Errorf("svg: %v", err)
		}
		files, _ := os.ReadDir(c.want)
		equal(t, "files", len(files), 4)
		if dir, err := jupyter.Uninstall(c.o); err != nil || dir != c.want {
			t.Errorf("%s, %v", dir, err)
		}
		if _, err := os.Stat(c.want); !os.IsNotExist(err) {
			t.Errorf("the folder is left: %v", err)
		}
		if _, err := jupyter.Uninstall(c.o); err == nil {
			t.Error("uninstalling nothing is no error")
		}
	}
	for _, o := range []jupyter.InstallOptions{{Name: "a b"}, {Name: "../x"}, {Prefix: "/a", SysPrefix: true}} {
		if _, err := jupyter.Install(o); err == nil || !strings.HasPrefix(err.Error(), "jupyter: ") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestUserInstall(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are those of Linux")
	}
	home, xdg := t.TempDir(), t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", "")
	t.Setenv("HOME", home)
	for _, c := range []struct{ xdg, want string }{
		{"", filepath.Join(home, ".local", "share", "jupyter", "kernels", "gotorch")},
		{xdg, filepath.Join(xdg, "jupyter", "kernels", "gotorch")},
	} {
		t.Setenv("XDG_DATA_HOME", c.xdg)
		if dir, err := jupyter.Install(jupyter.InstallOptions{}); err == nil ||
			!strings.Contains(err.Error(), "go run removes") {
			// The test program itself lies where go run puts programs, unless it was built apart.
			equal(t, "folder", dir, c.want)
		}
		dir, err := jupyter.Install(jupyter.InstallOptions{Executable: "/bin/x"})
		if err != nil || dir != c.want {
			t.Errorf("%s, %v; want %s", dir, err, c.want)
		}
	}
}

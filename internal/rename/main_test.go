package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

func TestReplacer(t *testing.T) {
	r := newReplacer("gotorch", "example.com/owner/torch", []string{"tensor", "cmd"})
	for before, after := range map[string]string{
		"module gotorch\n": "module example.com/owner/torch\n",
		`import "gotorch/tensor"; import _ "gotorch"`: `import "example.com/owner/torch/tensor"; import _ "example.com/owner/torch"`,
		`strings.HasPrefix(p, "gotorch/")`:            `strings.HasPrefix(p, "example.com/owner/torch/")`,
		"// see [gotorch/tensor/opt.Dim].":            "// see [example.com/owner/torch/tensor/opt.Dim].",
		"gotorch/tensor gotorch/tensor":               "example.com/owner/torch/tensor example.com/owner/torch/tensor",
		"/home/me/gotorch/tensor gotorch/startup.go":  "/home/me/gotorch/tensor gotorch/startup.go",
		`cmd/gotorch-repl "gotorch" gotorch/tensors`:  `cmd/gotorch-repl "gotorch" gotorch/tensors`,
		"github.com/x/gotorch/cmd my-gotorch/cmd":     "github.com/x/gotorch/cmd my-gotorch/cmd",
	} {
		if got := string(r.replace([]byte(before))); got != after {
			t.Errorf("%q became %q, want %q", before, got, after)
		}
	}
}

// TestInstall renames a copy of the module, serves it as a module proxy does, installs the program and runs a cell.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds everything again, under another path: minutes")
	}
	const path, version = "example.com/owner/torch", "v0.1.0"
	work := t.TempDir()
	tree := filepath.Join(work, "tree")
	copyTree(t, filepath.Join("..", ".."), tree)
	if err := rename(tree, path); err != nil {
		t.Fatal(err)
	}

	// Without optimization all is compiled in half the time. The standard library is compiled as other builds do.
	const goflags = "-modcacherw -trimpath '-gcflags=all=-N -l' -gcflags=std="
	cache := strings.TrimSpace(command(t, work, nil, "go", "env", "GOMODCACHE"))
	bin, proxy := filepath.Join(work, "bin"), filepath.Join(work, "proxy")
	env := []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + ",file://" + filepath.ToSlash(cache) + "/cache/download",
		"GOSUMDB=off", "GOBIN=" + bin, "GOWORK=off", "CGO_ENABLED=0", "GOGC=400", // compilers collect less often
	}

	// The types that the program embeds are those of a build of the served module, so that the installation compiles
	// only what embeds them.
	generator := filepath.Join(work, "exportdata")
	command(t, tree, nil, "go", "build", "-o", generator, "./internal/gen/exportdata")
	if b, err := os.ReadFile(filepath.Join(tree, "interp", "exportdata", "exportdata.go")); err != nil ||
		!strings.Contains(string(b), "\n//go:generate go run "+path+"/internal/gen/exportdata ") {
		t.Errorf("go generate would run another program: %v", err)
	}
	serve(t, proxy, tree, path, version)
	user := filepath.Join(work, "user")
	write(t, filepath.Join(user, "go.mod"), "module user\n\ngo 1.26\n\nrequire "+path+" "+version+"\n")
	command(t, user, append(env, "GOMODCACHE="+filepath.Join(work, "before"), "GOFLAGS=-mod=mod "+goflags),
		generator, "-o", filepath.Join(tree, "interp", "exportdata", "data_gen.zip"))
	serve(t, proxy, tree, path, version)

	env = append(env, "GOMODCACHE="+filepath.Join(work, "modules"), "GOFLAGS="+goflags)
	command(t, work, env, "go", "install", path+"/cmd/gotorch-repl@"+version)
	program := filepath.Join(bin, "gotorch-repl")
	for cell, want := range map[string]string{
		"x := Arange(6).View(2, 3); x @ x.T()":                   "tensor([[ 5, 14],\n        [14, 50]])\n",
		"import \"" + path + "/tensor\"\ntensor.Ones(2).Sum()":   "tensor(2.)\n",
		"fmt.Println(visualize.Card(Zeros(2, 3)) != nil)":        "true\n",
		"slices.Sorted(maps.Keys(map[string]int{\"b\": 1}))":     "[\"b\"]\n",
		"reflect.TypeOf(Zeros(1)).Elem().PkgPath()":              "\"" + path + "/tensor\"\n",
		"func f(x *Tensor) *Tensor { return x + 1 }\nf(Ones(1))": "tensor([2.])\n",
	} {
		if got := command(t, work, nil, program, "-c", cell); got != want {
			t.Errorf("%s prints %q, want %q", cell, got, want)
		}
	}
	if got := command(t, work, nil, program, "-c", "?Zeros"); !strings.Contains(got, "Zeros") {
		t.Errorf("?Zeros prints %q", got)
	}
	cells := filepath.Join(work, "cells.go")
	write(t, cells, "x := Ones(2)\nfmt.Println(x.Sum())\n")
	command(t, work, nil, program, "export", "-o", filepath.Join(work, "exported"), cells)
	exported, err := os.ReadFile(filepath.Join(work, "exported", "go.mod"))
	if err != nil || !strings.Contains(string(exported), "require "+path+" "+version) {
		t.Errorf("the exported go.mod is %q, %v", exported, err)
	}
	exportedMain := filepath.Join(work, "exported")
	command(t, exportedMain, env, "go", "mod", "tidy")
	if got := command(t, exportedMain, env, "go", "run", "."); got != "tensor(2.)\n" {
		t.Errorf("the exported program prints %q", got)
	}
}

// serve puts the module in tree into the folder of a proxy.
func serve(t *testing.T, proxy, tree, path, version string) {
	t.Helper()
	versions := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	write(t, filepath.Join(versions, "list"), version+"\n")
	write(t, filepath.Join(versions, version+".info"), `{"Version":"`+version+`"}`)
	mod, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(versions, version+".mod"), string(mod))
	archive, err := os.Create(filepath.Join(versions, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	if err := modzip.CreateFromDir(archive, module.Version{Path: path, Version: version}, tree); err != nil {
		t.Fatal(err)
	}
}

// copyTree copies what a module zip of dir would hold, and its nested modules.
func copyTree(t *testing.T, dir, to string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "tree.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	m := module.Version{Path: "example.com/tree", Version: "v0.0.1"}
	if err := modzip.CreateFromDir(f, m, dir); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := modzip.Unzip(to, m, name); err != nil {
		t.Fatal(err)
	}
	filepath.Walk(to, func(name string, info os.FileInfo, err error) error {
		if err == nil {
			err = os.Chmod(name, info.Mode()|0o200)
		}
		return err
	})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// command runs a program in dir and returns what it prints on standard output.
func command(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, out, errs.String())
	}
	return string(out)
}

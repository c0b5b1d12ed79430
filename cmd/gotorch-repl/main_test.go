package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// built builds the program once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gotorch")
	if err != nil {
		return "", err
	}
	builtIn = dir
	name := filepath.Join(dir, "gotorch-repl")
	out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput()
	if err != nil {
		return "", &buildError{string(out)}
	}
	return name, nil
})

var builtIn string // the folder, if a test wanted the program

type buildError struct{ out string }

func (e *buildError) Error() string { return "go build: " + e.out }

func TestMain(m *testing.M) {
	code := m.Run()
	if builtIn != "" {
		os.RemoveAll(builtIn)
	}
	os.Exit(code)
}

func program(t testing.TB) string {
	t.Helper()
	name, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// required reports whether GOTORCH_REQUIRE lists what a test needs, so that it must not be skipped.
func required(what string) bool {
	return slices.Contains(strings.Split(os.Getenv("GOTORCH_REQUIRE"), ","), what)
}

// lacks skips a test for want of a program, or fails it where the program is required.
func lacks(t *testing.T, requirement, what string) {
	t.Helper()
	if required(requirement) {
		t.Fatal("no " + what)
	}
	t.Skip("needs " + what)
}

// python finds a Python with the modules; without one the test is skipped, or fails where it is required.
func python(t *testing.T, modules string) string {
	t.Helper()
	for _, p := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(p, "-c", "import "+modules).Run() == nil {
			return p
		}
	}
	lacks(t, "jupyter", fmt.Sprintf("Python with %s (Debian: python3-jupyter-kernel-test, python3-nbconvert)", modules))
	return ""
}

// feed runs the program with input on its standard input.
func feed(t *testing.T, input string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(program(t), args...)
	cmd.Stdin = strings.NewReader(input)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if _, isExit := err.(*exec.ExitError); err != nil && !isExit {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

func TestPipe(t *testing.T) {
	out, errOut, status := feed(t, "x := Arange(6).View(2, 3)\nx.T()\nx @ x.T()\n")
	want := "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])\ntensor([[ 5, 14],\n        [14, 50]])\n"
	if out != want || errOut != "" || status != 0 {
		t.Errorf("status %d\n%s%s\nwant\n%s", status, out, errOut, want)
	}
}

func TestPipeGoesOnAfterErrors(t *testing.T) {
	out, errOut, status := feed(t, "a := 1\na.b\nfunc f(n int) int {\n\treturn n + a\n}\nf(41)\n")
	if out != "42\n" || !strings.Contains(errOut, "error: ") || status != 1 {
		t.Errorf("status %d, stdout %q, stderr %q", status, out, errOut)
	}
}

// TestUsual: the command lines that are read without the parser mean what they mean to it.
func TestUsual(t *testing.T) {
	t.Setenv("GOTORCH_MEMORY", "")
	os.Unsetenv("GOTORCH_MEMORY")
	before := cli
	t.Cleanup(func() { cli = before })
	for command, args := range map[string][]string{"repl": nil, "kernel <file>": {"kernel", "/tmp/kernel-1.json"}} {
		cli = before
		if usual(args) == nil {
			t.Errorf("%q is not read", args)
		}
		repl, kernel := cli.Repl, cli.Kernel
		cli = before
		ctx, err := commandLine().Parse(args)
		if err != nil {
			t.Fatal(err)
		}
		if ctx.Command() != command || cli.Repl != repl || cli.Kernel != kernel || cli.Safe || cli.Memory != 0 {
			t.Errorf("%q: the parser gives %q, %+v and %+v, without it %+v and %+v", args, ctx.Command(), cli.Repl,
				cli.Kernel, repl, kernel)
		}
	}
	for _, args := range [][]string{{"--safe"}, {"kernel"}, {"kernel", "--help"}, {"kernel", "a", "b"}, {"version"}} {
		if usual(args) != nil {
			t.Errorf("%q is for the parser", args)
		}
	}
	t.Setenv("GOTORCH_MEMORY", "1G")
	if usual(nil) != nil {
		t.Error("a variable of the environment is for the parser")
	}
}

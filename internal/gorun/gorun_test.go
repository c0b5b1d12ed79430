package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// TestPrograms runs the programs of testdata, each of which ends in another way.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds gotorch-repl")
	}
	bin := filepath.Join(t.TempDir(), "gotorch-repl")
	if out, err := exec.Command("go", "build", "-o", bin, "gotorch/cmd/gotorch-repl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	all, left, err := programs(dir, regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	if left["imports unsafe, which cells do not have"] != 1 || left["for another system or with another tag"] != 1 {
		t.Errorf("not counted: %v", left)
	}
	want := map[string]outcome{"pass.go": passed, "sub/exit.go": differs, "sub/refused.go": rejected}
	r := runner{bin, dir, time.Minute}
	for _, p := range all {
		got := r.run(context.Background(), p)
		if w, ok := want[p.path]; !ok || got.outcome != w {
			t.Errorf("%s: %v, want %v\n%s", p.path, got.outcome, w, got.output)
		}
		delete(want, p.path)
	}
	if len(want) > 0 {
		t.Errorf("not run: %v", want)
	}
}

// TestJudge tells ends from each other by what was printed.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		status int
		output string
		late   bool
		want   outcome
	}{
		{0, "well\n", false, passed},
		{0, "ill\n", false, differs},
		{1, "well\n", false, differs},
		{-1, "", true, late},
		{-1, "", false, faulty},
		{1, "error: panic: assertion failed\n", false, differs},
		{1, "error: runtime error: nil pointer dereference\n  at a.go:3 in f\n", false, differs},
		{1, "error: a.go:6:2: undefined: x\n", false, rejected},
		{1, "error: panic: runtime.Breakpoint cannot be used in a cell: no debugger is there\n", false, rejected},
		{1, "error: the interpreter does not take what this cell was lowered to: a.go:1:1: x\n", false, faulty},
		{1, "InternalError: a.go\n", false, faulty},
		{2, "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\n", false, faulty},
		{2, "fatal error: stack overflow\n", false, faulty},
	} {
		r := result{program: program{want: "well\n"}, output: c.output, status: c.status}
		if got := judge(r, c.late); got != c.want {
			t.Errorf("status %d, %q: %v, want %v", c.status, c.output, got, c.want)
		}
	}
}

package shell_test

import (
	"gotorch/interp"
	"testing"
)

// TestPlainGo: commands become what they stand for, each part where it stood.
func TestPlainGo(t *testing.T) {
	got := interp.PlainGo(">>> x := 1\n>>> %time x + 1\n>>> %who\n>>> %strides a b\n>>> x")
	want := []string{"x := 1", "\nx + 1", "\n// %who\n", "\n\n\nvisualize.Strides(a, b)", "\n\n\n\nx"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("part %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// TestPlainGoOptions: what a command is told beside the Go that it runs is left out of it.
func TestPlainGoOptions(t *testing.T) {
	for src, want := range map[string]string{
		"%timeit -n 3 -r2 x + 1":                      "x + 1",
		"%timeit -x":                                  "-x",
		"%prof -o f.pprof f(x)":                       "f(x)",
		"%trace -o t.jsonl --chrome \"a b.json\" x@y": "x@y",
		"%trace -o t.jsonl x":                         "x",
		"%flame f(x)":                                 "f(x)",
		"%%capture out\nf(x)":                         "f(x)",
		"files := !ls -l\nf(x)":                       "// files := !ls -l\nf(x)",
		"done := !ok\nf(done)":                        "done := !ok\nf(done)",
	} {
		if got := interp.PlainGo(src); len(got) != 1 || got[0] != want {
			t.Errorf("%s becomes %q, want %q", src, got, want)
		}
	}
}

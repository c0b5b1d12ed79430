package main

import (
	"os/exec"
	"testing"
	"time"
)

// TestJupyterConsole is a user at jupyter console: values, completion, errors, Ctrl-C, the end. A cell that
// runs is not interrupted: jupyter_console 6.4 with jupyter_client 7 loses that Ctrl-C for every kernel, ipykernel
// included.
func TestJupyterConsole(t *testing.T) {
	if _, err := exec.LookPath("jupyter-console"); err != nil {
		lacks(t, "jupyter", "jupyter-console (Debian: jupyter-console)")
	}
	env := append(installed(t), "JUPYTER_RUNTIME_DIR="+t.TempDir(), "JUPYTER_CONFIG_DIR="+t.TempDir(),
		"IPYTHONDIR="+t.TempDir(), "PROMPT_TOOLKIT_NO_CPR=1")
	c := onTerminal(t, env, "jupyter-console", "--kernel=gotorch")
	const prompt = "\x1b[?2004h" // pasting is announced when the line editor is ready
	c.sees("Go with tensors")
	c.sees(prompt)
	typed := func(keys string) { // prompt_toolkit loses keys that come while it draws again
		c.rests(300 * time.Millisecond)
		c.types(keys)
	}
	// A busy machine may make jupyter_console take the idle of the question before a cell for the cell's own, and keep
	// the result until Enter is pressed.
	cell := func(src, want string) {
		t.Helper()
		typed(src + "\r")
		typed("\r")
		c.sees(want)
		c.sees(prompt)
	}
	cell("x := Arange(6).View(2, 3)", "")
	cell("x.T().Sum(dim=0)", "tensor([ 3, 12])")
	typed("x.SumTo\t")
	c.sees("Size")
	typed("\x03")
	cell("nope", "undefined: nope")
	cell("x.Size(0) + 40", "42")
	typed("\x04")
	c.sees("exit")
	typed("y\r")
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("%v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("jupyter console goes on after its end")
	}
}

package main

import (
	"os/exec"
	"testing"
	"time"
)

// TestJupyterConsole is a person at jupyter console: values, completion, errors, Ctrl-C, the end. A cell that
// runs is not interrupted: jupyter_console 6.4 with jupyter_client 7 loses that Ctrl-C for every kernel, ipykernel included.
func TestJupyterConsole(t *testing.T) {
	if _, err := exec.LookPath("jupyter-console"); err != nil {
		lacks(t, "jupyter", "jupyter-console (Debian: jupyter-console)")
	}
	env := append(installed(t), "JUPYTER_RUNTIME_DIR="+t.TempDir(), "JUPYTER_CONFIG_DIR="+t.TempDir(), "IPYTHONDIR="+t.TempDir(), "PROMPT_TOOLKIT_NO_CPR=1")
	c := onTerminal(t, env, "jupyter-console", "--kernel=gotorch")
	const prompt = "\x1b[?2004h" // pasting is announced when the line editor is ready
	c.sees("Go with tensors")
	c.sees(prompt)
	typed := func(keys string) { // prompt_toolkit loses keys that come while it draws anew
		c.rests(300 * time.Millisecond)
		c.types(keys)
	}
	typed("x := Arange(6).View(2, 3)\r")
	c.sees(prompt)
	typed("x.T().Sum(dim=0)\r")
	c.sees("tensor([ 3, 12])")
	c.sees(prompt)
	typed("x.SumTo\t")
	c.sees("Size")
	typed("\x03")
	typed("nope\r")
	c.sees("undefined: nope")
	c.sees(prompt)
	typed("x.Size(0) + 40\r")
	c.sees("42")
	c.sees(prompt)
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

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// echoes reports whether the terminal shows what is typed.
func (c *console) echoes() bool {
	c.t.Helper()
	s, err := unix.IoctlGetTermios(int(c.keys.Fd()), unix.TCGETS)
	if err != nil {
		c.t.Fatal(err)
	}
	return s.Lflag&unix.ECHO != 0
}

// hides waits until the terminal shows nothing of what is typed: it is set behind the question.
func (c *console) hides() {
	c.t.Helper()
	for start := time.Now(); c.echoes(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 20*time.Second {
			c.t.Fatal("the terminal shows what is typed")
		}
	}
}

// A password that is typed at the prompt, with and without a cursor, is nowhere but in its variable; Ctrl-C ends the
// question.
func TestSecretAtThePrompt(t *testing.T) {
	for _, term := range []string{"xterm", "dumb"} {
		home := t.TempDir()
		c := openConsole(t, "HOME="+home, "XDG_CONFIG_HOME="+home, "NO_COLOR=1", "TERM="+term)
		asks := func(cell string) {
			c.sees("]: ")
			c.types(cell + "\r")
			c.sees("word? \")") // of what is typed
			c.sees("word? ")
			c.hides()
		}
		asks(`pw, err := display.Password("word? ")`)
		c.types("hunter2\r")
		c.sees("In[2]: ")
		c.types("len(pw)\r")
		c.sees("7\r\n")
		asks(`display.Password("word? ")`)
		c.types("hunter2\x03")
		c.sees("error: interrupted")
		c.sees("In[4]: ")
		if term == "dumb" && !c.echoes() {
			t.Error("the terminal does not show what is typed after Ctrl-C")
		}
		c.types("pw[:3]\r")
		c.sees("\"hun\"\r\n")
		c.sees("In[5]: ")
		c.types("\x04")
		if err := c.cmd.Wait(); err != nil {
			t.Errorf("%s: Ctrl-D: %v", term, err)
		}
		history, _ := os.ReadFile(filepath.Join(home, "gotorch", "history"))
		if strings.Contains(c.out.String()+string(history), "hunter2") {
			t.Errorf("%s: the password is in %q %q", term, c.out.String(), history)
		}
	}
}

// A program's question at a terminal: not shown, and after Ctrl-C the terminal is as it was.
func TestSecretOfAProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	src := "package main\n\nimport (\n\t\"fmt\"\n\t\"gotorch/visualize/display\"\n)\n\nfunc main() {\n\tpw, err := " +
		"display.Password(\"word? \")\n\tfmt.Println(len(pw), err)\n}\n"
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, keys := range []string{"hunter2\r", "hunter2\x03"} {
		c := openWith(t, []string{"run", file})
		c.sees("word? ")
		c.hides()
		c.types(keys)
		if want := "error: "; strings.HasSuffix(keys, "\r") {
			c.sees("7 <nil>")
		} else {
			c.sees(want)
		}
		c.cmd.Wait()
		if !c.echoes() {
			t.Error("the terminal does not show what is typed afterwards")
		}
		if strings.Contains(c.out.String(), "hunter2") {
			t.Errorf("%q", c.out.String())
		}
	}
}

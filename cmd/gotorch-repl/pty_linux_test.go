package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// console is the program on a terminal of its own.
type console struct {
	t    *testing.T
	cmd  *exec.Cmd
	keys *os.File

	mu  sync.Mutex
	out strings.Builder // all that it wrote
	at  int             // how much of it was looked at
}

// openConsole starts the prompt on a pseudo-terminal.
func openConsole(t *testing.T, env ...string) *console { return openWith(t, nil, env...) }

// openWith starts it with arguments.
func openWith(t *testing.T, arguments []string, env ...string) *console {
	t.Helper()
	return onTerminal(t, env, program(t), arguments...)
}

// onTerminal starts a program on a pseudo-terminal.
func onTerminal(t *testing.T, env []string, program string, arguments ...string) *console {
	t.Helper()
	return onTerminalWith(t, func(cmd *exec.Cmd) { cmd.Env = append(append(os.Environ(), "TERM=xterm"), env...) },
		program, arguments...)
}

// onTerminalWith starts a program that is changed before.
func onTerminalWith(t *testing.T, change func(*exec.Cmd), program string, arguments ...string) *console {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 80})
	}
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer slave.Close()
	c := &console{t: t, cmd: exec.Command(program, arguments...), keys: master}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = slave, slave, slave
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	change(c.cmd)
	if u := c.cmd.SysProcAttr.Credential; u != nil {
		slave.Chown(int(u.Uid), int(u.Gid))
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.cmd.Process.Kill() })
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			c.mu.Lock()
			c.out.Write(buf[:n])
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return c
}

// sees waits until the program has written text, after what was seen before.
func (c *console) sees(text string) {
	c.t.Helper()
	for start := time.Now(); time.Since(start) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		if i := strings.Index(c.out.String()[c.at:], text); i >= 0 {
			c.at += i + len(text)
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
	}
	c.t.Fatalf("no %q in\n%q", text, c.out.String()[c.at:])
}

// rests waits until the program has written nothing for so long.
func (c *console) rests(d time.Duration) {
	c.t.Helper()
	for start, last, n := time.Now(), time.Now(), -1; time.Since(last) < d; time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		if c.out.Len() != n {
			n, last = c.out.Len(), time.Now()
		}
		c.mu.Unlock()
		if time.Since(start) > 20*time.Second {
			c.t.Fatal("it writes without end")
		}
	}
}

func (c *console) types(keys string) { c.keys.WriteString(keys) }

// TestPrompt is a user at a terminal.
func TestPrompt(t *testing.T) {
	home := t.TempDir()
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "NO_COLOR=1"}
	c := openConsole(t, env...)
	c.sees("In[1]: ")
	c.types("x := Arange(6).View(2, 3)\r")
	c.sees("In[2]: ")
	for range 3 { // between two cells a signal ends nothing
		c.cmd.Process.Signal(os.Interrupt)
		time.Sleep(5 * time.Millisecond)
	}
	c.types("x @ x.T()\r")
	c.sees("[14, 50]])")
	c.sees("In[3]: ")
	c.types("x.SumTo\t")
	c.sees("x.SumToSize")
	c.types("\x03") // drops the line
	c.sees("^C")
	c.sees("In[3]: ")
	c.types("fmt.Println(\"busy\"); for {}\r")
	c.sees("busy\r\n")
	c.types("\x03")
	c.sees("error: interrupted")
	c.sees("In[4]: ")
	c.types("\x1b[200~func f(n int) int {\n\treturn n + 1\n}\x1b[201~\r")
	c.sees("In[5]: ")
	c.types("f(41)\r")
	c.sees("42\r\n")
	c.sees("In[6]: ")
	c.types("\x04")
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("Ctrl-D: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(home, "gotorch", "history"))
	if err != nil || !strings.Contains(string(text), `"func f(n int) int {\n\treturn n + 1\n}"`) {
		t.Errorf("the history: %v\n%s", err, text)
	}

	c = openConsole(t, env...) // later: the cell comes back whole
	c.sees("In[1]: ")
	c.types("func\x1b[A")
	c.sees("...: }")
	c.types("\x1b[B\x1b[B\r")
	c.sees("In[2]: ")
	c.types("f(1)\r")
	c.sees("2\r\n")
	c.types("exit\r")
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("exit: %v", err)
	}
}

// TestPromptHelps is a user who lets the prompt help: what a start-up file defines, Tab, the signature of a call,
// what is pasted out of a session, an editor, a value that is longer than the screen.
func TestPromptHelps(t *testing.T) {
	home := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o777)); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("gotorch/startup.go", "start := 40\nbroken := nope\nfunc more(n int) int {\n\treturn n + start\n}\n")
	write("data_of_mine.txt", "two lines\n")
	editor := write("editor", "#!/bin/sh\nprintf 'written := 6 * 7\\nwritten\\n' > \"$1\"\n")
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "NO_COLOR=1", "VISUAL=", "EDITOR=" + editor, "PAGER=cat"}
	c := openConsole(t, env...)
	c.sees("error: startup.go:2:11: undefined: nope")
	c.sees("In[1]: ")
	c.types("more(2")
	c.sees("more(‹n int›) int")
	c.types(")\r")
	c.sees("42\r\n")
	c.sees("In[2]: ")
	c.types("x := Zeros(2, dtype=Fl\t64)\r")
	c.sees("Float64")
	c.sees("In[3]: ")
	c.types("os.ReadFile(\"" + home + "/data_o\t")
	c.sees("data_of_mine.txt")
	c.types("\x03")
	c.sees("In[3]: ")
	c.types("\x1b[200~>>> y := x + 1\n>>> for i := range 2 {\n...     y += i\n... }\n>>> y\ntensor([2., 2.])\x1b[201~\r")
	c.sees("tensor([2., 2.], dtype=torch.float64)")
	c.sees("In[4]: ")
	c.types("%edit\r")
	c.sees("42\r\n")
	c.sees("In[5]: ")
	c.types("written\r")
	c.sees("42\r\n")
	c.types("?\r") // it fits the screen
	c.sees("all commands")
	c.types("errors.New(strings.Repeat(\"a line\\n\", 200))\r")
	c.sees("lines more: %page shows all")
	c.types("%pa\t\r")
	c.sees(strings.Repeat("a line\r\n", 200))
	c.types("%exit\r")
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("%%exit: %v", err)
	}

	c = openWith(t, []string{"--startup", "none"}, env...)
	c.sees("In[1]: ")
	if strings.Contains(c.out.String(), "nope") {
		t.Errorf("the start-up file was run: %s", c.out.String())
	}
	c.types("\x04")
}

// TestStepperKeys is a user who goes through a backward pass.
func TestStepperKeys(t *testing.T) {
	home := t.TempDir()
	c := openConsole(t, "HOME="+home, "XDG_CONFIG_HOME="+home, "NO_COLOR=1")
	c.sees("In[1]: ")
	c.types("x := Arange(1.0, 4.0).RequiresGrad_(); loss := (x * x).Sum()\r")
	c.sees("In[2]: ")
	c.types("%backward loss\r")
	c.sees("the beginning, before step 1 of 2")
	c.sees("[1 of 3]")
	c.types("n")
	c.sees("step 1 of 2   SumBackward0, which made loss")
	c.types("\r")
	c.sees("step 2 of 2   MulBackward0")
	c.sees("[1 2 3] + [1 2 3] = [2 4 6]")
	c.sees("[3 of 3]")
	c.types("p")
	c.sees("step 1 of 2")
	c.types("\x1b[C")
	c.sees("step 2 of 2")
	c.types("q")
	c.sees("∂x is complete: [2 4 6] becomes x.Grad")
	c.sees("In[3]: ")
	c.types("x.Grad() == nil\r")
	c.sees("true\r\n")
	c.types("%backward loss\r")
	c.sees("[1 of 3]")
	c.types("\x03") // leaves the steps, not the program
	c.sees("In[5]: ")
	c.types("\x04")
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("Ctrl-D: %v", err)
	}
}

// TestDumbPrompt: a terminal that cannot move its cursor gets plain lines.
func TestDumbPrompt(t *testing.T) {
	c := openConsole(t, "TERM=dumb")
	c.sees("In[1]: ")
	c.types("for i := range 2 {\n")
	c.sees("...: ")
	c.types("fmt.Println(i + 40)\n}\n")
	c.sees("41")
	c.sees("In[2]: ")
	c.types("\x03")
	c.sees("In[2]: ")
	c.types("\x04")
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("Ctrl-D: %v", err)
	}
	if strings.Contains(c.out.String(), "\x1b") {
		t.Errorf("escape sequences on a dumb terminal: %q", c.out.String())
	}
}

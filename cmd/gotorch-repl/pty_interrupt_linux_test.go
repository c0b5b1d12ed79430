package main

import (
	"fmt"
	"testing"
	"time"
)

// TestPromptInterrupts: Ctrl-C at a terminal stops whatever runs; the prompt is back at once and the values are there.
func TestPromptInterrupts(t *testing.T) {
	home := t.TempDir()
	c := openConsole(t, "HOME="+home, "XDG_CONFIG_HOME="+home, "NO_COLOR=1")
	n := 0
	enters := func(cell string) {
		n++
		c.sees(fmt.Sprintf("In[%d]: ", n))
		c.types(cell + "\r")
	}
	enters("keep := 41")
	enters("xs := rand.Perm(5_000_000)")
	enters("a := Ones(4096, 4096)")
	enters("ch := make(chan int)")
	for _, r := range []struct{ name, src string }{
		{"loop", "for {}"},
		{"sleep", "time.Sleep(time.Hour)"},
		{"sort with a callback", "slices.SortFunc(xs, func(a, b int) int { return a-b })"},
		{"product", "a @ a @ a @ a"}, // several, for machines that are done with one before the key is down
		{"receive", "<-ch"},
	} {
		enters(`fmt.Println("begun"); ` + r.src)
		c.sees("begun\r\n")
		time.Sleep(50 * time.Millisecond) // into it
		start := time.Now()
		c.types("\x03")
		c.sees("error: interrupted")
		enters("keep + 1")
		took := time.Since(start)
		c.sees("42\r\n")
		t.Logf("%s: the prompt is back after %v", r.name, took.Round(time.Millisecond))
		if took > 2*time.Second { // 5 to 40 ms where nothing else runs
			t.Errorf("%s: the prompt is back after %v", r.name, took)
		}
	}
	enters("len(xs) == 5_000_000 && a.Size(0) == 4096")
	c.sees("true\r\n")
	enters("\x04")
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("Ctrl-D: %v", err)
	}
}

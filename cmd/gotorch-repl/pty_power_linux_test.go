package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPromptKeepsHabits is a user of many years at other prompts: Ctrl-\ in a cell that runs, the cell in an editor,
// the last word, what was typed before, cells that are run again.
func TestPromptKeepsHabits(t *testing.T) {
	home := t.TempDir()
	editor := filepath.Join(home, "editor")
	if err := os.WriteFile(editor,
		[]byte("#!/bin/sh\necho editing\nread key < /dev/tty\nprintf '%s + %s' \"$(cat $1)\" \"$key\" > \"$1\"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	c := openConsole(t, "HOME="+home, "XDG_CONFIG_HOME="+home, "NO_COLOR=1", "VISUAL=", "EDITOR="+editor)
	c.sees("In[1]: ")
	c.types("\x1c") // Ctrl-\ while nothing runs
	c.types("fmt.Println(\"busy\"); for {}\r")
	c.sees("busy\r\n")
	c.types("\x1c")
	c.sees("error: interrupted")
	c.sees("In[2]: ")
	c.types("6 * 6\x18\x05") // the editor reads the next keys
	c.sees("editing\r\n")
	c.types("5\r")
	c.sees("6 * 6 + 5")
	c.types(" + 1\r")
	c.sees("42\r\n")
	c.sees("In[3]: ")
	c.types("\x1b.\r") // the last word of 6 * 6 + 5 + 1
	c.sees("1\r\n")
	c.sees("In[4]: ")
	c.types("_i, __\r")
	c.sees("\"1\"\r\n42\r\n")
	c.sees("In[5]: ")
	c.types("%rerun 2\r")
	c.sees("6 * 6 + 5 + 1\r\n42\r\n")
	c.sees("In[6]: ")
	c.types("%recall 2\r")
	c.sees("In[7]: 6 * 6 + 5 + 1")
	c.types(" - 2\r")
	c.sees("40\r\n")
	c.sees("In[8]: ")
	c.types("%edit Sum\r")
	c.sees("Sum is built in and has no text to edit")
	c.sees("In[9]: ")
	c.types("\x04")
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("Ctrl-D: %v", err)
	}
}

// TestNoEditorInSafe: the key for an editor starts no program in the restricted mode.
func TestNoEditorInSafe(t *testing.T) {
	home := t.TempDir()
	c := openWith(t, []string{"--safe"}, "HOME="+home, "XDG_CONFIG_HOME="+home, "NO_COLOR=1", "VISUAL=", "EDITOR=touch")
	c.sees("In[1]: ")
	c.types("1 + 1\x18\x05")
	c.sees("an editor is refused in the restricted mode")
	c.types("\r")
	c.sees("2\r\n")
	c.types("\x04")
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("Ctrl-D: %v", err)
	}
}

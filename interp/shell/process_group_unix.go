//go:build unix

package shell

import (
	"os/exec"
	"syscall"
)

// alone puts a program into a process group of its own, so that an interrupt ends all that it started.
func alone(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}

//go:build unix

package exec

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup gives a program its own process group.
func ownGroup(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	}
}

func signalGroup(p *os.Process, s syscall.Signal) {
	if p.Signal(syscall.Signal(0)) == nil { // its number is still its own
		syscall.Kill(-p.Pid, s)
	}
}

func interruptGroup(p *os.Process) { signalGroup(p, syscall.SIGINT) }
func endGroup(p *os.Process)       { signalGroup(p, syscall.SIGTERM) }
func killGroup(p *os.Process)      { signalGroup(p, syscall.SIGKILL) }

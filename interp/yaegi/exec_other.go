//go:build !unix

package yaegi

import (
	"os"
	"os/exec"
)

func alone(*exec.Cmd) {}

func interruptGroup(p *os.Process) { p.Kill() }
func endGroup(p *os.Process)       { p.Kill() }
func killGroup(p *os.Process)      { p.Kill() }

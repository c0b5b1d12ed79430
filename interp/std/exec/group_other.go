//go:build !unix

package exec

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func interruptGroup(p *os.Process) { p.Kill() }
func endGroup(p *os.Process)       { p.Kill() }
func killGroup(p *os.Process)      { p.Kill() }

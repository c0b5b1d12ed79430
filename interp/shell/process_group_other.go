//go:build !unix

package shell

import "os/exec"

// alone leaves the program as it is: an interruption ends it, but not what it started.
func alone(*exec.Cmd) {}

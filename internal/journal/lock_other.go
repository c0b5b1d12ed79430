//go:build !unix || solaris || aix

package journal

import (
	"os"
	"strconv"
	"strings"
)

// lock reports whether the process whose number the file has in its name does not run: this system has no locks that
// are released when a process ends, or is not known to have them.
func lock(f *os.File) bool {
	name := strings.TrimSuffix(f.Name(), extension)
	pid, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	if err != nil || pid == os.Getpid() {
		return true
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	p.Release()
	return false
}

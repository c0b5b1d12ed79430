package shell

import (
	"fmt"
	"os"
)

// longest is how many bytes a file of cells may have.
const longest = 64 << 20

// readCells reads a file of cells. Pipes and devices are rejected: nothing ends a wait for them, and they may never
// end.
func readCells(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a pipe or a device, which may never end: write its text to a file", name)
	case info.Size() > longest:
		return nil, fmt.Errorf("%s has %d bytes: a file of cells has at most %d", name, info.Size(), longest)
	}
	return os.ReadFile(name)
}

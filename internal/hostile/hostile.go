// Package hostile has cells that try to end the process, to block it, or to take more memory than there is. Tests run
// them: in a session of their own, at the prompt and in the kernel.
package hostile

import (
	_ "embed"
	"os"
	"regexp"
	"strconv"
	"strings"
)

//go:embed cells.txt
var text string

var repeated = regexp.MustCompile("«([0-9]+)×(.*?)»")

// Cell is a cell of the table and its class.
type Cell struct{ Class, Src string }

// Cells is the table. FIFO in it is replaced by the name of a pipe that nobody writes to, «3×ab» by ababab.
func Cells(fifo string) (cells []Cell) {
	for _, part := range strings.Split("\n"+text, "\n== ")[1:] {
		class, body, _ := strings.Cut(part, "\n")
		for _, src := range strings.Split(strings.TrimSpace(body), "\n--\n") {
			src = repeated.ReplaceAllStringFunc(strings.ReplaceAll(src, "FIFO", fifo), func(s string) string {
				m := repeated.FindStringSubmatch(s)
				n, _ := strconv.Atoi(m[1])
				return strings.Repeat(m[2], n)
			})
			cells = append(cells, Cell{class, src})
		}
	}
	return cells
}

// Some is the table where GOTORCH_ALL is set or only says which cells, else every n-th cell, without those that depend
// on how goroutines meet: which ones depends on shift.
func Some(fifo, only string, n, shift int) (cells []Cell) {
	for i, c := range Cells(fifo) {
		switch {
		case only != "" && !strings.Contains(c.Class+c.Src, only):
		case only == "" && os.Getenv("GOTORCH_ALL") == "" && ((i+shift)%n != 0 || c.Class == "maps" || c.Class == "threads"):
		default:
			cells = append(cells, c)
		}
	}
	return cells
}

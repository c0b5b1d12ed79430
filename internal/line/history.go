package line

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// history is the cells that were typed, the oldest first, in this session and
// in those before.
type history struct {
	file  string // "" keeps nothing on disk
	cells []string
}

// keepCells is how many cells a history's file keeps.
const keepCells = 5000

// loadHistory reads a history; a file that is not there is an empty one.
func loadHistory(file string) *history {
	h := &history{file: file}
	if file == "" {
		return h
	}
	f, err := os.Open(file)
	if err != nil {
		return h
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		if cell := decodeCell(s.Text()); cell != "" {
			h.cells = append(h.cells, cell)
		}
	}
	if len(h.cells) > 2*keepCells {
		h.cells = h.cells[len(h.cells)-keepCells:]
		h.rewrite()
	}
	return h
}

// encodeCell writes a cell as one line: as it is, or quoted as Go quotes where
// it has several lines.
func encodeCell(cell string) string {
	if strings.ContainsAny(cell, "\n\r") || strings.HasPrefix(cell, `"`) {
		return strconv.Quote(cell)
	}
	return cell
}

func decodeCell(line string) string {
	if strings.HasPrefix(line, `"`) {
		if cell, err := strconv.Unquote(line); err == nil {
			return cell
		}
	}
	return line
}

// add puts a cell at the end, unless it stands there.
func (h *history) add(cell string) {
	cell = strings.TrimRight(cell, "\n\t ")
	if strings.TrimSpace(cell) == "" || len(h.cells) > 0 && h.cells[len(h.cells)-1] == cell {
		return
	}
	h.cells = append(h.cells, cell)
	if h.file == "" {
		return
	}
	f, err := os.OpenFile(h.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return // a prompt without a history on disk is a prompt
	}
	defer f.Close()
	f.WriteString(encodeCell(cell) + "\n")
}

// rewrite puts the cells into a file of their own and that in place of the old.
func (h *history) rewrite() {
	f, err := os.CreateTemp(filepath.Dir(h.file), "history")
	if err != nil {
		return
	}
	w := bufio.NewWriter(f)
	for _, c := range h.cells {
		w.WriteString(encodeCell(c) + "\n")
	}
	err = w.Flush()
	if e := f.Close(); err == nil && e == nil {
		err = os.Rename(f.Name(), h.file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
}

// older is the place of the cell before at that match takes, or -1.
func (h *history) older(at int, match func(string) bool) int {
	for at--; at >= 0; at-- {
		if match(h.cells[at]) {
			return at
		}
	}
	return -1
}

// newer is the place of the cell after at that match takes, or len(cells).
func (h *history) newer(at int, match func(string) bool) int {
	for at++; at < len(h.cells); at++ {
		if match(h.cells[at]) {
			return at
		}
	}
	return len(h.cells)
}

// suggestion is the rest of the newest cell that begins with what was typed.
func (h *history) suggestion(typed string) string {
	if strings.TrimSpace(typed) == "" {
		return ""
	}
	i := h.older(len(h.cells), func(c string) bool { return len(c) > len(typed) && strings.HasPrefix(c, typed) })
	if i < 0 {
		return ""
	}
	return h.cells[i][len(typed):]
}

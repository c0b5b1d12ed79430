package display

import (
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/rivo/uniseg"

	"gotorch/internal/lazyre"
)

// Screen is a sink of lines of text, with what is written beside it. What a
// handle shows is redrawn where it stands as long as it is on the screen; where
// there is no screen, as in a file, only its last picture is printed.
type Screen struct {
	out   io.Writer
	size  func() (columns, rows int)
	color bool

	mu    sync.Mutex
	tail  []shown // what stands on the screen, from the first display that can still be redrawn
	held  []shown // displays that are not yet printed; no screen only
	late  []shown // displays whose new picture waits for the end of the cell
	quiet bool    // no cell has begun
}

// shown is a piece of the screen: a display, or, without an id, other output.
type shown struct{ id, text string }

// NewScreen makes a sink that prints to out. size tells the size of the
// screen; nil, or a size of 0, means that there is none.
func NewScreen(out io.Writer, size func() (columns, rows int), color bool) *Screen {
	return &Screen{out: out, size: size, color: color}
}

func (t *Screen) screen() (columns, rows int) {
	if t.size == nil {
		return 0, 0
	}
	return t.size()
}

// Write prints beside the displays.
func (t *Screen) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release()
	n, err := t.out.Write(p)
	t.follow("", string(p[:n]))
	return n, err
}

// follow notes what was printed, while a display before it can be redrawn.
func (t *Screen) follow(id, text string) {
	columns, rows := t.screen()
	if rows == 0 || id == "" && len(t.tail) == 0 {
		return
	}
	if last := len(t.tail) - 1; id == "" && t.tail[last].id == "" {
		t.tail[last].text += text
	} else {
		t.tail = append(t.tail, shown{id, text})
	}
	if last := len(t.tail) - 1; last >= 0 && strings.Contains(text, "\r") { // a line that is written over
		s := t.tail[last].text
		if line := strings.LastIndexByte(s, '\n') + 1; strings.LastIndexByte(s, '\r') > line {
			t.tail[last].text = s[:line] + s[strings.LastIndexByte(s, '\r'):]
		}
	}
	for len(t.tail) > 0 && height(t.tail, columns) >= rows {
		if t.tail = t.tail[1:]; len(t.tail) == 1 && t.tail[0].id == "" {
			t.tail = nil
		}
	}
}

// release prints what was held.
func (t *Screen) release() {
	for _, h := range t.held {
		io.WriteString(t.out, h.text)
	}
	t.held = nil
}

// Display shows a bundle.
func (t *Screen) Display(id string, b Bundle) {
	text := b.Text(t.color) + "\n"
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, rows := t.screen(); rows == 0 && id != "" {
		t.held = append(t.held, shown{id, text})
		return
	}
	t.release()
	io.WriteString(t.out, text)
	t.follow(id, text)
}

// Update redraws what is shown under the id.
func (t *Screen) Update(id string, b Bundle) {
	text := b.Text(t.color) + "\n"
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := index(t.held, id); i >= 0 {
		t.held[i].text = text
		return
	}
	columns, rows := t.screen()
	i := index(t.tail, id)
	if rows == 0 || i < 0 {
		if j := index(t.late, id); j >= 0 {
			t.late[j].text = text
		} else {
			t.late = append(t.late, shown{id, text})
		}
		if t.quiet && height([]shown{{id, text}}, columns) < rows { // nothing else will print it
			t.flush()
		}
		return
	}
	up := height(t.tail[i:], columns)
	t.tail[i].text = text
	var s strings.Builder
	s.WriteByte('\r')
	if up > 0 {
		s.WriteString("\x1b[" + itoa(up) + "A")
	}
	s.WriteString("\x1b[J")
	for _, p := range t.tail[i:] {
		s.WriteString(p.text)
	}
	io.WriteString(t.out, s.String())
	t.follow("", "")
}

// Manner is that of a terminal where there is a screen.
func (t *Screen) Manner() Manner {
	if _, rows := t.screen(); rows == 0 {
		return Lines
	}
	return Terminal
}

// Clear does nothing: what is printed stays.
func (t *Screen) Clear(bool) {}

// Begin says that a cell begins: what is on the screen was typed over.
func (t *Screen) Begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tail, t.quiet = nil, false
}

// Flush prints what waits for the end of the cell, which has come.
func (t *Screen) Flush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flush()
	t.quiet = true
}

func (t *Screen) flush() {
	t.release()
	for _, l := range t.late {
		io.WriteString(t.out, l.text)
		t.follow(l.id, l.text)
	}
	t.late = nil
}

func index(list []shown, id string) int {
	return slices.IndexFunc(list, func(s shown) bool { return s.id == id && id != "" })
}

var escape = lazyre.New("\x1b\\[[0-9;?]*[a-zA-Z]")

// height is how many rows the cursor went down while the list was printed.
func height(list []shown, columns int) int {
	var all strings.Builder
	for _, s := range list {
		all.WriteString(s.text)
	}
	lines := strings.Split(escape.ReplaceAllString(all.String(), ""), "\n")
	n := len(lines) - 1
	for _, l := range lines {
		if columns > 0 {
			n += max(0, uniseg.StringWidth(l)-1) / columns
		}
	}
	return n
}

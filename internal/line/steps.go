package line

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"gotorch/internal/lazyre"
)

// stepping is what a user goes through frame by frame.
type stepping struct {
	n, at int
	frame func(i int) string
}

const stepKeys = "n Enter next   p back   g G ends   q leave"

// Step shows one of n frames and goes to others as keys say: n, Enter, space and the arrows to the right and down to
// the next, p and the arrows to the left and up to the one before, g and G to the first and the last. q, Enter at the
// last frame, Ctrl-C and Ctrl-D leave; the frame that was seen last stays on the screen. Frames may have colours. The
// error is that of a terminal that cannot do this.
func (e *Editor) Step(n int, frame func(i int) string) error {
	if n <= 0 {
		return errors.New("there are no steps")
	}
	if err := e.term.Raw(); err != nil {
		return err
	}
	defer e.term.Cooked()
	e.mu.Lock()
	e.startRow()
	e.tail = nil
	e.step, e.reading = &stepping{n: n, frame: frame}, true
	e.draw()
	e.mu.Unlock()
	for {
		k := e.term.ReadKey()
		e.mu.Lock()
		more := e.step.key(k)
		if !more {
			rows := e.step.rows(e.term.Size())
			e.step, e.reading = nil, false
			e.term.Write([]byte(e.screen.clear() + strings.Join(rows[:len(rows)-1], "\r\n") + "\r\n"))
			if len(e.held) > 0 {
				e.term.Write(crlf(e.held))
				e.held = nil
			}
			e.mu.Unlock()
			return nil
		}
		e.draw()
		e.mu.Unlock()
	}
}

// key goes where a key says; it reports whether to go on.
func (s *stepping) key(k rune) bool {
	switch k {
	case 'n', 'N', ' ', keyRight, keyDown, keyPageDown:
		s.at = min(s.at+1, s.n-1)
	case enter, ctrlJ:
		if s.at == s.n-1 {
			return false
		}
		s.at++
	case 'p', 'P', keyLeft, keyUp, keyPageUp, backspace, ctrlH:
		s.at = max(s.at-1, 0)
	case 'g', keyHome:
		s.at = 0
	case 'G', keyEnd:
		s.at = s.n - 1
	case 'q', 'Q', ctrlC, ctrlD, 0:
		return false
	}
	return true
}

// rows are the frame and what the keys do. Of a frame that is too high for the terminal the first row stays, and the
// last ones.
func (s *stepping) rows(width, height int) []string {
	rows := strings.Split(strings.TrimRight(s.frame(s.at), "\n"), "\n")
	if most := max(height-2, 3); len(rows) > most {
		cut := len(rows) - most + 1
		rows = append([]string{rows[0], fmt.Sprintf("⋮ %d rows", cut)}, rows[1+cut:]...)
	}
	for i, r := range rows {
		rows[i] = cutColored(r, max(width-1, 8))
	}
	return append(rows, cut(fmt.Sprintf("[%d of %d]  %s", s.at+1, s.n, stepKeys), max(width-1, 8)))
}

var colour = lazyre.New("\x1b\\[[0-9;]*m")

// cutColored shortens a row to a width; escape sequences take none, and colours end where it does.
func cutColored(s string, width int) string {
	if uniseg.StringWidth(colour.ReplaceAllString(s, "")) <= width {
		return s
	}
	var b strings.Builder
	end := ""
	if strings.Contains(s, "\x1b") {
		end = "\x1b[0m"
	}
	for n := 0; s != ""; {
		at := colour.Re().FindStringIndex(s)
		if at == nil {
			at = []int{len(s), len(s)}
		}
		w := uniseg.StringWidth(s[:at[0]])
		if n+w >= width {
			b.WriteString(cut(s[:at[0]]+"…", width-n))
			break
		}
		b.WriteString(s[:at[1]])
		n += w
		s = s[at[1]:]
	}
	return b.String() + end
}

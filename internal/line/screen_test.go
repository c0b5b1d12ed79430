package line

import (
	"io"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// fake is a terminal of a test: it takes keys as a terminal sends them and
// keeps the screen that the editor draws.
type fake struct {
	mu     sync.Mutex
	w, h   int
	keys   []rune
	grid   [][]string
	row    int
	col    int
	pend   bool // the row is full: the next character begins another
	onKeys func(left int)
	drawn  int // bytes
	wiped  int // how often all was erased from the screen's first place on
}

func newFake(w, h int, input string) *fake {
	f := &fake{w: w, h: h}
	b, _ := io.ReadAll(&decoder{from: strings.NewReader(input)})
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		f.keys = append(f.keys, r)
		b = b[n:]
	}
	return f
}

func (f *fake) Raw() error       { return nil }
func (f *fake) Cooked() error    { return nil }
func (f *fake) Suspend()         {}
func (f *fake) OnResize(func())  {}
func (f *fake) Size() (w, h int) { return f.w, f.h }

func (f *fake) ReadKey() rune {
	if f.onKeys != nil {
		f.onKeys(len(f.keys))
	}
	if len(f.keys) == 0 {
		return 0
	}
	k := f.keys[0]
	f.keys = f.keys[1:]
	return k
}

func (f *fake) line(n int) []string {
	for len(f.grid) <= n {
		f.grid = append(f.grid, nil)
	}
	return f.grid[n]
}

// Write obeys what the editor uses of a terminal's language.
func (f *fake) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drawn += len(p)
	s, state := string(p), -1
	for s != "" {
		if strings.HasPrefix(s, "\x1b[") {
			end := 2
			for s[end] < 0x40 {
				end++
			}
			n := 0
			for _, c := range s[2:end] {
				if c >= '0' && c <= '9' {
					n = n*10 + int(c-'0')
				}
			}
			f.pend = f.pend && s[end] == 'm'
			switch s[end] {
			case 'A':
				f.row = max(f.row-n, 0)
			case 'C':
				f.col = min(f.col+max(n, 1), f.w-1)
			case 'K':
				row := f.line(f.row)
				f.grid[f.row] = row[:min(f.col, len(row))]
			case 'J':
				if f.row == 0 && f.col == 0 {
					f.wiped++
				}
				row := f.line(f.row)
				f.grid = append(f.grid[:f.row], row[:min(f.col, len(row))])
			}
			s, state = s[end+1:], -1
			continue
		}
		var g string
		var w int
		g, s, w, state = uniseg.FirstGraphemeClusterInString(s, state)
		switch g {
		case "\r\n":
			f.row, f.col, f.pend = f.row+1, 0, false
		case "\n":
			f.row, f.pend = f.row+1, false
		case "\r":
			f.col, f.pend = 0, false
		case "\a":
		default:
			if w == 0 { // a mark joins what stands before it
				if row := f.line(f.row); f.col > 0 && f.col <= len(row) {
					row[f.col-1] += g
				}
				continue
			}
			if f.pend || f.col+w > f.w {
				f.row, f.col, f.pend = f.row+1, 0, false
			}
			row := f.line(f.row)
			for len(row) < f.col+w {
				row = append(row, " ")
			}
			row[f.col] = g
			for i := 1; i < w; i++ {
				row[f.col+i] = ""
			}
			f.grid[f.row] = row
			if f.col += w; f.col >= f.w {
				f.col, f.pend = f.w-1, true
			}
		}
	}
	return len(p), nil
}

// String is the screen, the cursor as ▮ before the character on which it stands.
func (f *fake) screen(cursor bool) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	f.line(f.row)
	for i, row := range f.grid {
		var line strings.Builder
		for j, c := range row {
			if cursor && i == f.row && j == f.col {
				line.WriteString("▮")
			}
			line.WriteString(c)
		}
		if cursor && i == f.row && f.col >= len(row) {
			line.WriteString(strings.Repeat(" ", f.col-len(row)) + "▮")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// wholeBraces is a language of braces: whole when none is open.
func wholeBraces(src string) (bool, string) {
	n := strings.Count(src, "{") - strings.Count(src, "}")
	return n <= 0, strings.Repeat("\t", max(n, 0))
}

func words(list ...string) func(string, int) (int, []Candidate) {
	return func(src string, at int) (int, []Candidate) {
		start := at
		for start > 0 && isWord(rune(src[start-1])) {
			start--
		}
		var out []Candidate
		for _, w := range list {
			if strings.HasPrefix(w, src[start:at]) {
				out = append(out, Candidate{w, "note of " + w})
			}
		}
		return start, out
	}
}

// typed reads one cell from keys and gives it with what the screen shows.
func typed(t *testing.T, w, h int, input string, cfg Config, before ...string) (cell, screen string, err error) {
	t.Helper()
	f := newFake(w, h, input)
	cfg.Terminal, cfg.Whole = f, wholeBraces
	e := New(cfg)
	e.hist.cells = append(e.hist.cells, before...)
	cell, err = e.Read("> ", ". ")
	return cell, f.screen(false), err
}

// live returns the screen and the cursor as they are once all keys were read.
func live(w, h int, input string, cfg Config, before ...string) string {
	f := newFake(w, h, input)
	cfg.Terminal, cfg.Whole = f, wholeBraces
	var shown string
	f.onKeys = func(left int) {
		if left == 0 && shown == "" {
			shown = f.screen(true)
		}
	}
	e := New(cfg)
	e.hist.cells = before
	e.Read("> ", ". ")
	return shown
}

// TestNothingIsWiped: at the top of the screen, what is drawn again is not erased as a whole screen, which tmux would
// keep a copy of.
func TestNothingIsWiped(t *testing.T) {
	f := newFake(20, 5, "one two three four five six\x1b[A\x1b[Hx\x7f\r")
	e := New(Config{Terminal: f, Whole: func(string) (bool, string) { return true, "" }})
	if src, err := e.Read("> ", "  "); err != nil || src != "one two three four five six" {
		t.Fatalf("%q, %v", src, err)
	}
	if f.wiped > 0 {
		t.Errorf("wiped %d times", f.wiped)
	}
	if got := strings.TrimRight(f.screen(false), "\n "); got != "> one two three four\n five six" {
		t.Errorf("the screen shows %q", got)
	}
}

// Package line reads cells of several lines from a terminal: an editor with a
// history of whole cells, completion, colours and pasting. The terminal itself
// (raw mode, sizes, Windows) is readline's; what stands on it is drawn here.
package line

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
)

// ErrInterrupt says that Ctrl-C was pressed while a cell was typed.
var ErrInterrupt = errors.New("interrupted")

// Terminal is what an Editor draws on and reads keys from.
type Terminal interface {
	io.Writer
	ReadKey() rune // 0 at the end of the input
	Raw() error    // from here on keys come one by one
	Cooked() error
	Size() (width, height int)
	OnResize(func())
	Suspend() // Ctrl-Z
}

// Config says how an Editor behaves.
type Config struct {
	Terminal Terminal
	History  string // the file that keeps what was typed; "" keeps nothing
	Color    bool

	// Whole reports whether a cell is whole, else how its next line is indented.
	Whole func(src string) (whole bool, indent string)

	// Complete returns what can stand at the cursor, and where what it replaces
	// begins; both are bytes of src.
	Complete func(src string, cursor int) (start int, list []Candidate)

	// Edit lets the user write a cell in a program of theirs, which has the terminal until Edit returns. It may be nil.
	Edit func(src string) (string, error)

	// Hint says what is being typed at the cursor, of a call the function: a line beneath the cell that goes away. It may
	// be nil.
	Hint func(src string, cursor int) Hint
}

// Editor reads cells.
type Editor struct {
	cfg    Config
	term   Terminal
	hist   *history
	screen screen

	mu       sync.Mutex // holds what follows
	reading  bool
	prompt   string
	more     string
	single   bool // one line is read, not a cell
	text     text
	paste    bool
	killed   string
	cutting  bool      // the last key has cut: what is cut now is added
	cut      bool      // this key has cut
	lastWord *lastWord // what the last key, Alt-., has put
	wordNext *lastWord
	opening  bool // the key for the editor was pressed; the end of the line that follows it opens it
	undos    []text
	typing   bool // the last key was a character: one undo for all in a row
	at       int  // in the history; len(cells) for what is typed
	draft    text // what was typed before the history was looked at
	prefix   string
	recalled bool // the text is the history's, and the cursor where that put it: Enter runs it again
	menu     *menu
	search   *search
	step     *stepping // in place of a cell
	next     string    // where the next cell begins with a text
	held     []byte    // the beginning of a line that was printed in the background
	tail     []byte    // the line that was printed last, where it has not ended
}

// New makes an editor.
func New(cfg Config) *Editor {
	e := &Editor{cfg: cfg, term: cfg.Terminal, hist: loadHistory(cfg.History)}
	e.screen = screen{term: cfg.Terminal}
	e.term.OnResize(e.redraw)
	return e
}

// Read reads a cell. more stands before its second and later lines. The error is
// nil, io.EOF or ErrInterrupt.
func (e *Editor) Read(prompt, more string) (string, error) {
	src, err := e.read(prompt, more, false)
	if err == nil {
		e.mu.Lock()
		e.hist.add(src)
		e.mu.Unlock()
	}
	return src, err
}

// SetNext puts a text where the next cell is typed.
func (e *Editor) SetNext(src string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.next = src
}

// Line reads one line for a program that asks; it leaves no trace.
func (e *Editor) Line(prompt string) (string, error) { return e.read(prompt, "", true) }

// begin shows the prompt; keys come one by one from here on.
func (e *Editor) begin(prompt, more string, single bool) error {
	if err := e.term.Raw(); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.prompt, e.more, e.single = prompt, more, single
	e.text, e.undos, e.menu, e.search, e.paste = text{}, nil, nil, nil, false
	e.at, e.prefix, e.recalled = len(e.hist.cells), "", false
	if !single && e.next != "" {
		e.text.set(e.next)
		e.next = ""
	}
	e.reading = true
	if single {
		e.prompt += plain(string(e.tail))
		e.term.Write([]byte(wipe))
	} else {
		e.startRow()
	}
	e.tail = nil
	e.draw()
	return nil
}

func (e *Editor) read(prompt, more string, single bool) (string, error) {
	if err := e.begin(prompt, more, single); err != nil {
		return "", err
	}
	defer e.term.Cooked()
	for {
		k := e.term.ReadKey()
		e.mu.Lock()
		done, err := e.key(k)
		if done || err != nil {
			e.finish(err)
			src := plain(e.text.String())
			e.mu.Unlock()
			return src, err
		}
		if !e.paste {
			e.draw()
		}
		e.mu.Unlock()
	}
}

// startRow sees that the prompt begins a row: what a program printed last may
// not have ended one. A full row of spaces gets there without asking the terminal.
func (e *Editor) startRow() {
	w, _ := e.term.Size()
	if w > 1 {
		e.term.Write([]byte(strings.Repeat(" ", w) + wipe))
	}
}

// finish leaves the cell as it was typed and goes to the next row.
func (e *Editor) finish(err error) {
	e.menu, e.search, e.reading = nil, nil, false
	e.text.pos = len(e.text.r)
	w, _ := e.term.Size()
	c := e.lay(w, false)
	if errors.Is(err, ErrInterrupt) {
		c.put("^C", styleNone)
	}
	rows := c.end()
	if last := len(rows) - 1; last > 0 && rows[last] == "" && !strings.HasSuffix(e.text.String(), "\n") {
		rows = rows[:last] // the row that a full one left behind
	}
	e.term.Write([]byte(e.screen.clear() + strings.Join(rows, "\r\n") + "\r\n"))
	if len(e.held) > 0 {
		e.term.Write(crlf(e.held))
		e.held = nil
	}
}

// lay lays out what is to be seen; live adds what goes away when the cell is
// entered: the suggestion.
func (e *Editor) lay(width int, live bool) *canvas {
	c := &canvas{width: max(width, 8), color: e.cfg.Color}
	prompt := e.prompt
	if e.search != nil {
		prompt = e.search.prompt()
	}
	src := e.text.String()
	var styles []string
	if e.cfg.Color && !e.single && len(src) < 1<<16 {
		styles = highlight(src)
	}
	c.body(prompt, e.more, src, styles, e.text.offset())
	if live && e.cfg.Color {
		if s := e.suggestion(); s != "" {
			first, _, more := strings.Cut(s, "\n")
			if more {
				first += " …"
			}
			c.put(cut(first, max(c.width-c.col-1, 0)), styleGhost)
		}
	}
	return c
}

// suggestion is how the newest cell of the history that begins as this one goes on.
func (e *Editor) suggestion() string {
	if e.single || e.search != nil || e.menu != nil || e.at != len(e.hist.cells) || e.text.pos != len(e.text.r) {
		return ""
	}
	return e.hist.suggestion(e.text.String())
}

func (e *Editor) draw() {
	w, h := e.term.Size()
	if e.step != nil {
		rows := e.step.rows(w, h)
		e.screen.draw(rows, len(rows)-1, 0)
		return
	}
	c := e.lay(w, true)
	rows := c.end()
	if hint := e.hint(c.width); hint != "" && len(rows) < h-1 {
		rows = append(rows, hint)
	}
	if e.menu != nil {
		rows = append(rows, e.menu.rows(c.width, max(h-len(rows), 1), e.cfg.Color)...)
	}
	e.screen.draw(rows, c.row0, c.col0)
}

// redraw draws again, after the terminal's size has changed.
func (e *Editor) redraw() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reading {
		e.draw()
	}
}

func (e *Editor) bell() { e.term.Write([]byte{7}) }

// longestLine is how many bytes of a line without an end are kept: to stand before a prompt, or until the end comes.
const longestLine = 1 << 12

// Write prints beside the editor: above the cell that is being typed, if one is.
func (e *Editor) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.reading {
		line := p[bytes.LastIndexByte(p, '\n')+1:]
		if len(line) < len(p) {
			e.tail = e.tail[:0]
		}
		e.tail = append(e.tail, line[max(0, len(line)-longestLine):]...)
		e.tail = append(e.tail[:0], e.tail[max(0, len(e.tail)-longestLine):]...)
		return e.term.Write(p)
	}
	e.held = append(e.held, p...)
	end := bytes.LastIndexByte(e.held, '\n') + 1
	if len(e.held)-end > longestLine {
		e.held = append(e.held, '\n')
		end = len(e.held)
	}
	if end == 0 {
		return len(p), nil // the line is not whole: it would be drawn over
	}
	e.term.Write(append([]byte(e.screen.clear()), crlf(e.held[:end])...))
	e.held = append([]byte(nil), e.held[end:]...)
	e.draw()
	return len(p), nil
}

func crlf(p []byte) []byte {
	return []byte(strings.ReplaceAll(strings.ReplaceAll(string(p), "\r\n", "\n"), "\n", "\r\n"))
}

func itoa(n int) string { return strconv.Itoa(n) }

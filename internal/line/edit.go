package line

import (
	"io"
	"strings"
	"unicode"
)

// key does what a key means; done says that the cell is entered.
func (e *Editor) key(k rune) (done bool, err error) {
	if e.search != nil && e.searchKey(k) {
		return false, nil
	}
	switch {
	case e.menu == nil:
	case k == tab:
		e.choose(+1)
		return false, nil
	case k == keyBackTab:
		e.choose(-1)
		return false, nil
	case k == keyDown && e.menu.chosen >= 0:
		e.choose(+1)
		return false, nil
	case k == keyUp && e.menu.chosen >= 0:
		e.choose(-1)
		return false, nil
	case k == enter && e.menu.chosen >= 0, k == ctrlG: // takes what is chosen
		e.menu = nil
		return false, nil
	default:
		e.menu = nil
	}
	if e.opening { // keyEdit comes with a line's end, at which the terminal stops reading
		e.opening = false
		e.openEditor()
		return false, nil
	}
	e.remember(k)
	e.cutting, e.cut = e.cut, false
	e.lastWord, e.wordNext = e.wordNext, nil
	recalled := e.recalled
	e.recalled = false
	if f, ok := actions[k]; ok {
		f(e)
		return false, nil
	}
	switch k {
	case 0:
		return false, io.EOF
	case ctrlC:
		return false, ErrInterrupt
	case ctrlD:
		if len(e.text.r) == 0 {
			return false, io.EOF
		}
		e.text.remove(e.text.pos, e.text.right())
	case enter, ctrlJ:
		return recalled && e.whole(e.text.String()) || e.enter(), nil
	default:
		if k < ' ' || k >= keyUp && k <= keyNone ||
			!unicode.IsPrint(k) && !unicode.In(k, unicode.Mn, unicode.Me, unicode.Cf, unicode.Zs) {
			break
		}
		e.text.insert(k)
		switch {
		case e.paste:
		case strings.ContainsRune(")]}", k):
			e.dedent()
		case k == ':':
			e.dedentCase()
		}
	}
	return false, nil
}

// actions are the keys that edit.
var actions map[rune]func(e *Editor)

func init() { // some of them look at the table's own functions
	move := func(to func(*text) int) func(*Editor) {
		return func(e *Editor) { e.text.pos = to(&e.text) }
	}
	kill := func(to func(*text) int) func(*Editor) {
		return func(e *Editor) {
			e.cutTo(to(&e.text))
		}
	}
	lineStart := func(t *text) int { return t.lineStart(t.pos) }
	lineEnd := func(t *text) int { return t.lineEnd(t.pos) }
	right := func(to func(*text) int) func(*Editor) { // at the end it takes the suggestion
		return func(e *Editor) {
			if s := e.suggestion(); s != "" && e.cfg.Color {
				e.text.insert([]rune(s)...)
				return
			}
			e.text.pos = to(&e.text)
		}
	}
	killEnd := func(t *text) int { // at a line's end: the end itself
		if end := lineEnd(t); end > t.pos {
			return end
		}
		return min(t.pos+1, len(t.r))
	}
	actions = map[rune]func(*Editor){
		ctrlA: move(lineStart), keyHome: move(lineStart),
		ctrlE: right(lineEnd), keyEnd: right(lineEnd),
		ctrlB: move((*text).left), keyLeft: move((*text).left),
		ctrlF: right((*text).right), keyRight: right((*text).right),
		keyWordLeft: move((*text).wordLeft),
		keyWordRight: func(e *Editor) {
			if s := e.suggestion(); s != "" && e.cfg.Color { // a word of the suggestion
				end := len(e.text.r)
				e.text.insert([]rune(s)...)
				e.text.pos = end
				e.text.remove(e.text.wordRight(), len(e.text.r))
				e.text.pos = len(e.text.r)
				return
			}
			e.text.pos = e.text.wordRight()
		},
		ctrlK: kill(killEnd), ctrlU: kill(lineStart),
		ctrlW: kill((*text).spaceLeft), keyKillWordBack: kill((*text).wordLeft), keyKillWord: kill((*text).wordRight),
		ctrlY:     func(e *Editor) { e.text.insert([]rune(e.killed)...) },
		ctrlT:     func(e *Editor) { e.text.transpose() },
		backspace: (*Editor).backspace, ctrlH: (*Editor).backspace,
		keyDelete:   func(e *Editor) { e.text.remove(e.text.pos, e.text.right()) },
		keyUp:       func(e *Editor) { e.vertical(false) },
		keyDown:     func(e *Editor) { e.vertical(true) },
		ctrlP:       func(e *Editor) { e.vertical(false) },
		ctrlN:       func(e *Editor) { e.vertical(true) },
		keyPageUp:   func(e *Editor) { e.browse(false) },
		keyPageDown: func(e *Editor) { e.browse(true) },
		keyAltEnter: (*Editor).newLine, ctrlO: (*Editor).newLine,
		keyPasteStart: func(e *Editor) { e.paste = true },
		keyPasteEnd:   func(e *Editor) { e.paste = false },
		keyPasteLine:  func(e *Editor) { e.text.insert('\n') },
		keyPasteTab:   func(e *Editor) { e.text.insert('\t') },
		keyBackTab:    (*Editor).outdent,
		tab:           (*Editor).complete,
		undo:          (*Editor).undo,
		ctrlR:         func(e *Editor) { e.startSearch() },
		ctrlS:         func(*Editor) {},
		ctrlG:         func(*Editor) {},
		ctrlL:         func(e *Editor) { e.term.Write([]byte("\x1b[H\x1b[2J")); e.screen.drawn, e.screen.row = false, 0 },
		ctrlZ: func(e *Editor) {
			e.term.Write([]byte(e.screen.clear()))
			e.term.Suspend()
		},
		keyNone:      func(*Editor) {},
		keyEdit:      func(e *Editor) { e.opening = true },
		keyLastWord:  (*Editor).insertLastWord,
		keyOldest:    func(e *Editor) { e.toEnd(false) },
		keyNewest:    func(e *Editor) { e.toEnd(true) },
		keyCellStart: func(e *Editor) { e.text.pos = 0 },
		keyCellEnd:   func(e *Editor) { e.text.pos = len(e.text.r) },
		keyUpper:     func(e *Editor) { e.rewriteWord(capitals) },
		keyLower:     func(e *Editor) { e.rewriteWord(smalls) },
		keyTitle:     func(e *Editor) { e.rewriteWord(title) },
	}
}

// remember keeps the text for undo before a key that may change it.
func (e *Editor) remember(k rune) {
	char := k >= ' ' && k != backspace && (k < keyUp || k > keyNone) || e.paste
	if k == undo || char && e.typing {
		return
	}
	e.typing = char
	if n := len(e.undos); n == 0 || e.undos[n-1].String() != e.text.String() {
		e.undos = append(e.undos, text{append([]rune(nil), e.text.r...), e.text.pos})
	}
	if len(e.undos) > 200 {
		e.undos = e.undos[100:]
	}
}

func (e *Editor) undo() {
	e.typing = false
	for n := len(e.undos); n > 0; n = len(e.undos) {
		old := e.undos[n-1]
		e.undos = e.undos[:n-1]
		if old.String() != e.text.String() {
			e.text = old
			return
		}
	}
}

// enter runs a cell that is whole; else, and in the middle of several lines, it
// begins a new line.
func (e *Editor) enter() (done bool) {
	src := e.text.String()
	if e.single || !strings.Contains(src, "\n") && e.whole(src) {
		return true
	}
	if e.text.onLastLine() && (e.whole(src) || emptyEnd(src)) {
		return true
	}
	e.newLine()
	return false
}

func (e *Editor) whole(src string) bool {
	whole, _ := e.cfg.Whole(src)
	return whole
}

// emptyEnd reports whether two lines without text end what was typed: such a
// cell is run though it is not whole, so that its error is seen.
func emptyEnd(src string) bool {
	lines := strings.Split(src, "\n")
	n := len(lines)
	return n > 2 && strings.TrimSpace(lines[n-1]) == "" && strings.TrimSpace(lines[n-2]) == ""
}

// newLine begins a line, indented as the brackets before it say.
func (e *Editor) newLine() {
	if e.single {
		return
	}
	before := string(e.text.r[:e.text.pos])
	if line := e.text.before(); line != "" && strings.TrimSpace(line) == "" { // an empty line keeps no indent
		e.text.remove(e.text.lineStart(e.text.pos), e.text.pos)
	}
	_, indent := e.cfg.Whole(before)
	e.text.insert([]rune("\n" + indent)...)
}

// dedent moves a closing bracket that begins its line to where it belongs.
func (e *Editor) dedent() {
	before := e.text.before()
	if len(strings.TrimLeft(before, "\t ")) != 1 || e.text.onFirstLine() {
		return
	}
	start := e.text.lineStart(e.text.pos)
	whole, indent := e.cfg.Whole(string(e.text.r[:e.text.pos]))
	if !whole && indent == "" {
		return // in a text of several lines
	}
	if len(indent) < e.text.pos-1-start {
		e.text.remove(start, e.text.pos-1)
		e.text.pos = start
		e.text.insert([]rune(indent)...)
		e.text.pos++
	}
}

// dedentCase moves case and default to where gofmt has them.
func (e *Editor) dedentCase() {
	before := e.text.before()
	if word := strings.TrimLeft(before, "\t"); !strings.HasPrefix(word, "case ") && word != "default:" {
		return
	}
	start := e.text.lineStart(e.text.pos)
	_, indent := e.cfg.Whole(string(e.text.r[:start]))
	if tabs := len(before) - len(strings.TrimLeft(before, "\t")); tabs > 0 && tabs == len(indent) {
		e.text.remove(start, start+1)
	}
}

func (e *Editor) backspace() { e.text.remove(e.text.left(), e.text.pos) }

// outdent takes a tab from the beginning of the line.
func (e *Editor) outdent() {
	if start := e.text.lineStart(e.text.pos); start < len(e.text.r) && e.text.r[start] == '\t' {
		e.text.remove(start, start+1)
	}
}

// vertical moves within the cell, and from its first and last line into the history.
func (e *Editor) vertical(down bool) {
	if down && !e.text.onLastLine() || !down && !e.text.onFirstLine() {
		e.text.vertical(down)
		return
	}
	e.browse(down)
}

// browse goes through the cells of the history that begin as what was typed.
func (e *Editor) browse(down bool) {
	if e.single {
		return
	}
	newest := len(e.hist.cells)
	if e.at == newest {
		e.draft = text{append([]rune(nil), e.text.r...), e.text.pos}
		e.prefix = e.text.String()
	}
	match := func(c string) bool { return strings.HasPrefix(c, e.prefix) && c != e.text.String() }
	if down {
		if e.at == newest {
			return
		}
		if e.at = e.hist.newer(e.at, match); e.at == newest {
			e.text = e.draft
			return
		}
	} else {
		at := e.hist.older(e.at, match)
		if at < 0 {
			e.bell()
			return
		}
		e.at = at
	}
	e.text.set(e.hist.cells[e.at])
	e.recalled = true
	if !down && e.text.r != nil {
		e.text.pos = e.text.lineEnd(0) // up goes on from the first line
		if !strings.Contains(e.text.String(), "\n") {
			e.text.pos = len(e.text.r)
		}
	}
}

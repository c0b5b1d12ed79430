package line

import (
	"strings"
	"unicode"
)

// Note: keys of readline
//
// What is cut in a row is one text for Ctrl-Y. Alt-. puts the last word of the cell before, and pressed again those of
// the cells before that. Alt-U, Alt-L and Alt-C write a word in capitals, without, and with one. Ctrl-X Ctrl-E, Alt-E
// and F2 open the cell in the user's editor.

// cutTo takes away what lies between the cursor and to, for Ctrl-Y.
func (e *Editor) cutTo(to int) {
	a, b := min(to, e.text.pos), max(to, e.text.pos)
	back := to < e.text.pos
	gone := e.text.remove(a, b)
	switch {
	case gone == "":
	case !e.cutting:
		e.killed = gone
	case back:
		e.killed = gone + e.killed
	default:
		e.killed += gone
	}
	e.cut = true
}

// lastWord is what Alt-. has put.
type lastWord struct {
	at  int // the cell of the history that it is from
	pos int // where it begins
	end int
}

// insertLastWord puts the last word of the cell before, in place of what the same key has put before.
func (e *Editor) insertLastWord() {
	if e.single {
		return
	}
	from := len(e.hist.cells)
	w := e.lastWord
	if w != nil {
		from = w.at
	}
	word := ""
	at := e.hist.older(from, func(cell string) bool {
		word = finalWord(cell)
		return word != ""
	})
	if at < 0 {
		e.bell()
		e.wordNext = w
		return
	}
	if w != nil {
		e.text.remove(w.pos, w.end)
	}
	pos := e.text.pos
	e.text.insert([]rune(word)...)
	e.wordNext = &lastWord{at, pos, e.text.pos}
}

// finalWord is what stands behind the last space of the last line that has a letter or a number; inside of quotes and
// brackets a space ends no word.
func finalWord(cell string) string {
	lines := strings.Split(cell, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.IndexFunc(lines[i], isWord) < 0 {
			continue
		}
		line := []rune(strings.TrimSpace(lines[i]))
		start, deep, quote := 0, 0, rune(0)
		for k, r := range line {
			switch {
			case quote != 0:
				if r == quote {
					quote = 0
				}
			case r == '"' || r == '`':
				quote = r
			case strings.ContainsRune("([{", r):
				deep++
			case strings.ContainsRune(")]}", r):
				deep--
			case r == ' ' && deep <= 0:
				start = k + 1
			}
		}
		return string(line[start:])
	}
	return ""
}

// rewrite writes the word behind the cursor anew and goes to its end.
func (e *Editor) rewriteWord(how func(word []rune) []rune) {
	start, end := e.text.pos, e.text.wordRight()
	for start < end && !isWord(e.text.r[start]) {
		start++
	}
	word := how([]rune(string(e.text.r[start:end])))
	e.text.remove(start, end)
	e.text.pos = start
	e.text.insert(word...)
}

func capitals(word []rune) []rune { return []rune(strings.ToUpper(string(word))) }
func smalls(word []rune) []rune   { return []rune(strings.ToLower(string(word))) }

func title(word []rune) []rune {
	word = smalls(word)
	if len(word) > 0 {
		word[0] = unicode.ToUpper(word[0])
	}
	return word
}

// toEnd goes to the oldest cell of the history, or back to what was typed.
func (e *Editor) toEnd(newest bool) {
	if e.single || len(e.hist.cells) == 0 {
		return
	}
	if e.at == len(e.hist.cells) {
		e.draft = text{append([]rune(nil), e.text.r...), e.text.pos}
	}
	if newest {
		e.at, e.text = len(e.hist.cells), text{append([]rune(nil), e.draft.r...), e.draft.pos}
		return
	}
	e.at, e.prefix = 0, ""
	e.text.set(e.hist.cells[0])
	e.recalled = true
}

// openEditor lets the user write the cell in an editor of theirs. The terminal is the editor's meanwhile.
func (e *Editor) openEditor() {
	if e.single || e.cfg.Edit == nil {
		e.bell()
		return
	}
	e.term.Write([]byte(e.screen.clear()))
	e.term.Cooked()
	src, err := e.cfg.Edit(e.text.String())
	e.term.Raw()
	e.startRow()
	if err != nil {
		e.term.Write(crlf([]byte(err.Error() + "\n")))
		return
	}
	e.text.set(strings.TrimRight(src, "\r\n"))
}

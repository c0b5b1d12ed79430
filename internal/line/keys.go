package line

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Keys that are no characters of their own, as runes of a private plane, which
// pass through readline's terminal as they are. Control characters stand for
// themselves.
const (
	keyUp rune = 0xF0000 + iota
	keyDown
	keyLeft
	keyRight
	keyHome
	keyEnd
	keyDelete
	keyPageUp
	keyPageDown
	keyWordLeft
	keyWordRight
	keyKillWord
	keyKillWordBack
	keyBackTab
	keyAltEnter
	keyPasteStart
	keyPasteEnd
	keyPasteLine // a line's end in a paste
	keyPasteTab
	keyEdit // a line's end follows
	keyLastWord
	keyOldest
	keyNewest
	keyCellStart
	keyCellEnd
	keyUpper
	keyLower
	keyTitle
	keyNone // nothing: the terminal was read again
)

const (
	ctrlA, ctrlB, ctrlC, ctrlD, ctrlE, ctrlF, ctrlG rune = 1, 2, 3, 4, 5, 6, 7
	ctrlH, tab, ctrlJ, ctrlK, ctrlL, enter, ctrlN   rune = 8, 9, 10, 11, 12, 13, 14
	ctrlO, ctrlP, ctrlR, ctrlS, ctrlT, ctrlU        rune = 15, 16, 18, 19, 20, 21
	ctrlW, ctrlX, ctrlY, ctrlZ, escape              rune = 23, 24, 25, 26, 27
	undo, backspace                                 rune = 31, 127
)

// sequences are what terminals send for keys, less the escape character. xterm,
// the Linux console, rxvt and screen differ; all of theirs are here.
var sequences = map[string]rune{
	"[A": keyUp, "[B": keyDown, "[C": keyRight, "[D": keyLeft,
	"OA": keyUp, "OB": keyDown, "OC": keyRight, "OD": keyLeft,
	"[H": keyHome, "[1~": keyHome, "[7~": keyHome, "OH": keyHome,
	"[F": keyEnd, "[4~": keyEnd, "[8~": keyEnd, "OF": keyEnd,
	"[3~": keyDelete, "[5~": keyPageUp, "[6~": keyPageDown, "[Z": keyBackTab,
	"[1;5D": keyWordLeft, "[1;3D": keyWordLeft, "[5D": keyWordLeft, "Od": keyWordLeft, "b": keyWordLeft,
	"[1;5C": keyWordRight, "[1;3C": keyWordRight, "[5C": keyWordRight, "Oc": keyWordRight, "f": keyWordRight,
	"d": keyKillWord, "[3;5~": keyKillWord, "\x7f": keyKillWordBack, "\b": keyKillWordBack,
	"\r": keyAltEnter, "\n": keyAltEnter, "[13;2u": keyAltEnter, "[13;5u": keyAltEnter, "[27;2;13~": keyAltEnter,
	"[27;5;13~": keyAltEnter,
	"[1;5A":     keyPageUp, "[1;5B": keyPageDown, "[1;3A": keyPageUp, "[1;3B": keyPageDown, "p": keyPageUp,
	"n":     keyPageDown,
	"[1;5H": keyCellStart, "[1;5F": keyCellEnd, "<": keyOldest, ">": keyNewest,
	".": keyLastWord, "_": keyLastWord, "u": keyUpper, "l": keyLower, "c": keyTitle,
	"e": keyEdit, "OQ": keyEdit, "[12~": keyEdit, "[[B": keyEdit,
	"[200~": keyPasteStart, "[201~": keyPasteEnd,
}

// decoder turns what a terminal sends into characters and keys. Inside of a
// bracketed paste line ends and tabs are keys of their own: they neither run a
// cell nor complete.
type decoder struct {
	from  io.Reader
	in    []byte // not decoded yet
	out   []byte // decoded, not read yet
	paste bool
}

// Read returns keys as UTF-8.
func (d *decoder) Read(p []byte) (int, error) {
	for len(d.out) == 0 {
		var buf [4096]byte
		n, err := d.from.Read(buf[:])
		d.in = append(d.in, buf[:n]...)
		d.decode()
		if err != nil && len(d.out) == 0 {
			return 0, err
		}
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

// Close makes a decoder what readline wants; it closes nothing.
func (d *decoder) Close() error { return nil }

var pasteEnd = []byte("\x1b[201~")

// decode takes what is whole from in to out.
func (d *decoder) decode() {
	for len(d.in) > 0 {
		n := 0
		if d.paste {
			n = d.pasted()
		} else {
			n = d.typed()
		}
		if n == 0 {
			return
		}
		d.in = d.in[n:]
	}
}

func (d *decoder) key(r rune) { d.out = utf8.AppendRune(d.out, r) }

// edit is the key that opens an editor, and a line's end: there readline stops reading, and leaves to the editor what
// is typed then.
func (d *decoder) edit() {
	d.key(keyEdit)
	d.key(ctrlJ)
}

// pasted decodes one character of a paste; 0 bytes if it is not all there.
func (d *decoder) pasted() int {
	switch b := d.in[0]; {
	case b == '\x1b':
		if bytes.HasPrefix(d.in, pasteEnd) {
			d.paste = false
			d.key(keyPasteEnd)
			return len(pasteEnd)
		}
		if bytes.HasPrefix(pasteEnd, d.in) {
			return 0
		}
		return 1
	case b == '\r':
		if len(d.in) == 1 {
			return 0
		}
		if d.in[1] == '\n' {
			return 1
		}
		d.key(keyPasteLine)
	case b == '\n':
		d.key(keyPasteLine)
	case b == '\t':
		d.key(keyPasteTab)
	case b >= ' ' && b != 0x7f:
		d.out = append(d.out, b)
	}
	return 1
}

// typed decodes one key; 0 bytes if it is not all there.
func (d *decoder) typed() int {
	if rune(d.in[0]) == ctrlX {
		if len(d.in) == 1 {
			return 0
		}
		switch rune(d.in[1]) {
		case ctrlE:
			d.edit()
		case ctrlU:
			d.key(undo)
		}
		return 2
	}
	if d.in[0] != '\x1b' {
		d.out = append(d.out, d.in[0])
		return 1
	}
	if len(d.in) == 1 {
		return 0
	}
	n := 2
	switch d.in[1] {
	case '\x1b':
		return 1
	case '[':
		if n < len(d.in) && d.in[n] == '[' { // a function key of the Linux console
			n++
		}
		for n < len(d.in) && (d.in[n] < 0x40 || d.in[n] > 0x7e) {
			n++
		}
		n++
	case 'O':
		n++
	default:
		if !utf8.FullRune(d.in[1:]) {
			return 0
		}
		_, size := utf8.DecodeRune(d.in[1:])
		n = 1 + size
	}
	if n > len(d.in) {
		return 0
	}
	if r, ok := sequences[string(d.in[1:n])]; ok {
		d.paste = r == keyPasteStart
		if r == keyEdit {
			d.edit()
		} else {
			d.key(r)
		}
	}
	return n
}

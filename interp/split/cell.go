// Package split divides what a user typed into what is evaluated one by one:
//
//	cell.go      a cell into Go, magics, lines of the shell and questions
//	prompts.go   a session that was pasted, with its prompts, into cells
//	files.go     a file into cells
//	words.go     a line into words
package split

import (
	"iter"
	"strings"
	"unicode"

	"gotorch/internal/lazyre"
	"gotorch/interp/syntax"
)

// Kind says what a part of a cell is.
type Kind uint8

const (
	Go        Kind = iota
	Magic          // %name and the rest of the line
	CellMagic      // %%name and the rest of the cell
	Shell          // !line
	Capture        // name := !line
	Help           // ?name, ??name, name?
)

// Part is a part of a cell. Line, Pos, Body and End say where in the cell it
// is; Go and what a %% has under it have empty lines before them in Text, so
// that the lines of messages are those of the cell.
type Part struct {
	Kind Kind
	Name string // of a magic, without %; ? or ??; of Capture the variable and the sign: "files :="
	Text string // Go, or what follows the name

	Line           int // the lines before it
	Pos, Body, End int // offsets: where it begins, what follows name or sign, and where the next part begins
}

// Cell goes through the parts of a cell. The line name := !operand may be Go,
// a negation, or a line of the shell: isGo decides, and also receives the Go
// before it. Parts are found one by one: when isGo is called, the caller has
// evaluated the parts before.
//
// A line is a command where a statement could begin: not inside of brackets,
// a string or a comment, and not where the lines before it want more.
func Cell(src string, isGo func(before, name, operand string) bool) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		for at := 0; strings.TrimSpace(src[at:]) != ""; {
			for { // what begins with empty lines
				line, _, more := strings.Cut(src[at:], "\n")
				if strings.TrimSpace(line) != "" || !more {
					break
				}
				at += len(line) + 1
			}
			p, ok := command(src[at:])
			if !ok {
				p = goPart(src[at:], isGo)
			}
			p.Line = strings.Count(src[:at], "\n")
			if p.Kind == Go || p.Kind == CellMagic {
				p.Text = strings.Repeat("\n", p.Line) + p.Text
			}
			p.Pos, p.Body, p.End = p.Pos+at, p.Body+at, p.End+at
			if at = p.End; !yield(p) {
				return
			}
		}
	}
}

// command is the command that a text begins with.
func command(src string) (p Part, ok bool) {
	line, below, _ := strings.Cut(src, "\n")
	p.Pos = len(line) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
	p.End = min(len(line)+1, len(src))
	line = strings.TrimSpace(line)
	bare := strings.TrimRight(line, "?")
	rest := ""
	switch {
	case strings.HasPrefix(line, "%%"):
		p.Kind, p.End = CellMagic, len(src)
		p.Name, rest = CutWord(line[2:])
		if p.Text = strings.TrimSpace(rest); p.Text == "" {
			p.Text = " " // so that the line is told from empty ones before it
		}
		p.Text += "\n" + below
	case strings.HasPrefix(line, "!") && isCommand(line):
		p.Kind, p.Text, rest = Shell, line[1:], strings.TrimLeft(line, "!")
	case strings.HasPrefix(line, "%") && (bare == line || !isWord(bare[1:])):
		p.Kind = Magic
		p.Name, rest = CutWord(line[1:])
		p.Text = strings.TrimSpace(rest)
	case strings.HasPrefix(line, "?"), bare != line && !strings.ContainsAny(line, "\"`/'"): // %time? is one too
		p.Kind, p.Name, p.Text, rest = Help, "?", strings.Trim(line, "? "), strings.TrimLeft(line, "?%!")
		if strings.HasPrefix(line, "??") || strings.HasSuffix(line, "??") {
			p.Name = "??"
		}
	default:
		return p, false
	}
	p.Body = p.Pos + len(line) - len(rest)
	return p, true
}

func isWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// isCommand reports whether a line between statements is a command: Go has statements that begin with ! and goes on
// with % and !=.
func isCommand(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) < 2 {
		return line == "%" || line == "!"
	}
	c := line[1]
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	switch line[0] {
	case '%':
		return letter || c == '%'
	case '!':
		return c != '='
	case '?':
		return letter || c == '?' || c == '%' || c == '*'
	}
	return false
}

// captured is a line that may take what a program prints.
var captured = lazyre.New(`^\s*([\pL_][\pL\pN_]*)\s*(:?=)\s*!\s*([^=\s].*?)\s*$`)

// goPart is the Go that a text begins with, up to the first command; the text may be a line that takes what a program
// prints.
func goPart(src string, isGo func(before, name, operand string) bool) Part {
	at := 0
	var outline *syntax.Outline
	begins := func() bool { // a statement could begin here
		if outline == nil {
			outline = syntax.NewOutline(src)
		}
		if at == 0 || outline.Inside(at) {
			return at == 0
		}
		return whole(src[:at])
	}
	for line := range strings.Lines(src) {
		if at > 0 && isCommand(line) && begins() {
			break
		}
		if strings.Contains(line, "!") { // most lines: the expression is compiled when it is wanted
			m := captured.FindStringSubmatch(strings.TrimRight(line, "\n"))
			if m != nil && !isGo(src[:at], m[1], m[3]) && begins() {
				if at > 0 {
					break
				}
				return Part{Kind: Capture, Name: m[1] + " " + m[2], Text: m[3], Body: strings.Index(line, "!") + 1, End: len(line)}
			}
		}
		at += len(line)
	}
	return Part{Kind: Go, Text: src[:at], End: at}
}

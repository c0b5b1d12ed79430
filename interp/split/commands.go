package split

import (
	"strings"

	"gotorch/interp/syntax"
)

// Command is a line of a cell that is no Go: a magic, of the name that follows the %, a line of the shell, "!", or a
// question, "?" or "??".
type Command struct{ Name, Arg string }

// CommandOf finds a magic at the beginning of a text; rest is what follows its
// line, with empty lines for those before it, so that line numbers stay.
func CommandOf(src string) (c Command, rest string, ok bool) {
	blank := 0
	text := src
	for {
		line, after, more := strings.Cut(text, "\n")
		if strings.TrimSpace(line) != "" || !more {
			break
		}
		text = after
		blank++
	}
	line, after, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(line)
	pad := strings.Repeat("\n", blank+1)
	switch {
	case strings.HasPrefix(line, "%%"):
		name, arg := CutWord(line[2:])
		if arg = strings.TrimSpace(arg); arg == "" {
			arg = " " // so that the line is told from empty ones before it
		}
		return Command{name, strings.Repeat("\n", blank) + arg + "\n" + after}, "", true
	case strings.HasPrefix(line, "!") && IsCommand(line):
		return Command{"!", line[1:]}, pad + after, true
	case strings.HasPrefix(line, "%") && isWord(strings.TrimRight(line[1:], "?")) && strings.HasSuffix(line, "?"): // %time?
		return Command{"?" + help(line), strings.Trim(line, "? ")}, pad + after, true
	case strings.HasPrefix(line, "%"):
		name, arg := CutWord(line[1:])
		return Command{name, strings.TrimSpace(arg)}, pad + after, true
	case strings.HasPrefix(line, "?"):
		return Command{"?" + help(line), strings.Trim(line, "? ")}, pad + after, true
	case strings.HasSuffix(line, "?") && !strings.ContainsAny(line, "\"`/'"):
		return Command{"?" + help(line), strings.Trim(line, "? ")}, pad + after, true
	}
	return Command{}, "", false
}

// help is empty for ?, and ? for ??.
func help(line string) string {
	if strings.HasPrefix(line, "??") || strings.HasSuffix(line, "??") {
		return "?"
	}
	return ""
}

func isWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// whole reports whether a text of Go goes on nowhere.
func whole(src string) bool {
	v, _ := syntax.Completeness(src)
	return v != syntax.Incomplete
}

// IsCommand reports whether a line is a magic, a line of the shell or a question.
func IsCommand(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) < 2 {
		return false
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

// AtCommand splits a text of Go before the first line that is a command and stands between statements, not inside
// of one.
func AtCommand(src string) (head, tail string) {
	at := 0
	var outline *syntax.Outline
	for line := range strings.Lines(src) {
		if at > 0 && IsCommand(line) {
			if outline == nil {
				outline = syntax.NewOutline(src)
			}
			if outline.Inside(at) {
				at += len(line)
				continue
			}
			if v, _ := syntax.Completeness(src[:at]); v != syntax.Incomplete {
				return src[:at], strings.Repeat("\n", strings.Count(src[:at], "\n")) + src[at:]
			}
		}
		at += len(line)
	}
	return src, ""
}

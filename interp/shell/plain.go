package shell

import (
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/split"
	"gotorch/interp/syntax"
)

// PlainGo gives a cell's text without prompts and with its commands replaced by what they stand for: %strides x by the
// call of the view, %time f() by f(); others become comments. Each part may show what it ends with, as it does in the
// session; lines stay where they are.
func PlainGo(src string) (parts []string) {
	for _, cell := range split.Pasted(src) {
		parts = append(parts, plainParts(cell)...)
	}
	return parts
}

func plainParts(rest string) (parts []string) {
	line := 0
	comments := ""
	add := func(text string) {
		text = comments + strings.Trim(text, "\n")
		parts = append(parts, strings.Repeat("\n", max(0, line-strings.Count(comments, "\n")))+text)
		comments = ""
	}
	for strings.TrimSpace(rest) != "" {
		for strings.HasPrefix(rest, "\n") {
			rest = rest[1:]
			line++
		}
		before := strings.Count(rest, "\n")
		m, after, ok := split.CommandOf(rest)
		if !ok {
			head, tail := split.AtCommand(rest)
			if before, cmd, after, ok := takesOutput(head); ok {
				if strings.TrimSpace(before) != "" {
					add(before)
				}
				comments += "// " + strings.TrimSpace(cmd) + "\n"
				head, tail = "", after+tail
			}
			if head != "" {
				add(head)
			}
			rest = strings.TrimLeft(tail, "\n")
		} else {
			if text := plainCommand(m); strings.HasPrefix(text, "//") {
				comments += text + "\n"
			} else {
				add(text)
			}
			rest = strings.TrimLeft(after, "\n")
		}
		line += before - strings.Count(rest, "\n")
	}
	if comments != "" {
		add("")
	}
	return parts
}

// optioned is a program with an option, ls -l: Go would be written ls - l.
var optioned = lazyre.New(`!\s*\w+\s+-{1,2}\pL`)

// takesOutput finds a line such as files := !ls -l that is no Go, and the text about it.
func takesOutput(src string) (before, line, after string, ok bool) {
	at := 0
	for l := range strings.Lines(src) {
		if captured.MatchString(strings.TrimRight(l, "\n")) {
			if v, _ := syntax.Completeness(l); v == syntax.Invalid || optioned.MatchString(l) {
				return src[:at], strings.TrimRight(l, "\n"), src[at+len(l):], true
			}
		}
		at += len(l)
	}
	return "", "", "", false
}

// outOption is where %prof and %trace write to.
var outOption = lazyre.New(`^(?:(?:-o|--chrome)[ \t]+("[^"]*"|\S+)[ \t]*)+`)

// plainCommand is the Go that a command stands for.
func plainCommand(m split.Command) string {
	arg := strings.TrimSpace(m.Arg)
	for _, v := range viewMagics {
		if v.name != m.Name {
			continue
		}
		if v.around != nil || v.call == "" {
			return outOption.ReplaceAllString(arg, "")
		}
		return "visualize." + v.call + "(" + v.arguments(arg) + ")"
	}
	switch m.Name {
	case "timeit":
		if _, rest, err := timings(arg); err == nil {
			return rest
		}
		return arg
	case "capture": // it prints after all
		_, text, _ := strings.Cut(m.Arg, "\n")
		return text
	case "time", "prof":
		return outOption.ReplaceAllString(arg, "")
	case "!":
		return "// !" + arg
	case "?", "??":
		return "// " + m.Name + arg
	}
	return "// %" + strings.ReplaceAll(strings.TrimSpace(m.Name+" "+arg), "\n", "\n// ")
}

package interp

import (
	"strings"

	"gotorch/internal/lazyre"
)

// PlainGo gives a cell's text without prompts and with its commands replaced by what they stand for: %strides x by the call of the view, %time
// f() by f(); others become comments. Each part may show what it ends with, as it does in the session; lines stay where they are.
func PlainGo(src string) (parts []string) {
	for _, cell := range pasted(src) {
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
		m, after, ok := magicOf(rest)
		if !ok {
			head, tail := splitAtCommand(rest)
			add(head)
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

// outOption is where %prof and %trace write to.
var outOption = lazyre.New(`^(?:(?:-o|--chrome)[ \t]+("[^"]*"|\S+)[ \t]*)+`)

// plainCommand is the Go that a command stands for.
func plainCommand(m invocation) string {
	arg := strings.TrimSpace(m.arg)
	for _, v := range viewMagics {
		if v.name != m.name {
			continue
		}
		if v.around != nil || v.call == "" {
			return outOption.ReplaceAllString(arg, "")
		}
		return "visualize." + v.call + "(" + v.arguments(arg) + ")"
	}
	switch m.name {
	case "timeit":
		if _, rest, err := timings(arg); err == nil {
			return rest
		}
		return arg
	case "time", "prof":
		return outOption.ReplaceAllString(arg, "")
	case "!":
		return "// !" + arg
	case "?", "??":
		return "// " + m.name + arg
	}
	return "// %" + strings.ReplaceAll(strings.TrimSpace(m.name+" "+arg), "\n", "\n// ")
}

package shell

import (
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/split"
	"gotorch/interp/syntax"
)

// PlainGo returns a cell's text without prompts and with its commands replaced by their meaning in Go: %strides x by
// the call of the view, %time f() by f(); others become comments. Each part may show what it ends with, as it does
// in the session; lines stay where they are.
func PlainGo(src string) (parts []string) {
	for _, cell := range split.Pasted(src) {
		parts = append(parts, plainParts(cell)...)
	}
	return parts
}

func plainParts(src string) (parts []string) {
	comments := ""
	add := func(line int, text string) {
		text = comments + strings.Trim(text, "\n")
		parts = append(parts, strings.Repeat("\n", max(0, line-strings.Count(comments, "\n")))+text)
		comments = ""
	}
	line := 0
	for p := range split.Cell(src, plainlyGo) {
		text := p.Text
		if p.Kind != split.Go {
			text = plainCommand(p)
		}
		if line = p.Line; p.Kind != split.Go && strings.HasPrefix(text, "//") {
			comments += text + "\n"
		} else {
			add(line, text)
		}
	}
	if comments != "" {
		add(line, "")
	}
	return parts
}

// optioned is a program with an option, ls -l: Go would be written ls - l.
var optioned = lazyre.New(`^\w+\s+-{1,2}\pL`)

// plainlyGo reports whether name := !operand may be Go; what names stand for is not known.
func plainlyGo(_, name, operand string) bool {
	v, _ := syntax.Completeness(name + " := !" + operand)
	return v != syntax.Invalid && !optioned.MatchString(operand)
}

// outOption is where %prof and %trace write to.
var outOption = lazyre.New(`^(?:(?:-o|--chrome)[ \t]+("[^"]*"|\S+)[ \t]*)+`)

// plainCommand is a command in Go, or a comment.
func plainCommand(p split.Part) string {
	arg := strings.TrimSpace(p.Text)
	for _, v := range viewMagics {
		if v.name != p.Name {
			continue
		}
		if v.around != nil || v.call == "" {
			return outOption.ReplaceAllString(arg, "")
		}
		return "visualize." + v.call + "(" + v.arguments(arg) + ")"
	}
	switch p.Kind {
	case split.Shell:
		return "// !" + arg
	case split.Help:
		return "// " + p.Name + arg
	case split.Capture:
		return "// " + p.Name + " !" + arg
	}
	switch p.Name {
	case "timeit":
		if _, rest, err := timings(arg); err == nil {
			return rest
		}
		return arg
	case "capture": // it prints after all
		_, text, _ := strings.Cut(p.Text, "\n")
		return text
	case "time", "prof":
		return outOption.ReplaceAllString(arg, "")
	}
	return "// %" + strings.ReplaceAll(strings.TrimSpace(p.Name+" "+arg), "\n", "\n// ")
}

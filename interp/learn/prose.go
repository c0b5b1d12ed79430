package learn

import (
	"regexp"
	"strings"

	"gotorch/interp/result"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
)

// aside is Markdown as a value: formatted for a terminal, as it is for a notebook.
func aside(markdown string) result.Value {
	text := func(color bool) string { return Terminal(markdown, draw.TextWidth(78), color) }
	b := display.Lazy(text, func() map[string]any {
		return map[string]any{"text/plain": text(false), "text/markdown": markdown}
	})
	return result.Value{Text: b.Text(false), Bundle: b, Aside: true}
}

// picture is a view as a value beneath a cell's result.
func picture(v draw.View) result.Value {
	b := display.Lazy(v.Text, v.MIMEBundle)
	return result.Value{Text: v.Text(false), Bundle: b, V: v, Aside: true}
}

var (
	strong   = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	emphasis = regexp.MustCompile(`(^|[^*\w])\*([^*\s][^*]*)\*`)
	span     = regexp.MustCompile("`([^`]+)`")
	link     = regexp.MustCompile(`\[([^\]]+)\]\(([^)]+)\)`)
	item     = regexp.MustCompile(`^(\s*)([-*]|\d+\.) +`)
)

// Terminal formats Markdown for a terminal of so many columns: paragraphs, lists, headings and code. In colour bold
// text is bold and code has its own colour; without, bold text is plain and code keeps its quotes.
func Terminal(markdown string, width int, color bool) string {
	var out []string
	var paragraph []string
	first, rest := "", ""
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, fill(inline(strings.Join(paragraph, " "), color), width, first, rest)...)
		}
		paragraph, first, rest = nil, "", ""
	}
	fenced := false
	for _, line := range strings.Split(markdown, "\n") {
		body := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			fenced = !fenced
		case fenced:
			out = append(out, "    "+line)
		case body == "":
			flush()
			out = append(out, "")
		case strings.HasPrefix(line, "#"):
			flush()
			out = append(out, draw.Bold(color, strings.TrimLeft(line, "# ")))
		case item.MatchString(line):
			flush()
			m := item.FindStringSubmatch(line)
			first = m[1] + m[2] + " "
			rest = strings.Repeat(" ", len(first))
			paragraph = []string{strings.TrimSpace(line[len(m[0]):])}
		default:
			paragraph = append(paragraph, body)
		}
	}
	flush()
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// inline formats what stands within a paragraph. Spaces in code are not where a line breaks.
func inline(text string, color bool) string {
	text = link.ReplaceAllString(text, "$1 ($2)")
	var b strings.Builder
	for text != "" {
		m := span.FindStringSubmatchIndex(text)
		plain := text
		if m != nil {
			plain = text[:m[0]]
		}
		if color {
			plain = strong.ReplaceAllString(plain, "\x1b[1m$1\x1b[0m")
			plain = emphasis.ReplaceAllString(plain, "$1\x1b[3m$2\x1b[0m")
		} else {
			plain = strong.ReplaceAllString(plain, "$1")
			plain = emphasis.ReplaceAllString(plain, "$1$2")
		}
		b.WriteString(plain)
		if m == nil {
			break
		}
		code := strings.ReplaceAll(text[m[2]:m[3]], " ", noBreak)
		if color {
			b.WriteString(draw.Paint(true, 4, code))
		} else {
			b.WriteString("`" + code + "`")
		}
		text = text[m[1]:]
	}
	return b.String()
}

// noBreak stands for a space in code while lines are filled.
const noBreak = "\x00"

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// fill breaks a paragraph between words; the first line begins with one text, the others with another.
func fill(text string, width int, first, rest string) (lines []string) {
	line, at := first, draw.Width(first)
	empty := true
	for _, word := range strings.Fields(text) {
		word = strings.ReplaceAll(word, noBreak, " ")
		w := draw.Width(escape.ReplaceAllString(word, ""))
		if !empty && at+1+w > width {
			lines = append(lines, line)
			line, at, empty = rest, draw.Width(rest), true
		}
		if !empty {
			line, at = line+" ", at+1
		}
		line, at, empty = line+word, at+w, false
	}
	return append(lines, line)
}

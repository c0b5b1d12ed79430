package shell

import (
	"context"
	"slices"
	"strings"

	"gotorch/interp/result"
	"gotorch/visualize/display"
)

// textKinds are the cells that are shown as what they hold: %%html, %%markdown.
var textKinds = map[string]func(text string) display.Bundle{
	"html": display.HTML, "markdown": display.Markdown, "latex": display.LaTeX, "svg": display.SVG,
}

// textMagic shows the cell under %%NAME, or the rest of the line, as text of a kind.
func textMagic(name string) func(s *Shell, ctx context.Context, arg string) ([]Value, *Error) {
	return func(_ *Shell, _ context.Context, arg string) ([]Value, *Error) {
		text := strings.Trim(strings.TrimLeft(arg, " \t"), "\r\n")
		if strings.TrimSpace(text) == "" {
			return nil, usage("%%%%%s, and under it the text", name)
		}
		b := textKinds[name](text)
		b.Data["text/plain"] = text
		return []Value{{Text: text, Bundle: b}}, nil
	}
}

// textMagics are their rows in the table of magics.
func textMagics() (rows []magic) {
	names := []string{}
	for name := range textKinds {
		names = append(names, name)
	}
	slices.Sort(names)
	what := map[string]string{"html": "HTML", "markdown": "Markdown", "latex": "text with formulas", "svg": "a picture"}
	for _, name := range names {
		rows = append(rows, magic{name, "[TEXT]", "with %% before it: shows the cell under it as " + what[name],
			textMagic(name)})
	}
	return rows
}

// pageMagic shows all of the value that was shown last.
func (s *Shell) pageMagic(_ context.Context, arg string) ([]Value, *Error) {
	if strings.TrimSpace(arg) != "" {
		return nil, usage("%%page takes nothing: it shows the last value again, all of it")
	}
	for n := s.Count() - 1; n > 0; n-- {
		if v, ok := s.Shown(n); ok {
			return result.Text(v.Text), nil
		}
	}
	return nil, usage("no cell has shown a value yet")
}

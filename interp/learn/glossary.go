package learn

import (
	"slices"
	"strings"

	"gotorch/internal/glossary"
	"gotorch/visualize/draw"
)

// Term is a word of the glossary, and Glossary all of them.
type (
	Term     = glossary.Term
	Glossary = glossary.Glossary
)

// Describe is what ?word shows.
func (lib *Library) Describe(t *Term) string {
	text := t.Name + "\n" + t.Text
	if t.Cell != "" {
		text += "\n\n    " + strings.ReplaceAll(t.Cell, "\n", "\n    ")
	}
	for l := range lib.All() {
		if slices.Contains(l.Terms, t.Name) && !l.Planned {
			text += "\n\n%learn " + l.ID + " is about it."
			break
		}
	}
	return text
}

// ViewWords is what %help says of the words in a view's picture, or "".
func (lib *Library) ViewWords(view string) string {
	terms := lib.Glossary.Of(view)
	if len(terms) == 0 {
		return ""
	}
	wide := 0
	for _, t := range terms {
		wide = max(wide, draw.Width(t.Name))
	}
	var b strings.Builder
	b.WriteString("\n\nIts words; ?word shows a cell for each:")
	for _, t := range terms {
		lines := draw.Wrap(t.First(), draw.TextWidth(80)-wide-4)
		b.WriteString("\n  " + draw.PadRight(t.Name, wide) + "  " +
			strings.Join(lines, "\n"+strings.Repeat(" ", wide+4)))
	}
	return b.String()
}

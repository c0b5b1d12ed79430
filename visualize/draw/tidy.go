package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gotorch/tensor"
	"gotorch/visualize/display"
)

// Note: text from outside. Names, arguments as they were typed, lines of code and errors are text that someone else
// wrote, and may hold anything. They are tidied where they come in: one line, of a bounded length, of valid UTF-8,
// without what moves a terminal's cursor or turns the direction of writing. What a page makes of markup is the
// business of esc.

// maxTidy is how many bytes of such a text are kept: more than any view shows.
const maxTidy = 400

// Tidy makes a text one line that is safe to write to a terminal.
func Tidy(s string) string {
	if isTidy(s) {
		return s
	}
	if len(s) > maxTidy {
		s = s[:maxTidy] + "…"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == 0x2028 || r == 0x2029:
			return ' '
		case !tidyRune(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

func isTidy(s string) bool {
	if len(s) > maxTidy {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f {
			return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !tidyRune(r) })
		}
	}
	return true
}

// tidyRune reports whether a character is written where it stands: no control, none that turns the direction.
func tidyRune(r rune) bool {
	return !unicode.IsControl(r) && r != 0x2028 && r != 0x2029 && !unicode.Is(unicode.Bidi_Control, r)
}

// TidyLists tidies lists of strings.
func TidyLists(lists [][]string) [][]string {
	out := make([][]string, len(lists))
	for i, list := range lists {
		if list == nil {
			continue
		}
		out[i] = make([]string, len(list))
		for k, s := range list {
			out[i][k] = Tidy(s)
		}
	}
	return out
}

// TypedTexts are the arguments of the call to callee as they were typed, nil where they are not known.
func TypedTexts(callee string) []string {
	return TidyLists([][]string{display.CurrentHost().ArgTexts("visualize", callee)})[0]
}

// TidySite is a site whose strings are tidy.
func TidySite(at tensor.Site) tensor.Site {
	at.Cell, at.Name = Tidy(at.Cell), Tidy(at.Name)
	return at
}

// SiteText is a place as a text: y @ In[3]:2.
func SiteText(at tensor.Site) string { return TidySite(at).String() }

// CurrentSite is where the code stands.
func CurrentSite() tensor.Site { return TidySite(tensor.CurrentSite()) }

package draw

import (
	"slices"
	"strings"

	"gotorch/internal/glossary"
	"gotorch/visualize/display"
)

// Note: words. The words of the glossary that a page of a view uses are underlined with dots, once each, and say on
// hovering what they mean: <abbr title>, which needs neither script nor network and survives the filters of sites that
// show notebooks. The words within a picture, an <img>, cannot be reached: they stand in a line below it.

// abbr is a word with its explanation.
func abbr(word string, t *glossary.Term) string {
	return `<abbr title="` + Escape(t.Text) + `" style="text-decoration:underline dotted;cursor:help">` + word + `</abbr>`
}

// quiet are elements in which no word is underlined: code, pictures, what is pressed, and words that are already.
var quiet = map[string]bool{"pre": true, "style": true, "svg": true, "abbr": true, "title": true, "label": true,
	"button": true, "option": true, "summary": true, "code": true}

// explained underlines the words in HTML of ours, each where it stands for the first time. seen has those that are
// underlined before.
func explained(html string, seen map[*glossary.Term]bool) string {
	var b strings.Builder
	depth := 0
	for html != "" {
		at := strings.IndexByte(html, '<')
		if at < 0 {
			at = len(html)
		}
		text := html[:at]
		if depth == 0 && len(seen) < maxExplained && strings.TrimSpace(text) != "" {
			text = explainedText(text, seen)
		}
		b.WriteString(text)
		html = html[at:]
		if html == "" {
			break
		}
		end := strings.IndexByte(html, '>')
		if end < 0 {
			end = len(html) - 1
		}
		tag := html[:end+1]
		name := strings.Trim(tag, "</>")
		name, _, _ = strings.Cut(name, " ")
		switch {
		case !quiet[name] || strings.HasSuffix(tag, "/>"):
		case strings.HasPrefix(tag, "</"):
			depth--
		default:
			depth++
		}
		b.WriteString(tag)
		html = html[end+1:]
	}
	return b.String()
}

// maxExplained is how many words of a page are underlined.
const maxExplained = 24

// shownWords finds the words of the glossary in a text, but for those that were seen and for names of the user's
// tensors: kernels may be weights.
func shownWords(text string, seen map[*glossary.Term]bool) []glossary.Use {
	uses := glossary.Builtin().Shown(text)
	uses = slices.DeleteFunc(uses, func(u glossary.Use) bool { return seen[u.Term] })
	if len(uses) == 0 {
		return nil
	}
	named := map[string]bool{}
	display.CurrentHost().Names(false, func(_ any, name string) {
		if end := strings.IndexAny(name, ".[("); end >= 0 {
			name = name[:end]
		}
		named[name] = true
	})
	return slices.DeleteFunc(uses, func(u glossary.Use) bool { return named[u.Form] })
}

func explainedText(text string, seen map[*glossary.Term]bool) string {
	var b strings.Builder
	from := 0
	for _, u := range shownWords(text, seen) {
		if seen[u.Term] || len(seen) == maxExplained {
			continue
		}
		seen[u.Term] = true
		b.WriteString(text[from:u.At] + abbr(text[u.At:u.End], u.Term))
		from = u.End
	}
	b.WriteString(text[from:])
	return b.String()
}

// beginWords begins the line of words.
const beginWords = `<div class="gotorch-words" style="margin:2px 8px;font-size:11px;opacity:0.75">words: `

// wordsLine is the line below a picture: the words that its text has, but for those that are underlined above.
func wordsLine(text string, seen map[*glossary.Term]bool) string {
	var words []string
	for _, u := range shownWords(text, seen) {
		if !seen[u.Term] && len(words) < maxExplained {
			seen[u.Term] = true
			words = append(words, abbr(u.Term.Name, u.Term))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return beginWords + strings.Join(words, ", ") + "</div>"
}

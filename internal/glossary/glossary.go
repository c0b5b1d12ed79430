// Package glossary has the words of the field, each in two sentences: ?word shows them, views explain their own words
// with them, and lessons are checked for words that they use before they explain them.
package glossary

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed glossary.txt
var text string

// Term is a word of the glossary.
type Term struct {
	Name  string
	Forms []string // how it is written in a sentence: stride, strides
	Text  string   // two sentences
	Cell  string   // that shows it
	Views []string // the magics whose pictures speak of it
	Plain bool     // known to whoever programs: lessons may use it at once
}

// First is the first sentence of its explanation.
func (t *Term) First() string {
	first, _, _ := strings.Cut(t.Text, ". ")
	return strings.TrimSuffix(first, ".") + "."
}

// Glossary is the terms, sorted by name.
type Glossary struct {
	Terms []*Term
	forms map[string]*Term // by form, in lower case
	words *regexp.Regexp   // all forms, the longest first
}

// Builtin is the glossary that the program carries. It panics where that cannot be read; a test reads it.
var Builtin = sync.OnceValue(func() *Glossary {
	g, err := Parse("glossary.txt", text)
	if err != nil {
		panic(err)
	}
	return g
})

// Parse reads the table of terms. A term begins at the margin: its name, then further forms of the word after
// commas. Indented lines follow: sentences; "> " and a line of its cell; "views: " and names of magics; "plain".
// Lines that begin with # are comments.
func Parse(file, text string) (*Glossary, error) {
	g := &Glossary{forms: map[string]*Term{}}
	var t *Term
	for i, line := range strings.Split(text, "\n") {
		body := strings.TrimSpace(line)
		switch {
		case body == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, " "):
			forms := list(body)
			t = &Term{Name: forms[0], Forms: forms}
			g.Terms = append(g.Terms, t)
			for _, f := range forms {
				if g.forms[strings.ToLower(f)] != nil {
					return nil, fmt.Errorf("%s:%d: %q stands there twice", file, i+1, f)
				}
				g.forms[strings.ToLower(f)] = t
			}
		case t == nil:
			return nil, fmt.Errorf("%s:%d: a line before the first term", file, i+1)
		case strings.HasPrefix(body, "> "):
			t.Cell = strings.TrimPrefix(t.Cell+"\n"+body[2:], "\n")
		case strings.HasPrefix(body, "views: "):
			t.Views = append(t.Views, list(body[len("views: "):])...)
		case body == "plain":
			t.Plain = true
		default:
			t.Text = strings.TrimSpace(t.Text + " " + body)
		}
	}
	slices.SortFunc(g.Terms, func(a, b *Term) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	for _, t := range g.Terms {
		if t.Text == "" {
			return nil, fmt.Errorf("%s: %s is not explained", file, t.Name)
		}
	}
	g.words = regexp.MustCompile(`(?i)\b(?:` + strings.Join(g.patterns(), "|") + `)\b`)
	return g, nil
}

func list(text string) (all []string) {
	for _, w := range strings.Split(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			all = append(all, w)
		}
	}
	return all
}

// patterns are the forms as parts of a regular expression, the longest first, so that it takes that of several which
// begin at a place.
func (g *Glossary) patterns() (all []string) {
	for f := range g.forms {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	for i, f := range all {
		all[i] = strings.ReplaceAll(regexp.QuoteMeta(f), " ", `\s+`)
	}
	return all
}

// Term finds a term by any of its forms; nil if there is none.
func (g *Glossary) Term(word string) *Term { return g.forms[strings.ToLower(strings.TrimSpace(word))] }

// Of are the terms that a view's picture speaks of.
func (g *Glossary) Of(view string) (all []*Term) {
	for _, t := range g.Terms {
		if slices.Contains(t.Views, view) {
			all = append(all, t)
		}
	}
	return all
}

// Use is a term in a text.
type Use struct {
	Term    *Term
	Form    string
	At, End int
}

// Uses finds the terms in a text, the longest where several begin at a place.
func (g *Glossary) Uses(text string) (all []Use) {
	for _, m := range g.words.FindAllStringIndex(text, -1) {
		form := strings.Join(strings.Fields(text[m[0]:m[1]]), " ")
		if t := g.Term(form); t != nil {
			all = append(all, Use{t, form, m[0], m[1]})
		}
	}
	return all
}

// Shown finds the words of views in what a view shows: terms that some view speaks of, written as the glossary writes
// them and not as parts of code, such as calls and fields.
func (g *Glossary) Shown(text string) (all []Use) {
	for _, u := range g.Uses(text) {
		if len(u.Term.Views) > 0 && !inCode(text, u.At, u.End) &&
			(strings.ToLower(u.Form) == u.Form || slices.Contains(u.Term.Forms, u.Form)) {
			all = append(all, u)
		}
	}
	return all
}

// inCode reports whether a word is a part of code: it stands at a dot, a bracket or a sign.
func inCode(text string, at, end int) bool {
	if at > 0 && strings.ContainsRune(`./_#"`+"`", rune(text[at-1])) {
		return true
	}
	if end < len(text) && strings.ContainsRune(`(_=["/`, rune(text[end])) {
		return true
	}
	return false
}

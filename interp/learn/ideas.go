package learn

import (
	"fmt"
	"strings"
)

// Idea is one of those that gotorch teaches, as ideas.txt lists them.
type Idea struct {
	Source  string // the essay, the blog, …
	Mark    string // C for core, S for strong
	Name    string
	Lessons []*Lesson
	Terms   []*Term
	Pages   []string // in the repository
	Planned string   // what is missing
}

// parseIdeas reads the table of ideas.
func (lib *Library) parseIdeas(file, text string) error {
	source := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if s, ok := strings.CutPrefix(line, "## "); ok {
			source = s
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := list(line, "|")
		if len(parts) != 3 {
			return fmt.Errorf("%s:%d: a mark, an idea and where it is taught, with bars between them", file, i+1)
		}
		idea := Idea{Source: source, Mark: parts[0], Name: parts[1]}
		if what, ok := strings.CutPrefix(parts[2], "planned: "); ok {
			idea.Planned = what
			lib.Ideas = append(lib.Ideas, idea)
			continue
		}
		for _, where := range list(parts[2], ",") {
			word, isTerm := strings.CutPrefix(where, "?")
			switch {
			case isTerm:
				t := lib.Glossary.Term(word)
				if t == nil {
					return fmt.Errorf("%s:%d: the glossary has no %q", file, i+1, word)
				}
				idea.Terms = append(idea.Terms, t)
			case strings.HasSuffix(where, ".md"):
				idea.Pages = append(idea.Pages, where)
			default:
				l := lib.byID[where]
				if l == nil {
					return fmt.Errorf("%s:%d: there is no lesson %q", file, i+1, where)
				}
				idea.Lessons = append(idea.Lessons, l)
			}
		}
		lib.Ideas = append(lib.Ideas, idea)
	}
	return nil
}

// row is the row of a table of ideas, in a page of docs/learn.
func (idea *Idea) row() string {
	if idea.Planned != "" {
		return fmt.Sprintf("| %s | %s | planned: %s | |\n", idea.Name, idea.Mark, idea.Planned)
	}
	var where, views []string
	seen := map[string]bool{}
	view := func(v string) {
		if !seen[v] {
			seen[v] = true
			views = append(views, v)
		}
	}
	for _, l := range idea.Lessons {
		where = append(where, "["+l.Title+"]("+pageFile(l)+")")
		for _, v := range l.views() {
			view(v)
		}
	}
	for _, t := range idea.Terms {
		where = append(where, "[?"+t.Name+"](glossary.md#"+anchor(t)+")")
		for _, v := range viewCall.FindAllString(t.Cell, -1) {
			view("`" + v + "`")
		}
	}
	for _, p := range idea.Pages {
		name := strings.TrimSuffix(p[strings.LastIndexByte(p, '/')+1:], ".md")
		where = append(where, "["+name+"]("+fromLearn(p)+")")
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", idea.Name, idea.Mark, strings.Join(where, ", "),
		strings.Join(views, " "))
}

// fromLearn is a path of the repository as a link in docs/learn.
func fromLearn(p string) string {
	if rest, ok := strings.CutPrefix(p, "docs/learn/"); ok {
		return rest
	}
	return "../" + strings.TrimPrefix(p, "docs/")
}

// ideasTable is the table of all ideas, by where they are from.
func (lib *Library) ideasTable() string {
	var b strings.Builder
	source := ""
	for i := range lib.Ideas {
		if s := lib.Ideas[i].Source; s != source {
			source = s
			fmt.Fprintf(&b, "\n### %s\n\n| idea | | where | views |\n|---|---|---|---|\n", s)
		}
		b.WriteString(lib.Ideas[i].row())
	}
	return b.String()
}

// anchor is the part of a link that leads to the term on the page of the glossary.
func anchor(t *Term) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_':
			return r
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.ToLower(t.Name))
}

// GlossaryPage is the glossary as a page of documentation.
func (lib *Library) GlossaryPage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Glossary\n\n%d words; `?stride` in a cell shows one, and `%%help strides` those of a view's "+
		"picture. Each has a cell to run.\n", len(lib.Glossary.Terms))
	for _, t := range lib.Glossary.Terms {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n```go\n%s\n```\n", t.Name, t.Text, t.Cell)
		for l := range lib.All() {
			if !l.Planned && contains(l.Terms, t) {
				fmt.Fprintf(&b, "\nLesson: [%s](%s)\n", l.Title, pageFile(l))
				break
			}
		}
	}
	return b.String()
}

// contains reports whether one of the names is that of a term.
func contains(names []string, t *Term) bool {
	for _, n := range names {
		for _, f := range t.Forms {
			if strings.EqualFold(n, f) {
				return true
			}
		}
	}
	return false
}

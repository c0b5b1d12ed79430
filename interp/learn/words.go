package learn

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// codeSpan is what words are not looked for in: code, addresses of links.
var codeSpan = regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)|https?://\\S+")

// bold is a term where it is explained.
var bold = regexp.MustCompile(`\*\*([^*]+)\*\*`)

// UnexplainedWords says which words of the glossary a lesson uses before they are explained. A lesson explains a term
// of its front matter in the sentence in which the term stands in bold for the first time; other words must have been
// explained by a lesson before it (see [Library.Before]), or be plain.
func (lib *Library) UnexplainedWords(l *Lesson) (problems []string) {
	known := map[*Term]bool{}
	for _, t := range lib.Glossary.Terms {
		known[t] = t.Plain
	}
	explain := func(names []string) {
		for _, name := range names {
			if t := lib.Glossary.Term(name); t != nil {
				known[t] = true
			} else {
				problems = append(problems, fmt.Sprintf("%s: the glossary has no %q", l.File, name))
			}
		}
	}
	for other := range lib.Before(l) {
		explain(other.Terms)
	}
	explain(l.Plain)
	text := codeSpan.ReplaceAllString(l.Words(), " ")
	own := map[*Term]int{} // where each is explained
	for _, name := range l.Terms {
		t := lib.Glossary.Term(name)
		if t == nil {
			problems = append(problems, fmt.Sprintf("%s: the glossary has no %q", l.File, name))
			continue
		}
		at := -1
		for _, m := range bold.FindAllStringSubmatchIndex(text, -1) {
			if lib.Glossary.Term(text[m[2]:m[3]]) == t {
				at = m[2]
				break
			}
		}
		if at < 0 {
			problems = append(problems, fmt.Sprintf("%s: terms has %q, but no sentence has it in bold", l.File, name))
			continue
		}
		own[t] = at
	}
	for _, u := range lib.Glossary.Uses(text) {
		at, mine := own[u.Term]
		switch {
		case mine && sentence(text, u.At) < sentence(text, at):
			problems = append(problems, fmt.Sprintf("%s: %q is used before the sentence that explains it: %s", l.File, u.Form,
				around(text, u.At)))
		case !mine && !known[u.Term]:
			problems = append(problems, fmt.Sprintf("%s: %q is used and no lesson before has explained it: %s", l.File, u.Form,
				around(text, u.At)))
		}
	}
	slices.Sort(problems)
	return slices.Compact(problems)
}

// sentence is the number of the sentence at a place.
func sentence(text string, at int) int {
	return strings.Count(text[:at], ". ") + strings.Count(text[:at], ".\n") + strings.Count(text[:at], "\n\n")
}

// around is what stands about a place.
func around(text string, at int) string {
	return "… " + strings.Join(strings.Fields(text[max(0, at-30):min(len(text), at+40)]), " ") + " …"
}

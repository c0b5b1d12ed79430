package learn

import (
	"fmt"
	"strings"
)

// Claim is a section of the page that goes through an essay, claim by claim.
type Claim struct {
	Title, Verdict string
	Cells          []int // the numbers of the cells that show it, from 1
}

// Claims are the sections of a page. A heading of the third level begins one; behind a dot stands the verdict.
func (l *Lesson) Claims() (all []Claim) {
	cells := 0
	for _, s := range l.Steps {
		switch s.Kind {
		case Prose:
			for _, line := range strings.Split(s.Text, "\n") {
				if title, ok := strings.CutPrefix(line, "### "); ok {
					title, verdict, _ := strings.Cut(title, " · ")
					all = append(all, Claim{Title: title, Verdict: verdict})
				}
			}
		case Code:
			cells++
			if n := len(all); n > 0 {
				all[n-1].Cells = append(all[n-1].Cells, cells)
			}
		}
	}
	return all
}

// ClaimsTable lists the claims with the cells that show them.
func (l *Lesson) ClaimsTable() string {
	var b strings.Builder
	b.WriteString("## Claims and cells\n\n| claim | verdict | cells |\n|---|---|---|\n")
	for _, c := range l.Claims() {
		numbers := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Cells), " ", ", "), "[]")
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Title, c.Verdict, numbers)
	}
	return b.String()
}

package fold

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestPageIndents: on a page a step within a group stands further to the right than those beside the group.
func TestPageIndents(t *testing.T) {
	group := Step{Head: "group", Group: true, Steps: []Step{{Head: "within"}}}
	page := Page([]Step{{Head: "before"}, group, {Head: "after"}}, 1<<20)
	at := map[string]string{}
	for _, m := range regexp.MustCompile(`padding-left:(\d+)px[^>]*>(\w+)`).FindAllStringSubmatch(page, -1) {
		at[m[2]] = m[1]
	}
	if at["before"] != "18" || at["after"] != "18" || at["within"] != "36" {
		t.Errorf("%v in %s", at, page)
	}
}

// TestPageBreaks: a page breaks no line between a number and its unit, and what is said of repeats stays apart.
func TestPageBreaks(t *testing.T) {
	page := Page([]Step{{Head: "mm × 3  2 calls each  [2 3]", Right: "frees 5 KiB  3.5 µs"}}, 1<<20)
	want := `mm × 3 &#160;2 calls each &#160;[2&#160;3] ` +
		`<span style="opacity:0.7">frees 5&#160;KiB &#160;3.5&#160;µs</span>`
	if !strings.Contains(page, want) {
		t.Error(page)
	}
}

// TestTextFills: an outline of too many steps has as many lines as it may, and counts the rest.
func TestTextFills(t *testing.T) {
	var steps []Step
	for i := range 93 {
		steps = append(steps, Step{Head: fmt.Sprint("step ", i)})
	}
	lines := strings.Split(strings.TrimSpace(Text(steps, 60, false, false)), "\n")
	if len(lines) != 60 || lines[58] != "step 58" || lines[59] != "… 34 more calls" {
		t.Errorf("%d lines, the last are %q", len(lines), lines[len(lines)-2:])
	}
}

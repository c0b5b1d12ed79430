package interp

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPages runs the cells of pages, which begin with >>> and go on with lines that begin with ..., and compares their
// answers; -update writes these. The mistakes of docs/mistakes.md are errors, and the session goes on.
func TestPages(t *testing.T) {
	for page, least := range map[string]struct{ cells, mistakes int }{
		"transforms": {40, 0},
		"extending":  {20, 0},
		"mistakes":   {40, 40},
	} {
		t.Run(page, func(t *testing.T) {
			if cells, mistakes := runPage(t, "../docs/"+page+".md"); cells < least.cells || mistakes < least.mistakes {
				t.Errorf("the page has %d cells, and %d mistakes", cells, mistakes)
			}
		})
	}
}

// runPage runs the cells of a page. It counts them, and those that are errors.
func runPage(t *testing.T, file string) (cells, mistakes int) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, ids := New(Options{}), storageNumbers{}
	defer s.Close()
	parts := strings.Split(string(text), "```\n")
	for i := 1; i < len(parts); i += 2 {
		var out strings.Builder
		for _, step := range strings.Split("\n"+parts[i], "\n>>> ")[1:] {
			src, want, _ := strings.Cut(step, "\n")
			for strings.HasPrefix(want, "... ") || strings.HasPrefix(want, "...\n") {
				line, rest, _ := strings.Cut(want, "\n")
				src, want = src+"\n"+strings.TrimPrefix(strings.TrimPrefix(line, "..."), " "), rest
			}
			got := strings.TrimSpace(cell(s, src))
			cells++
			if strings.Contains(got, "Error: ") {
				mistakes++
			}
			got = ids.number(got)
			if out.WriteString(">>> " + strings.ReplaceAll(src, "\n", "\n... ") + "\n"); got != "" {
				out.WriteString(got + "\n")
			}
			if want = strings.TrimSpace(want); got != want && !*update {
				t.Errorf("%s\n got %s\nwant %s", src, got, want)
			}
		}
		parts[i] = out.String()
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(parts, "```\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return cells, mistakes
}

// storageNumbers counts the storages of a page from 1, whatever ran before in the process.
type storageNumbers map[string]int

var storageNumber = regexp.MustCompile(`storage #\d+`)

func (ids storageNumbers) number(text string) string {
	return storageNumber.ReplaceAllStringFunc(text, func(id string) string {
		if ids[id] == 0 {
			ids[id] = len(ids) + 1
		}
		return fmt.Sprintf("storage #%d", ids[id])
	})
}

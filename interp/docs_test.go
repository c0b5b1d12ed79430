package interp

import (
	"os"
	"strings"
	"testing"
)

// TestTransformsPage runs the cells of docs/transforms.md, which begin with >>>, and compares their answers.
func TestTransformsPage(t *testing.T) {
	const file = "../docs/transforms.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{})
	defer s.Close()
	parts := strings.Split(string(text), "```\n")
	cells := 0
	for i := 1; i < len(parts); i += 2 {
		var out strings.Builder
		for _, step := range strings.Split("\n"+parts[i], "\n>>> ")[1:] {
			src, want, _ := strings.Cut(step, "\n")
			got := strings.TrimSpace(cell(s, src))
			cells++
			if out.WriteString(">>> " + src + "\n"); got != "" {
				out.WriteString(got + "\n")
			}
			if want = strings.TrimSpace(want); got != want && !*update {
				t.Errorf("%s\n got %s\nwant %s", src, got, want)
			}
		}
		parts[i] = out.String()
	}
	if cells < 40 {
		t.Errorf("the page has %d cells", cells)
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(parts, "```\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

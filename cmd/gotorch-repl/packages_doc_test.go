package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"gotorch/interp/exportdata"
)

// TestPackagesDocumented: docs/prompt.md names every package of the standard library that cells have, and no other.
func TestPackagesDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/prompt.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "\n## Packages\n")
	_, section, _ = strings.Cut(section, "|---|---|\n")
	table, _, _ := strings.Cut(section, "\n\n")
	said := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(table, -1) {
		said[m[1]] = true
	}
	for _, p := range exportdata.Paths() {
		if !strings.HasPrefix(p, "gotorch/") && !said[p] {
			t.Errorf("%s is not documented", p)
		}
		delete(said, p)
	}
	for p := range said {
		t.Errorf("%s is documented and not there", p)
	}
}

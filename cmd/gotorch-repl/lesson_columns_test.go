package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shownBlock = regexp.MustCompile("(?s)\n```text\n(.*?)\n```\n")

// TestLessonsIn80Columns: what the cells of lessons show fits a terminal of 80 columns, broken as the prompt does it:
// between words, and going on as far in as the line began.
func TestLessonsIn80Columns(t *testing.T) {
	pages, _ := filepath.Glob(filepath.Join(root, "docs", "learn", "*", "*.md"))
	blocks := 0
	for _, page := range append(pages, filepath.Join(root, "docs", "learn", "essay.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range shownBlock.FindAllStringSubmatch(string(text), -1) {
			blocks++
			for _, line := range strings.Split(wrap(m[1], 80), "\n") {
				if n := columns(line); n > 80 {
					t.Errorf("%s: %d columns: %s", page, n, line)
				}
			}
		}
	}
	if blocks < 300 {
		t.Errorf("only %d outputs", blocks)
	}
}

package house

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write docs/notes.md anew")

// TestArchitecture checks that every file and directory that docs/architecture.md names is there.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	handWritten(t, func(name string, _ []byte) { all = append(all, filepath.ToSlash(name)) })
	found := 0
	for _, m := range regexp.MustCompile("`([a-z][\\w/*.-]*(?:/|\\.go)[\\w*]*)`").FindAllSubmatch(text, -1) {
		name := string(m[1])
		found++
		if strings.HasPrefix(name, "go/") { // Go's own
			continue
		}
		if paths, _ := filepath.Glob(filepath.Join(root, name)); len(paths) > 0 {
			continue
		}
		// a name without a directory is a file of the package that was named before
		pattern := regexp.MustCompile("/" + strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, `\w*`) + "$")
		if !slices.ContainsFunc(all, pattern.MatchString) {
			t.Errorf("docs/architecture.md names %s, which is not there", name)
		}
	}
	if found < 40 {
		t.Errorf("only %d names of files were found in docs/architecture.md", found)
	}
}

// TestNotes holds docs/notes.md, the list of the comments that begin with "Note:", against the sources; -update writes
// it.
func TestNotes(t *testing.T) {
	note := regexp.MustCompile(`(?m)^(?://)?\s*// Note: ([^.\n]+)|^// Note: ([^.\n]+)`)
	byDir := map[string][]string{}
	handWritten(t, func(name string, text []byte) {
		name = strings.TrimPrefix(filepath.ToSlash(name), root+"/")
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, m := range note.FindAllSubmatch(text, -1) {
			title := strings.TrimSpace(string(m[1]) + string(m[2]))
			dir := filepath.ToSlash(filepath.Dir(name))
			byDir[dir] = append(byDir[dir], fmt.Sprintf("- [%s](../%s): %s\n", filepath.Base(name), name, title))
		}
	})
	var b bytes.Buffer
	b.WriteString("# Notes\n\nWhy things are as they are, where they are: the comments in the sources that begin with " +
		"\"Note:\", by package. " +
		"`go test ./internal/house -update`\nwrites this list.\n")
	dirs := make([]string, 0, len(byDir))
	for dir := range byDir {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		fmt.Fprintf(&b, "\n## %s\n\n", dir)
		slices.Sort(byDir[dir])
		for _, line := range byDir[dir] {
			b.WriteString(line)
		}
	}
	name := filepath.Join(root, "docs/notes.md")
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if was, err := os.ReadFile(name); err != nil || !bytes.Equal(was, b.Bytes()) {
		t.Errorf("docs/notes.md is stale: go test ./internal/house -update")
	}
}

// longLines is how many lines of code are still wider than lineWidth. It only goes down.
const (
	lineWidth = 119
	longLines = 173
)

// TestLineWidth checks that comments end before column 120, and that no lines of code are added that do not. Lines of
// tables, the rows of tensor/opdef and tests say, may be split only where that reads better.
func TestLineWidth(t *testing.T) {
	long := 0
	handWritten(t, func(name string, text []byte) {
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			line = strings.TrimRight(line, "\n")
			if utf8.RuneCountInString(line) <= lineWidth {
				continue
			}
			if body := strings.TrimLeft(line, "\t"); strings.HasPrefix(body, "// ") && !strings.HasPrefix(body, "//  ") {
				t.Errorf("%s:%d: a comment of %d columns", name, n, utf8.RuneCountInString(line))
				continue
			}
			long++
		}
	})
	if long > longLines {
		t.Errorf("%d lines of code are wider than %d columns, %d are known", long, lineWidth, longLines)
	}
	t.Logf("%d lines of code are wider than %d columns", long, lineWidth)
}

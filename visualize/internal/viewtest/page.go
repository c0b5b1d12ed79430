package viewtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gotorch/internal/browser"
)

// Browser opens an empty page of the given size in a Chromium of the test's own. Without one the test is skipped, or
// fails where GOTORCH_REQUIRE lists it.
func Browser(t *testing.T, width, height int) *browser.Page {
	t.Helper()
	path := browser.Find()
	if path == "" {
		if slices.Contains(strings.Split(os.Getenv("GOTORCH_REQUIRE"), ","), "chromium") {
			t.Fatal("no Chromium")
		}
		t.Skip("needs Chromium (Debian: chromium)")
	}
	p, err := browser.Open(path, width, height)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// Opens shows the text of a page and waits until it is there.
func Opens(t *testing.T, p *browser.Page, page string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(name, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := p.Go("file://" + name); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(time.Minute, `document.readyState == "complete"`); err != nil {
		t.Fatal(err)
	}
}

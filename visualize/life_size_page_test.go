package visualize_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	chrome "gotorch/internal/browser"
	"gotorch/visualize/internal/viewtest"
)

// TestLifeSizeFits: nothing of a view of a real subject is cut on a page as wide as the classic notebook's, nor on
// one of 420 px, where the table of a flame graph alone scrolls.
func TestLifeSizeFits(t *testing.T) {
	path := chrome.Find()
	switch {
	case path != "":
	case slices.Contains(strings.Split(os.Getenv("GOTORCH_REQUIRE"), ","), "chromium"):
		t.Fatal("no Chromium")
	default:
		t.Skip("needs Chromium (Debian: chromium)")
	}
	viewtest.NewSession(t)
	var views strings.Builder
	for subject, list := range lifeSize(t) {
		for _, s := range list {
			views.WriteString(`<div class="one" data-name="` + s.name + " of " + subject + `">`)
			views.WriteString(s.make().HTML() + "</div>\n")
		}
	}
	name := filepath.Join(t.TempDir(), "page.html")
	html := `<!doctype html><meta charset="utf-8"><body class="notebook_app"><div id="page">` + views.String() + `</div>`
	if err := os.WriteFile(name, []byte(html), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := chrome.Open(path, 960, 900)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if err := p.Go("file://" + name); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(time.Minute, `document.readyState == "complete" && document.images.length > 80`); err != nil {
		t.Fatal(err)
	}
	for _, width := range []string{"920px", "420px"} {
		var cut []string
		if err := p.Eval(`(page.style.width = "`+width+`", [...document.querySelectorAll(".one>.gotorch-view")]
			.filter(e => e.scrollWidth > e.clientWidth + 1)
			.map(e => e.parentElement.dataset.name + " is " + e.scrollWidth + " wide"))`, &cut); err != nil {
			t.Fatal(err)
		}
		for _, c := range cut {
			if width == "920px" || !strings.HasPrefix(c, "flame of ") {
				t.Errorf("on a page of %s: %s", width, c)
			}
		}
	}
}

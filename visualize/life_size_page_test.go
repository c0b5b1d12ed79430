package visualize_test

import (
	"strings"
	"testing"
	"time"

	"gotorch/visualize/internal/viewtest"
)

// TestLifeSizeFits: nothing of a view of a real subject is cut on a page as wide as the classic notebook's, nor on
// one of 420 px, where the table of a flame graph alone scrolls.
func TestLifeSizeFits(t *testing.T) {
	p := viewtest.Browser(t, 960, 900)
	viewtest.NewSession(t)
	var views strings.Builder
	for subject, list := range lifeSize(t) {
		for _, s := range list {
			views.WriteString(`<div class="one" data-name="` + s.name + " of " + subject + `">`)
			views.WriteString(s.make().HTML() + "</div>\n")
		}
	}
	viewtest.Opens(t, p, `<!doctype html><meta charset="utf-8"><body class="notebook_app"><div id="page">`+views.String()+
		`</div>`)
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

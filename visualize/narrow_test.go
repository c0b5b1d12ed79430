package visualize

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// TestLegible: pictures of storages, headers, outlines and runs are so narrow that a page of 420 px has them with
// letters of seven pixels.
func TestLegible(t *testing.T) {
	s := viewtest.NewSession(t)
	const most = draw.NarrowWidth
	x := tensor.Rand(64, 128, 768)
	loss := deep(s, 12)
	for name, v := range map[string]View{
		"header": Header(x), "strides": Strides(x, x.Transpose(0, 2), x.Narrow(1, 3, 20)), "address": Address(x, 3, 4, 5),
		"graph": Graph(loss), "backward": Backward(loss),
		"trace": TraceFunc(func() { deep(s, 12) }),
		"flame": Flame(func() { deep(s, 12).Backward() }), "memory": Memory(func() { deep(s, 12).Backward() }),
		"shapes":  first(RecordShapes(func() { x.Chunk(3); deep(s, 12) })),
		"program": first(RecordProgram(func() { x.Chunk(3); deep(s, 12) })),
	} {
		if w, _ := strconv.Atoi(svgWidth.FindStringSubmatch(v.SVG())[1]); w > most {
			t.Errorf("%s is %d wide", name, w)
		}
	}
}

// first is the view of a recorder.
func first[V View](v V, _ any) View { return v }

// TestFitsNotebook: nothing of a view is cut where a notebook has 920 px for it, as the classic one has.
func TestFitsNotebook(t *testing.T) {
	p := viewtest.Browser(t, 960, 900)
	var all strings.Builder
	for _, e := range examples {
		all.WriteString(`<div class="one" data-name="` + e.name + `">` + e.make(viewtest.NewSession(t)).HTML() + "</div>\n")
	}
	viewtest.Opens(t, p, `<!doctype html><meta charset="utf-8"><body class="notebook_app">`+
		`<div style="width:920px">`+all.String())
	for _, cut := range asks[[]string](t, p, `[...document.querySelectorAll(".one>.gotorch-view")]
		.filter(e => e.scrollWidth > e.clientWidth + 1)
		.map(e => e.parentElement.dataset.name + " is " + e.scrollWidth + " wide")`) {
		t.Error(cut)
	}
}

// TestRedOfPages: what is red in the page itself has the dark page's colour on one.
func TestRedOfPages(t *testing.T) {
	p := viewtest.Browser(t, 700, 500)
	html, _ := json.Marshal(draw.Frame(draw.Warning("! stale")))
	for scheme, want := range map[string]string{"dark": "rgb(255, 146, 72)", "light": "rgb(154, 61, 0)"} {
		if err := p.Go("about:blank"); err != nil {
			t.Fatal(err)
		}
		got := asks[string](t, p, `(() => {
			document.documentElement.style.colorScheme = "`+scheme+`"
			document.body.innerHTML = `+string(html)+`
			return getComputedStyle(document.querySelector(".red")).color
		})()`)
		if got != want {
			t.Errorf("%s: %s", scheme, got)
		}
	}
}

package visualize

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	chrome "gotorch/internal/browser"
	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// TestInteractive tries the script in one browser.
func TestInteractive(t *testing.T) {
	p := viewtest.Browser(t, 700, 900)
	for name, f := range map[string]func(t *testing.T, p *chrome.Page){"bytes": linkedBytes,
		"numbers": linkedNumbers, "lines": linkedLines,
		"sessions": runsApart, "zoom": zooms, "forged": forgedView} {
		t.Run(name, func(t *testing.T) { f(t, p) })
	}
}

// shows opens a page and waits until its pictures are live.
func shows(t *testing.T, p *chrome.Page, page string) {
	t.Helper()
	viewtest.Opens(t, p, page)
	if err := p.Wait(time.Minute, `document.querySelector(".gotorch-live svg")`); err != nil {
		t.Fatal(err)
	}
}

// asks evaluates an expression on the page.
func asks[T any](t *testing.T, p *chrome.Page, js string) (v T) {
	t.Helper()
	if err := p.Eval(js, &v); err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return v
}

// hover rests the pointer on the first element that a selector finds, and returns the marks of what is lit.
func hover(t *testing.T, p *chrome.Page, selector string) []string {
	t.Helper()
	return asks[[]string](t, p, fmt.Sprintf(`(e => {
		e.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}))
		return [...document.querySelectorAll(".gotorch-lit")].map(x => x.dataset.b || x.dataset.l)
	})(document.querySelector(%q))`, selector))
}

// TestScriptSize: the script is small, and holds nothing that a page would take for its end.
func TestScriptSize(t *testing.T) {
	s := draw.Script()
	if len(s) > 6500 {
		t.Errorf("%d bytes", len(s))
	}
	if strings.Count(s, "</script") != 1 || strings.Contains(s, "<!--") {
		t.Error("the script ends before its end")
	}
}

// linkedBytes: on a page of a tensor's views the pointer on a cell lights what shows the same bytes in each, and
// nothing of another storage.
func linkedBytes(t *testing.T, p *chrome.Page) {
	viewtest.NewSession(t)
	x, y := tensor.Arange(12).View(3, 4), tensor.Arange(12)
	shows(t, p, Page("views", Strides(x, x.T()), Order(x), Aliases(x), Address(x, 0, 2), Strides(y)))
	if n := asks[int](t, p, `document.querySelectorAll("img").length`); n != 0 {
		t.Errorf("%d pictures are still images", n)
	}
	id, size := x.Storage().ID(), 8
	cell := fmt.Sprintf("%d 16 %d", id, size)
	lit := hover(t, p, fmt.Sprintf(`[data-b="%s"]`, cell))
	whole := 0
	for _, mark := range lit {
		var storage uint64
		var at, n int
		fmt.Sscan(mark, &storage, &at, &n)
		if storage != id || at >= 24 || at+n <= 16 {
			t.Errorf("%q is lit, %q was meant", mark, cell)
		}
		if n > size {
			whole++
		}
	}
	// the value and two lanes; two walks; a bar; the value, the lane and the bar of the last term
	if len(lit) < 9 || whole == 0 {
		t.Errorf("lit are %q", lit)
	}
	asks[any](t, p, `document.body.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}))`)
	if n := asks[int](t, p, `document.querySelectorAll(".gotorch-lit").length`); n != 0 {
		t.Errorf("%d are lit without a pointer", n)
	}
}

// linkedNumbers: so do the numbers of a card, the cells of a heat map and the pixels of pictures, of which one with
// channels has an element in each.
func linkedNumbers(t *testing.T, p *chrome.Page) {
	viewtest.NewSession(t)
	img := tensor.Rand(3, 4, 5)
	channel := img.Select(0, 1)
	shows(t, p, Page("numbers", Card(img), Card(channel), Heatmap(channel), Image(img), Image(channel),
		Strides(channel)))
	id := img.Storage().ID()
	const at = 4 * (20 + 5 + 2) // of img[1, 1, 2]
	cell := fmt.Sprintf("%d %d 4", id, at)
	const all = `[...document.querySelectorAll(".gotorch-lit")].map(e => e.nodeName.toLowerCase()).sort().join(" ")`
	for _, from := range []string{`span[data-b="%s"]`, `rect[data-b="%s"]`} {
		lit := hover(t, p, fmt.Sprintf(from, cell))
		for _, mark := range lit {
			var storage uint64
			var from, n int
			fmt.Sscan(mark, &storage, &from, &n)
			if storage != id || from > at || from+n <= at {
				t.Errorf("%q is lit, %q was meant", mark, cell)
			}
		}
		// two titles and two numbers of cards; the cell of the heat map; a pixel; the lane and the value of the map; the
		// middle one of three channels
		if got := asks[string](t, p, all); got != "b b g rect rect rect rect span span" {
			t.Errorf("from %s: %s", from, got)
		}
	}
	px := fmt.Sprintf(`[data-b="%d %d 4"] [data-b="%s"] .px`, id, at-80, cell)
	hover(t, p, px)
	if got := asks[string](t, p, all); strings.Count(got, "span") != 4 { // numbers of three channels, one in two cards
		t.Errorf("from a pixel: %s", got)
	}
}

// linkedLines: a node of the graph lights the call of its line in the other views.
func linkedLines(t *testing.T, p *chrome.Page) {
	s := viewtest.NewSession(t)
	s.At("In[3]", 2, "y")
	var y *tensor.Tensor
	x := viewtest.Floats(3).RequiresGrad_()
	trace := TraceFunc(func() { y = x.Exp() })
	s.At("In[4]", 1, "z")
	z := y.Sum()
	program, _ := RecordProgram(func() { x.Mul(2) })
	shows(t, p, Page("lines", Graph(z), trace, Backward(z), program)+
		`<div class="code_cell"><div class="input_prompt">In [3]:</div><pre>first
<b>y</b> := x.Exp()
third</pre></div>`)
	lit := hover(t, p, `g[data-l="In[3]:2"] rect`)
	if len(lit) < 4 { // the node; the call, in the picture and beneath it; the line
		t.Errorf("lit are %q", lit)
	}
	for _, l := range lit {
		if l != "In[3]:2" {
			t.Errorf("%q is lit", l)
		}
	}
	line := asks[string](t, p, `[...CSS.highlights.get("gotorch")][0].toString()`)
	if line != "y := x.Exp()" {
		t.Errorf("the line is %q", line)
	}
	if lit := hover(t, p, `g[data-l="In[4]:1"] rect`); len(lit) < 2 || lit[0] != "In[4]:1" {
		t.Errorf("lit are %q", lit)
	}
}

// runsApart: views of another session on the same page are not lit, though their storages have the same numbers.
func runsApart(t *testing.T, p *chrome.Page) {
	viewtest.NewSession(t)
	view := Strides(tensor.Arange(4)).HTML()
	other := strings.Replace(view, `class="gotorch-view"`, `class="gotorch-view" data-run="b"`, 1)
	shows(t, p, Page("two")+view+other)
	if n := len(hover(t, p, "[data-b]")); n != 2 {
		t.Errorf("%d are lit, not 2: the value and the element", n)
	}
}

// zooms: a large picture becomes larger and smaller by buttons, keys and the wheel, and fits again; the keys go
// along its marks.
func zooms(t *testing.T, p *chrome.Page) {
	viewtest.NewSession(t)
	shows(t, p, Page("zoom", Strides(tensor.Arange(40))))
	wide := func() float64 {
		return asks[float64](t, p, `document.querySelector("svg").getBoundingClientRect().width`)
	}
	key := func(k string) {
		asks[any](t, p, fmt.Sprintf(`(s => {
			s.focus()
			s.dispatchEvent(new KeyboardEvent("keydown", {key: %q, bubbles: true}))
		})(document.querySelector("svg"))`, k))
	}
	fit := wide()
	larger := func(how string, act func()) {
		t.Helper()
		was := wide()
		if act(); wide() <= was*1.05 {
			t.Errorf("%s: %v after %v", how, wide(), was)
		}
	}
	larger("a button", func() { asks[any](t, p, `document.querySelector("button[title=larger]").click()`) })
	larger("a key", func() { key("+") })
	larger("the wheel", func() {
		asks[any](t, p, `document.querySelector(".gotorch-live").dispatchEvent(
			new WheelEvent("wheel", {ctrlKey: true, deltaY: -100, cancelable: true}))`)
	})
	asks[any](t, p, `document.querySelector("svg").dispatchEvent(new MouseEvent("dblclick", {bubbles: true}))`)
	if w := wide(); w != fit {
		t.Errorf("%v after a double click, %v at first", w, fit)
	}
	key("ArrowRight")
	key("ArrowRight")
	if n := asks[int](t, p, `document.querySelectorAll(".gotorch-lit").length`); n != 2 {
		t.Errorf("%d are lit by keys, not 2", n)
	}
}

// forgedView: an output that imitates a view brings nothing into the page that runs or loads.
func forgedView(t *testing.T, p *chrome.Page) {
	viewtest.NewSession(t)
	evil := `<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran=1" viewBox="0 0 9 9" width="9" height="9">` +
		`<script>window.ran=2</script><style>body{display:none}</style><image href="x" onerror="window.ran=3"/>` +
		`<a href="javascript:window.ran=4"><rect width="9" height="9"/></a><rect fill="url(http://127.0.0.1/x)"/>` +
		`<foreignObject><iframe srcdoc="x"></iframe></foreignObject><rect width="1" height="1"/></svg>`
	shows(t, p, Page("forged")+`<div class="gotorch-view"><img src="data:image/svg+xml;base64,`+
		base64.StdEncoding.EncodeToString([]byte(evil))+`"/></div>`)
	time.Sleep(300 * time.Millisecond)
	got := asks[string](t, p, `document.querySelector(".gotorch-live").innerHTML`)
	for _, bad := range []string{"script", "onload", "onerror", "href", "url(", "style>", "foreign", "iframe", "<a"} {
		if strings.Contains(got, bad) {
			t.Errorf("%s is in %s", bad, got)
		}
	}
	if ran := asks[any](t, p, `window.ran || null`); ran != nil {
		t.Errorf("it ran: %v", ran)
	}
	if n := asks[int](t, p, `document.querySelectorAll("svg rect").length`); n != 2 {
		t.Errorf("%d boxes are left of two", n)
	}
}

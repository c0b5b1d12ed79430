package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestNotebookWidgets is a user before the controls of one cell: ticks, chooses, types, clicks and looks at what the
// program was told, which stands in an area among them.
func TestNotebookWidgets(t *testing.T) {
	t.Parallel() // it drives other processes
	if _, err := os.Stat("/usr/lib/python3/dist-packages/widgetsnbextension"); err != nil {
		lacks(t, "jupyter", "the front end of ipywidgets (Debian: jupyter-nbextension-jupyter-js-widgets, "+
			"python3-widgetsnbextension)")
	}
	p := openNotebook(t, 1100, 1100)
	n := p.types(`area := widgets.Output()
say := func(name string) func(v any) { return func(v any) { area.Print(name, v) } }
tick := widgets.Checkbox(false, widgets.Describe("tick")).OnChange(func(v bool) { say("tick")(v) })
pick := widgets.Dropdown([]string{"red", "green"}, widgets.Describe("pick")).OnChange(func(v string) { say("pick")(v) })
name := widgets.Text("", widgets.Describe("name")).OnChange(func(v string) { say("name")(v) })
push := widgets.Button("push me").OnClick(func() { say("push")(1) })
real := widgets.FloatSlider(0.5, 0, 1, widgets.Describe("real")).OnChange(func(v float64) { say("real")(v) })
widgets.VBox(widgets.HBox(tick, pick), name, push, real, widgets.Label("a label"), widgets.HTML("<b>bold</b>"), widgets.IntProgress(30, 0, 100), area)`)
	p.done(n)
	in := func(selector string) string { return fmt.Sprintf("#cell%d %s", n, selector) }
	heard := func(text string) string {
		return fmt.Sprintf("document.querySelector('#cell%d').innerText.includes(%q)", n, text)
	}
	hears := func(text string) {
		t.Helper()
		if err := p.Wait(patient, heard(text)); err != nil {
			p.shot("widgets-failed")
			var all string
			p.Eval(fmt.Sprintf("document.querySelector('#cell%d').innerText", n), &all)
			t.Fatalf("%q was not heard: %v in %q", text, err, all)
		}
	}
	p.waits(fmt.Sprintf("document.querySelector(%q)", in("input[type=checkbox]")))
	p.must(p.Click(in("input[type=checkbox]"), 0, 0))
	// the box stood there before its model
	for try := 0; try < 6 && p.Wait(5*time.Second, heard("tick true")) != nil; try++ {
		p.must(p.Click(in("input[type=checkbox]"), 0, 0))
	}
	hears("tick true")
	p.must(p.Focus(patient, in("input[type=text]")))
	p.must(p.Type("Ada"))
	p.must(p.Key("Enter", 0))
	hears("name Ada")
	p.must(p.Eval(fmt.Sprintf(
		"(b => b.click())([...document.querySelectorAll('#cell%d button')].find(b => b.innerText.includes('push me')))",
		n), nil))
	hears("push 1")
	p.must(p.Eval(fmt.Sprintf("(s => { s.value = [...s.options].find(o => o.text.includes('green')).value; "+
		"s.dispatchEvent(new Event('change', {bubbles: true})) })(document.querySelector('#cell%d select'))", n), nil))
	hears("pick green")
	p.must(p.Click(in(".ui-slider-handle, ")+in(".noUi-handle"), 0, 0))
	p.must(p.Key("ArrowRight", 0))
	hears("real 0.51")
	p.shows(n)
	p.shot("widgets")
	m := p.types("tick.Value(), pick.Value(), name.Value(), real.Value()")
	if s := p.done(m); !strings.Contains(s, "green") || !strings.Contains(s, "Ada") || !strings.Contains(s, "true") {
		t.Errorf("values: %q", s)
	}
	m = p.types("for i := range widgets.Progress(100, widgets.Describe(\"train\")) { _ = i; time.Sleep(5 * " +
		"time.Millisecond) }")
	p.done(m)
	p.waits(fmt.Sprintf("document.querySelector('#cell%d').innerText.includes('100/100')", m))
	p.shows(m)
	p.shot("progress")
}

// TestNotebookNarrow: on a page of 420 px each slider of an explorer has a track that can be used, one row beneath the
// other, and a picture fits.
func TestNotebookNarrow(t *testing.T) {
	t.Parallel() // it drives other processes
	if _, err := os.Stat("/usr/lib/python3/dist-packages/widgetsnbextension"); err != nil {
		lacks(t, "jupyter", "the front end of ipywidgets (Debian: jupyter-nbextension-jupyter-js-widgets, "+
			"python3-widgetsnbextension)")
	}
	p := openNotebook(t, 420, 1100)
	n := p.types("visualize.Explore(Arange(24).View(2, 3, 4))")
	p.done(n)
	p.waits(fmt.Sprintf("document.querySelectorAll('#cell%d .ui-slider, #cell%[1]d .noUi-target').length >= 8", n))
	var widths []float64
	p.must(p.Eval(fmt.Sprintf("[...document.querySelectorAll('#cell%d .ui-slider, #cell%[1]d .noUi-target')]"+
		".map(s => s.getBoundingClientRect().width)", n), &widths))
	for _, w := range widths {
		if w < 60 {
			t.Errorf("tracks of %v px", widths)
			break
		}
	}
	m := p.types("visualize.Plot(Arange(30))")
	p.done(m)
	p.waits(fmt.Sprintf("document.querySelector('#cell%d img')", m))
	var fits bool
	p.must(p.Eval(fmt.Sprintf("(i => i.getBoundingClientRect().width <= i.parentElement.getBoundingClientRect()"+
		".width + 1)(document.querySelector('#cell%d img'))", m), &fits))
	if !fits {
		t.Error("the plot is wider than its page")
	}
	p.shot("narrow")
}

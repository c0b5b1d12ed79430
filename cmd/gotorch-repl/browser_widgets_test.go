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
	if _, err := os.Stat("/usr/lib/python3/dist-packages/widgetsnbextension"); err != nil {
		lacks(t, "jupyter", "the front end of ipywidgets (Debian: jupyter-nbextension-jupyter-js-widgets, python3-widgetsnbextension)")
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
	for try := 0; try < 6 && p.Wait(5*time.Second, heard("tick true")) != nil; try++ { // the box stood there before its model
		p.must(p.Click(in("input[type=checkbox]"), 0, 0))
	}
	hears("tick true")
	p.must(p.Focus(patient, in("input[type=text]")))
	p.must(p.Type("Ada"))
	p.must(p.Key("Enter", 0))
	hears("name Ada")
	p.must(p.Eval(fmt.Sprintf("(b => b.click())([...document.querySelectorAll('#cell%d button')].find(b => b.innerText.includes('push me')))", n), nil))
	hears("push 1")
	p.must(p.Eval(fmt.Sprintf("(s => { s.value = [...s.options].find(o => o.text.includes('green')).value; s.dispatchEvent(new Event('change', {bubbles: true})) })(document.querySelector('#cell%d select'))", n), nil))
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
	m = p.types("for i := range widgets.Progress(100, widgets.Describe(\"train\")) { _ = i; time.Sleep(5 * time.Millisecond) }")
	p.done(m)
	p.waits(fmt.Sprintf("document.querySelector('#cell%d').innerText.includes('100/100')", m))
	p.shows(m)
	p.shot("progress")
}

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestNotebookReopened: a notebook that is opened again, with another kernel or before anybody trusts it, shows what
// it showed: cards, pictures, the bar of progress that has ended, and widgets as they were left. What was not run has
// no number.
func TestNotebookReopened(t *testing.T) {
	t.Parallel() // it drives other processes
	p := openNotebook(t, 1000, 1200)
	_, missing := os.Stat("/usr/lib/python3/dist-packages/widgetsnbextension")
	cells := []struct{ src, shows string }{
		{"Arange(6).View(2, 3)", "tensor([[0, 1, 2]"},
		{"visualize.Strides(Arange(6))", "as text"},
		{`for range widgets.Progress(5, widgets.Describe("train")) {}`, "train 100% ████████████████████ 5/5"},
		{`s := widgets.IntSlider(3, 0, 10, widgets.Describe("steps"))`, ""},
		{"s", "steps ██████████████░░░░░░ 7  (0 to 10)"},
		{"s.Set(7)", ""},
	}
	for _, c := range cells {
		p.done(p.types(c.src))
	}
	slider := fmt.Sprintf("document.querySelector('#cell%d .gotorch-still')", 4)
	if missing == nil { // beside the widget its HTML is not seen
		p.waits(slider + " && getComputedStyle(" + slider + ").display == 'none'")
	}
	p.must(
		p.Eval(
			`(() => { const n = Jupyter.notebook; n.get_cell(n.ncells() - 1).set_text("nope"); n.insert_cell_at_bottom("code").set_text("1"); n.execute_all_cells() })()`, nil))
	p.waits(`!Jupyter.notebook.kernel_busy && document.querySelector('.output_error')`)
	p.waits(`/\[\s\]/.test([...document.querySelectorAll('.code_cell .input_prompt')].pop().innerText)`)
	p.must(
		p.Eval(
			`Jupyter.notebook.save_notebook().then(() => Jupyter.notebook.session.delete(() => document.body.id = "saved"))`, nil))
	p.waits(`document.body.id == "saved"`)
	for _, trusted := range []bool{true, false} {
		if !trusted { // as one that came from elsewhere
			p.must(p.Eval(`Jupyter.notebook.contents.get("a.ipynb", {type: "notebook"}).then(m => {
				m.content.cells.forEach(c => delete c.metadata.trusted)
				m.content.cells[0].source = "Arange(6)"
				return Jupyter.notebook.contents.save("b.ipynb", {type: "notebook", format: "json", content: m.content})
			}).then(() => document.body.id = "saved")`, nil))
			p.waits(`document.body.id == "saved"`)
		}
		p.must(p.Eval(fmt.Sprintf("location.href = %q",
			map[bool]string{true: "/notebooks/a.ipynb?", false: "/notebooks/b.ipynb"}[trusted]), nil))
		p.waits(`document.body.id != "saved"`)
		p.connected()
		p.waits(fmt.Sprintf("document.querySelectorAll('.code_cell').length > 6 && Jupyter.notebook.trusted == %v", trusted))
		p.must(p.Eval("[...document.querySelectorAll('.code_cell')].forEach((c, i) => c.id = 'cell' + i)", nil))
		for i, c := range cells {
			if c.shows == "" {
				continue
			}
			text := strings.ReplaceAll(p.text(i), "\u00a0", " ")
			// without its style spaces melt
			if !strings.Contains(text, c.shows) && !strings.Contains(text, strings.ReplaceAll(c.shows, "  ", " ")) {
				t.Errorf("trusted %v: %s: %q", trusted, c.src, text)
			}
		}
		p.waits("document.querySelector('#cell1 .output img').naturalWidth > 200")
		p.shot(fmt.Sprintf("reopened-trusted-%v", trusted))
	}
}

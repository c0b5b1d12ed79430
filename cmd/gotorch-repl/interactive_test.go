package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linkedCells are those of a notebook whose views are linked.
var linkedCells = []string{
	"%interactive",
	"x := Arange(6).View(2, 3)\nw := Ones(3).RequiresGrad_()",
	"%strides x, x.T()",
	"%alias x, w",
	"loss := w.Mul(2).\n    Sum()\ny := w.Exp()",
	"%graph loss, y",
}

// hovered rests the pointer on the first element that a selector finds; it returns the marks of what is lit, and the
// text of the line of a cell that is.
func (p *page) hovered(selector string) (marks []string, line string) {
	p.t.Helper()
	var got struct {
		Marks []string
		Line  string
	}
	p.waits(fmt.Sprintf("document.querySelector(%q)", selector))
	p.must(p.Eval(fmt.Sprintf(`(e => {
		e.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}))
		const lit = [...document.querySelectorAll(".gotorch-lit")].map(x => x.dataset.b || x.dataset.l)
		return {Marks: lit, Line: [...CSS.highlights.get("gotorch") || []].join("")}
	})(document.querySelector(%q))`, selector), &got))
	return got.Marks, got.Line
}

// checkLinked tries the links of a page that shows linkedCells; lines says that a cell's lines are elements.
func (p *page) checkLinked(lines bool) {
	p.t.Helper()
	p.waits(`document.querySelectorAll(".gotorch-live svg").length > 2`)
	marks, _ := p.hovered("rect[data-b$=' 16 8']") // element 2 of x
	if len(marks) < 4 {                            // its value, two lanes, a bar
		p.t.Errorf("of an element are lit %q", marks)
	}
	for _, l := range []struct{ at, text string }{{"In[5]:1", "loss := w.Mul(2)."}, {"In[5]:3", "y := w.Exp()"}} {
		marks, line := p.hovered(fmt.Sprintf("g[data-l='%s'] rect", l.at))
		if len(marks) == 0 || slices.ContainsFunc(marks, func(m string) bool { return m != l.at }) {
			p.t.Errorf("of a node of %s are lit %q", l.at, marks)
		}
		if lines {
			p.must(p.Eval(`[...document.querySelectorAll(".in .gotorch-lit")].map(x => x.innerText).join("")`, &line))
		}
		if line != l.text {
			p.t.Errorf("a node of %s lights the line %q, not %q", l.at, line, l.text)
		}
	}
}

// TestLinkedNotebook: in the classic notebook %interactive links views as they are shown, and the script is stored
// once.
func TestLinkedNotebook(t *testing.T) {
	t.Parallel() // it drives other processes
	p := openNotebook(t, 1280, 1000)
	for _, c := range linkedCells {
		p.done(p.types(c))
	}
	p.checkLinked(false)
	p.shows(5)
	p.shot("linked")
	var stored int
	p.must(p.Eval(`JSON.stringify(Jupyter.notebook.toJSON()).split("<script").length - 1`, &stored))
	if stored != 1 {
		t.Errorf("the notebook has %d scripts", stored)
	}
}

// TestLinkedPages: the page that run -o writes of a notebook, and that of nbconvert, have their views linked.
func TestLinkedPages(t *testing.T) {
	t.Parallel() // it drives other processes
	dir := t.TempDir()
	var cells []string
	for _, c := range linkedCells {
		cells = append(cells,
			fmt.Sprintf(`{"cell_type":"code","metadata":{},"execution_count":null,"outputs":[],"source":%q}`, c))
	}
	cells = append(cells, `{"cell_type":"markdown","metadata":{},"source":"# Title\n\nof **one** & more"}`)
	file := filepath.Join(dir, "a.ipynb")
	if err := os.WriteFile(file, []byte(`{"cells":[`+strings.Join(cells, ",")+
		`],"metadata":{},"nbformat":4,"nbformat_minor":4}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"page.html", "done.ipynb"} {
		if out, err := exec.Command(program(t), "run", "-o", filepath.Join(dir, out), file).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "page.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h1>Title</h1>", "of <b>one</b> &amp; more",
		`<span data-l="In[5]:2">    Sum()</span>`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	t.Run("run", func(t *testing.T) {
		frontEnd(t, "chromium")
		p := openPage(t, 1280, 1000)
		p.must(p.Go("file://" + filepath.Join(dir, "page.html")))
		p.checkLinked(true)
		p.shot("linked-page")
	})
	t.Run("nbconvert", func(t *testing.T) {
		py := python(t, "nbconvert")
		frontEnd(t, "chromium")
		for _, template := range []string{"lab", "classic"} {
			if out, err := exec.Command(py, "-m", "nbconvert", "--to", "html", "--template", template, "--output-dir", dir,
				"--output", template, filepath.Join(dir, "done.ipynb")).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			p := openPage(t, 1280, 1000)
			p.must(p.Go("file://" + filepath.Join(dir, template+".html")))
			p.checkLinked(false)
			p.shot("linked-" + template)
		}
	})
}

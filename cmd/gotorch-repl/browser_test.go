package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"gotorch/internal/browser"
)

// page is a notebook page in a browser, and a user before it.
type page struct {
	*browser.Page
	t     *testing.T
	cells int // how many were run
	shots string
}

const patient = time.Minute

const emptyNotebook = `{"cells": [{"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": ""}],
	"metadata": {"kernelspec": {"name": "gotorch", "display_name": "Go (gotorch)", "language": "go"}}, "nbformat": 4, "nbformat_minor": 4}`

// frontEnd finds a program of Jupyter's for a test that also needs a browser.
func frontEnd(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil && browser.Find() != "" {
		return path
	}
	if required("jupyter") && required("chromium") {
		t.Fatalf("no Chromium, or no %s", name)
	}
	t.Skipf("needs Chromium and %s (Debian: chromium, %[1]s)", name)
	return ""
}

// starts runs a server until the test ends, and waits until the address is served: a proxy says 404 before it knows
// the way.
func starts(t *testing.T, cmd *exec.Cmd, url string) {
	t.Helper()
	log, err := os.Create(filepath.Join(cmd.Dir, "server.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		end := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		<-ended
		end.Stop()
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("the server:\n%s", text)
		}
	})
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if r, err := http.Get(url); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				break
			}
		}
		select {
		case <-ended:
			t.Fatal("the server has ended")
		default:
		}
		if time.Since(start) > patient {
			t.Fatal("the server does not serve", url)
		}
	}
}

// openNotebook starts a notebook server, with the kernel installed, and opens an empty notebook in the classic page.
func openNotebook(t *testing.T, width, height int) *page {
	t.Helper()
	server := frontEnd(t, "jupyter-notebook")
	dir := t.TempDir()
	env := append(installed(t), "JUPYTER_CONFIG_DIR="+filepath.Join(dir, "config"),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(dir, "runtime"))
	if err := os.WriteFile(filepath.Join(dir, "a.ipynb"), []byte(emptyNotebook), 0o666); err != nil {
		t.Fatal(err)
	}
	ports, err := freePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(server, "--no-browser", "--allow-root", "--ip=127.0.0.1", fmt.Sprintf("--port=%d", ports[0]),
		"--NotebookApp.token=",
		"--NotebookApp.password=", "--notebook-dir="+dir)
	cmd.Env, cmd.Dir = env, dir
	url := fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	starts(t, cmd, url+"/api")
	p := openPage(t, width, height)
	p.must(p.Go(url + "/notebooks/a.ipynb"))
	p.connected()
	return p
}

// openPage opens an empty page in a browser of its own.
func openPage(t *testing.T, width, height int) *page {
	t.Helper()
	b, err := browser.Open(browser.Find(), width, height)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	p := &page{Page: b, t: t, shots: os.Getenv("GOTORCH_SHOTS")}
	if p.shots == "" {
		p.shots = t.TempDir()
	}
	return p
}

// connected waits until the notebook page speaks with the kernel.
func (p *page) connected() {
	p.t.Helper()
	p.waits(
		`window.Jupyter && Jupyter.notebook && Jupyter.notebook.kernel && Jupyter.notebook.kernel.is_connected() && Jupyter.notebook.kernel.info_reply.implementation == "gotorch"`)
}

func (p *page) must(err error) {
	p.t.Helper()
	if err != nil {
		p.shot("failed")
		p.t.Fatal(err)
	}
}

func (p *page) waits(js string) {
	p.t.Helper()
	p.must(p.Wait(patient, js))
}

// types puts text into the last cell and runs it as a user does: a click, keys, Shift-Enter. It returns the cell's
// number.
func (p *page) types(text string) int {
	p.t.Helper()
	n := p.cells
	p.cells++
	p.waits(fmt.Sprintf("document.querySelectorAll('.code_cell').length > %d", n))
	p.must(p.Eval(fmt.Sprintf("document.querySelectorAll('.code_cell')[%d].id = 'cell%d'", n, n), nil))
	p.must(p.Focus(patient, fmt.Sprintf("#cell%d .CodeMirror", n)))
	p.must(p.Type(text))
	p.waits(fmt.Sprintf("document.querySelector('#cell%d .CodeMirror').CodeMirror.getValue().length >= %d", n,
		utf8.RuneCountInString(text)))
	p.must(p.Key("Enter", browser.Shift))
	return n
}

// done waits until the cell has run, and gives the text that the page shows below it.
func (p *page) done(n int) string {
	p.t.Helper()
	p.waits(fmt.Sprintf("/\\[\\d+\\]/.test(document.querySelector('#cell%d .input_prompt').innerText)", n))
	p.waits(`!Jupyter.notebook.kernel_busy`)
	// The reply may overtake the output: the page notes for each cell whether the kernel was idle after it.
	p.waits(fmt.Sprintf("(c => !c || "+
		"c.iopub_done)(Jupyter.notebook.kernel._msg_callbacks[Jupyter.notebook.get_cells().find(c => c.element[0].id == "+
		"'cell%d').last_msg_id])", n))
	time.Sleep(100 * time.Millisecond) // drawn
	return p.text(n)
}

func (p *page) text(n int) string {
	p.t.Helper()
	var text string
	p.must(p.Eval(fmt.Sprintf("document.querySelector('#cell%d .output').innerText", n), &text))
	return text
}

// count tells how many elements a CSS selector finds in a cell's output.
func (p *page) count(n int, selector string) int {
	p.t.Helper()
	name, _ := json.Marshal(fmt.Sprintf("#cell%d .output %s", n, selector))
	var found int
	p.must(p.Eval(fmt.Sprintf("document.querySelectorAll(%s).length", name), &found))
	return found
}

// shot keeps a picture of the page, for a user to look at.
func (p *page) shot(name string) {
	png, err := p.Screenshot()
	if err == nil {
		err = os.WriteFile(filepath.Join(p.shots, name+".png"), png, 0o666)
	}
	if err != nil {
		p.t.Error(err)
	}
}

// shows scrolls to a cell.
func (p *page) shows(n int) {
	p.must(p.Eval(fmt.Sprintf("document.querySelector('#cell%d').scrollIntoView()", n), nil))
	time.Sleep(100 * time.Millisecond)
}

// TestNotebookPage is a user before the classic notebook page: values, pictures, errors, completion, an endless
// loop, a slider, a restart. GOTORCH_SHOTS names a folder that keeps the screenshots.
func TestNotebookPage(t *testing.T) {
	t.Parallel() // it drives other processes
	p := openNotebook(t, 1280, 1000)
	n := p.types("x := Arange(12).View(3, 4)\nx.Sum(), fmt.Sprint(\"hi\")")
	if s := p.done(n); !strings.Contains(s, "tensor(66)") || !strings.Contains(s, "hi") {
		t.Errorf("a result: %q", s)
	}
	n = p.types("x[1:, ::2]")
	if s := p.done(n); !strings.Contains(s, "tensor([[ 4,  6],") || p.count(n, ".output_html") == 0 {
		t.Errorf("a tensor's card: %q", s)
	}
	n = p.types("visualize.Strides(x, x.T())")
	p.done(n)
	// a picture, and one that can be drawn
	p.waits(fmt.Sprintf("document.querySelector('#cell%d .output img').naturalWidth > 200", n))
	p.shot("values")
	n = p.types("func f(a *Tensor) *Tensor {\n\treturn a.Matmul(x)\n}\nf(x)")
	if s := p.done(n); !strings.Contains(s, "return a.Matmul(x)") || p.count(n, ".output_error") != 1 ||
		p.count(n, ".ansi-red-fg") == 0 {
		t.Errorf("an error: %q", s)
	}
	p.shows(n)
	p.shot("error")
	n = p.types("y := 1 + nope")
	if s := p.done(n); !strings.Contains(s, "undefined: nope") ||
		!strings.Contains(s, "    y := 1 + nope\n             ^") || p.count(n, ".ansi-red-fg") != 2 {
		t.Errorf("an error of the text: %q", s)
	}
	p.shows(n)
	p.shot("caret")
	n = p.types("for i := 0; ; i++ {}")
	p.waits(`Jupyter.notebook.kernel_busy`)
	p.must(p.Click("button[data-jupyter-action='jupyter-notebook:interrupt-kernel']", 0, 0))
	if s := p.done(n); !strings.Contains(s, "interrupted") {
		t.Errorf("an interrupt: %q", s)
	}
	n = p.types("x.Size(1)")
	if s := p.done(n); strings.TrimSpace(s) != "Out[7]:\n4" && !strings.HasSuffix(strings.TrimSpace(s), "4") {
		t.Errorf("after an interrupt: %q", s)
	}
	if _, err := os.Stat("/usr/lib/python3/dist-packages/widgetsnbextension"); err == nil {
		n = p.types("widgets.Interact(func(n int) any { return Arange(n) }, widgets.Between(1, 5))")
		p.done(n)
		p.waits(fmt.Sprintf("document.querySelector('#cell%d .ui-slider-handle, #cell%d .noUi-handle')", n, n))
		p.must(p.Click(fmt.Sprintf("#cell%d .ui-slider-handle, #cell%d .noUi-handle", n, n), 0, 0))
		p.must(p.Key("ArrowRight", 0))
		p.waits(fmt.Sprintf("document.querySelector('#cell%d').innerText.includes('tensor([0, 1, 2, 3])')", n))
		p.shows(n)
		p.shot("slider")
	}
	p.must(p.Eval("Jupyter.notebook.kernel.restart()", nil))
	p.waits(`Jupyter.notebook.kernel.is_connected() && !Jupyter.notebook.kernel_busy`)
	n = p.types("x")
	if s := p.done(n); !strings.Contains(s, "undefined: x") {
		t.Errorf("after a restart: %q", s)
	}
}

// TestNotebookRich: what package display shows, on the page.
func TestNotebookRich(t *testing.T) {
	t.Parallel() // it drives other processes
	p := openNotebook(t, 1000, 1400)
	for _, c := range []struct{ src, selector string }{
		{`display.Markdown("**bold** and $x^2$")`, "strong"},
		{`display.HTML("<table><tr><td>cell</td></tr></table>")`, "td"},
		{`display.LaTeX("$$\\int_0^1 x^2 dx$$")`, ".MathJax_Display, .MathJax"},
		{`display.JSON(map[string]any{"a": 1})`, ".output_json, .output_text"},
		{
			`display.SVG("<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><circle cx='9' cy='9' r='8' fill='teal'/></svg>")`, "svg circle"},
		{`visualize.Image(Rand(3, 24, 48))`, "img"},
	} {
		n := p.types(c.src)
		p.done(n)
		if err := p.Wait(10*time.Second, fmt.Sprintf("document.querySelector('#cell%d .output').querySelector(%q)", n,
			c.selector)); err != nil {
			t.Errorf("%s: %v: %q", c.src, err, p.text(n))
		}
	}
	n := p.types("h := display.Show(display.Markdown(\"*first*\"))")
	p.done(n)
	p.done(p.types("h.Update(display.Markdown(\"**second**\"))"))
	if s := p.text(n); strings.TrimSpace(s) != "second" || p.count(n, "strong") != 1 {
		t.Errorf("a handle: %q", s)
	}
	p.shows(0)
	p.shot("rich")
}

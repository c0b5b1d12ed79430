package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gotorch/internal/ipynb"
	"gotorch/interp/learn"
)

// measure is the script of a page that lists what scrolls sideways: the page itself, and elements in it. Code that was
// typed, texts that unfold, and tables of many numbers may scroll in their own boxes.
const measure = `<script>addEventListener("load", () => {
	const found = [], text = (e) => e.textContent.trim().replace(/\s+/g, " ");
	const page = document.documentElement;
	if (innerWidth != 420) found.push("the page is " + innerWidth + " wide");
	if (page.scrollWidth > innerWidth) found.push("page: " + page.scrollWidth);
	for (const cell of document.querySelectorAll(".jp-Cell")) {
		for (const e of cell.querySelectorAll(".jp-OutputArea, .jp-OutputArea *, .jp-MarkdownOutput *")) {
			const scrolls = ["auto", "scroll"].includes(getComputedStyle(e).overflowX);
			const table = e.children.length == 1 && e.firstElementChild.tagName == "TABLE";
			if (!e.closest("details") && !table && (scrolls || e.tagName == "IMG") && e.scrollWidth > e.clientWidth + 1)
				found.push(text(cell.querySelector(".jp-InputArea")) + " " + e.tagName + " " + e.scrollWidth + " > " +
					e.clientWidth + ": " + text(e).slice(0, 60));
		}
	}
	parent.postMessage(found.join("\n"), "*");
})</script>`

// narrow is a page that has another one in a frame of 420 pixels (windows of Chromium are wider), and what it says.
const narrow = `<!doctype html><meta charset="utf-8"><pre id="measured"></pre><script>
	addEventListener("message", (m) => { document.getElementById("measured").textContent = m.data + "\nend"; });
</script><iframe src="all.html" style="width:420px;height:900px;border:0"></iframe>`

var measured = regexp.MustCompile(`(?s)<pre id="measured">(.*?)\nend</pre>`)

// TestLessonsOnNarrowPages runs the notebooks of all lessons, makes one page of them as nbconvert does, and measures
// that in a browser of 420 pixels, as of a telephone: nothing scrolls sideways.
func TestLessonsOnNarrowPages(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all lessons")
	}
	py, chromium := python(t, "nbconvert, jupyter_client"), frontEnd(t, "chromium")
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	lib := learn.Builtin()
	var all map[string]any
	var cells []any
	unheard(t)
	for l := range lib.All() {
		if l.Planned {
			continue
		}
		file := filepath.Join(dir, strings.ReplaceAll(l.ID, "/", "-")+".ipynb")
		s := newSession()
		err := runNotebook(t.Context(), s, lib.Notebook(l), runCommand{Output: file, AllowErrors: true,
			Timeout: time.Minute})
		s.Close()
		if err != nil {
			t.Fatalf("%s: %v", l.ID, err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		nb, list, err := ipynb.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			cells = append(cells, c)
		}
		all = nb
	}
	all["cells"] = cells
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "all.ipynb")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(py, "-m", "nbconvert", "--to", "html", "--output-dir", dir,
		name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	page, err := os.ReadFile(filepath.Join(dir, "all.html"))
	if err != nil {
		t.Fatal(err)
	}
	html := regexp.MustCompile(`(?s)<script[^>]*src="https?:.*?</script>`).ReplaceAllString(string(page), "")
	html = strings.Replace(html, "</head>", measure+"</head>", 1)
	if err := os.WriteFile(filepath.Join(dir, "all.html"), []byte(html), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "narrow.html"), []byte(narrow), 0o666); err != nil {
		t.Fatal(err)
	}
	if keep := os.Getenv("GOTORCH_PICTURES"); keep != "" {
		os.WriteFile(filepath.Join(keep, "lessons.html"), []byte(html), 0o666)
	}
	out, err := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=800,1000",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--virtual-time-budget=10000", "--dump-dom",
		"file://"+filepath.Join(dir, "narrow.html")).Output()
	if err != nil {
		t.Fatal(err)
	}
	m := measured.FindSubmatch(out)
	if m == nil {
		t.Fatalf("the page was not measured: %d bytes", len(out))
	}
	for _, line := range strings.Split(strings.TrimSpace(string(m[1])), "\n") {
		if line != "" {
			t.Error(line)
		}
	}
}

// unheard sends what cells print nowhere, as long as the test runs.
func unheard(t *testing.T) {
	stdout, stderr := os.Stdout, os.Stderr
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout, os.Stderr = null, null
	t.Cleanup(func() { os.Stdout, os.Stderr = stdout, stderr; null.Close() })
}

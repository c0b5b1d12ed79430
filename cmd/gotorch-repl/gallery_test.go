package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotorch/internal/ipynb"
)

// Note: the gallery. Each file of testdata/gallery is a section: prose, and cells in fences. They are run as one
// notebook, whose outputs make examples/gallery.ipynb and docs/gallery.md with its pictures. A fence marked "go
// varies" shows times: of its output only the words with which lines begin are compared.

const galleryHead = `# Gallery

Every view of gotorch, on real tensors: what is typed, what a terminal shows, and the picture that a notebook shows. The same cells with their outputs are two
notebooks, [examples/gallery.ipynb](../examples/gallery.ipynb) and, of large tensors and models,
[examples/gallery-life-size.ipynb](../examples/gallery-life-size.ipynb).
`

var galleryFence = regexp.MustCompile("(?ms)^```(go[^\n]*)\n(.*?)^```\n?")

// galleryPart is prose or a cell of the gallery.
type galleryPart struct {
	section string // the file's name without .md
	text    string
	cell    bool
	varies  bool
}

func galleryParts(t *testing.T) (parts []galleryPart) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "gallery", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d sections, %v", len(files), err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		section, text := strings.TrimSuffix(filepath.Base(f), ".md"), string(data)
		add := func(p galleryPart) {
			if p.text = strings.TrimSpace(p.text); p.text != "" {
				p.section = section
				parts = append(parts, p)
			}
		}
		for {
			at := galleryFence.FindStringSubmatchIndex(text)
			if at == nil {
				break
			}
			add(galleryPart{text: text[:at[0]]})
			add(galleryPart{text: text[at[4]:at[5]], cell: true, varies: strings.HasSuffix(text[at[2]:at[3]], "varies")})
			text = text[at[1]:]
		}
		add(galleryPart{text: text})
	}
	return parts
}

// galleryNotebook is the gallery as a notebook that has not been run.
func galleryNotebook(t *testing.T, parts []galleryPart) []byte {
	t.Helper()
	cells := []any{map[string]any{"cell_type": "markdown", "id": "head", "metadata": map[string]any{},
		"source": ipynb.Lines(strings.Replace(galleryHead,
			"The same cells with their outputs are two\nnotebooks, "+
				"[examples/gallery.ipynb](../examples/gallery.ipynb) and, of large tensors and models,\n"+
				"[examples/gallery-life-size.ipynb](../examples/gallery-life-size.ipynb).",
			"The same as a page:\n[docs/gallery.md](../docs/gallery.md).", 1))}}
	for i, p := range parts {
		c := map[string]any{"cell_type": "markdown", "id": fmt.Sprintf("g%03d", i), "metadata": map[string]any{},
			"source": ipynb.Lines(p.text)}
		if p.cell {
			c["cell_type"], c["outputs"], c["execution_count"] = "code", []any{}, nil
		}
		cells = append(cells, c)
	}
	nb := map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{
		"kernelspec": map[string]any{"display_name": "Go (gotorch)", "language": "go", "name": "gotorch"},
		"language_info": map[string]any{"file_extension": ".go", "mimetype": "text/x-go", "name": "go",
			"pygments_lexer": "go"},
	}}
	data, err := json.Marshal(nb)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shownOutput is what a cell of a notebook put out: its text, and its pictures.
type shownOutput struct {
	text     string
	pictures []picture
}

type picture struct {
	ext  string
	data []byte
}

func shownOutputs(t *testing.T, cell map[string]any) (out shownOutput) {
	t.Helper()
	for _, o := range cell["outputs"].([]any) {
		o := o.(map[string]any)
		switch o["output_type"] {
		case "stream":
			out.text += ipynb.Text(o["text"])
		case "error":
			for _, l := range o["traceback"].([]any) {
				out.text += l.(string) + "\n"
			}
		default:
			data := o["data"].(map[string]any)
			if text := strings.TrimRight(ipynb.Text(data["text/plain"]), "\n"); text != "" {
				out.text += text + "\n"
			}
			if svg := ipynb.Text(data["image/svg+xml"]); svg != "" {
				out.pictures = append(out.pictures, picture{"svg", []byte(svg)})
			} else if m := pictureInPage.FindStringSubmatch(ipynb.Text(data["text/html"])); m != nil {
				svg, err := base64.StdEncoding.DecodeString(m[1])
				if err != nil {
					t.Fatal(err)
				}
				out.pictures = append(out.pictures, picture{"svg", svg})
			} else if b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(ipynb.Text(data["image/png"]))); err == nil &&
				len(b) > 0 {
				out.pictures = append(out.pictures, picture{"png", b})
			}
		}
	}
	out.text = escapeCodes.ReplaceAllString(out.text, "")
	return out
}

var pictureInPage = regexp.MustCompile(`src="data:image/svg\+xml;base64,([^"]*)"`)

var escapeCodes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// galleryPage writes docs/gallery.md from the notebook that was run, and its pictures, by name.
func galleryPage(t *testing.T, parts []galleryPart, cells []map[string]any) (page string, pictures map[string][]byte) {
	t.Helper()
	var b strings.Builder
	b.WriteString(galleryHead)
	pictures = map[string][]byte{}
	n := map[string]int{}
	for i, p := range parts {
		b.WriteString("\n")
		if !p.cell {
			b.WriteString(p.text + "\n")
			continue
		}
		fmt.Fprintf(&b, "```go\n%s\n```\n", p.text)
		out := shownOutputs(t, cells[i+1])
		if out.text != "" {
			fmt.Fprintf(&b, "\n```text\n%s```\n", out.text)
		}
		for _, pic := range out.pictures {
			n[p.section]++
			name := fmt.Sprintf("%s-%d.%s", p.section, n[p.section], pic.ext)
			pictures[name] = pic.data
			fmt.Fprintf(&b, "\n![%s](gallery/%s)\n", strings.TrimLeft(p.section, "0123456789-"), name)
		}
	}
	return b.String(), pictures
}

// sameWords reports whether at most one word in six, or one of few, is in one of two lists alone: what took too little
// time to be shown is another each time.
func sameWords(a, b string) bool {
	as, bs := strings.Fields(a), strings.Fields(b)
	alone := 0
	for _, w := range as {
		if !slices.Contains(bs, w) {
			alone++
		}
	}
	for _, w := range bs {
		if !slices.Contains(as, w) {
			alone++
		}
	}
	return alone <= max(1, (len(as)+len(bs))/12)
}

// TestSameWords: what is missing from a text that shows times is noticed.
func TestSameWords(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"add mul sum", "add mul sum", true}, {"add mul sum", "add mul", true}, {"add mul sum", "add exp", false},
		{"", "add mul", false},
		{"a b c d e f g h i j k l m n o p", "a b c d e f g h i j k l m n", true},
		{"a b c d e f g h i j k l m n o p", "a b c d e f g h i j k l", false},
	} {
		if got := sameWords(c.a, c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// firstWords are what two runs have in common where times are shown: the words with which lines begin, whatever their
// order.
func firstWords(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		switch w := firstWord.FindString(line); w {
		case "", "ns", "ms": // a line of one letter, and a time
		case "helper": // whether one takes part depends on the moment
		default:
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

var firstWord = regexp.MustCompile(`[A-Za-z_.]{2,}`)

// galleryHalves divides the gallery as it ran into two notebooks: the last section, with its large tensors, is one of
// its own.
func galleryHalves(t *testing.T, data []byte, parts []galleryPart) (first, second []byte) {
	t.Helper()
	var nb map[string]json.RawMessage
	var cells []json.RawMessage
	if err := json.Unmarshal(data, &nb); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(nb["cells"], &cells); err != nil {
		t.Fatal(err)
	}
	at := 1 + slices.IndexFunc(parts, func(p galleryPart) bool { return p.section == parts[len(parts)-1].section })
	half := func(part []json.RawMessage) []byte {
		var out bytes.Buffer
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		nb["cells"] = slices.Concat(json.RawMessage("["), bytes.Join(raws(part), []byte(",")), json.RawMessage("]"))
		if err := e.Encode(nb); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	return half(cells[:at]), half(cells[at:])
}

func raws(list []json.RawMessage) (out [][]byte) {
	for _, m := range list {
		out = append(out, m)
	}
	return out
}

// TestGallery runs the gallery and compares it with what is committed.
func TestGallery(t *testing.T) {
	parts := galleryParts(t)
	dir := t.TempDir()
	raw, ran := filepath.Join(dir, "raw.ipynb"), filepath.Join(dir, "gallery.ipynb")
	if err := os.WriteFile(raw, galleryNotebook(t, parts), 0o666); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(program(t), "run", "--allow-errors", raw, "-o", ran)
	run.Env = append(os.Environ(), "GOTORCH_CPU=go") // notes of kernels name the instruction set
	if out, err := run.CombinedOutput(); err != nil && !bytes.Contains(out, []byte("Error")) {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(ran)
	if err != nil {
		t.Fatal(err)
	}
	_, cells, err := ipynb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	page, pictures := galleryPage(t, parts, cells)
	notebook, md, folder := filepath.Join(root, "examples", "gallery.ipynb"), filepath.Join(root, "docs", "gallery.md"),
		filepath.Join(root, "docs", "gallery")
	lifeSize := filepath.Join(root, "examples", "gallery-life-size.ipynb")
	if *update {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		first, second := galleryHalves(t, data, parts)
		files := map[string][]byte{notebook: first, lifeSize: second, md: []byte(page)}
		for name, pic := range pictures {
			files[filepath.Join(folder, name)] = pic
		}
		for name, text := range files {
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	was, err := os.ReadFile(notebook)
	if err != nil {
		t.Fatal(err)
	}
	_, wasCells, err := ipynb.Parse(was)
	if err != nil {
		t.Fatal(err)
	}
	if was, err = os.ReadFile(lifeSize); err != nil {
		t.Fatal(err)
	}
	_, more, err := ipynb.Parse(was)
	if err != nil {
		t.Fatal(err)
	}
	wasCells = append(wasCells, more...)
	if len(wasCells) != len(cells) {
		t.Fatalf("examples/gallery.ipynb has %d cells, the gallery %d: go test ./cmd/gotorch-repl -run TestGallery -update",
			len(wasCells), len(cells))
	}
	wasPage, wasPictures := galleryPage(t, parts, wasCells)
	if committed, _ := os.ReadFile(md); string(committed) != wasPage {
		t.Error("docs/gallery.md is not that of examples/gallery.ipynb")
	}
	for name, pic := range wasPictures {
		if committed, _ := os.ReadFile(filepath.Join(folder, name)); !bytes.Equal(committed, pic) {
			t.Errorf("docs/gallery/%s is not that of examples/gallery.ipynb", name)
		}
	}
	for i, p := range parts {
		if !p.cell {
			continue
		}
		got, want := shownOutputs(t, cells[i+1]), shownOutputs(t, wasCells[i+1])
		if p.varies && sameWords(firstWords(got.text), firstWords(want.text)) {
			got.text = want.text
		}
		if ipynb.Source(cells[i+1]) != ipynb.Source(wasCells[i+1]) || got.text != want.text ||
			len(got.pictures) != len(want.pictures) {
			t.Errorf("%s: %s\ngives\n%s\nwant\n%s", p.section, p.text, got.text, want.text)
			continue
		}
		for k := range got.pictures {
			if !p.varies && !bytes.Equal(got.pictures[k].data, want.pictures[k].data) {
				t.Errorf("%s: %s\nanother picture than the one that is committed", p.section, p.text)
			}
		}
	}
}

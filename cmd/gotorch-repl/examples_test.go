package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotorch/internal/ipynb"
)

var update = flag.Bool("update", false, "run the examples again and keep their outputs")

// notebooks lists the examples.
func notebooks(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "examples", "*.ipynb"))
	if err != nil || len(names) < 3 {
		t.Fatalf("%d examples, %v", len(names), err)
	}
	return names
}

// durations are what differs from one run to the next.
var durations = regexp.MustCompile(`\d+(\.\d+)? (ns|µs|ms|s)\b`)

// outputs returns the outputs of a notebook's code cells as comparable text.
func outputs(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, cells, err := ipynb.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range cells {
		if c["cell_type"] == "code" {
			b, err := json.MarshalIndent(c["outputs"], "", " ")
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, ipynb.Source(c)+"\n--\n"+durations.ReplaceAllString(string(b), "TIME"))
		}
	}
	return out
}

// TestExamples runs the examples again: every output must be the one that is committed. Of the gallery, which shows
// times, TestGallery sees to that.
func TestExamples(t *testing.T) {
	for _, name := range notebooks(t) {
		if strings.HasPrefix(filepath.Base(name), "gallery") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			again := filepath.Join(t.TempDir(), "again.ipynb")
			if *update {
				again = name
			}
			if out, err := exec.Command(program(t), "run", name, "-o", again).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want, got := outputs(t, name), outputs(t, again)
			for i := range want {
				if got[i] != want[i] && !sameButRounding(t, got[i], want[i]) {
					t.Errorf("cell %d: %s\nwant\n%s", i, got[i], want[i])
				}
			}
		})
	}
}

// pngs are the pictures of an output: of their own, and in a page.
var pngs = regexp.MustCompile(`(?:"image/png": "|data:image/png;base64,)([A-Za-z0-9+/=]*)`)

// decimals are the numbers in a text that are written with decimals.
var decimals = regexp.MustCompile(`\d+\.\d+(?:e[-+]\d+)?`)

// sameButRounding compares two outputs whose pictures may differ by one level in a pixel, and whose numbers by one in
// the last place: the instruction sets add in other orders, and training goes on from the sums.
func sameButRounding(t *testing.T, a, b string) bool {
	t.Helper()
	as, bs := pngs.FindAllStringSubmatch(a, -1), pngs.FindAllStringSubmatch(b, -1)
	if len(as) != len(bs) || !sameNumbers(pngs.ReplaceAllString(a, ""), pngs.ReplaceAllString(b, "")) {
		return false
	}
	for i := range as {
		if !nearlyEqual(pixels(t, as[i][1]), pixels(t, bs[i][1])) {
			return false
		}
	}
	return true
}

// sameNumbers compares two texts whose numbers with decimals may differ by one in the last place that is written.
func sameNumbers(a, b string) bool {
	if decimals.ReplaceAllString(a, "") != decimals.ReplaceAllString(b, "") {
		return false
	}
	as, bs := decimals.FindAllString(a, -1), decimals.FindAllString(b, -1)
	for i, x := range as {
		if !lastPlace(x, bs[i]) {
			return false
		}
	}
	return true
}

// lastPlace reports whether two numbers that are written with as many decimals differ by at most one in the last.
func lastPlace(a, b string) bool {
	digits := func(s string) (n int, decimals int, exponent string) {
		s, exponent, _ = strings.Cut(s, "e")
		whole, part, _ := strings.Cut(s, ".")
		n, _ = strconv.Atoi(whole + part)
		return n, len(part), exponent
	}
	n, decimals, exponent := digits(a)
	m, places, other := digits(b)
	return decimals == places && exponent == other && max(n, m)-min(n, m) <= 1
}

// TestLastPlace: what may differ between processors, and what may not.
func TestLastPlace(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"loss 0.1691", "loss 0.1692", true}, {"loss 0.1691", "loss 0.1693", false}, {"loss 0.1691", "lost 0.1691", false},
		{"0.999 of 3", "1.000 of 3", true}, {"1.5 2", "1.5 3", false}, {"1.5", "1.50", false}, {"1.0e-03", "1.1e-03", true},
		{"1.0e-03", "1.0e-04", false}, {"1.5 1.5", "1.5", false},
	} {
		if got := sameNumbers(c.a, c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// pixels decodes a picture as a notebook stores it.
func pixels(t *testing.T, text string) image.Image {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(text, `\n`, ""))
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// nearlyEqual reports whether no channel of a pixel differs by more than one level of 256.
func nearlyEqual(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	near := func(x, y uint32) bool { return max(x, y)-min(x, y) <= 0x101 }
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r, g, b1, o := a.At(x, y).RGBA()
			r2, g2, b2, o2 := b.At(x, y).RGBA()
			if !near(r, r2) || !near(g, g2) || !near(b1, b2) || !near(o, o2) {
				return false
			}
		}
	}
	return true
}

// TestNbconvert executes the examples through the real kernel and a real client.
func TestNbconvert(t *testing.T) {
	t.Parallel() // it drives other processes
	py := python(t, "nbconvert, jupyter_client")
	dir := t.TempDir()
	args := []string{"-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", dir}
	cmd := exec.Command(py, append(args, notebooks(t)...)...)
	cmd.Env = installed(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range notebooks(t) {
		name = filepath.Base(name)
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), `"output_type": "error"`) {
			t.Errorf("%s: a cell failed", name)
		}
		if n := strings.Count(string(text), `"execution_count"`); n < 10 {
			t.Errorf("%s: %d execution counts", name, n)
		}
	}
}

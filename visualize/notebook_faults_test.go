package visualize_test

import (
	"encoding/base64"
	"math"
	"regexp"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize"
)

// TestExactStatistics: a card finds one NaN among ten million elements, and the true extremes.
func TestExactStatistics(t *testing.T) {
	x := tensor.Rand(10_000_000)
	x.Narrow(0, 5_000_001, 1).Fill_(math.NaN())
	x.Narrow(0, 7_000_003, 1).Fill_(-3)
	x.Narrow(0, 7_000_005, 1).Fill_(math.Inf(1))
	for name, y := range map[string]*tensor.Tensor{
		"flat": x, "transposed": x.View(2500, 4000).T(),
		"in three dimensions": x.View(10, 1000, 1000).Permute(2, 0, 1),
	} {
		c := visualize.Card(y)
		if s := c.Stats; s.NaN != 1 || s.Inf != 1 || s.Min != -3 || s.Finite != 10_000_000-2 || s.Sampled != 0 {
			t.Errorf("%s: %+v", name, *s)
		}
		if !strings.Contains(c.String(), "NaN 1  Inf 1") {
			t.Errorf("%s: %s", name, c)
		}
	}
	strided := x.View(5_000_000, 2).Select(1, 1)
	if s := visualize.Card(strided).Stats; s.NaN != 1 || s.Min != -3 || s.Inf != 1 {
		t.Errorf("strided: %+v", *s)
	}
}

// TestStatisticsAgree: the exact pass counts what the elements are, for every dtype and layout.
func TestStatisticsAgree(t *testing.T) {
	for _, dt := range []tensor.Dtype{
		tensor.Bool, tensor.Uint8, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64,
		tensor.Float16, tensor.Bfloat16, tensor.Float32, tensor.Float64,
	} {
		x := tensor.Randint(0, 5, 40, 30, 70).To(dt).Transpose(0, 2)
		s := visualize.Card(x).Stats
		wide := x.To(tensor.Float64)
		zeros := wide.Eq(0).Sum().ItemInt()
		if s.Min != wide.Amin().Item() || s.Max != wide.Amax().Item() || s.Zeros != zeros || s.Finite != x.Numel() {
			t.Errorf("%v: %+v, zeros %d", dt, *s, zeros)
		}
	}
}

// TestExpandedCard: a card says how many elements there are beneath the indices, and counts each index.
func TestExpandedCard(t *testing.T) {
	base := tensor.Zeros(1)
	c := visualize.Card(base.Expand(1000, 1000))
	for _, want := range []string{"1000000 indices over 1 element, 4 B", "zeros 1000000"} {
		if text := c.String(); !strings.Contains(text, want) {
			t.Error(text)
		}
	}
	windows := tensor.Arange(3).AsStrided([]int{2, 3}, []int{0, 1})
	if text := visualize.Card(windows).String(); !strings.Contains(text, "6 indices over 3 elements, 24 B") {
		t.Error(text)
	}
}

// TestGapAtLineBreak: where cells are left out between two lines of a map, the picture says so.
func TestGapAtLineBreak(t *testing.T) {
	x := tensor.Arange(60).View(3, 4, 5)
	lanes := make([]*tensor.Tensor, 14)
	for i := range lanes {
		lanes[i] = x.Permute(2, 0, 1)
	}
	v := visualize.Strides(lanes...)
	svg, text := v.SVG(), v.String()
	if want, got := strings.Count(text, "⋯"), strings.Count(svg, "⋯"); got == 0 || want == 0 {
		t.Errorf("%d in the text, %d in the picture", want, got)
	}
}

// TestSeveralSeries: words whose plural is the singular.
func TestSeveralSeries(t *testing.T) {
	var lines []any
	for range 20 {
		lines = append(lines, tensor.Randn(5))
		lines = append(lines, "a")
	}
	text := visualize.Plot(lines...).String()
	if strings.Contains(text, "seriess") || !strings.Contains(text, "more series left out") {
		t.Error(text)
	}
}

// TestOrderAlike: walks that fetch about as many lines are said to.
func TestOrderAlike(t *testing.T) {
	img := tensor.Rand(3, 224, 224)
	text := visualize.Order(img, img.Permute(1, 2, 0)).String()
	if strings.Contains(text, " 1 times as many") {
		t.Error(text)
	}
}

// TestSchemes: a picture follows its page, not the system, in every front end that says what it is.
func TestSchemes(t *testing.T) {
	html := visualize.Card(tensor.Ones(3)).HTML()
	for _, light := range []string{"[data-jp-theme-light=true]", ".notebook_app", "#notebook-container",
		".vscode-light", "[data-vscode-theme-kind$=light]"} {
		if !strings.Contains(html, light+" .gotorch-view") {
			t.Errorf("no rule for %s", light)
		}
	}
}

// TestViewsMoveNothing: a view that its schema does not call one is charged no memory traffic.
func TestViewsMoveNothing(t *testing.T) {
	a, b := tensor.Rand(2, 3, 64, 64), tensor.Rand(64, 64)
	trace := visualize.TraceFunc(func() { a.Matmul(b) })
	var seen bool
	var walk func(cs []*visualize.TracedCall)
	walk = func(cs []*visualize.TracedCall) {
		for _, c := range cs {
			if c.Op == "_unsafe_view" {
				if seen = true; c.Moved != 0 {
					t.Errorf("%s moves %d bytes", c.Op, c.Moved)
				}
			}
			walk(c.Inner)
		}
	}
	walk(trace.Calls)
	if !seen {
		t.Error("no _unsafe_view in the trace")
	}
}

// TestStoredOnce: a bundle has each picture once, in its page or by itself.
func TestStoredOnce(t *testing.T) {
	x := tensor.Arange(12).View(3, 4)
	for name, v := range map[string]visualize.View{
		"strides": visualize.Strides(x), "explore": visualize.Explore(x),
		"plot": visualize.Plot(x), "heatmap": visualize.Heatmap(x),
		"aliases": visualize.Aliases(x), "card": visualize.Card(x), "graph": visualize.Graph(x),
	} {
		b := v.MIMEBundle()
		html, _ := b["text/html"].(string)
		svg, _ := b["image/svg+xml"].(string)
		if html == "" || svg != "" && strings.Contains(html, base64.StdEncoding.EncodeToString([]byte(svg))) {
			t.Errorf("%s: HTML of %d bytes, and its picture of %d again", name, len(html), len(svg))
		}
	}
}

// TestPictureStoredOnce: a notebook shows a picture with the line that says its range, and stores it once.
func TestPictureStoredOnce(t *testing.T) {
	x := tensor.FromSlice([]float32{-0.25, 0, 0.125, 0.0625}, 2, 2)
	batch := x.View(1, 1, 2, 2)
	for name, v := range map[string]visualize.View{"image": visualize.Image(x), "batch": visualize.Image(batch),
		"grid": visualize.ImageGrid(batch)} {
		page, _ := v.MIMEBundle()["text/html"].(string)
		held := page
		for _, m := range svgInPage.FindAllStringSubmatch(page, -1) {
			svg, _ := base64.StdEncoding.DecodeString(m[1])
			held += string(svg)
		}
		if !strings.Contains(held, "-0.25 to 0.125, ") {
			t.Errorf("%s: no range in %s", name, held)
		}
		stored := strings.Count(held, "data:image/png")
		for _, kind := range []string{"image/png", "image/svg+xml"} {
			if v.MIMEBundle()[kind] != nil {
				stored++
			}
		}
		if stored != 1 {
			t.Errorf("%s: the picture is stored %d times", name, stored)
		}
	}
}

var svgInPage = regexp.MustCompile(`data:image/svg\+xml;base64,([^"]*)`)

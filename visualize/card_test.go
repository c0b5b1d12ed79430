package visualize

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"math"
	"regexp"
	"strings"
	"testing"

	"gotorch/internal/parallel"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// TestCardOrder: the facts and the histogram stand above the numbers, of which ten lines are shown and the rest
// unfolds.
func TestCardOrder(t *testing.T) {
	viewtest.NewSession(t)
	x := tensor.Randn(64, 3, 7, 7)
	c := Card(x)
	html := c.HTML()
	facts, bars, numbers := strings.Index(html, "min&#160;"), strings.Index(html, `alt="histogram"`), strings.Index(html,
		"tensor([")
	if facts < 0 || bars < 0 || numbers < 0 || facts > numbers || bars > numbers {
		t.Errorf("facts at %d, histogram at %d, numbers at %d", facts, bars, numbers)
	}
	lines := strings.Count(c.Body, "\n") + 1
	if want := fmt.Sprintf("%d more lines</summary>", lines-10); lines <= 11 || !strings.Contains(html, want) {
		t.Errorf("%d lines, no %q", lines, want)
	}
	pre := regexp.MustCompile(`(?s)<pre[^>]*>(.*?)</pre>`).FindAllStringSubmatch(html, -1)
	if n := strings.Count(pre[0][1], "\n") + 1; n != 10 {
		t.Errorf("%d lines are shown", n)
	}
	if got := pre[0][1] + "\n" + pre[1][1]; got != c.Body {
		t.Errorf("the numbers are\n%s\nwant\n%s", got, c.Body)
	}
	if c.Thumb == nil || !strings.Contains(html, `alt="picture"`) {
		t.Error("no picture of kernels")
	}
	viewtest.CheckForms(t, c)
}

// TestScalarCard: a scalar takes one line.
func TestScalarCard(t *testing.T) {
	s := viewtest.NewSession(t)
	c := Card(s.Name("loss", tensor.FromSlice([]float32{2.5}, 1).Squeeze(0)))
	html := c.HTML()
	if strings.Count(html, "<div") != 2 || !strings.Contains(html, "loss  float32[]") || !strings.Contains(html,
		"tensor(2.5000)") {
		t.Error(html)
	}
	viewtest.CheckForms(t, c)
}

// TestComplexCard: complex tensors have statistics, which are those of their elements.
func TestComplexCard(t *testing.T) {
	viewtest.NewSession(t)
	values := []complex64{3 + 4i, -1, 2i, complex(float32(math.NaN()), 0), 0}
	c := Card(tensor.FromSlice(values, 5))
	text := c.Text(false)
	for _, want := range []string{"absolute values: min 0  mean 2  max 5", "NaN 1", "zeros 1", "real part -1 to 3",
		"imaginary part 0 to 4"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	viewtest.CheckForms(t, c)
}

// TestSignedPictures: zero is the middle grey where numbers have both signs, and the range is said.
func TestSignedPictures(t *testing.T) {
	viewtest.NewSession(t)
	x := tensor.FromSlice([]float32{-0.5, 0, 0.25, 0.5}, 1, 2, 2)
	p := Image(x, Scale(1))
	if want := "-0.5 to 0.5, centered: 0 is grey, -0.5 black, 0.5 white"; !strings.Contains(p.Text(false), want) {
		t.Error(p.Text(false))
	}
	g := ImageGrid(x.Unsqueeze(0), Scale(1))
	for name, file := range map[string][]byte{"image": p.PNG, "grid": g.Tiles[0].PNG} {
		grey := greys(t, file)
		for i, want := range []int{0, 128, 191, 255} {
			if d := grey[i] - want; d < -1 || d > 1 {
				t.Errorf("%s: pixel %d is %d, want %d", name, i, grey[i], want)
			}
		}
	}
	if got := Image(tensor.FromSlice([]float32{0, 2, 0.5, 1}, 2, 2)).Text(false); !strings.Contains(got,
		"0 to 2, cut to 0 to 1") {
		t.Error(got)
	}
}

// greys are the levels of the pixels of a file, row by row.
func greys(t *testing.T, file []byte) (out []int) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, _, _, _ := img.At(x, y).RGBA()
			out = append(out, int(r>>8))
		}
	}
	return out
}

// TestCardOfEqualValues: where all elements are equal, the deviation is 0.
func TestCardOfEqualValues(t *testing.T) {
	viewtest.NewSession(t)
	for _, v := range []float64{1, 0.1, 3.7, -1e200, 5e-324} {
		for _, n := range []int{2, 6, 7, 1000} {
			if s := Card(tensor.With(tensor.Float64).Full([]int{n}, v)).Stats; s.Std != 0 || s.Mean != v {
				t.Errorf("%d times %v: mean %v, std %v", n, v, s.Mean, s.Std)
			}
		}
	}
}

// TestThumbnailNote: what a card's small picture leaves out and how it shows signed numbers stands in every form.
func TestThumbnailNote(t *testing.T) {
	s := viewtest.NewSession(t)
	signed := tensor.FromSlice([]float32{-0.5, 0, 0.25, 0.5}, 1, 1, 2, 2).Expand(40, 3, 2, 2).
		RepeatInterleave(4, opt.Dim(2)).RepeatInterleave(4, opt.Dim(3))
	for want, x := range map[string]*tensor.Tensor{
		"picture: the first 32 of 40 images; 0 is grey, -0.5 black, 0.5 white": signed.Contiguous(),
		"picture: the first 32 of 40 images":                                   signed.Abs(),
		"picture: 0 is grey, -0.5 black, 0.5 white":                            signed.Select(0, 1).Contiguous(),
		"": signed.Select(0, 1).Abs(),
	} {
		c := Card(s.Name("x", x))
		if c.Thumb == nil {
			t.Fatalf("no picture of %v", x.Shape())
		}
		texts := ""
		for _, text := range viewtest.TextsOf(c.SVG()) {
			texts += text.String + "\n"
		}
		for form, text := range map[string]string{"text": c.String(), "SVG": texts, "HTML": c.HTML()} {
			at := strings.Index(text, "picture: ")
			if want == "" && at >= 0 || want != "" && (at < 0 || !strings.HasPrefix(text[at:], want)) {
				t.Errorf("%v: no %q in the %s: %q", x.Shape(), want, form, text[max(0, at):])
			}
		}
	}
}

// TestCardLinesBreak: a page of any width keeps a number beside its name and its unit.
func TestCardLinesBreak(t *testing.T) {
	s := viewtest.NewSession(t)
	base := tensor.Zeros(1000)
	base.Set(math.NaN(), 5)
	base.Set(math.Inf(1), 6)
	html := Card(s.Name("part", base.Unsqueeze(0).Expand(20, 1000))).HTML()
	page, _, _ := strings.Cut(html, "<summary") // the text form has lines of its own
	page = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, "")
	for _, want := range []string{"over 1000 elements, 3.9&#160;KiB", "min&#160;0", "mean&#160;0", "max&#160;0",
		"std&#160;0", "NaN&#160;20", "Inf&#160;20", "zeros&#160;19960"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	trace := TraceFunc(func() { base.Add(1) }).HTML()
	if !strings.Contains(trace, "3.9&#160;KiB") {
		t.Error(trace)
	}
}

// TestSomeAreNaN: mean, deviation and histogram are of all finite elements, wherever the others stand.
func TestSomeAreNaN(t *testing.T) {
	viewtest.NewSession(t)
	const n = 1 << 18
	x := tensor.Arange(n).Remainder(2) // 0 1 0 1
	x = x.To(tensor.Float32).Mul(3)
	x.View(-1, 4).Narrow(1, 0, 1).Fill_(math.NaN()) // the first of every four
	x.Set(-1, 3)
	c := Card(x)
	s := c.Stats
	mean := (3*(n/2) - 3 - 1) / (0.75 * n)
	if s.NaN != n/4 || s.Finite != n/4*3 || s.Sampled != 0 || math.Abs(s.Mean-mean) > 1e-9 || s.Min != -1 || s.Max != 3 {
		t.Errorf("%+v, the mean is %v", *s, mean)
	}
	total := 0
	for _, k := range c.Histogram {
		total += k
	}
	if total != s.Finite || c.Histogram[15] != n/2-1 || c.Histogram[0] != 1 {
		t.Errorf("histogram %v", c.Histogram)
	}
}

// TestStatsOfAnyLayout: permuted, reversed, strided and expanded tensors have the statistics of their elements, whose
// sums are the same for any number of threads.
func TestStatsOfAnyLayout(t *testing.T) {
	viewtest.NewSession(t)
	x := tensor.With(tensor.Float64).Randn(30, 70, 90)
	base := Card(x).Stats
	for name, y := range map[string]*tensor.Tensor{"permuted": x.Permute(2, 0, 1),
		"reversed": viewtest.Window(x, []int{30, 70, 90}, []int{-6300, 90, -1}, 29*6300+89),
		"expanded": x.Unsqueeze(1).Expand(30, 4, 70, 90)} {
		s := Card(y).Stats
		times := y.Numel() / x.Numel()
		if s.Min != base.Min || s.Max != base.Max || math.Abs(s.Mean-base.Mean) > 1e-12 || s.Finite != y.Numel() ||
			times == 1 && math.Abs(s.Std-base.Std) > 1e-12 {
			t.Errorf("%s: %+v, want %+v", name, *s, *base)
		}
	}
	part := viewtest.Window(x, []int{30, 70, 30}, []int{6300, 90, 3}, 1)
	want := part.Std(opt.Correction(1)).Item()
	if s := Card(part).Stats; math.Abs(s.Std-want) > 1e-12 || math.Abs(s.Mean-part.Mean().Item()) > 1e-12 {
		t.Errorf("strided: %+v, std %v", *s, want)
	}
	defer parallel.SetThreads(0)
	parallel.SetThreads(1)
	if one := Card(x).Stats; *one != *base {
		t.Errorf("one thread: %+v, several: %+v", *one, *base)
	}
}

// TestCardInterrupted: an interrupt ends the statistics of many elements.
func TestCardInterrupted(t *testing.T) {
	x := tensor.Zeros(3_000_000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := tensor.Try(func() {
		tensor.InScope(func(s *tensor.Scope) { s.Context = ctx }, func() { draw.StatsOf(x) })
	})
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("%v", err)
	}
}

// BenchmarkHundredMillion is the card of as many elements as are all looked at.
func BenchmarkHundredMillion(b *testing.B) {
	viewtest.NewSession(b)
	x := tensor.Rand(100_000_000)
	for b.Loop() {
		Card(x)
	}
}

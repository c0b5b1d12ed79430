package visualize

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"regexp"
	"strings"
	"testing"

	"gotorch/tensor"
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

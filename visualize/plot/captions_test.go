package plot

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// TestCaptionsOfPlots: the numbers in the sentence of a plot are those that it was given.
func TestCaptionsOfPlots(t *testing.T) {
	viewtest.NewSession(t)
	r := rand.New(rand.NewSource(3))
	for range 200 {
		n := 2 + r.Intn(3000)
		x, y := make([]float64, n), make([]float64, n)
		for i := range y {
			x[i], y[i] = float64(i), r.NormFloat64()
		}
		low, high := slices.Index(y, slices.Min(y)), slices.Index(y, slices.Max(y))
		how := "falls"
		if y[0] < y[n-1] {
			how = "rises"
		}
		v := draw.ShortValue
		want := fmt.Sprintf("w %s from %s to %s; it is least at %s, with %s, and greatest at %s, with %s.", how, v(y[0]),
			v(y[n-1]), grouping(low), v(y[low]), grouping(high), v(y[high]))
		if got := Plot(y, "w").Caption(); got != want {
			t.Fatalf("%d points: got %s\nwant %s", n, got, want)
		}
		want = fmt.Sprintf("%s points lie from 0 to %s across and from %s to %s up.", grouping(n), v(x[n-1]), v(y[low]),
			v(y[high]))
		if got := Scatter(x, y).Caption(); got != want && n <= maxDots {
			t.Fatalf("%d points: got %s\nwant %s", n, got, want)
		}
		h := Hist(y, Bins(7))
		most := 0.0
		for _, k := range h.Series[0].Y {
			most = max(most, k)
		}
		if got := h.Caption(); !strings.Contains(got, fmt.Sprintf("Of the %s numbers", grouping(n))) ||
			!strings.Contains(got, fmt.Sprintf(" holds %s.", grouping(int(most)))) {
			t.Fatalf("%d numbers, %v in one bin: %s", n, most, got)
		}
		rows, columns := 1+r.Intn(9), 2+r.Intn(9)
		m := tensor.FromSlice(y[:min(n, rows*columns)/columns*columns], -1, columns)
		if m.Numel() == 0 {
			continue
		}
		at := func(i int) string { return fmt.Sprintf("in row %d, column %d", i/columns, i%columns) }
		least, greatest := int(m.Argmin().Item()), int(m.Argmax().Item())
		got := Heatmap(m).Caption()
		if !strings.Contains(got, "greatest cell of the matrix is "+v(m.Max().Item())+" "+at(greatest)) ||
			!strings.Contains(got, "the least "+v(m.Min().Item())+" "+at(least)) {
			t.Fatalf("%v: %s", m, got)
		}
	}
	for _, c := range []struct {
		chart *Chart
		want  string
	}{
		{Plot([]float64{2, 2, 2}), "The line stays at 2 from 0 to 2."},
		{Plot([]float64{2}), "The line is one point, 2 at 0."},
		{Scatter([]int{1}, []int{5}), "1 point lies from 1 to 1 across and from 5 to 5 up."},
		{Plot([]int{1, 2}, "a", []int{3, 4}, "b"),
			"a rises from 1 to 2; it is least at 0, with 1, and greatest at 1, with 2; one series beside it."},
		{Hist([]int{1, 2, 3}), "The 3 numbers of the histogram fill 3 bins evenly, with 1 in each."},
	} {
		if got := c.chart.Caption(); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

// TestCaptionsOfPictures: how many pictures there are, and what their numbers mean.
func TestCaptionsOfPictures(t *testing.T) {
	viewtest.NewSession(t)
	for _, c := range []struct {
		view draw.Captioner
		want string
	}{
		{Image(tensor.Zeros(3, 4, 6)), "The tensor is one picture of 4 × 6 pixels; its numbers go from 0 to 0."},
		{Image(tensor.Zeros(4, 6).To(tensor.Uint8)),
			"The tensor is one picture of 4 × 6 pixels; 0 is black and 255 white."},
		{Image(tensor.Zeros(2, 3, 4, 6)), "The tensor holds two pictures, side by side; its numbers go from 0 to 0."},
		{ImageGrid(tensor.Zeros(70, 4, 6).To(tensor.Bool)),
			"The batch holds 70 pictures of 4 × 6 pixels; false is black and true white."},
	} {
		if got := c.view.Caption(); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

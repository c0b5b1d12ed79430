package visualize

import (
	"fmt"
	"math"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// axes read pixels of a plot's picture by the numbers beside its axes, as one who looks at it does.
type axes struct{ x, y scale }

// scale is a straight line through two numbers of an axis.
type scale struct{ pixel, value, each float64 }

func (s scale) at(pixel float64) float64 { return s.value + (pixel-s.pixel)*s.each }

var (
	tickText = regexp.MustCompile(`<text x="([-\d.]+)" y="([-\d.]+)" text-anchor="(end|middle)">([-−\d.ekM]+)</text>`)
	bandPath = regexp.MustCompile(`<path d="(M[^"]*Z)" fill="#[0-9a-f]+" fill-opacity="0.25" stroke="none"/>`)
	linePath = regexp.MustCompile(`<path d="(M[^"]*)" fill="none" stroke="#[0-9a-f]+" stroke-width="1.6"`)
	barsPath = regexp.MustCompile(`<path d="(M[^"]*Z)" fill="#[0-9a-f]+" fill-opacity="0.25" stroke="#`)
	places   = regexp.MustCompile(`-?[\d.]+`)
)

// readAxes finds the numbers of the axes. The text beside a number of the vertical axis stands 4 px beneath its mark.
func readAxes(t *testing.T, svg string) (a axes) {
	t.Helper()
	along := func(anchor string, group int, shift float64) scale {
		var at, v []float64
		for _, m := range tickText.FindAllStringSubmatch(svg, -1) {
			if m[3] != anchor {
				continue
			}
			text, factor := strings.ReplaceAll(m[4], "−", "-"), 1.0
			for unit, f := range map[string]float64{"k": 1e3, "M": 1e6} {
				if cut, ok := strings.CutSuffix(text, unit); ok {
					text, factor = cut, f
				}
			}
			f, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatalf("the axis has %q", m[4])
			}
			p, _ := strconv.ParseFloat(m[group], 64)
			at, v = append(at, p-shift), append(v, f*factor)
		}
		if len(at) < 2 {
			t.Fatalf("%d numbers on an axis (%s)", len(at), anchor)
		}
		last := len(at) - 1
		s := scale{at[0], v[0], (v[last] - v[0]) / (at[last] - at[0])}
		for i := range at { // all of them lie on the line
			if math.Abs(s.at(at[i])-v[i]) > math.Abs(s.each)*0.2 {
				t.Errorf("the axis has %g where %g belongs", v[i], s.at(at[i]))
			}
		}
		return s
	}
	return axes{along("middle", 1, 0), along("end", 2, 4)}
}

// pointsOf are the points of a path.
func pointsOf(d string) (out [][2]float64) {
	n := places.FindAllString(d, -1)
	for i := 0; i+1 < len(n); i += 2 {
		x, _ := strconv.ParseFloat(n[i], 64)
		y, _ := strconv.ParseFloat(n[i+1], 64)
		out = append(out, [2]float64{x, y})
	}
	return out
}

// bandFigures is one point of a plot with a band: computed, or read off the picture.
type bandFigures struct{ x, mean, low, high float64 }

// readBand reads a band off a plot's picture: its upper edge, then its lower one backwards, and the line.
func readBand(t *testing.T, svg string) (out []bandFigures, a axes) {
	t.Helper()
	a = readAxes(t, svg)
	band := pointsOf(bandPath.FindStringSubmatch(svg)[1])
	line := pointsOf(linePath.FindStringSubmatch(svg)[1])
	n := len(band) / 2
	if len(line) != n {
		t.Fatalf("a line of %d points in a band of %d", len(line), n)
	}
	for i := range n {
		high, low := band[i], band[len(band)-1-i]
		if high[0] != low[0] || line[i][0] != high[0] {
			t.Fatalf("point %d: the edges are at %g and %g, the line at %g", i, high[0], low[0], line[i][0])
		}
		out = append(out, bandFigures{a.x.at(high[0]), a.y.at(line[i][1]), a.y.at(low[1]), a.y.at(high[1])})
	}
	return out, a
}

// checkBand holds a plot's picture and its numbers against what they are of.
func checkBand(t *testing.T, what string, c *Chart, want []bandFigures) {
	t.Helper()
	got, a := readBand(t, c.SVG())
	s := c.Series[0]
	if len(got) != len(want) || len(s.X) != len(want) {
		t.Fatalf("%s: %d points drawn, %d in the data, want %d", what, len(got), len(s.X), len(want))
	}
	dx, dy := math.Abs(a.x.each)*0.3, math.Abs(a.y.each)*0.3 // a third of a pixel
	for i, w := range want {
		g, d := got[i], bandFigures{s.X[i], s.Y[i], s.Low[i], s.High[i]}
		if math.Abs(g.x-w.x) > dx || math.Abs(g.mean-w.mean) > dy || math.Abs(g.low-w.low) > dy ||
			math.Abs(g.high-w.high) > dy {
			t.Fatalf("%s: point %d is drawn as %.4g, it is %.4g", what, i, g, w)
		}
		if math.Abs(d.x-w.x)+math.Abs(d.mean-w.mean)+math.Abs(d.low-w.low)+math.Abs(d.high-w.high) > 1e-6 {
			t.Fatalf("%s: point %d is %.6g, want %.6g", what, i, d, w)
		}
	}
}

// TestFiguresOfBands: what one reads off the picture of many series, or of a long line, is the mean, and the deviation
// or the extremes, of the numbers that the note says; NaN is left out and counted.
func TestFiguresOfBands(t *testing.T) {
	viewtest.NewSession(t)
	r := rand.New(rand.NewSource(4))
	for _, shape := range [][2]int{{5, 17}, {40, 100}, {500, 20}, {501, 18}, {1733, 33}} {
		x := tensor.Randn(shape[0], shape[1]).Mul(1 + 10*r.Float64())
		bad := 1 + r.Intn(4)
		for i := range bad {
			x.Set(math.NaN(), r.Intn(shape[0]-1), i)
		}
		c := Plot(x)
		run := (shape[0] + 499) / 500
		note := fmt.Sprintf("the mean of %d series", shape[1])
		if run > 1 {
			note += fmt.Sprintf(" and of each %d points", run)
		}
		text := strings.Join(strings.Fields(c.String()), " ")
		for _, want := range []string{note, fmt.Sprintf("%d left out: NaN", bad)} {
			if !strings.Contains(text, want) {
				t.Errorf("%v: no %q in %s", shape, want, text)
			}
		}
		var want []bandFigures
		for lo := 0; lo < shape[0]; lo += run {
			hi := min(shape[0], lo+run)
			n, sum, squares := 0.0, 0.0, 0.0
			values := func(f func(v float64)) {
				for i := lo; i < hi; i++ {
					for j := range shape[1] {
						if v := x.At(i, j).(float64); v == v {
							f(v)
						}
					}
				}
			}
			values(func(v float64) { n, sum = n+1, sum+v })
			values(func(v float64) { squares += (v - sum/n) * (v - sum/n) })
			std := math.Sqrt(squares / n)
			want = append(want, bandFigures{float64(lo+hi-1) / 2, sum / n, sum/n - std, sum/n + std})
		}
		checkBand(t, fmt.Sprint(shape), c, want)
	}
	for _, n := range []int{100_001, 250_000, 731_113} {
		x := tensor.Randn(n).Add(tensor.Arange(n).Div(float64(n) / 5))
		bad := 1 + r.Intn(50)
		for range bad {
			x.Set(math.NaN(), 1000+r.Intn(n-2000))
		}
		data := tensor.Data[float32](x)
		run := (n + 499) / 500
		left := 0
		var want []bandFigures
		for lo := 0; lo < n; lo += run {
			part := data[lo:min(n, lo+run)]
			w, count := bandFigures{x: float64(lo) + float64(len(part)-1)/2, low: math.Inf(1), high: math.Inf(-1)}, 0.0
			for _, v := range part {
				if v != v {
					left++
					continue
				}
				count++
				w.mean += float64(v)
				w.low, w.high = min(w.low, float64(v)), max(w.high, float64(v))
			}
			w.mean /= count
			want = append(want, w)
		}
		c := Plot(x)
		text := strings.ReplaceAll(strings.Join(strings.Fields(c.String()), " "), ",", "")
		for _, want := range []string{fmt.Sprintf("%d points: the mean of each %d", n, run),
			fmt.Sprintf("%d left out", left)} {
			if !strings.Contains(text, want) {
				t.Errorf("%d: no %q in %s", n, want, text)
			}
		}
		checkBand(t, fmt.Sprint(n), c, want)
	}
}

// TestFiguresOfThinnedLines: of lines with many points it is said how many are drawn, once where that is the same for
// all, and each line has as many.
func TestFiguresOfThinnedLines(t *testing.T) {
	viewtest.NewSession(t)
	c := Plot(tensor.Randn(3000, 5))
	m := regexp.MustCompile(`^each series has 3,000 points, ([\d,]+) to ([\d,]+) drawn: of each of (\d+) columns`).
		FindStringSubmatch(strings.Join(c.Notes, "\n"))
	if m == nil || len(c.Notes) != 1 {
		t.Fatal(c.Notes)
	}
	few, many := math.MaxInt, 0
	for _, s := range c.Series {
		few, many = min(few, len(s.X)), max(many, len(s.X))
	}
	if n := func(i int) string { return strings.ReplaceAll(m[i], ",", "") }; n(1) != strconv.Itoa(few) ||
		n(2) != strconv.Itoa(many) || m[3] != "300" {
		t.Errorf("%q: %d to %d points are drawn", m[0], few, many)
	}
	if c = Plot(tensor.Randn(3000), "a", tensor.Randn(9000), "b"); len(c.Notes) != 1 ||
		!strings.HasPrefix(c.Notes[0], "b: 9,000 points") {
		t.Error(c.Notes)
	}
}

var bulkNote = regexp.MustCompile(
	`from the 1st to the 99th percentile, (\S+) to (\S+): (\d+) cells? beyond; all are from (\S+) to (\S+)`)

// TestFiguresOfQuantiles: where a few numbers dominate a heat map or a histogram, the ends of what is shown are the
// first and the last percentile of the numbers, and those beyond are counted.
func TestFiguresOfQuantiles(t *testing.T) {
	viewtest.NewSession(t)
	r := rand.New(rand.NewSource(5))
	for _, shape := range [][2]int{{10, 10}, {20, 31}, {64, 128}} {
		n := shape[0] * shape[1]
		x := tensor.Randn(shape[0], shape[1])
		for range max(1, n/200) {
			x.Set(1000*(r.Float64()-0.5), r.Intn(shape[0]), r.Intn(shape[1]))
		}
		sorted := tensor.Data[float32](x)
		slices.Sort(sorted)
		out := max(1, n/100)
		lo, hi := float64(sorted[out]), float64(sorted[n-1-out])
		m := bulkNote.FindStringSubmatch(strings.Join(strings.Fields(Heatmap(x).String()), " "))
		if m == nil || m[3] != strconv.Itoa(2*out) || !near(m[1], lo) || !near(m[2], hi) ||
			!near(m[4], float64(sorted[0])) || !near(m[5], float64(sorted[n-1])) {
			t.Errorf("%v: %q, there are %d beyond %g to %g", shape, m, 2*out, lo, hi)
		}
	}
}

// TestFiguresOfHistograms: the bars that one reads off the picture are as high as there are numbers between their
// edges.
func TestFiguresOfHistograms(t *testing.T) {
	viewtest.NewSession(t)
	for _, n := range []int{7, 300, 20_000, 300_000} {
		x := tensor.Randn(n)
		c := Hist(x)
		svg := c.SVG()
		a := readAxes(t, svg)
		s := c.Series[0]
		var at float64
		k := 0
		d := strings.TrimSuffix(barsPath.FindStringSubmatch(svg)[1], "Z")
		at, _ = strconv.ParseFloat(places.FindString(d), 64)
		data := tensor.Data[float32](x)
		for _, m := range regexp.MustCompile(`V([-\d.]+)H([-\d.]+)`).FindAllStringSubmatch(d, -1) {
			y, _ := strconv.ParseFloat(m[1], 64)
			right, _ := strconv.ParseFloat(m[2], 64)
			count := 0
			for _, v := range data {
				if float64(v) >= s.X[k] && (float64(v) < s.X[k+1] || k == len(s.Y)-1 && float64(v) <= s.X[k+1]) {
					count++
				}
			}
			if math.Abs(a.y.at(y)-float64(count)) > math.Abs(a.y.each)*0.3 || s.Y[k] != float64(count) {
				t.Errorf("%d numbers: bar %d is drawn as %.1f and is %v, there are %d", n, k, a.y.at(y), s.Y[k], count)
			}
			if dx := a.x.each * 0.3; math.Abs(a.x.at(at)-s.X[k]) > dx || math.Abs(a.x.at(right)-s.X[k+1]) > dx {
				t.Errorf("%d numbers: bar %d goes from %.4g to %.4g, its edges are %.4g and %.4g", n, k, a.x.at(at),
					a.x.at(right), s.X[k], s.X[k+1])
			}
			at, k = right, k+1
		}
		if k != len(s.Y) || k < 5 {
			t.Errorf("%d numbers: %d bars of %d", n, k, len(s.Y))
		}
	}
}

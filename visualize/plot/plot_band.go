package plot

import (
	"fmt"
	"math"
	"strings"

	"gotorch/internal/parallel"
	"gotorch/visualize/draw"
)

// Note: bands. A thousand lines in one picture, or one line of ten million points, are a blot. Where there are more
// series than hues tell apart, the plot is their mean with a band of one standard deviation; of very many points it is
// the mean of each run of them, with a band from the least to the greatest. The plot says which it is.

const (
	bandPoints = 500     // of a mean with a band
	longLine   = 100_000 // points of one line, beyond which it is a mean with a band
)

// band is a mean and the edges around it, by the place on the x axis.
type band struct {
	x, mean   []float64
	low, high map[float64]float64
	left      int // numbers that cannot be drawn
	note      string
}

// bandOf is the band of what Plot was called with, nil where lines can be told apart.
func bandOf(data []argument, s *settings) *band {
	if len(data) == 0 || data[0].isStr || len(s.labels) > 0 {
		return nil
	}
	y := data[0]
	switch {
	case isLong(data):
		return runs(y.numbers)
	case isMany(data):
		b := spread(y.numbers, y.shape[0], y.shape[1])
		name := orText(y.text, "x")
		b.note += fmt.Sprintf("; a column is a series: visualize.Plot(%s.T()) takes the %s", draw.Clip(name, draw.MaxName),
			draw.Counted(y.shape[0], "row"))
		return b
	}
	return nil
}

// isLong reports whether a plot is of one line, perhaps with a name, of too many points to draw them.
func isLong(data []argument) bool {
	return (len(data) == 1 || len(data) == 2 && data[1].isStr) && !data[0].isStr && len(data[0].shape) == 1 &&
		data[0].shape[0] > longLine
}

// isMany reports whether a plot is of more series than hues tell apart.
func isMany(data []argument) bool {
	return len(data) == 1 && len(data[0].shape) == 2 && data[0].shape[1] > maxSeries && data[0].shape[0] > 1
}

// runs makes a band over runs of the numbers of one line, which the cores share: their mean, the least and the
// greatest.
func runs(y numbers) *band {
	rows := y.count()
	run := (rows + bandPoints - 1) / bandPoints
	points := make([]struct {
		mean, lo, hi float64
		left         int
	}, (rows+run-1)/run)
	list := []numbers{y}
	lend(list, func() {
		parallel.For(len(points), 1, func(from, to int) {
			for i := from; i < to; i++ {
				p := &points[i]
				p.lo, p.hi = math.Inf(1), math.Inf(-1)
				part, n := 1/float64(run), 0 // parts of numbers add up to none that is too large
				list[0].within(i*run, min(rows, (i+1)*run), func(v float64) {
					if !drawable(v) {
						p.left++
						return
					}
					n++
					p.mean += v * part
					p.lo, p.hi = min(p.lo, v), max(p.hi, v)
				})
				p.mean /= float64(n) * part // NaN where there is none
			}
		})
	})
	b := &band{low: map[float64]float64{}, high: map[float64]float64{}}
	for i, p := range points {
		x := float64(i*run) + float64(min(rows, (i+1)*run)-i*run-1)/2
		b.x, b.mean, b.left = append(b.x, x), append(b.mean, p.mean), b.left+p.left
		b.low[x], b.high[x] = p.lo, p.hi
	}
	b.note = fmt.Sprintf("%s points: the mean of each %s, and a band from the least to the greatest", grouping(rows),
		grouping(run))
	return b
}

// spread makes a band of one standard deviation over rows, or over runs of as many rows as leave no more points than a
// picture has. The cores share them.
func spread(y numbers, rows, columns int) *band {
	run := (rows + bandPoints - 1) / bandPoints
	b := &band{low: map[float64]float64{}, high: map[float64]float64{}}
	points, left := make([]draw.Moments, (rows+run-1)/run), make([]int, (rows+run-1)/run)
	unit := make([]float64, len(points))
	list := []numbers{y}
	lend(list, func() {
		parallel.For(len(points), 1, func(from, to int) {
			for i := from; i < to; i++ {
				lo, hi := i*run*columns, min(rows, (i+1)*run)*columns
				most := 0.0
				list[0].within(lo, hi, func(v float64) {
					if drawable(v) {
						most = max(most, math.Abs(v))
					} else {
						left[i]++
					}
				})
				unit[i] = draw.UnitFor(most)
				list[0].drawables(lo, hi, func(part []float64) { points[i].Add(part, unit[i]) })
			}
		})
	})
	for i, m := range points {
		x := float64(i*run) + float64(min(rows, (i+1)*run)-i*run-1)/2
		mean, std := m.Mean*unit[i], m.Std()*unit[i]
		if m.Count == 0 {
			mean, std = math.NaN(), math.NaN()
		}
		b.x, b.mean, b.left = append(b.x, x), append(b.mean, mean), b.left+left[i]
		b.low[x], b.high[x] = mean-std, mean+std
	}
	b.note = fmt.Sprintf("the mean of %s series and of each %s points, and a band of one standard deviation",
		grouping(columns), grouping(run))
	if run == 1 {
		b.note = fmt.Sprintf("the mean of %s series, and a band of one standard deviation", grouping(columns))
	}
	return b
}

// chart is the plot of a band.
func (b *band) chart(op, name string, y argument, s *settings) *Chart {
	c := newChart(op, "line", []pair{{name: name, x: b.x, y: b.mean, yText: y.text}}, s)
	one := &c.Series[0]
	one.Count = y.count()
	lo, hi := c.Y.Min, c.Y.Max
	for _, x := range one.X {
		one.Low, one.High = append(one.Low, b.low[x]), append(one.High, b.high[x])
		hi = max(hi, b.high[x])
		if !s.logY || b.low[x] >= smallest {
			lo = min(lo, b.low[x])
		}
	}
	if s.yRange == nil {
		c.Y = axisOver(c.Y.Label, lo, hi, s.logY, nil, 0.02)
	}
	c.Notes = []string{b.note}
	if b.left > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s left out: NaN, infinite or beyond 1e300", grouping(b.left)))
	}
	return c
}

// band fills what lies between the edges of a series.
func (s seriesPlotter) band() {
	one := &s.c.Series[s.i]
	if one.Low == nil {
		return
	}
	part := func(y float64) float64 {
		if s.c.Y.Log && y < smallest {
			return 0
		}
		return max(0, min(s.c.Y.place(y), 1))
	}
	var d strings.Builder
	ends := append(append([]int{0}, one.Breaks...), len(one.X))
	for i, from := range ends[:len(ends)-1] {
		to := ends[i+1]
		sign := "M"
		point := func(k int, y float64) {
			p := s.at(max(0, min(s.c.X.place(one.X[k]), 1)), part(y))
			d.WriteString(sign + draw.Num(p.x) + " " + draw.Num(p.y))
			sign = "L"
		}
		for k := from; k < to; k++ {
			point(k, one.High[k])
		}
		for k := to - 1; k >= from; k-- {
			point(k, one.Low[k])
		}
		d.WriteString("Z")
	}
	fmt.Fprintf(&s.out.Elements, `<path d="%s" fill="%s" fill-opacity="0.25" stroke="none"/>`, d.String(), draw.Hue(s.i))
}

package plot

import (
	"fmt"
	"slices"
	"sync"

	"gotorch/tensor"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
)

// LivePlot is a plot that grows while a loop runs. It can be used from several goroutines.
type LivePlot struct {
	mu     sync.Mutex
	title  string
	set    *settings
	names  []string
	lines  map[string]*liveLine
	handle *display.Handle
}

// liveLine is one series of a LivePlot, and how many points it was given.
type liveLine struct {
	x, y  []float64
	count int
}

// maxLive is how many points a series of a LivePlot keeps; of more, the least and the greatest of every few.
const maxLive = 1 << 16

// Live makes a plot that is drawn in place, again and again, while [LivePlot.Add] gives it numbers:
//
//	live := visualize.Live("loss")
//	for step := range 1000 {
//		…
//		live.Add(step, loss)
//	}
//
// It appears with the first number. It is drawn at most ten times a second, and when the cell ends, so that the last
// number is always there. The options are those of [Plot].
func Live(title string, opts ...Option) *LivePlot {
	return &LivePlot{title: draw.Tidy(title), set: settle("live", opts, plotOptions...), lines: map[string]*liveLine{}}
}

// Add adds a point to each of several series at step, which is a number. A value is a number or a tensor of one
// element; a string before it names its series, the option Labels those of values without. It changes no tensor and
// keeps none.
//
//	live.Add(step, loss)
//	live.Add(step, "training", loss, "validation", valid)
func (l *LivePlot) Add(step any, values ...any) {
	const op = "live"
	x := oneNumber(op, "the step", step)
	type point struct {
		name string
		y    float64
	}
	var points []point
	name, named := "", false
	for i, v := range values {
		if s, ok := v.(string); ok {
			if named || i+1 == len(values) {
				panic(tensor.Errorf(op, "the name %q has no value behind it", orText(name, s)).
					WithHint(`live.Add(step, "training", loss)`))
			}
			name, named = draw.Tidy(s), true
			continue
		}
		if !named {
			switch k := len(points); {
			case k < len(l.set.labels):
				name = l.set.labels[k]
			case k == 0:
				name = l.title
			default:
				name = fmt.Sprintf("series %d", k+1)
			}
		}
		points = append(points, point{name, oneNumber(op, name, v)})
		name, named = "", false
	}
	if len(points) == 0 {
		panic(tensor.Errorf(op, "Add was given no value").WithHint("live.Add(step, loss)"))
	}
	l.mu.Lock()
	for _, p := range points {
		line := l.lines[p.name]
		if line == nil {
			line = &liveLine{}
			l.lines[p.name] = line
			l.names = append(l.names, p.name)
		}
		line.add(x, p.y)
	}
	h := l.handle
	if h == nil {
		l.handle = display.Show(l.picture())
	}
	l.mu.Unlock()
	if h != nil {
		h.UpdateSoon(func() any {
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.picture()
		})
	}
}

// oneNumber is a number or the only element of a tensor.
func oneNumber(op, what string, v any) float64 {
	n := toNumbers(op, what, v)
	if len(n.values) != 1 {
		panic(tensor.Errorf(op, "%s has shape %v, and not one element", what, n.shape).WithHint("x.Mean() is one number"))
	}
	return n.values[0]
}

// add keeps a point. Where there are too many, the least and greatest of every four stay.
func (l *liveLine) add(x, y float64) {
	l.count++
	l.x, l.y = append(l.x, x), append(l.y, y)
	if len(l.x) < maxLive {
		return
	}
	n := 0
	for i := 0; i+4 <= len(l.x); i += 4 {
		lo, hi := i, i
		for k := i; k < i+4; k++ {
			if l.y[k] < l.y[lo] || l.y[lo] != l.y[lo] {
				lo = k
			}
			if l.y[k] > l.y[hi] || l.y[hi] != l.y[hi] {
				hi = k
			}
		}
		for _, k := range []int{min(lo, hi), max(lo, hi)} {
			l.x[n], l.y[n] = l.x[k], l.y[k]
			n++
		}
	}
	l.x, l.y = l.x[:n], l.y[:n]
}

// picture is what the display shows now; its caller holds the lock. Nothing that can be drawn is a line of text.
func (l *LivePlot) picture() any {
	var c *Chart
	if err := tensor.Try(func() { c = l.chart() }); err != nil {
		return display.Text(err.Error())
	}
	return c
}

func (l *LivePlot) chart() *Chart {
	const op = "live"
	if len(l.names) == 0 {
		panic(tensor.Errorf(op, "nothing has been added yet").WithHint("live.Add(step, loss)"))
	}
	var list []pair
	counts := make([]int, 0, len(l.names))
	for _, n := range l.names {
		p := l.lines[n]
		list = append(list, pair{name: n, x: slices.Clone(p.x), y: slices.Clone(p.y), xText: "step"})
		counts = append(counts, p.count)
	}
	s := *l.set
	if s.labels = nil; s.title == "" {
		s.title = l.title
	}
	if len(list) == 1 && list[0].name == l.title && s.title == l.title {
		s.title = "" // the axis says it
	}
	c := newChart(op, "line", list, &s)
	for i := range c.Series {
		c.Series[i].Count = counts[i]
	}
	c.thinLines()
	return c
}

// Chart is the plot as it stands.
func (l *LivePlot) Chart() *Chart {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.chart()
}

// Flush draws what was added last, at once. The end of a cell does so too.
func (l *LivePlot) Flush() { display.Flush() }

// String says what the plot has; it is drawn where it was shown first.
func (l *LivePlot) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := fmt.Sprintf("live plot %q", l.title)
	for _, n := range l.names {
		t += fmt.Sprintf("  %s: %s", draw.Clip(n, draw.MaxName), draw.Counted(l.lines[n].count, "point"))
	}
	return t
}

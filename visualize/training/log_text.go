package training

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gotorch/visualize/draw"
)

// String is the text without colour.
func (l *ModelLog) String() string { return l.Text(false) }

// MIMEBundle is the view in all forms.
func (l *ModelLog) MIMEBundle() map[string]any { return draw.Bundle(l) }

// Text has a line for each parameter: what it was at the first step and at the last.
func (l *ModelLog) Text(color bool) string {
	head := draw.Bold(color, l.title())
	if len(l.Steps) == 0 {
		return head
	}
	letters := bins // what is drawn in letters gives way
	for letters > bins/4 && widest(l.table(letters).Text("  ", false)) > draw.TextWidth(96) {
		letters -= 2
	}
	return head + "\n" + strings.Join(l.table(letters).Text("  ", color), "\n")
}

func widest(lines []string) (n int) {
	for _, line := range lines {
		n = max(n, draw.Width(line))
	}
	return n
}

// table has a row for each parameter, with at most so many letters for what is drawn.
func (l *ModelLog) table(letters int) *draw.Tabular {
	t := &draw.Tabular{Head: []string{"", "shape", "mean ± std", "2-norm", "from least to greatest"}}
	if l.Kind == "gradients" {
		t.Head = []string{"", "shape", "2-norm", "÷ weights'", "over time (log)"}
	}
	for i := range l.Layers {
		y := &l.Layers[i]
		first, last := &y.Times[0], &y.Times[len(y.Times)-1]
		row := []string{draw.Clip(y.Name, draw.MaxName), fmt.Sprint(y.Shape)}
		if l.Kind == "gradients" {
			row = append(row, change(y.Times, func(m *Moments) string { return figure(m, m.Norm) }),
				figure(last, last.Ratio), spark(logs(y.Times), letters))
		} else {
			row = append(row,
				change(y.Times, func(m *Moments) string { return fmt.Sprintf("%.2g ± %.2g", m.Mean, m.Std) }),
				change(y.Times, func(m *Moments) string { return figure(m, m.Norm) }), y.shapes(first, last, letters))
		}
		if last.Strange > 0 {
			row = append(row, draw.Counted(last.Strange, "element")+" NaN or infinite")
			for len(t.Head) < len(row) {
				t.Head = append(t.Head, "")
			}
		}
		t.Rows = append(t.Rows, row)
	}
	for i := range t.Rows {
		for len(t.Rows[i]) < len(t.Head) {
			t.Rows[i] = append(t.Rows[i], "")
		}
	}
	return t
}

func (l *ModelLog) title() string {
	s := fmt.Sprintf("%s of %s", l.Kind, draw.Counted(len(l.Layers), "parameter"))
	switch n := len(l.Steps); n {
	case 0:
		return s + ", at no step yet"
	case 1:
		return s + fmt.Sprintf(", step %d", l.Steps[0])
	default:
		return s + fmt.Sprintf(", %d steps from %d to %d", n, l.Steps[0], l.Steps[n-1])
	}
}

func figure(m *Moments, v float64) string {
	if m.Missing {
		return "none"
	}
	return fmt.Sprintf("%.3g", v)
}

// change is what a figure was first and last.
func change(times []Moments, f func(m *Moments) string) string {
	a, b := f(&times[0]), f(&times[len(times)-1])
	if len(times) == 1 {
		return a
	}
	return a + " → " + b
}

// shapes are the histograms of two steps as letters, on the range of all.
func (y *LayerLog) shapes(first, last *Moments, letters int) string {
	lo, hi := y.reach()
	if first == last {
		return fmt.Sprintf("%.2g %s %.2g", lo, spark(first.spread(lo, hi), letters), hi)
	}
	s := spark(first.spread(lo, hi), letters) + " → " + spark(last.spread(lo, hi), letters)
	return fmt.Sprintf("%.2g %s %.2g", lo, s, hi)
}

// logs are the logarithms of the norms from the least one up.
func logs(times []Moments) []float64 {
	out := make([]float64, len(times))
	least := math.Inf(1)
	for i := range times {
		if out[i] = math.NaN(); times[i].Norm > 0 {
			out[i] = math.Log10(times[i].Norm)
			least = min(least, out[i])
		}
	}
	for i := range out {
		if out[i] -= least - 0.1; math.IsNaN(out[i]) {
			out[i] = 0
		}
	}
	return out
}

// spark draws numbers from 0 up as a line of at most so many letters. Where there are more numbers, a letter stands
// for the greatest of several.
func spark(v []float64, letters int) string {
	marks := []rune("▁▂▃▄▅▆▇█")
	if k := (len(v) + letters - 1) / letters; k > 1 {
		var fewer []float64
		for part := range slices.Chunk(v, k) {
			fewer = append(fewer, slices.Max(part))
		}
		v = fewer
	}
	most := 0.0
	for _, x := range v {
		most = max(most, x)
	}
	var b strings.Builder
	for _, x := range v {
		if x <= 0 || most == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(marks[min(int(x/most*float64(len(marks))), len(marks)-1)])
	}
	return b.String()
}

package visualize

import (
	"fmt"
	"math"
	"strings"

	"gotorch/tensor"
)

// TensorCard is a tensor's text, what it is, and what its elements are like.
type TensorCard struct {
	Name      string   `json:"name,omitempty"`
	Body      string   `json:"text"`
	Shape     []int    `json:"shape"`
	Stride    []int    `json:"stride"`
	Offset    int      `json:"offset"`
	Dtype     string   `json:"dtype"`
	Device    string   `json:"device"`
	Version   uint32   `json:"version"`
	Numel     int      `json:"numel"`
	Bytes     int      `json:"bytes"`
	Storage   uint64   `json:"storage"`
	Held      int      `json:"held"` // bytes of the storage
	ViewOf    string   `json:"view_of,omitempty"`
	Layout    string   `json:"layout"` // contiguous, or how it is not
	Grad      string   `json:"grad"`
	Stats     *Stats   `json:"stats,omitempty"`
	Histogram []int    `json:"histogram,omitempty"`
	Hints     []string `json:"hints,omitempty"`

	ElementSize int `json:"element_size"`
}

// Stats tell of the elements of a real tensor; of at most maxStats of them.
type Stats struct {
	Min, Max, Mean, Std float64
	NaN, Inf, Zeros     int
	Finite              int // the elements that are neither NaN nor infinite; without any, Min, Max, Mean and Std are 0
	Sampled             int // how many elements were looked at, where that is not all
}

const (
	maxStats = 1 << 16
	bins     = 16
)

// Card shows a tensor: PyTorch's text, its metadata, a histogram, and whether it keeps more memory alive than it shows.
func Card(x *tensor.Tensor) *TensorCard {
	if x == nil {
		tensor.Errorf("card", "the tensor is nil")
	}
	st := x.Storage()
	live := liveNames()
	c := &TensorCard{Name: live[x], Body: bodyOf(x), Shape: x.Shape(), Stride: x.Stride(), Offset: x.StorageOffset(), Dtype: x.Dtype().String(),
		Device: x.Device().String(), Version: x.Version(), Numel: x.Numel(), Bytes: x.Numel() * x.Dtype().Size(), Storage: st.ID(), Held: st.Nbytes(), ElementSize: x.Dtype().Size()}
	if b := x.Base(); b != nil {
		c.ViewOf = live[b]
		if c.ViewOf == "" {
			c.ViewOf = fmt.Sprintf("storage #%d", st.ID())
		}
	}
	c.Layout = layoutOf(x)
	c.Grad = gradText(x)
	if x.Device() != tensor.Meta && !x.Dtype().IsComplex() {
		c.measure(x)
	}
	if c.Held >= 1<<20 && c.Bytes > 0 && c.Held >= 4*c.Bytes {
		c.Hints = append(c.Hints, fmt.Sprintf("keeps %s alive for %s: Clone() frees it", bytesText(c.Held), bytesText(c.Bytes)))
	}
	return c
}

// maxBody is how many elements the text of a tensor may have before the card shows a part of it: beyond, even PyTorch's summary is long.
const (
	maxBody = 1500
	maxPart = 200
)

// bodyOf is the tensor's text. Of many dimensions the leading ones are fixed until the text is short.
func bodyOf(x *tensor.Tensor) string {
	shape := x.Shape()
	if x.Device() == tensor.Meta || printed(shape, x.Numel()) <= maxBody {
		return x.String()
	}
	lead := 0
	for lead < len(shape)-1 && printed(shape[lead:], x.Numel()) > maxPart {
		lead++
	}
	part := tensor.FromStorage("card", x.Storage(), shape[lead:], x.Stride()[lead:], x.StorageOffset(), x.Dtype())
	return fmt.Sprintf("# the part [%s...] of %v\n%v", strings.Repeat("0, ", lead), shape, part)
}

// printed is how many elements are written of a tensor: six of each long dimension where it has more than a thousand.
func printed(shape []int, numel int) int {
	if numel <= 1000 {
		return numel
	}
	n := 1
	for _, d := range shape {
		n *= min(d, 7)
	}
	return n
}

func layoutOf(x *tensor.Tensor) string {
	if x.IsContiguous() {
		return "contiguous"
	}
	for i, s := range x.Stride() {
		switch n := x.Size(i); {
		case s == 0 && n > 1:
			return "expanded (stride 0)"
		case s < 0:
			return "walks backwards (negative stride)"
		}
	}
	if x.IsContiguous(tensor.ChannelsLast) {
		return "channels_last"
	}
	if x.IsDense() {
		return "permuted"
	}
	return "strided"
}

func gradText(x *tensor.Tensor) (text string) {
	err := tensor.Try(func() {
		switch fn := x.GradFn(); {
		case fn != nil:
			text = "← " + fn.Name()
		case x.RequiresGrad():
			text = "leaf, requires grad"
		}
	})
	if err != nil {
		return "history is not available"
	}
	if g := x.Grad(); g != nil {
		text = strings.TrimPrefix(text+fmt.Sprintf(", grad %s%v", g.Dtype(), g.Shape()), ", ")
	}
	return text
}

// measure looks at the elements, at evenly spaced ones where there are very many.
func (c *TensorCard) measure(x *tensor.Tensor) {
	if x.Numel() < 2 {
		return
	}
	step := (x.Numel() + maxStats - 1) / maxStats
	s := &Stats{Min: math.Inf(1), Max: math.Inf(-1)}
	shape := x.Shape()
	index := make([]int, len(shape))
	var values []float64
	for i := 0; i < x.Numel(); i += step {
		for d, rest := len(shape)-1, i; d >= 0; d-- {
			index[d], rest = rest%shape[d], rest/shape[d]
		}
		n, _ := tensor.ScalarOf(x.At(index...))
		v := n.Float()
		switch {
		case math.IsNaN(v):
			s.NaN++
			continue
		case math.IsInf(v, 0):
			s.Inf++
			continue
		case v == 0:
			s.Zeros++
		}
		values = append(values, v)
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
	}
	if step > 1 {
		s.Sampled = (x.Numel() + step - 1) / step
	}
	if c.Stats = s; len(values) == 0 {
		s.Min, s.Max, s.Mean = 0, 0, 0
		return
	}
	s.moments(values)
	c.Histogram = s.histogram(values)
}

// moments computes mean and deviation, in units in which squares do not overflow.
func (s *Stats) moments(values []float64) {
	s.Finite = len(values)
	unit := 1.0
	if m := max(math.Abs(s.Min), math.Abs(s.Max)); m > 1e150 {
		unit = m
	}
	n := float64(len(values))
	mean, dev := 0.0, 0.0
	for _, v := range values {
		mean += v / unit / n
	}
	for _, v := range values {
		dev += (v/unit - mean) * (v/unit - mean)
	}
	most := func(f float64) float64 { return max(-math.MaxFloat64, min(f, math.MaxFloat64)) }
	s.Mean, s.Std = most(mean*unit), most(math.Sqrt(dev/max(1, n-1))*unit)
}

// histogram counts values in bins from Min to Max.
func (s *Stats) histogram(values []float64) []int {
	out := make([]int, bins)
	width := s.Max/2 - s.Min/2 // halved: it may be more than the largest number
	for _, v := range values {
		k := 0
		if width > 0 {
			k = max(0, min(bins-1, int((v/2-s.Min/2)/width*bins)))
		}
		out[k]++
	}
	return out
}

// facts are the lines beneath the text, with the histogram in block characters if spark is set.
func (c *TensorCard) facts(spark bool) []string {
	head := fmt.Sprintf("%s%v  stride %v", c.Dtype, c.Shape, c.Stride)
	if c.Offset != 0 {
		head += fmt.Sprintf("  offset %d", c.Offset)
	}
	head += fmt.Sprintf("  %s  %s  version %d  %s", c.Device, c.Layout, c.Version, bytesText(c.Bytes))
	if c.Name != "" {
		head = clip(c.Name, maxName) + "  " + head
	}
	lines := []string{head}
	if c.ViewOf != "" {
		lines = append(lines, fmt.Sprintf("view of %s: %d of %d elements", c.ViewOf, c.Numel, c.Held/max(1, c.ElementSize)))
	}
	if c.Grad != "" {
		lines = append(lines, c.Grad)
	}
	if s := c.Stats; s != nil {
		line := fmt.Sprintf("min %.4g  mean %.4g  max %.4g  std %.4g", s.Min, s.Mean, s.Max, s.Std)
		if s.Finite == 0 {
			line = "no finite elements"
		}
		if s.NaN > 0 {
			line += fmt.Sprintf("  NaN %d", s.NaN)
		}
		if s.Inf > 0 {
			line += fmt.Sprintf("  Inf %d", s.Inf)
		}
		if s.Zeros > 0 {
			line += fmt.Sprintf("  zeros %d", s.Zeros)
		}
		if s.Sampled > 0 {
			line += fmt.Sprintf("  (of %d elements)", s.Sampled)
		}
		if len(c.Histogram) > 0 && spark {
			line += "  " + sparkline(c.Histogram)
		}
		lines = append(lines, line)
	}
	return append(lines, c.Hints...)
}

// sparkline draws a histogram in block characters.
func sparkline(counts []int) string {
	blocks := []rune(" ▁▂▃▄▅▆▇█")
	top := 1
	for _, n := range counts {
		top = max(top, n)
	}
	out := make([]rune, len(counts))
	for i, n := range counts {
		k := n * 8 / top
		if n > 0 {
			k = max(k, 1)
		}
		out[i] = blocks[k]
	}
	return string(out)
}

// Text is the tensor's own text with the facts beneath.
func (c *TensorCard) Text(color bool) string {
	out := c.Body
	for _, l := range c.facts(true) {
		out += "\n" + dim(color, l)
	}
	return out
}

// String is the text without colour.
func (c *TensorCard) String() string { return c.Text(false) }

// SVG draws text and facts.
func (c *TensorCard) SVG() string {
	p := new(canvas)
	y := 18.0
	lines := strings.Split(c.Body, "\n")
	for i, l := range lines {
		if i == 60 {
			p.text(8, y, "start", "⋯ "+counted(len(lines)-i, "more line"), faint)
			y += 16
			break
		}
		p.text(8, y, "start", clip(l, 120), "")
		y += 16
	}
	p.path(fmt.Sprintf("M8 %sH%s", num(y-9), num(max(p.w, 240))), "currentColor", thin)
	y += 6
	for _, f := range c.facts(false) {
		p.text(8, y, "start", clip(f, 120), faint)
		y += 17
	}
	if len(c.Histogram) > 0 {
		c.bars(p, 8, y-8)
	}
	return p.alone("tensor " + clip(c.Name, maxName))
}

// bars draws the histogram, with its ends beneath.
func (c *TensorCard) bars(p *canvas, x, y float64) {
	const w, h = 12.0, 36.0
	top := 1
	for _, n := range c.Histogram {
		top = max(top, n)
	}
	step := c.Stats.Max/float64(len(c.Histogram)) - c.Stats.Min/float64(len(c.Histogram))
	p.group(filled(hue(0), 0.55))
	for i, n := range c.Histogram {
		high := h * float64(n) / float64(top)
		if n > 0 {
			high = max(high, 1.5)
		}
		p.box(x+float64(i)*w, y+h-high, w-1, high, "", fmt.Sprintf("%.4g to %.4g: %d", c.Stats.Min+float64(i)*step, c.Stats.Min+float64(i+1)*step, n))
	}
	p.end()
	end := x + w*float64(len(c.Histogram))
	p.path(fmt.Sprintf("M%s %sH%s", num(x), num(y+h+0.5), num(end)), "currentColor", thin)
	p.text(x, y+h+12, "start", fmt.Sprintf("%.4g", c.Stats.Min), small)
	p.text(end, y+h+12, "end", fmt.Sprintf("%.4g", c.Stats.Max), small)
}

// HTML is the tensor's text with its facts beneath, the histogram as bars.
func (c *TensorCard) HTML() string {
	var b strings.Builder
	body := c.Body
	if len(body) > maxPicture/2 {
		body = strings.ToValidUTF8(body[:maxPicture/2], "") + "⋯"
	}
	b.WriteString(`<pre style="margin:0;white-space:pre;overflow-x:auto">` + esc(body) + `</pre><div style="opacity:0.8;border-top:1px solid;margin-top:6px;padding-top:4px">`)
	for _, l := range c.facts(false) {
		b.WriteString(`<div style="white-space:pre-wrap">` + esc(l) + `</div>`)
	}
	if len(c.Histogram) > 0 {
		p := new(canvas)
		c.bars(p, 1, 4)
		b.WriteString(p.image("histogram"))
	}
	b.WriteString(`</div>`)
	return frame(b.String())
}

// MIMEBundle is the card in all forms. Its plain text is the tensor's own text alone, which is what a terminal shows.
func (c *TensorCard) MIMEBundle() map[string]any {
	return map[string]any{"text/plain": c.Body, "text/html": c.HTML()}
}

package visualize

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gotorch/autograd"
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
	Layout    string   `json:"layout"`           // contiguous, or how it is not
	Origin    string   `json:"origin,omitempty"` // the operator that made it a view, and where
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
	c.Origin = originText(x)
	if x.Device() != tensor.Meta && !x.Dtype().IsComplex() {
		c.measure(x)
	}
	if h := heldHint(x, live); h != "" {
		c.Hints = append(c.Hints, h)
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
			text = "grad_fn " + fn.Name()
			if n, ok := fn.(*autograd.Node); ok {
				if at := siteText(n.Site()); at != "" {
					text += " @ " + clip(at, maxName)
				}
			}
		case x.RequiresGrad():
			text = "leaf  requires grad"
		}
	})
	if err != nil {
		return "history is not available"
	}
	if g := x.Grad(); g != nil {
		text = strings.TrimPrefix(text+fmt.Sprintf("  grad* %s%v", g.Dtype(), g.Shape()), "  ")
	}
	return text
}

// originText tells how a view was made.
func originText(x *tensor.Tensor) string {
	o := x.Origin()
	if o == nil {
		return ""
	}
	if at := siteText(o.Site); at != "" {
		return o.Op + " @ " + clip(at, maxName)
	}
	return o.Op
}

// heldHint tells of a tensor that keeps a large storage alive of which little is used, by itself or with other names.
func heldHint(x *tensor.Tensor, live map[*tensor.Tensor]string) string {
	st := x.Storage()
	if st.Device() == tensor.Meta {
		return ""
	}
	covers := []cover{coverOf(x.Sizes(), x.Strides(), x.StorageOffset(), x.ElementSize())}
	_, own := covers[0].bytes()
	var others []string
	for y, n := range live {
		if y != x && y.Storage() == st && len(covers) < maxSharers {
			covers = append(covers, coverOf(y.Sizes(), y.Strides(), y.StorageOffset(), y.ElementSize()))
			others = append(others, clip(n, maxName))
		}
	}
	if _, most := coverage(covers, st.Nbytes()); !wastes(st.Nbytes(), most) {
		return ""
	}
	hint := fmt.Sprintf("keeps %s alive for %s: Clone() frees it", bytesText(st.Nbytes()), bytesText(own))
	if len(others) > 0 {
		slices.Sort(others)
		if len(others) > 3 {
			others = append(others[:3], fmt.Sprintf("%d more", len(others)-3))
		}
		hint += ", as soon as no other looks into it (now " + strings.Join(others, ", ") + ")"
	}
	return hint
}

// maxSharers is how many tensors are looked at in search of who else uses a storage.
const maxSharers = 200

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

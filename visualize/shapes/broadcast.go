package shapes

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Broadcasting shows shapes right-aligned, dimension by dimension: what is broadcast, with which stride, and where
// sizes do not meet.
type Broadcasting struct {
	Op       string         `json:"op,omitempty"` // of an error
	Dims     int            `json:"dims"`
	Target   string         `json:"target,omitempty"` // the tensor that is written to
	Operands []BroadcastRow `json:"operands"`
	More     int            `json:"more,omitempty"` // operands that are left out
	Last     string         `json:"last"`           // what the last row is called: result, into, joined
	Result   []int          `json:"result"`         // -1 where sizes do not meet
	// the dimension in which shapes may differ, when they are joined; -1 for none
	Free     int               `json:"free"`
	Elements string            `json:"elements,omitempty"`
	Clashes  []BroadcastClash  `json:"clashes,omitempty"`
	Hints    []BroadcastAdvice `json:"hints,omitempty"`
}

// BroadcastRow is one operand.
type BroadcastRow struct {
	Name   string          `json:"name"`
	Shape  []int           `json:"shape"`
	Stride []int           `json:"stride,omitempty"` // of the operand as it is, nil where it is not known
	Walked []int           `json:"walked,omitempty"` // the strides with which it is walked, one for each of Dims
	Cells  []BroadcastCell `json:"cells"`            // one for each of Dims
}

// BroadcastCell is one dimension of one operand.
type BroadcastCell struct {
	Size    int  `json:"size"`
	To      int  `json:"to"`                // the size that it is broadcast to
	Missing bool `json:"missing,omitempty"` // the operand has no such dimension
	Clash   bool `json:"clash,omitempty"`
}

// BroadcastClash is a dimension in which sizes do not meet.
type BroadcastClash struct {
	Dim  int    `json:"dim"`
	Text string `json:"text"`
}

// BroadcastAdvice is an expression that would do.
type BroadcastAdvice struct {
	Expr  string `json:"expr"`
	Shape []int  `json:"shape"`
	Gives []int  `json:"gives"`
}

// Limits of what is shown.
const (
	maxOperands = 12
	maxColumns  = 16
)

// Broadcast shows how the shapes of tensors are aligned when an operator takes them together: from the right,
// dimension by dimension; a size of 1, and a dimension that is missing, broadcast with a stride of 0, which reads the
// same element again. Where sizes do not meet, the view says so and what would help; it does not panic.
//
//	visualize.Broadcast(x, y)
func Broadcast(xs ...*tensor.Tensor) *Broadcasting {
	names := draw.Labels("Broadcast", draw.LiveNames(), xs)
	shapes, strides := make([][]int, len(xs)), make([][]int, len(xs))
	for i, x := range xs {
		if x == nil {
			panic(tensor.Errorf("broadcast", "tensor %d is nil", i))
		}
		shapes[i], strides[i] = x.Shape(), x.Stride()
	}
	return broadcasting("", "", names, shapes, strides, nil)
}

// broadcasting aligns shapes; strides and into may be nil.
func broadcasting(op string, target string, names []string, shapes, strides [][]int, into []int) *Broadcasting {
	b := &Broadcasting{Op: op, Target: target, Last: "result", Free: -1}
	for _, s := range shapes {
		b.Dims = max(b.Dims, len(s))
	}
	if into != nil {
		b.Last = "into"
		b.Dims = max(b.Dims, len(into))
	}
	b.align(names, shapes, strides, func(d int) int {
		size := 1
		for _, s := range shapes {
			if n := sizeAt(s, d, b.Dims); n != 1 {
				size = n
				break
			}
		}
		if into != nil {
			if k := d - b.Dims + len(into); k < 0 {
				return 0 // no such dimension; nothing fits
			} else if into[k] >= 0 {
				return into[k]
			}
		}
		return size
	})
	if into != nil {
		for d, lead := 0, b.Dims-len(into); d < lead; d++ {
			b.Result[d] = -1
		}
	}
	if len(b.Clashes) == 0 {
		b.Elements = elementsText(b.Result)
	}
	b.shorten()
	return b
}

// align fills the rows; want gives the size of a dimension that operands must have or broadcast to.
func (b *Broadcasting) align(names []string, shapes, strides [][]int, want func(d int) int) {
	b.Result = make([]int, b.Dims)
	for i, s := range shapes {
		r := BroadcastRow{Name: draw.Clip(names[i], draw.MaxName), Shape: slices.Clone(s),
			Cells: make([]BroadcastCell, b.Dims)}
		if strides != nil {
			r.Stride, r.Walked = strides[i], make([]int, b.Dims)
		}
		b.Operands = append(b.Operands, r)
	}
	for d := range b.Dims {
		to, clash := want(d), false
		b.Result[d] = to
		for i := range b.Operands {
			r := &b.Operands[i]
			c := BroadcastCell{Size: sizeAt(r.Shape, d, b.Dims), To: to}
			k := d - b.Dims + len(r.Shape)
			c.Missing = k < 0
			switch {
			case c.Size != to && c.Size != 1 && d != b.Free:
				clash = true
			case r.Walked != nil && !c.Missing && c.Size == to:
				r.Walked[d] = r.Stride[k]
			}
			r.Cells[d] = c
		}
		if clash {
			b.clash(d)
		}
	}
}

// clash notes that sizes do not meet in dimension d.
func (b *Broadcasting) clash(d int) {
	var says []string
	first, count := map[int]string{}, map[int]int{}
	var sizes []int
	for i := range b.Operands {
		r := &b.Operands[i]
		r.Cells[d].To = r.Cells[d].Size // nothing is broadcast in this dimension
		if c := &r.Cells[d]; c.Size != 1 {
			c.Clash = true
			if count[c.Size]++; count[c.Size] == 1 {
				first[c.Size] = r.Name
				sizes = append(sizes, c.Size)
			}
		}
	}
	for _, n := range sizes[:min(len(sizes), 6)] {
		text := fmt.Sprintf("%s has %d", first[n], n)
		if count[n] > 1 && len(b.Operands) > 2 {
			text += fmt.Sprintf(" (and %d more)", count[n]-1)
		}
		says = append(says, text)
	}
	text := fmt.Sprintf("dim %d: %s", d, strings.Join(says, ", "))
	if b.Last == "into" {
		if b.Result[d] == 0 {
			text += ", " + b.wanted() + " has none"
		} else {
			text += fmt.Sprintf(", %s has %d", b.wanted(), b.Result[d])
		}
	} else {
		b.Result[d] = -1
	}
	b.Clashes = append(b.Clashes, BroadcastClash{d, text})
}

func (b *Broadcasting) wanted() string {
	if b.Target != "" {
		return b.Target
	}
	return "the shape wanted"
}

// sizeAt is the size of dimension d of dims of a shape that is aligned at the right, 1 where it is missing.
func sizeAt(shape []int, d, dims int) int {
	if k := d - dims + len(shape); k >= 0 {
		return shape[k]
	}
	return 1
}

// MaxCount bounds numbers of elements and bytes, so that sums of two cannot overflow.
const MaxCount = math.MaxInt/2 + 1

// elementsText is how many elements a shape has.
func elementsText(shape []int) string {
	n := 1
	for _, s := range shape {
		if s > 0 && n > MaxCount/s {
			return fmt.Sprintf("more than 2^%d elements", bits.Len(MaxCount)-1)
		}
		n *= s
	}
	return draw.Counted(n, "element")
}

// shorten leaves out what there is no room for: operands in the middle, those that clash kept.
func (b *Broadcasting) shorten() {
	if len(b.Operands) <= maxOperands {
		return
	}
	var kept []BroadcastRow
	seen := map[string]bool{}
	for i, r := range b.Operands {
		clash := slices.ContainsFunc(r.Cells, func(c BroadcastCell) bool { return c.Clash })
		if key := fmt.Sprint(r.Shape); i < maxOperands/2 || clash && !seen[key] && len(kept) < maxOperands {
			seen[key] = true
			kept = append(kept, r)
		}
	}
	b.More = len(b.Operands) - len(kept)
	b.Operands = kept
}

// advise looks for a way to make two operands broadcast: dimensions of size 1 put into the one that has fewer, or a
// transposition.
func (b *Broadcasting) advise() {
	if len(b.Clashes) == 0 || len(b.Operands) != 2 || b.More > 0 || b.Dims > 8 {
		return
	}
	x, y := b.Operands[0], b.Operands[1]
	if len(x.Shape) < len(y.Shape) {
		x, y = y, x
	}
	if len(x.Shape) > len(y.Shape) {
		for _, shape := range spread(y.Shape, len(x.Shape)) {
			if gives, ok := together(x.Shape, shape); ok && len(b.Hints) < 2 {
				b.Hints = append(b.Hints, BroadcastAdvice{reshaping(y.Name, y.Shape, shape), shape, gives})
			}
		}
		return
	}
	for _, p := range [][2]BroadcastRow{{x, y}, {y, x}} {
		if n := len(p[1].Shape); n >= 2 && len(b.Hints) == 0 {
			shape := slices.Clone(p[1].Shape)
			shape[n-1], shape[n-2] = shape[n-2], shape[n-1]
			if gives, ok := together(p[0].Shape, shape); ok {
				call := ".T()"
				if n > 2 {
					call = ".MT()"
				}
				b.Hints = append(b.Hints, BroadcastAdvice{called(p[1].Name) + call, shape, gives})
			}
		}
	}
	if n := len(x.Shape); n == 1 { // each with each
		b.Hints = append(b.Hints, BroadcastAdvice{called(x.Name) + ".Unsqueeze(1)", []int{x.Shape[0], 1},
			[]int{x.Shape[0], y.Shape[0]}})
	}
}

// spread returns the shapes of dims dimensions that shape becomes by putting sizes of 1 between and behind its own.
func spread(shape []int, dims int) (all [][]int) {
	if len(shape) == dims {
		return [][]int{slices.Clone(shape)}
	}
	if len(shape) == 0 {
		return [][]int{slices.Repeat([]int{1}, dims)}
	}
	for _, rest := range spread(shape, dims-1) {
		all = append(all, append([]int{1}, rest...))
	}
	for _, rest := range spread(shape[1:], dims-1) {
		all = append(all, append([]int{shape[0]}, rest...))
	}
	return all
}

// together is the shape that a and b broadcast to.
func together(a, b []int) ([]int, bool) {
	out := make([]int, max(len(a), len(b)))
	for d := range out {
		x, y := sizeAt(a, d, len(out)), sizeAt(b, d, len(out))
		if x != y && x != 1 && y != 1 {
			return nil, false
		}
		if out[d] = x; x == 1 {
			out[d] = y
		}
	}
	return out, true
}

// reshaping is the call that gives a tensor of a shape further dimensions of size 1.
func reshaping(name string, shape, to []int) string {
	at := 0
	for at < len(to) && to[at] == 1 {
		at++ // those in front are there by themselves
	}
	to = to[at:]
	for d := len(to) - 1; d >= 0 && len(to) == len(shape)+1; d-- {
		if to[d] == 1 && slices.Equal(slices.Delete(slices.Clone(to), d, d+1), shape) {
			return fmt.Sprintf("%s.Unsqueeze(%d)", called(name), d)
		}
	}
	return fmt.Sprintf("%s.View(%s)", called(name), draw.Join(to, ", "))
}

// called is a name on which a method can be called.
func called(name string) string {
	if strings.ContainsAny(name, " +-*/@") && !draw.Balanced(name) {
		return "(" + name + ")"
	}
	return name
}

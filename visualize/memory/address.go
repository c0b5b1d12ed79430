package memory

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// ElementAddress tells where one element of a tensor lies: offset plus index times stride, dimension by dimension.
type ElementAddress struct {
	Name   string        `json:"name"`
	Index  []int         `json:"index"`
	Dtype  string        `json:"dtype"`
	Size   int           `json:"size"` // bytes of an element
	Offset int           `json:"offset"`
	Terms  []AddressTerm `json:"terms"`
	At     int           `json:"at"`   // in elements of the storage
	Byte   int           `json:"byte"` // in bytes
	Value  string        `json:"value,omitempty"`
	Sum    string        `json:"sum"` // in one line
	Map    *StrideMap    `json:"map"`
}

// AddressTerm is what one dimension adds.
type AddressTerm struct {
	Dim    int `json:"dim"`
	Index  int `json:"index"`
	Stride int `json:"stride"`
	Adds   int `json:"adds"` // elements
	At     int `json:"at"`   // the sum so far
}

// Address explains where the element of x at an index lies: its offset and what each dimension adds to it, in
// elements and in bytes, and the place in the storage. The index has a number for each dimension; a negative one
// counts from the end.
//
//	visualize.Address(x, 0, 1, 2)
//
// It panics for an index out of range, and for one of another length than x has dimensions.
func Address(x *tensor.Tensor, index ...int) *ElementAddress {
	if x == nil {
		panic(tensor.Errorf("address", "the tensor is nil").OnArg("x"))
	}
	tensor.RequireStrided("address", x)
	name := draw.LabelOf("Address", x)
	shape := x.Shape()
	if len(index) != len(shape) {
		panic(tensor.Errorf("address", "%s has %s %v, the index has %s", draw.Clip(name, draw.MaxName),
			draw.Counted(len(shape), "dimension"), shape,
			draw.Counted(len(index),
				"number")).OnArg("index").WithHint("write a number for each dimension: visualize.Address(x, 0, 1)"))
	}
	index = slices.Clone(index)
	for d, i := range index {
		if i < -shape[d] || i >= shape[d] {
			panic(tensor.Errorf("address", "index %d is out of range for dimension %d, which has size %d, of %s", i, d,
				shape[d],
				draw.Clip(name, draw.MaxName)).OnArg("index"))
		}
		if i < 0 {
			index[d] += shape[d]
		}
	}
	a := &ElementAddress{Name: name, Index: index, Dtype: x.Dtype().String(), Size: x.ElementSize(),
		Offset: x.StorageOffset(), At: x.StorageOffset(),
		Sum: example(x, name, index)}
	for d, i := range index {
		stride := x.Stride()[d]
		a.At += i * stride
		a.Terms = append(a.Terms, AddressTerm{Dim: d, Index: i, Stride: stride, Adds: i * stride, At: a.At})
	}
	a.Byte = a.At * a.Size
	if !x.Device().Virtual() {
		a.Value = draw.ShortValue(x.At(index...))
	}
	views := []view{{x: x, name: name, index: index}}
	s := mapOf(x.Storage(), views, maxCells)
	s.fill(views, x.Storage())
	a.Map = &StrideMap{Storages: []StorageMap{s}}
	return a
}

// table is the sum in rows.
func (a *ElementAddress) table() *draw.Tabular {
	t := &draw.Tabular{Head: []string{"", "index · stride", "adds", "so far", "in bytes"}}
	row := func(cells ...string) { t.Rows = append(t.Rows, cells) }
	row("offset", "", fmt.Sprint(a.Offset), fmt.Sprint(a.Offset), fmt.Sprintf("+%d", a.Offset*a.Size))
	for _, k := range a.Terms {
		row(fmt.Sprintf("dim %d", k.Dim), fmt.Sprintf("%d · %d", k.Index, k.Stride), fmt.Sprintf("%+d", k.Adds),
			fmt.Sprint(k.At), fmt.Sprintf("+%d", k.At*a.Size))
	}
	return t
}

// place is the last line of the sum.
func (a *ElementAddress) place() string {
	s := &a.Map.Storages[0]
	t := fmt.Sprintf("element %d of the storage, bytes %d to %d of %s", a.At, a.Byte, a.Byte+a.Size-1,
		bytesize.Text(s.Bytes))
	if a.Value != "" {
		t += ": " + a.Value
	}
	return t
}

// Text is the sum, term by term, above the map of the storage.
func (a *ElementAddress) Text(color bool) string {
	lines := []string{draw.Bold(color, a.Sum)}
	lines = append(lines, a.table().Text("  ", color)...)
	lines = append(lines, "  "+a.place(), "", a.Map.Text(color))
	return strings.Join(lines, "\n")
}

// String is the text without colour.
func (a *ElementAddress) String() string { return a.Text(false) }

// picture draws the sum as bars on the storage, and the map beneath.
func (a *ElementAddress) picture() *draw.Canvas {
	c := new(draw.Canvas)
	top := c.Sentence(8, 18, draw.Clip(a.Sum, maxSum), draw.Strong) + 22
	y := a.table().Draw(c, 24, top)
	y = max(y, a.drawBars(c, c.W+24, top)+16)
	y = c.Sentence(8, y, a.place(), "") + 34
	for i := range a.Map.Storages {
		y = a.Map.Storages[i].draw(c, y, true) + 30
	}
	return c
}

// drawBars draws what each term adds, to the scale of the storage, and returns where it ends.
func (a *ElementAddress) drawBars(c *draw.Canvas, x, y float64) (bottom float64) {
	wide := max(80, min(220, draw.NarrowWidth-16-x))
	count := float64(max(1, a.Map.Storages[0].Bytes/max(1, a.Size)))
	place := func(at int) float64 { return x + wide*float64(at)/count }
	from := 0
	for k := -1; k < len(a.Terms); k++ {
		to := a.Offset
		if k >= 0 {
			to = a.Terms[k].At
		}
		y += draw.LineHeight - 2
		c.Path(fmt.Sprintf("M%s %sh%s", draw.Num(x), draw.Num(y-4), draw.Num(wide)), "currentColor", `stroke-opacity="0.3"`)
		lo, hi := min(place(from), place(to)), max(place(from), place(to))
		mark := draw.MarkBytes(a.Map.Storages[0].ID, to*a.Size, a.Size)
		c.Box(lo, y-9, max(hi-lo, 2), 10, draw.Filled(draw.Hue(k+1), 0.5)+" "+mark, fmt.Sprintf("%d to %d", from, to))
		from = to
	}
	c.Grow(x+wide, y)
	c.Text(x, y+16, "start", "to the scale of the storage", draw.Small)
	return y + 16
}

// SVG draws the sum and the map.
func (a *ElementAddress) SVG() string { return a.picture().Alone("address of an element") }

// HTML is the picture, with its text beneath.
func (a *ElementAddress) HTML() string {
	return draw.Pictured(a.picture(), "address of an element", a.Text(false))
}

// MIMEBundle is the address in all forms.
func (a *ElementAddress) MIMEBundle() map[string]any { return draw.Bundle(a) }

// Caption says the sum and what it finds.
func (a *ElementAddress) Caption() string {
	terms := []string{fmt.Sprint(a.Offset)}
	for _, t := range a.Terms {
		terms = append(terms, fmt.Sprintf("%d·%d", t.Index, t.Stride))
	}
	text := fmt.Sprintf("The element at [%s] of %s is the one at place %d of the storage, because %s is %d; that is "+
		"%s from the beginning", draw.Join(a.Index, ","), a.Name, a.At, strings.Join(terms, " + "), a.At,
		draw.Counted(a.Byte, "byte"))
	if len(a.Index) == 0 {
		text = fmt.Sprintf("%s is a single number, the one at place %d of the storage, %s from the beginning", a.Name, a.At,
			draw.Counted(a.Byte, "byte"))
	}
	if a.Value != "" {
		text += fmt.Sprintf(", and what lies there is %s", a.Value)
	}
	return text + "."
}

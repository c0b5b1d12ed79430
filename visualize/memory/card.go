package memory

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/autograd"
	"gotorch/internal/bytesize"
	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/plot"
)

// TensorCard is a tensor's text, what it is, and what its elements are like.
type TensorCard struct {
	Name      string      `json:"name,omitempty"`
	Body      string      `json:"text"`
	Shape     []int       `json:"shape"`
	Stride    []int       `json:"stride"`
	Offset    int         `json:"offset"`
	Dtype     string      `json:"dtype"`
	Device    string      `json:"device"`
	Version   uint32      `json:"version"`
	Numel     int         `json:"numel"`
	Bytes     int         `json:"bytes"` // that its elements lie in: fewer than Numel have where indices share elements
	Storage   uint64      `json:"storage"`
	Held      int         `json:"held"` // bytes of the storage
	ViewOf    string      `json:"view_of,omitempty"`
	Layout    string      `json:"layout"`           // contiguous, or how it is not
	Origin    string      `json:"origin,omitempty"` // the operator that made it a view, and where
	Grad      string      `json:"grad"`
	Stats     *draw.Stats `json:"stats,omitempty"`
	Histogram []int       `json:"histogram,omitempty"`
	Hints     []string    `json:"hints,omitempty"`
	Sparse    *SparsePart `json:"sparse,omitempty"` // of a sparse tensor, which has no strides

	Modulus     bool          `json:"modulus,omitempty"` // Stats and Histogram are of absolute values: x is complex
	Real        *draw.Stats   `json:"real,omitempty"`
	Imag        *draw.Stats   `json:"imag,omitempty"`
	Thumb       *plot.Picture `json:"thumb,omitempty"` // of an image
	ElementSize int           `json:"element_size"`

	Places *draw.Elements `json:"places,omitempty"` // where the elements are
}

// Card shows a tensor: PyTorch's text, its metadata, a histogram, and whether it keeps more memory alive than it
// shows.
func Card(x *tensor.Tensor) *TensorCard { return CardAround(x, "") }

// CardAround is [Card] for one who has the text of x already; an empty text is not known.
func CardAround(x *tensor.Tensor, text string) *TensorCard {
	if x == nil {
		panic(tensor.Errorf("card", "the tensor is nil"))
	}
	st := x.Storage()
	live := draw.LiveNames()
	c := &TensorCard{Name: live[x], Body: Body(x, text), Shape: x.Shape(), Stride: x.Stride(), Offset: x.StorageOffset(),
		Dtype:  x.Dtype().String(),
		Device: x.Device().String(), Version: x.Version(), Numel: x.Numel(), Bytes: x.Numel() * x.Dtype().Size(),
		Storage: st.ID(), Held: st.Nbytes(), ElementSize: x.Dtype().Size(),
		Places: draw.ElementsOf(x)}
	if b := x.Base(); b != nil {
		c.ViewOf = live[b]
		if c.ViewOf == "" {
			c.ViewOf = fmt.Sprintf("storage #%d", st.ID())
		}
	}
	own := coverOf(x.Sizes(), x.Strides(), x.StorageOffset(), x.ElementSize())
	if _, most := own.bytes(); most < c.Bytes {
		c.Bytes = most
	}
	c.Layout = layoutOf(x)
	c.Grad = gradText(x)
	c.Origin = originText(x)
	switch {
	case x.Device().Virtual():
	case isSparse(x):
		c.Layout = x.Layout().String()
		c.sparsePart(x)
	case x.Wrapper() != nil:
		c.Layout = "wrapper"
		tensor.Try(func() { c.Stats, c.Histogram = draw.StatsOf(x.Dense()) })
	case x.Dtype().IsComplex():
		c.measureComplex(x)
	default:
		c.Stats, c.Histogram = draw.StatsOf(x)
		tensor.Try(func() { c.Thumb = plot.Thumbnail(x) })
	}
	if h := heldHint(x, live); h != "" {
		c.Hints = append(c.Hints, h)
	}
	return c
}

// measureComplex looks at the absolute values and at both parts of complex elements.
func (c *TensorCard) measureComplex(x *tensor.Tensor) {
	if x.Numel() < 2 {
		return
	}
	tensor.Try(func() {
		plain := tensor.FromStorage("card", x.Storage(), x.Shape(), x.Stride(), x.StorageOffset(), x.Dtype())
		c.Modulus = true
		c.Stats, c.Histogram = draw.StatsOf(plain.Abs())
		parts := tensor.ViewAsReal(plain.Contiguous())
		c.Real, _ = draw.StatsOf(parts.Select(-1, 0).Contiguous())
		c.Imag, _ = draw.StatsOf(parts.Select(-1, 1).Contiguous())
	})
}

// maxBody is how many elements the text of a tensor may have before the card shows a part of it: beyond, even
// PyTorch's summary is long.
const (
	maxBody = 1500
	maxPart = 200
)

// Body is the tensor's text: text, where that is known and x is small. Of many dimensions the leading ones are fixed
// until the text is short.
func Body(x *tensor.Tensor, text string) string {
	shape := x.Shape()
	if x.Device().Virtual() || x.Wrapper() != nil || isSparse(x) || printed(shape, x.Numel()) <= maxBody {
		if text != "" {
			return text
		}
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
				if at := draw.SiteText(n.Site()); at != "" {
					text += " @ " + draw.Clip(at, draw.MaxName)
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
	if at := draw.SiteText(o.Site); at != "" {
		return o.Op + " @ " + draw.Clip(at, draw.MaxName)
	}
	return o.Op
}

// heldHint is the remark on a tensor that keeps a large storage alive of which little is used, by itself or with other
// names.
func heldHint(x *tensor.Tensor, live map[*tensor.Tensor]string) string {
	st := x.Storage()
	if st.Device().Virtual() {
		return ""
	}
	covers := []cover{coverOf(x.Sizes(), x.Strides(), x.StorageOffset(), x.ElementSize())}
	_, own := covers[0].bytes()
	var others []string
	for y, n := range live {
		if y != x && y.Storage() == st && len(covers) < maxSharers {
			covers = append(covers, coverOf(y.Sizes(), y.Strides(), y.StorageOffset(), y.ElementSize()))
			others = append(others, draw.Clip(n, draw.MaxName))
		}
	}
	if _, most := coverage(covers, st.Nbytes()); !wastes(st.Nbytes(), most) {
		return ""
	}
	hint := fmt.Sprintf("keeps %s alive for %s: Clone() frees it", bytesize.Text(st.Nbytes()), bytesize.Text(own))
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

// SparsePart is what a card says of a sparse tensor.
type SparsePart struct {
	Layout    string  `json:"layout"`
	Nnz       int     `json:"nnz"`     // values that it keeps, each a block where there are dense dimensions
	Places    int     `json:"places"`  // that indices can name
	Density   float64 `json:"density"` // nnz to places; above 1 where indices are there more than once
	SparseDim int     `json:"sparse_dim"`
	DenseDim  int     `json:"dense_dim"`
	Coalesced bool    `json:"coalesced"`
	Spy       *Spy    `json:"spy,omitempty"`
}

// Spy is where a sparse tensor has values: how many fall into each cell of a grid. Its rows are the first dimension,
// its columns all other sparse ones.
type Spy struct {
	Rows  int     `json:"rows"` // of the matrix
	Cols  int     `json:"cols"`
	Count [][]int `json:"count"`
}

const (
	spyRows = 32
	spyCols = 64
)

// isSparse reports whether the elements of x do not lie in a storage because it is sparse.
func isSparse(x *tensor.Tensor) bool { return x.Layout() >= tensor.SparseCOO }

// sparsePart measures a sparse tensor.
func (c *TensorCard) sparsePart(x *tensor.Tensor) {
	ix := tensor.Pattern(x)
	p := &SparsePart{Layout: x.Layout().String(), Nnz: x.Nnz(), Places: 1, SparseDim: x.SparseDim(),
		DenseDim:  x.DenseDim(),
		Coalesced: !x.IsSparse() || x.IsCoalesced()}
	for _, n := range c.Shape[:p.SparseDim] {
		p.Places *= n
	}
	if p.Places > 0 {
		p.Density = float64(p.Nnz) / float64(p.Places)
	}
	block := 1
	for _, n := range c.Shape[p.SparseDim:] {
		block *= n
	}
	indices := 8 * p.SparseDim * p.Nnz
	switch x.Layout() {
	case tensor.SparseCSR:
		indices = 8 * (p.Nnz + c.Shape[0] + 1)
	case tensor.SparseCSC:
		indices = 8 * (p.Nnz + c.Shape[1] + 1)
	}
	c.Bytes = indices + p.Nnz*block*c.ElementSize
	if p.SparseDim > 0 && p.Places > 0 {
		p.Spy = spyOf(c.Shape[:p.SparseDim], tensor.Data[int64](ix), p.Nnz)
	}
	c.Sparse = p
	tensor.Try(func() {
		y := x.Detach()
		if y.IsSparse() {
			y = y.Coalesce()
		}
		if v := y.Values(); v.Numel() > 1 && !v.Dtype().IsComplex() {
			c.Stats, c.Histogram = draw.StatsOf(v.Contiguous())
		}
	})
}

// spyOf counts the values in each cell.
func spyOf(size []int, ix []int64, nnz int) *Spy {
	s := &Spy{Rows: size[0], Cols: 1}
	for _, n := range size[1:] {
		s.Cols *= n
	}
	if len(size) == 1 { // a vector lies down
		s.Rows, s.Cols = 1, size[0]
	}
	rows, cols := min(s.Rows, spyRows), min(s.Cols, spyCols)
	s.Count = make([][]int, rows)
	for i := range s.Count {
		s.Count[i] = make([]int, cols)
	}
	for k := range nnz {
		at := 0
		for d, n := range size {
			at = at*n + int(ix[d*nnz+k])
		}
		s.Count[at/s.Cols*rows/s.Rows][at%s.Cols*cols/s.Cols]++
	}
	return s
}

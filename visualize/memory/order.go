package memory

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// MemoryOrder shows walks through memory: which addresses an inner loop touches, in the order in which it touches
// them, and what that asks of a cache.
type MemoryOrder struct {
	Line   int    `json:"line"`   // bytes of a cache line
	Caches []int  `json:"caches"` // how many lines the model's caches hold
	Walks  []Walk `json:"walks"`
	More   int    `json:"more,omitempty"` // walks that are left out
}

// Walk is one walk over all elements of a tensor.
type Walk struct {
	Name    string     `json:"name"`
	Loop    string     `json:"loop"` // what the loops are, and the first elements
	Shape   []int      `json:"shape"`
	Stride  []int      `json:"stride"`
	Offset  int        `json:"offset"`
	Dtype   string     `json:"dtype"`
	ID      uint64     `json:"id"`      // of the storage
	Size    int        `json:"size"`    // bytes of an element
	Storage int        `json:"storage"` // bytes of the storage
	Numel   int        `json:"numel"`
	Counted int        `json:"counted"` // the steps from the beginning that are counted below
	Lines   []WalkLine `json:"lines"`   // that are shown, by address
	Path    [][2]int   `json:"path"`    // the first steps, as line and cell among those shown
	Left    int        `json:"left,omitempty"`
	Hops    []Hop      `json:"hops"`    // the steps by frequency
	Kinds   int        `json:"kinds"`   // how many kinds of steps there are
	Jumps   int        `json:"jumps"`   // steps into a line that is neither the last one nor beside it
	Touched int        `json:"touched"` // lines
	Used    int        `json:"used"`    // bytes of the lines that are touched
	Fetched []int      `json:"fetched"` // lines, for each of the caches
}

// WalkLine is a cache line, with the number of the step that first touches each of its cells; "" is never, and 3×2 is
// twice, first by step 3.
type WalkLine struct {
	At    int      `json:"at"` // the number of the line, from the beginning of the storage
	Cells []string `json:"cells"`
}

// Hop is a distance between one element of a walk and the next.
type Hop struct {
	Bytes int `json:"bytes"`
	Times int `json:"times"`
}

const (
	cacheLine   = 64
	maxSteps    = 16384 // that are counted of one walk
	maxWalks    = 4
	walkCells   = 640 // of all walks
	longLines   = 8   // of a storage that is not shown whole
	maxPath     = 96
	maxHops     = 3
	cellsAcross = 16 // a line of more cells takes several rows
)

// cacheSizes are the caches of the model, in lines: one so small that the tensors on a page do not fit, and one as a
// processor core has it.
var cacheSizes = []int{8, 512}

// Order shows the order in which the elements of a tensor are touched in memory. For one tensor, each dimension in
// turn is the innermost loop: a matrix is walked row by row, as the sums of its rows are taken, and column by column.
// Several tensors are each walked in the order of their indices, the last dimension inside:
//
//	visualize.Order(x)                                            // rows beside columns
//	visualize.Order(x, x.Contiguous(opt.MemoryFormat(tensor.ChannelsLast)))
//
// Lines of 64 bytes are counted as a cache fetches them that holds 8 lines, or 512, and gives up the line that was
// not used for longest; the storage is taken to begin a line. The loops are the plain ones. What a kernel makes of
// them is in [Plans].
func Order(xs ...*tensor.Tensor) *MemoryOrder {
	m := &MemoryOrder{Line: cacheLine, Caches: cacheSizes}
	names := draw.Labels("Order", draw.LiveNames(), xs)
	type walk struct{ x, inner int }
	var walks []walk
	for i, x := range xs {
		if x == nil {
			panic(tensor.Errorf("order", "tensor %d is nil", i))
		}
		tensor.RequireStrided("order", x)
		last := x.Dim() - 1
		walks = append(walks, walk{i, last})
		for d := last - 1; d >= 0 && len(xs) == 1; d-- {
			if x.Size(d) > 1 {
				walks = append(walks, walk{i, d})
			}
		}
	}
	m.More = max(0, len(walks)-maxWalks)
	walks = walks[:len(walks)-m.More]
	for _, w := range walks {
		m.Walks = append(m.Walks, walkOf(xs[w.x], names[w.x], w.inner, walkCells/len(walks)))
	}
	return m
}

// walkOf walks x with dimension inner inside, and shows lines of at most most cells.
func walkOf(x *tensor.Tensor, name string, inner, most int) Walk {
	size := x.Dtype().Size()
	w := Walk{Name: draw.Clip(name, draw.MaxName), Shape: x.Shape(), Stride: x.Stride(), Offset: x.StorageOffset(),
		Dtype: x.Dtype().String(), Size: size,
		ID: x.Storage().ID(), Storage: x.Storage().Nbytes(), Numel: x.Numel(), Counted: min(x.Numel(), maxSteps),
		Fetched: make([]int, len(cacheSizes))}
	order := make([]int, 0, len(w.Shape)) // slowest first
	for d := range w.Shape {
		if d != inner {
			order = append(order, d)
		}
	}
	if inner >= 0 {
		order = append(order, inner)
	}
	at := w.addresses(order)
	w.Loop = w.loop(order)
	w.count(at)
	w.show(at, max(2, most*size/cacheLine))
	return w
}

// addresses are the first elements of the walk, by their place in the storage.
func (w *Walk) addresses(order []int) []int {
	at := make([]int, w.Counted)
	index := make([]int, len(order))
	off := w.Offset
	for i := range at {
		at[i] = off
		for k := len(order) - 1; k >= 0; k-- {
			d := order[k]
			index[k]++
			off += w.Stride[d]
			if index[k] < w.Shape[d] {
				break
			}
			off -= index[k] * w.Stride[d]
			index[k] = 0
		}
	}
	return at
}

// loop says what the loops are: row by row (dim 1 inside, as Sum(1)): [0,0] [0,1] [0,2] ….
func (w *Walk) loop(order []int) string {
	n := len(order)
	if n == 0 {
		return "one element"
	}
	text := fmt.Sprintf("dim %d inside", order[n-1])
	if n == 2 {
		way := []string{"column by column", "row by row"}[order[1]]
		text = fmt.Sprintf("%s (%s, as in Sum(%d))", way, text, order[1])
	}
	var first []string
	index := make([]int, n)
	for range min(3, w.Numel) {
		first = append(first, "["+draw.Join(index, ",")+"]")
		for k := n - 1; k >= 0; k-- {
			d := order[k]
			if index[d]++; index[d] < w.Shape[d] {
				break
			}
			index[d] = 0
		}
	}
	if w.Numel > len(first) {
		first = append(first, "…")
	}
	return text + ": " + strings.Join(first, " ")
}

// count counts steps and lines.
func (w *Walk) count(at []int) {
	hops, seen, lines := map[int]int{}, map[int]bool{}, map[int]bool{}
	for i, a := range at {
		seen[a] = true
		l := floorDiv(a*w.Size, cacheLine)
		lines[l] = true
		if i > 0 {
			hops[(a-at[i-1])*w.Size]++
			if draw.Abs(l-floorDiv(at[i-1]*w.Size, cacheLine)) > 1 {
				w.Jumps++
			}
		}
	}
	w.Touched, w.Used, w.Kinds = len(lines), len(seen)*w.Size, len(hops)
	for b, n := range hops {
		w.Hops = append(w.Hops, Hop{b, n})
	}
	slices.SortFunc(w.Hops, func(a, b Hop) int {
		if a.Times != b.Times {
			return b.Times - a.Times
		}
		return a.Bytes - b.Bytes
	})
	w.Hops = w.Hops[:min(len(w.Hops), maxHops)]
	for i, n := range cacheSizes {
		c := newCache(n)
		for _, a := range at {
			c.touch(floorDiv(a*w.Size, cacheLine))
		}
		w.Fetched[i] = c.fetched
	}
}

// show chooses at most most lines: all of the storage, or those that the walk comes to first.
func (w *Walk) show(at []int, most int) {
	per := cacheLine / w.Size
	all := (w.Storage + cacheLine - 1) / cacheLine
	index := map[int]int{}
	var lines []int
	if all <= most {
		for l := range all {
			index[l] = l
			lines = append(lines, l)
		}
	}
	if all > most {
		most = min(most, longLines)
	}
	numbered := len(at)
	for i, a := range at {
		l := floorDiv(a, per)
		if _, ok := index[l]; ok {
			continue
		}
		if len(lines) == most {
			numbered = i
			break
		}
		index[l] = 0
		lines = append(lines, l)
	}
	slices.Sort(lines)
	for i, l := range lines {
		index[l] = i
		w.Lines = append(w.Lines, WalkLine{At: l, Cells: make([]string, max(0, min(per, w.Storage/w.Size-l*per)))})
	}
	type visit struct{ first, times int }
	visits := map[int]visit{}
	for i, a := range at[:numbered] {
		v := visits[a]
		if v.times == 0 {
			v.first = i + 1
		}
		v.times++
		visits[a] = v
		if i < maxPath {
			w.Path = append(w.Path, [2]int{index[floorDiv(a, per)], a - floorDiv(a, per)*per})
		}
	}
	for a, v := range visits {
		label := fmt.Sprint(v.first)
		if v.times > 1 {
			label += fmt.Sprintf("×%d", v.times)
		}
		w.Lines[index[floorDiv(a, per)]].Cells[a-floorDiv(a, per)*per] = label
	}
	w.Left = w.Numel - numbered
}

// cache is a cache of lines that gives up the one that was not used for longest.
type cache struct {
	room, fetched int
	place         map[int]int // line -> entry
	line          []int
	newer, older  []int // a ring through entry 0, which stands for no line
}

func newCache(room int) *cache {
	return &cache{room: room, place: map[int]int{}, line: []int{0}, newer: []int{0}, older: []int{0}}
}

// touch uses a line, and fetches it if it is not there.
func (c *cache) touch(line int) {
	newest := c.older[0]
	if newest != 0 && c.line[newest] == line {
		return
	}
	e, ok := c.place[line]
	switch {
	case ok:
		c.unlink(e)
	case len(c.line) <= c.room:
		c.fetched++
		e = len(c.line)
		c.line, c.newer, c.older = append(c.line, line), append(c.newer, 0), append(c.older, 0)
	default:
		c.fetched++
		e = c.newer[0] // the oldest
		delete(c.place, c.line[e])
		c.unlink(e)
	}
	c.line[e], c.place[line] = line, e
	newest = c.older[0]
	c.newer[e], c.older[e] = 0, newest
	c.newer[newest], c.older[0] = e, e
}

func (c *cache) unlink(e int) {
	c.newer[c.older[e]], c.older[c.newer[e]] = c.newer[e], c.older[e]
}

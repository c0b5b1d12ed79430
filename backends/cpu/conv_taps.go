package cpu

import (
	"math"
	"unsafe"

	"gotorch/internal/gemm"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

const (
	tapBlock   = 288 // taps of all channels that are summed at a time: what they read stays in the first-level cache
	tileBlock  = 8   // tiles beside each other that are written at a time
	fewFilters = 2   // filters up to which rows of outputs are computed by kernels for one filter
	rowCopy    = 50  // products that take as long as to copy one output
	imageSlack = 64  // elements behind an image that kernels may read
)

// taps is a sum over taps of all channels of an image, for rows filters: y = a @ (what the taps read) + bias.
type taps[T number] struct {
	op     string
	img    *image
	rows   int // output channels
	rowA   int // elements from filter to filter
	extent [3]int
	count  int // taps of all channels
	blocks []tapTable
	byRows bool // see plan
	tasks  int  // that the outputs are shared out to

	// output (i, j, k) of a filter is element base + i*step[0] + j*step[1] + k*step[2] of the filter's plane in y
	base, plane int
	step        [3]int

	phase   [2]int   // of a stride in the other dimensions
	between *taps[T] // outputs that lie between these, where step[2] is 2; nil for none
}

// tapTable has offsets in bytes of the filters' elements and of what they are multiplied by, from a base in elements.
type tapTable struct {
	a, b         int
	offA, offB   []int32
	firstOfTable bool
}

// newTaps makes a sum for rows filters that are rowA elements apart, over the taps whose offsets are given in the
// filter and in the image.
func newTaps[T number](op string, img *image, rows, rowA int, extent [3]int, offA, offB []int) *taps[T] {
	var zero T
	blocks := newTables(offA, offB, int(unsafe.Sizeof(zero)))
	return &taps[T]{op: op, img: img, rows: rows, rowA: rowA, extent: extent, count: len(offA), blocks: blocks}
}

// newTables makes tables of pairs of offsets in elements.
func newTables(a, b []int, size int) (tables []tapTable) {
	for lo := 0; lo < len(a); {
		t := tapTable{a: a[lo], b: b[lo], firstOfTable: lo == 0}
		parts := (len(a) - lo + tapBlock - 1) / tapBlock
		hi := lo + (len(a)-lo+parts-1)/parts
		for i := lo; i < hi; i++ {
			oa, ob := (a[i]-t.a)*size, (b[i]-t.b)*size
			if i > lo && (max(oa, -oa) > math.MaxInt32 || max(ob, -ob) > math.MaxInt32) {
				hi = i
				break
			}
			t.offA, t.offB = append(t.offA, int32(oa)), append(t.offB, int32(ob))
		}
		tables = append(tables, t)
		lo = hi
	}
	return tables
}

// width is the distance of rows of outputs in the image, length that of all outputs of one slice with the gaps between
// rows.
func (s *taps[T]) width() int  { return s.img[2].length }
func (s *taps[T]) length() int { return (s.extent[1]-1)*s.width() + s.extent[2] }

// columns is how many outputs of a slice are computed at a time.
func (s *taps[T]) columns() int {
	n := tileBlock * 2 * gemm.Kernels[T]().Lanes
	if s.few() {
		n *= max(1, tapBlock/4/s.count)
	}
	return n
}

// few reports whether the kernels for one filter are used.
func (s *taps[T]) few() bool { return s.rows <= fewFilters && s.count > 0 }

// runs reports whether outputs of a slice are written in place with the gaps between rows.
func (s *taps[T]) runs() bool {
	return s.step[2] == 1 && (s.extent[1] == 1 || s.width() == s.extent[2] && s.step[1] == s.width())
}

// rowsAtOnce is how many rows of outputs a task computes where they are computed by rows.
func (s *taps[T]) rowsAtOnce() int { return (s.columns() + s.width() - 1) / s.width() }

// plan chooses whether outputs are computed row by row, straight to where they belong, which is so where what vectors
// compute behind the end of a row costs less than to copy it, and counts the tasks.
func (s *taps[T]) plan() {
	waste := s.count * (roundUp(s.extent[2], gemm.Kernels[T]().Lanes) - s.width())
	s.byRows = s.step[2] == 1 && !s.runs() && (waste <= rowCopy*s.extent[2] || s.few())
	switch {
	case volume(s.extent) == 0:
		s.tasks = 0
	case s.byRows:
		s.tasks = s.extent[0] * ((s.extent[1] + s.rowsAtOnce() - 1) / s.rowsAtOnce())
	default:
		s.tasks = s.extent[0] * ((s.length() + s.columns() - 1) / s.columns())
	}
}

// products is how many products the sums of all filters have.
func (s *taps[T]) products() int {
	n := volume(s.extent) * s.rows * s.count
	if s.between != nil {
		n += s.between.products()
	}
	return n
}

// compute does one task: a part of the outputs of all filters. y are the planes of the filters, img the image.
func (s *taps[T]) compute(w *gemm.Work[T], task int, a, img, bias, y []T) {
	tensor.Interrupted(s.op)
	perSlice := s.tasks / s.extent[0]
	slice, part := task/perSlice, task%perSlice
	img, base := img[slice*s.img[1].length*s.width():], s.base+slice*s.step[0]
	if s.byRows {
		i := part * s.rowsAtOnce()
		rows := outputRows{min(s.rowsAtOnce(), s.extent[1]-i), s.extent[2], s.width(), s.step[1]}
		s.multiply(w, a, img[i*s.width():], bias, y, base+i*s.step[1], s.plane, rows)
		return
	}
	lo, hi := part*s.columns(), min(s.length(), (part+1)*s.columns())
	if s.runs() {
		s.multiply(w, a, img[lo:], bias, y, base+lo, s.plane, outputRows{1, hi - lo, 0, 0})
		return
	}
	rowC := hi - lo
	out := gemm.Room(&w.C, 2*s.rows*rowC)
	s.multiply(w, a, img[lo:], bias, out, 0, rowC, outputRows{1, rowC, 0, 0})
	if s.between != nil {
		s.between.multiply(w, a, img[lo:], bias, out, s.rows*rowC, rowC, outputRows{1, rowC, 0, 0})
	}
	pairs := s.step[2] == 2 && s.between != nil && s.between.extent[2] == s.extent[2] // of whole rows
	for r := range s.rows {
		line, between := out[r*rowC:][:hi-lo], out[(s.rows+r)*rowC:][:hi-lo]
		for at := lo; at < hi; {
			i, j := at/s.width(), at%s.width()
			if n := (hi - at) / s.width(); pairs && j == 0 && n > 0 {
				simd.InterleaveRows(y[r*s.plane+base+i*s.step[1]:], s.step[1], line[at-lo:], between[at-lo:], s.width(),
					s.extent[2], n)
				at += n * s.width()
				continue
			}
			n := min(hi-at, s.width()-j)
			if keep := min(n, s.extent[2]-j); keep > 0 {
				s.put(y[r*s.plane+base+i*s.step[1]+j*s.step[2]:], line[at-lo:][:keep], between[at-lo:], j)
			}
			at += n
		}
	}
}

// put writes a run of a row of outputs, from output j on, and what lies between them.
func (s *taps[T]) put(dst, line, between []T, j int) {
	if s.step[2] == 1 {
		copy(dst, line)
		return
	}
	pairs := 0
	if s.between != nil {
		pairs = max(0, min(len(line), s.between.extent[2]-j))
		simd.Interleave(dst, line[:pairs], between)
	}
	for q := pairs; q < len(line); q++ {
		dst[q*s.step[2]] = line[q]
	}
}

// outputRows are n rows of count outputs, that are in and out elements apart in the image and in the result.
type outputRows struct{ n, count, in, out int }

// multiply computes rows of outputs. In out, the rows of a filter begin at first, and filters are rowC apart.
func (s *taps[T]) multiply(w *gemm.Work[T], a, img, bias, out []T, first, rowC int, rows outputRows) {
	ks := gemm.Kernels[T]()
	var zero T
	size := int(unsafe.Sizeof(zero))
	t := &w.Tile
	*t = simd.GemmTile{RowA: s.rowA * size, RowC: rowC * size}
	if len(s.blocks) == 0 {
		for r := range s.rows {
			for i := range rows.n {
				line := out[first+r*rowC+i*rows.out:][:rows.count]
				if clear(line); bias != nil {
					for j := range line {
						line[j] = bias[r]
					}
				}
			}
		}
		return
	}
	if s.few() {
		s.filter(w, a, img, bias, out, first, rowC, rows)
		return
	}
	for b := range s.blocks {
		if b > 0 {
			tensor.Interrupted(s.op)
		}
		block := &s.blocks[b]
		t.K, t.OffA, t.OffB = len(block.offA), &block.offA[0], &block.offB[0]
		for j := 0; j < rows.count; {
			vecs := gemm.Vectors(ks, s.rows, rows.count-j)
			t.Cols = min(rows.count-j, vecs*ks.Lanes)
			most := ks.MaxRows[vecs]
			panels := (s.rows + most - 1) / most
			for p := range panels {
				r0, r1 := gemm.Spread(p, panels, s.rows)
				t.A, t.D, t.RowD, t.Each = unsafe.Pointer(&a[block.a+r0*s.rowA]), nil, 0, 0
				if bias != nil {
					t.D, t.RowD, t.Each = unsafe.Pointer(&bias[r0]), size, 1
				}
				for i := range rows.n {
					t.B = unsafe.Pointer(&img[block.b+j+i*rows.in])
					t.C = unsafe.Pointer(&out[first+r0*rowC+j+i*rows.out])
					if !block.firstOfTable {
						t.D, t.RowD, t.Each = t.C, t.RowC, 0
					}
					ks.Indirect(r1-r0, vecs, t)
				}
			}
			j += t.Cols
		}
	}
}

// filter is multiply with the kernels for one filter.
func (s *taps[T]) filter(w *gemm.Work[T], a, img, bias, out []T, first, rowC int, rows outputRows) {
	ks := windowKernelsOf[T]()
	var zero T
	size := int(unsafe.Sizeof(zero))
	for b := range s.blocks {
		block := &s.blocks[b]
		weights := gemm.Room(&w.A, len(block.offA))
		for r := range s.rows {
			from := block.a + r*s.rowA
			for i, o := range block.offA {
				weights[i] = a[from+int(o)/size]
			}
			t := &w.Row
			*t = simd.RowTile{RowX: rows.in * size, RowY: rows.out * size, W: unsafe.Pointer(&weights[0]), Off: &block.offB[0],
				Taps: len(weights), Rows: rows.n}
			switch {
			case !block.firstOfTable:
				t.Add = 2
			case bias != nil:
				t.Add, t.Index = 1, unsafe.Pointer(&bias[r])
			}
			for j := 0; j < rows.count; j += ks.Most {
				t.Cols = min(ks.Most, rows.count-j)
				t.X, t.Y = unsafe.Pointer(&img[block.b+j]), unsafe.Pointer(&out[first+r*rowC+j])
				ks.FilterRows(t)
			}
		}
	}
}

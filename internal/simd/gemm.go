package simd

import "unsafe"

// GemmTile is what a micro-kernel of a product of matrices computes: c = alpha*(a @ b) + d for a tile of c, a few
// rows of a few vectors. Steps are in bytes and may be negative or 0.
type GemmTile struct {
	A          unsafe.Pointer
	RowA, ColA int // from row to row and from column to column of a
	B          unsafe.Pointer
	RowB       int // from row to row of b, whose columns lie one after the other
	C          unsafe.Pointer
	RowC       int
	D          unsafe.Pointer // what is added: rows like c's, which may be c's own; nil adds nothing
	RowD       int
	Each       int            // 1: d has one element for each row, which is added to all of it
	Alpha      unsafe.Pointer // an element; nil is 1
	K          int            // columns of a and rows of b, at least 1
	Cols       int            // columns of c that are written, at least 1

	// Indirect kernels take column k of a at OffA[k] bytes from A, in place of k*ColA, and row k of b at OffB[k] bytes
	// from B.
	OffA, OffB *int32

	// Ahead is memory of which Tile prefetches a line of 64 bytes for each of the K steps; nil for none.
	Ahead unsafe.Pointer
}

// GemmKernels are the micro-kernels of one type of element.
type GemmKernels[T any] struct {
	Lanes   int    // elements of a vector
	MaxRows [5]int // the most rows of a tile of 1, 2 and 4 vectors
	MaxDots [2]int // the most rows of a and of b that Dots takes
	Whole   bool   // b is read in whole vectors, also behind Cols
	Rows    bool   // AddRows uses vectors, and tiles do not

	tiles, indirect [5][15]func(t *byte)
	dots            [5][3]func(t *byte)
	groups          bool // dots of four rows go over groups of them
	addRows         [5]func(y, w *byte, rowW int, x *byte, n int)
	transpose       func(dst *byte, rowDst int, src *byte, rowSrc int, n int)
	panel           func(dst, src *byte, rowSrc int, n int)

	portableTile func(t *GemmTile, rows int, indirect bool)
	portableDots func(t *GemmTile, rows, cols int)
	portableAdd  func(y, w unsafe.Pointer, rowW int, x unsafe.Pointer, rows, n int)
}

// GemmFloat32 multiplies float32 matrices: a sum for each element, in the order of k. The sum is in float32 with one
// rounding for a product and a sum where the level has FMA, and in float64 where it has not.
var GemmFloat32 = gemmFloat32()

// GemmFloat64 multiplies float64 matrices: a float64 sum for each element, in the order of k, fused where the level
// has FMA.
var GemmFloat64 = GemmGo[float64]()

// GemmInt32 and GemmInt64 multiply integers, whose sums wrap around.
var (
	GemmInt32 = GemmGo[int32]()
	GemmInt64 = GemmGo[int64]()
)

// GemmComplex64 and GemmComplex128 multiply complex matrices: sums of the products of b with the real parts of a,
// and of those with the imaginary parts, each in the order of k and fused where the level has FMA. Their Indirect
// is portable.
var (
	GemmComplex64  = GemmGo[complex64]()
	GemmComplex128 = GemmGo[complex128]()
)

// GemmPairs multiplies matrices whose elements are pairs of bfloat16 numbers, in the bits of a float32: those of a
// are neighbours in a row, those of b in a column. A product of two pairs is the sum of both products, which is
// added to a float32 sum, second product first; subnormal numbers count as 0. It has only Tile, Panel and
// Transpose, and is nil where the CPU has no AVX512_BF16 or the level is below AVX512. Callers then multiply
// float32 numbers, which is the same but for roundings.
var GemmPairs *GemmKernels[float32]

// Vectors reports whether tiles are computed by vectors.
func (g *GemmKernels[T]) Vectors() bool { return g.tiles[1][1] != nil }

// Tile computes a tile of rows rows and vecs vectors: 1, 2 or 4.
func (g *GemmKernels[T]) Tile(rows, vecs int, t *GemmTile) {
	if f := g.tiles[vecs][rows]; f != nil {
		f((*byte)(unsafe.Pointer(t)))
		return
	}
	g.portableTile(t, rows, false)
}

// Indirect is Tile with tables of offsets.
func (g *GemmKernels[T]) Indirect(rows, vecs int, t *GemmTile) {
	if f := g.indirect[vecs][rows]; f != nil {
		f((*byte)(unsafe.Pointer(t)))
		return
	}
	g.portableTile(t, rows, true)
}

// Dots multiplies rows rows of a by cols rows of b, whose steps are RowA and RowB, and writes the rows*cols sums to
// C, one after the other. The K elements of a row lie one after the other. Four rows by one may be followed by others:
// there are Cols groups of four, 0 is one.
func (g *GemmKernels[T]) Dots(rows, cols int, t *GemmTile) {
	if t.Cols > 1 && rows == 4 && cols == 1 && !g.groups {
		var z T
		one := *t
		one.Cols = 1
		for i := range t.Cols { // no pointer behind the last group, which could be one into freed memory
			one.A = unsafe.Add(t.A, i*4*t.RowA)
			one.C = unsafe.Add(t.C, i*4*int(unsafe.Sizeof(z)))
			g.Dots(rows, cols, &one)
		}
		return
	}
	if f := g.dots[rows][cols]; f != nil {
		f((*byte)(unsafe.Pointer(t)))
		return
	}
	g.portableDots(t, rows, cols)
}

// AddRows adds to each of y the sum of x[i]*w[i], w having len(x) rows at a step of rowW elements. x has 1 or 4
// elements.
func (g *GemmKernels[T]) AddRows(y, w []T, rowW int, x []T) {
	if len(y) == 0 {
		return
	}
	_ = w[(len(x)-1)*rowW+len(y)-1]
	var z T
	if f := g.addRows[len(x)]; f != nil {
		f(bytesOf(y), bytesOf(w), rowW*int(unsafe.Sizeof(z)), bytesOf(x), len(y))
		return
	}
	g.portableAdd(unsafe.Pointer(&y[0]), unsafe.Pointer(&w[0]), rowW*int(unsafe.Sizeof(z)), unsafe.Pointer(&x[0]),
		len(x), len(y))
}

// Panel copies the first cols elements of rows of src, which are rowSrc elements apart, to rows of dst, which are
// width apart.
func (g *GemmKernels[T]) Panel(dst []T, width int, src []T, rowSrc, rows, cols int) {
	if g.panel != nil && cols == width && cols == 2*g.Lanes && rowSrc > 0 {
		_, _ = dst[rows*width-1], src[(rows-1)*rowSrc+cols-1]
		var z T
		g.panel(bytesOf(dst), bytesOf(src), rowSrc*int(unsafe.Sizeof(z)), rows)
		return
	}
	for i := range rows {
		copy(dst[i*width:][:cols], src[i*rowSrc:][:cols])
	}
}

// Transpose writes the transpose of src, which has rows rows and cols columns, to dst. Rows of dst and src are
// rowDst and rowSrc elements apart.
func (g *GemmKernels[T]) Transpose(dst []T, rowDst int, src []T, rowSrc, rows, cols int) {
	if rows == 0 || cols == 0 {
		return
	}
	_, _ = dst[(cols-1)*rowDst+rows-1], src[(rows-1)*rowSrc+cols-1]
	whole, blocks := 0, 0 // rows and columns that the kernel does
	if g.transpose != nil {
		whole, blocks = rows/g.Lanes*g.Lanes, cols/g.Lanes
		var z T
		size := int(unsafe.Sizeof(z))
		if blocks > 0 {
			for i := 0; i < whole; i += g.Lanes {
				g.transpose(bytesOf(dst[i:]), rowDst*size, bytesOf(src[i*rowSrc:]), rowSrc*size, blocks)
			}
		}
	}
	for i := range rows {
		from := 0
		if i < whole {
			from = blocks * g.Lanes
		}
		for j := from; j < cols; j++ {
			dst[j*rowDst+i] = src[i*rowSrc+j]
		}
	}
}

// bytesOf is the address of a slice's first element.
func bytesOf[T any](s []T) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(s))) }

// GemmNumber is an element of a matrix.
type GemmNumber interface {
	~uint8 | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64 | ~complex64 | ~complex128
}

// GemmGo returns the portable micro-kernels.
func GemmGo[T GemmNumber]() *GemmKernels[T] {
	return &GemmKernels[T]{
		Lanes: 4, MaxRows: [5]int{1: 8, 2: 8, 4: 4}, MaxDots: [2]int{4, 2},
		portableTile: func(t *GemmTile, rows int, indirect bool) {
			tileGo(t, rows, indirect, tileSums[T]{blockGo[T], indirectGo[T], columnGo[T]})
		},
		portableDots: func(t *GemmTile, rows, cols int) { dotsGo(t, rows, cols, dotGo[T]) },
		portableAdd:  addRowsGo[T],
	}
}

// load reads an element at an offset. Offsets, and not pointers, are what loops step: a pointer behind the last
// element could be one into freed memory.
func load[T any](p unsafe.Pointer, off int) T { return *(*T)(unsafe.Add(p, off)) }

// tileSums are the sums that a portable tile is made of: two rows by four columns, the same with tables of offsets,
// and two rows by one column. The rows of a are at offsets a0 and a1, the columns of b at b.
type tileSums[T GemmNumber] struct {
	block, indirect func(t *GemmTile, a0, a1, b int) [8]T
	column          func(t *GemmTile, a0, a1, b int, indirect bool) (T, T)
}

func tileGo[T GemmNumber](t *GemmTile, rows int, indirect bool, sums tileSums[T]) {
	var z T
	size := int(unsafe.Sizeof(z))
	alpha := T(1)
	if t.Alpha != nil {
		alpha = load[T](t.Alpha, 0)
	}
	put := func(i, j int, s T) {
		s *= alpha
		switch {
		case t.D == nil:
		case t.Each != 0:
			s += load[T](t.D, i*t.RowD)
		default:
			s += load[T](t.D, i*t.RowD+j*size)
		}
		*(*T)(unsafe.Add(t.C, i*t.RowC+j*size)) = s
	}
	for i := 0; i < rows; i += 2 {
		count := min(2, rows-i)
		a0 := i * t.RowA
		a1 := a0 + (count-1)*t.RowA // the only row twice, where there is one
		for j := 0; j < t.Cols; {
			var s [8]T
			width := 4
			switch {
			case t.Cols-j < 4:
				width = 1
				s[0], s[4] = sums.column(t, a0, a1, j*size, indirect)
			case indirect:
				s = sums.indirect(t, a0, a1, j*size)
			default:
				s = sums.block(t, a0, a1, j*size)
			}
			for r := range count {
				for q, v := range s[4*r : 4*r+width] {
					put(i+r, j+q, v)
				}
			}
			j += width
		}
	}
}

// blockGo sums two rows, at offsets a0 and a1, by four columns, at b.
func blockGo[T GemmNumber](t *GemmTile, a0, a1, b int) [8]T {
	var z, s0, s1, s2, s3, s4, s5, s6, s7 T
	size := int(unsafe.Sizeof(z))
	pa, pb, colA, rowB := t.A, t.B, t.ColA, t.RowB
	for range t.K {
		x, y := load[T](pa, a0), load[T](pa, a1)
		b0 := load[T](pb, b)
		s0 += x * b0
		s4 += y * b0
		b1 := load[T](pb, b+size)
		s1 += x * b1
		s5 += y * b1
		b2 := load[T](pb, b+2*size)
		s2 += x * b2
		s6 += y * b2
		b3 := load[T](pb, b+3*size)
		s3 += x * b3
		s7 += y * b3
		a0, a1, b = a0+colA, a1+colA, b+rowB
	}
	return [8]T{s0, s1, s2, s3, s4, s5, s6, s7}
}

// indirectGo is blockGo with tables of offsets.
func indirectGo[T GemmNumber](t *GemmTile, a0, a1, b int) [8]T {
	var z, s0, s1, s2, s3, s4, s5, s6, s7 T
	size := int(unsafe.Sizeof(z))
	offA, offB := unsafe.Slice(t.OffA, t.K), unsafe.Slice(t.OffB, t.K)
	pa, pb := t.A, t.B
	for k, oa := range offA {
		x, y := load[T](pa, a0+int(oa)), load[T](pa, a1+int(oa))
		at := b + int(offB[k])
		b0, b1, b2, b3 := load[T](pb, at), load[T](pb, at+size), load[T](pb, at+2*size), load[T](pb, at+3*size)
		s0 += x * b0
		s4 += y * b0
		s1 += x * b1
		s5 += y * b1
		s2 += x * b2
		s6 += y * b2
		s3 += x * b3
		s7 += y * b3
	}
	return [8]T{s0, s1, s2, s3, s4, s5, s6, s7}
}

// columnGo sums two rows by one column.
func columnGo[T GemmNumber](t *GemmTile, a0, a1, b int, indirect bool) (s0, s1 T) {
	for k := range t.K {
		oa, ob := t.offsets(k, indirect)
		v := load[T](t.B, b+ob)
		s0 += load[T](t.A, a0+oa) * v
		s1 += load[T](t.A, a1+oa) * v
	}
	return s0, s1
}

// offsets are those of column k of a and of row k of b.
func (t *GemmTile) offsets(k int, indirect bool) (a, b int) {
	if indirect {
		return int(unsafe.Slice(t.OffA, t.K)[k]), int(unsafe.Slice(t.OffB, t.K)[k])
	}
	return k * t.ColA, k * t.RowB
}

func dotsGo[T GemmNumber](t *GemmTile, rows, cols int, dot func(a, b []T) T) {
	var z T
	size := int(unsafe.Sizeof(z))
	for i := range rows {
		for j := range cols {
			a := unsafe.Slice((*T)(unsafe.Add(t.A, i*t.RowA)), t.K)
			b := unsafe.Slice((*T)(unsafe.Add(t.B, j*t.RowB)), t.K)
			*(*T)(unsafe.Add(t.C, (i*cols+j)*size)) = dot(a, b)
		}
	}
}

// dotGo is the sum of the products, in four running sums.
func dotGo[T GemmNumber](a, b []T) T {
	var s0, s1, s2, s3 T
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func addRowsGo[T GemmNumber](y, w unsafe.Pointer, rowW int, x unsafe.Pointer, rows, n int) {
	dst, f := unsafe.Slice((*T)(y), n), unsafe.Slice((*T)(x), rows)
	row := func(i int) []T { return unsafe.Slice((*T)(unsafe.Add(w, i*rowW)), n)[:len(dst)] }
	if rows == 4 {
		w0, w1, w2, w3 := row(0), row(1), row(2), row(3)
		f0, f1, f2, f3 := f[0], f[1], f[2], f[3]
		for i, v := range dst {
			dst[i] = v + f0*w0[i] + f1*w1[i] + f2*w2[i] + f3*w3[i]
		}
		return
	}
	for q, v := range f {
		for i, e := range row(q) {
			dst[i] += v * e
		}
	}
}

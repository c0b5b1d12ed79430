package cpu

import (
	"sync"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: lines are transformed in strips. A strip has a group of lines, as many as a vector has lanes, or several
// groups where lines lie side by side. It is gathered into a buffer that a near cache holds: element by element,
// real parts and imaginary parts apart. Lanes that have no line have zeros.

// fftSide is where lines come from or go to: complex numbers, as pairs of R, or real ones.
type fftSide[R float] struct {
	data []R
	lanes
}

// fftStrips divides lines into strips.
type fftStrips[R float] struct {
	f      *simd.Fourier[R]
	groups int  // of a strip
	beside bool // the lines of a strip lie side by side; otherwise they are any lines
	perRow int  // strips of lines that lie side by side
	step   int
	width  int // lines of a strip
	count  int
}

const nearCache = 1 << 14 // bytes of a strip's buffer, of which there are two

// stripsOf divides lanes into strips for buffers of rows complex numbers a line.
func stripsOf[R float](l lanes, rows int) *fftStrips[R] {
	s := &fftStrips[R]{f: simd.FourierOf[R](), groups: 1, step: l.step}
	v := s.f.Lanes
	if used := float64(l.step) / float64((l.step+v-1)/v*v); l.step > 1 && used > 0.6 {
		s.beside = true
		s.groups = max(1, min(4, l.step/v, nearCache/(2*v*rows*int(unsafe.Sizeof(R(0))))))
	}
	s.width = s.groups * v
	if s.beside {
		s.perRow = (l.step + s.width - 1) / s.width
		s.count = l.count / l.step * s.perRow
	} else {
		s.count = (l.count + s.width - 1) / s.width
	}
	return s
}

// at is strip i: its first line and the number of lines.
func (s *fftStrips[R]) at(i int, l lanes) (first, lines int) {
	if s.beside {
		col := i % s.perRow * s.width
		return i/s.perRow*l.step + col, min(s.width, l.step-col)
	}
	return i * s.width, min(s.width, l.count-i*s.width)
}

// fftRoom has the two buffers of a strip.
type fftRoom[R float] struct{ a, b []R }

var fftRooms32, fftRooms64 sync.Pool

// takeRoom takes buffers of n numbers; back gives them back.
func takeRoom[R float](n int) (r fftRoom[R], back func()) {
	pool := &fftRooms64
	if unsafe.Sizeof(R(0)) == 4 {
		pool = &fftRooms32
	}
	have, _ := pool.Get().(*fftRoom[R])
	if have == nil {
		have = new(fftRoom[R])
	}
	if len(have.a) < n {
		have.a, have.b = aligned[R](n), aligned[R](n)
	}
	return fftRoom[R]{have.a[:n:n], have.b[:n:n]}, func() { pool.Put(have) }
}

// aligned makes n numbers that begin with a cache line.
func aligned[R float](n int) []R {
	size := int(unsafe.Sizeof(R(0)))
	x := make([]R, n+64/size)
	off := int(uintptr(unsafe.Pointer(unsafe.SliceData(x))) % 64 / uintptr(size))
	return x[(64/size-off)%(64/size):][:n]
}

// each calls f for every strip of transforms of n, with buffers for rows complex numbers a line.
func (s *fftStrips[R]) each(c *tensor.Call, l lanes, n, rows int, f func(r fftRoom[R], first, lines int)) {
	op, size := c.Name(), 2*rows*s.groups*s.f.Lanes
	tensor.MustFit(op, 2*float64(size)*float64(unsafe.Sizeof(R(0))))
	cost := fftCost(n) * float64(s.groups)
	if cost > uninterrupted {
		one := f
		f = func(r fftRoom[R], first, lines int) { tensor.Leave(c, func() { one(r, first, lines) }) }
	}
	parallel.For(s.count, parallel.Grain(cost), func(lo, hi int) {
		r, back := takeRoom[R](size)
		for i := lo; i < hi; i++ {
			tensor.Interrupted(op)
			first, lines := s.at(i, l)
			f(r, first, lines)
		}
		back()
	})
}

// load gathers lines of rows complex numbers into buf.
func (s *fftStrips[R]) load(buf []R, x *fftSide[R], rows, first, lines int) {
	v := s.f.Lanes
	buf = buf[:2*v*s.groups*rows]
	if lines < s.width {
		clear(buf)
	}
	switch {
	case s.beside:
		at, whole := x.start(first), lines/v
		s.f.Split(buf, 2*v*s.groups, x.data[2*at:], 2*x.step, rows, whole)
		for j := 0; j < rows && lines > whole*v; j++ {
			from, to := x.data[2*(at+j*x.step+whole*v):], buf[2*v*(j*s.groups+whole):]
			for k := range lines - whole*v {
				to[k], to[v+k] = from[2*k], from[2*k+1]
			}
		}
	case x.step == 1:
		transposed(buf, v, x.data[2*x.n*first:], 2*x.n, 2*rows, lines)
	default:
		for k := range lines {
			at := x.start(first + k)
			for j := range rows {
				from := x.data[2*(at+j*x.step):]
				buf[2*v*j+k], buf[2*v*j+v+k] = from[0], from[1]
			}
		}
	}
}

// store scatters lines of rows complex numbers from buf.
func (s *fftStrips[R]) store(x *fftSide[R], buf []R, rows, first, lines int) {
	v := s.f.Lanes
	switch {
	case s.beside:
		at, whole := x.start(first), lines/v
		s.f.Join(x.data[2*at:], 2*x.step, buf, 2*v*s.groups, rows, whole)
		for j := 0; j < rows && lines > whole*v; j++ {
			from, to := buf[2*v*(j*s.groups+whole):], x.data[2*(at+j*x.step+whole*v):]
			for k := range lines - whole*v {
				to[2*k], to[2*k+1] = from[k], from[v+k]
			}
		}
	case x.step == 1:
		transposed(x.data[2*x.n*first:], 2*x.n, buf, v, lines, 2*rows)
	default:
		for k := range lines {
			at := x.start(first + k)
			for j := range rows {
				to := x.data[2*(at+j*x.step):]
				to[0], to[1] = buf[2*v*j+k], buf[2*v*j+v+k]
			}
		}
	}
}

// Real numbers lie in buffers as the real parts of complex ones or, packed, as both parts in turn.

// loadReal gathers lines of rows real numbers into buf.
func (s *fftStrips[R]) loadReal(buf []R, x *fftSide[R], rows, first, lines int, packed bool) {
	if !packed || lines < s.width {
		clear(buf)
	}
	s.reals(x, rows, first, lines, packed, func(at, step, to, toStep, n, rows int) {
		copyLines(buf[to:], toStep, x.data[at:], step, n, rows)
	}, func(step int) { transposed(buf, step, x.data[x.n*first:], x.n, rows, lines) })
}

// storeReal scatters lines of rows real numbers from buf.
func (s *fftStrips[R]) storeReal(x *fftSide[R], buf []R, rows, first, lines int, packed bool) {
	s.reals(x, rows, first, lines, packed, func(at, step, from, fromStep, n, rows int) {
		copyLines(x.data[at:], step, buf[from:], fromStep, n, rows)
	}, func(step int) { transposed(x.data[x.n*first:], x.n, buf, step, lines, rows) })
}

// reals calls runs for rows of n lines that lie side by side, in x at at and in the buffer at to, and lie for lines
// that lie by themselves, whose elements are step apart in the buffer.
func (s *fftStrips[R]) reals(x *fftSide[R], rows, first, lines int, packed bool,
	runs func(at, step, to, toStep, n, rows int), alone func(step int)) {
	v := s.f.Lanes
	group, parts := 2*v, 1
	if packed {
		parts = 2
	}
	switch {
	case s.beside:
		at := x.start(first)
		for q := 0; q*v < lines; q++ {
			for part := range parts {
				runs(at+part*x.step+q*v, parts*x.step, q*group+part*v, s.groups*group, min(v, lines-q*v), rows/parts)
			}
		}
	case x.step == 1:
		alone(group / parts)
	default:
		for k := range lines {
			for part := range parts {
				runs(x.start(first+k)+part*x.step, parts*x.step, part*v+k, group, 1, rows/parts)
			}
		}
	}
}

func size[R float]() int { return int(unsafe.Sizeof(R(0))) }

// copyLines copies rows of n numbers.
func copyLines[R float](dst []R, dstStep int, src []R, srcStep, n, rows int) {
	to, from, size := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src)), size[R]()
	simd.CopyRuns(to, dstStep*size, from, srcStep*size, n*size, rows)
}

// transposed sets dst[r*dstStep+c] = src[c*srcStep+r] for rows × cols numbers.
func transposed[R float](dst []R, dstStep int, src []R, srcStep, rows, cols int) {
	_, _ = dst[(rows-1)*dstStep+cols-1], src[(cols-1)*srcStep+rows-1]
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	if size[R]() == 4 {
		simd.Transpose32(to, dstStep, from, srcStep, rows, cols)
	} else {
		simd.Transpose64(to, dstStep, from, srcStep, rows, cols)
	}
}

// scaleBy multiplies a buffer by a number.
func scaleBy[R float](x []R, by float64) {
	if by == 1 || len(x) == 0 {
		return
	}
	name := "scale float64"
	if size[R]() == 4 {
		name = "scale float32"
	}
	p := [1]R{R(by)}
	simd.Get(name)(len(x), simd.First(x), simd.First(x), nil, nil, simd.First(p[:]))
}

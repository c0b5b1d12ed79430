package cpu

import "unsafe"

// Note: images. A convolution reads every element of its input many times, at steps and with a border. Its input is
// copied once into an image: with the border, and with the elements that a stride separates, its phases, apart, so
// that whatever a tap of the filter reads for a row of outputs lies one element after the other. Without border and
// stride the input is its own image. Outputs are numbered as the image is, gaps at the ends of rows included, so that
// a tap reads whole runs of them at one offset. That makes a convolution a product of matrices whose second matrix
// need not be written out: row (channel, tap) of it stands at an offset in the image.

// axis is one dimension of an image: element i of phase p is element start + p + i*step of the input, 0 where there is
// none.
type axis struct {
	n, start, step int
	length         int   // of each phase
	phases         []int // that are read
}

// newAxis is the axis for n elements from start on, of which taps read all that are step apart, count of them from
// each tap on.
func newAxis(n, start, step, count int, taps []int) axis {
	x := axis{n: n, start: start, step: step}
	seen := make([]bool, step)
	for _, t := range taps {
		x.length = max(x.length, t/step+count)
		seen[t%step] = true
	}
	for p, s := range seen {
		if s {
			x.phases = append(x.phases, p)
		}
	}
	return x
}

// locate says in which phase tap t reads, as a number among those that are there, and from which element on.
func (x *axis) locate(t int) (phase, at int) {
	for i, p := range x.phases {
		if p == t%x.step {
			return i, t / x.step
		}
	}
	return 0, 0
}

// image is how a channel is copied.
type image [3]axis

// plain reports whether the image of a channel is the channel as it is.
func (m *image) plain() bool {
	for _, x := range m {
		if x.start != 0 || x.step != 1 || x.length != x.n {
			return false
		}
	}
	return true
}

// phaseSize is the number of elements of one phase, size that of all.
func (m *image) phaseSize() int { return m[0].length * m[1].length * m[2].length }
func (m *image) size() int {
	return m.phaseSize() * len(m[0].phases) * len(m[1].phases) * len(m[2].phases)
}

// at is where in the image a tap reads for the first output.
func (m *image) at(t [3]int) int {
	slot, off := 0, 0
	for d := range m {
		p, i := m[d].locate(t[d])
		slot = slot*len(m[d].phases) + p
		off = off*m[d].length + i
	}
	return slot*m.phaseSize() + off
}

// copyImage copies a channel.
func copyImage[T number](m *image, dst, src []T) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	x, move := &m[2], copierOf(size)
	for _, pd := range m[0].phases {
		for _, ph := range m[1].phases {
			top, bottom := m[1].inside(ph)
			for _, pw := range x.phases {
				from, to := x.inside(pw)
				for i := range m[0].length {
					part := dst[:m[1].length*x.length]
					dst = dst[len(part):]
					d := m[0].start + pd + i*m[0].step
					if d < 0 || d >= m[0].n || from == to || top == bottom {
						clear(part)
						continue
					}
					if to-from < x.length || bottom-top < m[1].length {
						clear(part)
					}
					at := (d*m[1].n+m[1].start+ph+top*m[1].step)*x.n + x.start + pw + from*x.step
					row, step := top*x.length+from, m[1].step*x.n
					if x.step <= 2 && (size == 4 || size == 8) {
						_ = src[at+(bottom-top-1)*step+(to-from-1)*x.step]
						_ = part[row+(bottom-top-1)*x.length+to-from-1]
						g := grid{rows: bottom - top, cols: to - from, dstRow: x.length * size, dstCol: size, srcRow: step * size,
							srcCol: x.step * size}
						g.dst, g.src = unsafe.Pointer(&part[row]), unsafe.Pointer(&src[at])
						movers[sizeClass(size)](g)
						continue
					}
					for range bottom - top {
						move(unsafe.Pointer(&part[row]), 1, unsafe.Pointer(&src[at]), x.step, to-from)
						row, at = row+x.length, at+step
					}
				}
			}
		}
	}
}

// inside is the run of elements of a phase that are in the input.
func (x *axis) inside(phase int) (from, to int) {
	at := x.start + phase
	if at < 0 {
		from = min(x.length, (-at+x.step-1)/x.step)
	}
	return from, max(from, min(x.length, (x.n-at+x.step-1)/x.step))
}

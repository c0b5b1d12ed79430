package memory

import (
	"cmp"
	"slices"

	"gotorch/visualize/draw"
	"gotorch/visualize/shapes"
)

// Note: the bytes that a view reaches. They are not walked: dimensions are taken from the smallest stride up, and
// each either makes a solid run of bytes longer, or a row of runs longer, or is a row of what there is so far. What
// is left are few numbers, from which the bytes below any address are counted. Only where windows overlap in a way
// that none of these describe are runs listed, as long as they are not too many.

// cover is the set of bytes that a view reaches.
type cover struct {
	lo, run int   // the lowest byte, and how many lie together from there
	rows    []row // repeats of that, the smallest step first
	apart   bool  // no two repeats have a byte in common, so that everything can be counted
	listed  []byteSpan
	empty   bool
}

// row says that what is inside is repeated count times, step bytes apart.
type row struct{ count, step int }

// byteSpan is the bytes lo to hi.
type byteSpan struct{ lo, hi int }

// maxListed is how many runs are listed at most.
const maxListed = 1 << 14

// coverOf finds what a view with elements of size bytes reaches.
func coverOf(shape, stride []int, offset, size int) cover {
	c := cover{lo: offset * size, run: size, apart: true, empty: slices.Contains(shape, 0)}
	if c.empty {
		return c
	}
	order := byStride(shape, stride)
	slices.Reverse(order)
	extent := size // of what there is so far
	for _, d := range order {
		n, step := shape[d], draw.Abs(stride[d])*size
		if n < 2 || step == 0 {
			continue
		}
		if stride[d] < 0 {
			c.lo -= (n - 1) * step
		}
		last := len(c.rows) - 1
		switch {
		case last < 0 && step <= c.run:
			c.run += (n - 1) * step
		case last >= 0 && step%c.rows[last].step == 0 && step/c.rows[last].step <= c.rows[last].count:
			c.rows[last].count += (n - 1) * (step / c.rows[last].step)
		default:
			c.apart = c.apart && step >= extent
			c.rows = append(c.rows, row{n, step})
		}
		extent += (n - 1) * step
	}
	if !c.apart && c.runs() <= maxListed {
		c.listed = merged(c.list(nil))
	}
	return c
}

// known reports whether the bytes are counted, not bounded.
func (c *cover) known() bool { return c.empty || c.apart || c.listed != nil }

// hi is the byte behind the last.
func (c *cover) hi() int {
	if c.empty {
		return c.lo
	}
	hi := c.lo + c.run
	for _, r := range c.rows {
		hi += (r.count - 1) * r.step
	}
	return hi
}

// runs is how many runs there are.
func (c *cover) runs() int {
	n := 1
	for _, r := range c.rows {
		n = times(n, r.count)
	}
	return n
}

// times multiplies, up to a number that no memory has.
func times(a, b int) int {
	if b > 0 && a > (shapes.MaxCount>>2)/b {
		return shapes.MaxCount >> 2
	}
	return a * b
}

// list adds every run to spans.
func (c *cover) list(spans []byteSpan) []byteSpan {
	if c.empty {
		return spans
	}
	index := make([]int, len(c.rows))
	for {
		at := c.lo
		for i, r := range c.rows {
			at += index[i] * r.step
		}
		spans = append(spans, byteSpan{at, at + c.run})
		i := 0
		for ; i < len(index); i++ {
			if index[i]++; index[i] < c.rows[i].count {
				break
			}
			index[i] = 0
		}
		if i == len(index) {
			return spans
		}
	}
}

// merged sorts spans and joins those that meet.
func merged(spans []byteSpan) []byteSpan {
	slices.SortFunc(spans, func(a, b byteSpan) int { return cmp.Compare(a.lo, b.lo) })
	var out []byteSpan
	for _, s := range spans {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi {
			out[n-1].hi = max(out[n-1].hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	return out
}

func lengths(spans []byteSpan) (n int) {
	for _, s := range spans {
		n += s.hi - s.lo
	}
	return n
}

// below counts the bytes below an address; of what is not known, none.
func (c *cover) below(at int) int {
	switch {
	case c.empty || !c.known():
		return 0
	case c.listed != nil:
		n := 0
		for _, s := range c.listed {
			if s.lo >= at {
				break
			}
			n += min(s.hi, at) - s.lo
		}
		return n
	}
	at -= c.lo
	if at <= 0 {
		return 0
	}
	n, each := 0, c.runs()*c.run // of all that is inside of rows[i] and that itself
	for i := len(c.rows) - 1; i >= 0; i-- {
		each /= c.rows[i].count
		k := min(at/c.rows[i].step, c.rows[i].count-1)
		n += k * each
		at -= k * c.rows[i].step
	}
	return n + min(at, c.run)
}

// bytes are how many bytes a view reaches: the same twice, or at least and at most how many.
func (c *cover) bytes() (least, most int) {
	if c.known() {
		n := c.below(c.hi())
		return n, n
	}
	least = c.run // of the rows that do lie apart
	extent := c.run
	for _, r := range c.rows {
		if r.step >= extent {
			least *= r.count
			extent += (r.count - 1) * r.step
		}
	}
	return least, min(c.hi()-c.lo, times(c.runs(), c.run))
}

// coverage counts the bytes that any of several views of a storage of size bytes reaches.
func coverage(cs []cover, size int) (least, most int) {
	var solid []byteSpan
	for i := range cs {
		if c := &cs[i]; !c.empty && len(c.rows) == 0 {
			solid = append(solid, byteSpan{c.lo, c.hi()})
		} else if c.listed != nil {
			solid = append(solid, c.listed...)
		}
	}
	solid = merged(solid)
	inside := func(c *cover) bool {
		return slices.ContainsFunc(solid, func(s byteSpan) bool { return s.lo <= c.lo && c.hi() <= s.hi })
	}
	spans, runs := solid, 0
	var rest []*cover
	for i := range cs {
		c := &cs[i]
		same := func(r *cover) bool { return r.lo == c.lo && r.run == c.run && slices.Equal(r.rows, c.rows) }
		if !c.empty && len(c.rows) > 0 && c.listed == nil && !inside(c) && !slices.ContainsFunc(rest, same) {
			rest = append(rest, c)
			runs = min(runs+c.runs(), maxListed+1)
		}
	}
	if len(rest) == 0 {
		n := lengths(solid)
		return n, n
	}
	if runs <= maxListed {
		spans = slices.Clone(spans)
		for _, c := range rest {
			spans = c.list(spans)
		}
		n := lengths(merged(spans))
		return n, n
	}
	least, most = lengths(solid), lengths(solid)
	if len(rest) == 1 && len(solid) == 0 {
		return rest[0].bytes()
	}
	for _, c := range rest {
		lo, hi := c.bytes()
		least, most = max(least, lo), most+hi
	}
	return least, min(most, size)
}

// The parts of a bar.
const (
	partNone = '·'
	partSome = '▒'
	partFull = '█'
)

// parts reports for each of the parts that cut, of a storage, makes, whether all, some or none of its bytes are
// reached.
func (c *cover) parts(cut []int) string {
	out := make([]rune, len(cut)-1)
	for i := range out {
		lo, hi := cut[i], cut[i+1]
		out[i] = partNone
		if !c.known() {
			if !c.empty && lo < c.hi() && hi > c.lo {
				out[i] = partSome
			}
			continue
		}
		switch n := c.below(hi) - c.below(lo); {
		case n == hi-lo && n > 0:
			out[i] = partFull
		case n > 0:
			out[i] = partSome
		}
	}
	return string(out)
}

// cuts cuts a storage into at most most parts of whole elements of unit bytes.
func cuts(size, unit, most int) []int {
	n := max(1, size/max(1, unit))
	parts := min(n, most)
	out := make([]int, parts+1)
	for i := range out {
		out[i] = n / parts * i * unit
		out[i] += n % parts * i / parts * unit
	}
	out[parts] = size
	return out
}

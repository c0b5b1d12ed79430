package simd

// RotateLanes are the elements of a row that RotateFloat64 works on.
const RotateLanes = 32

// RotateFloat64 turns rows of RotateLanes elements, each with the next in turn: for i from 0 on, rows i and i+1 become
// c·row(i) + s·row(i+1) and c·row(i+1) - s·row(i), where c and s are elements 2i and 2i+1 of cs. Row i begins i·step
// elements from x[at]; step may be negative.
func RotateFloat64(x []float64, at, step int, cs []float64) {
	n := len(cs) / 2
	if n == 0 {
		return
	}
	last := at + n*step
	_, _ = x[min(at, last)], x[max(at, last)+RotateLanes-1]
	rotateRows(x, at, step, cs)
}

var rotateRows = rotateGo

func rotateGo(x []float64, at, step int, cs []float64) {
	for ; len(cs) > 1; cs = cs[2:] {
		c, s := cs[0], cs[1]
		p, q := x[at:][:RotateLanes], x[at+step:][:RotateLanes]
		for i, u := range p {
			v := q[i]
			p[i] = c*u + s*v
			q[i] = c*v - s*u
		}
		at += step
	}
}

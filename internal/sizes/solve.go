package sizes

import "math/bits"

// prime is what linear systems are solved by: coefficients that are small whole numbers come out as they are, and
// what comes out is tried on all samples.
const prime = 1<<61 - 1

func mulmod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, r := bits.Div64(hi%prime, lo, prime)
	return r
}

func submod(a, b uint64) uint64 {
	if a >= b {
		return a - b
	}
	return a + prime - b
}

func powmod(a, n uint64) uint64 {
	r := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r = mulmod(r, a)
		}
		a = mulmod(a, a)
	}
	return r
}

func residue(n int) uint64 {
	if n < 0 {
		return prime - uint64(-n)%prime
	}
	return uint64(n) % prime
}

// solve finds whole numbers c with Σ c[j]·columns[j][i] = v[i] for all i. Of columns that depend on each other the
// first are taken. ok is false where there are none below 2²⁰.
func solve(columns [][]int, v []int) (c []int, ok bool) {
	n := len(columns)
	var rows [][]uint64
	lead := []int{}
	for i := range v {
		row := make([]uint64, n+1)
		for j := range n {
			row[j] = residue(columns[j][i])
		}
		row[n] = residue(v[i])
		for k, r := range rows {
			if f := row[lead[k]]; f != 0 {
				for j := range row {
					row[j] = submod(row[j], mulmod(f, r[j]))
				}
			}
		}
		at := 0
		for at < n && row[at] == 0 {
			at++
		}
		if at == n {
			if row[n] != 0 {
				return nil, false
			}
			continue
		}
		inverse := powmod(row[at], prime-2)
		for j := range row {
			row[j] = mulmod(row[j], inverse)
		}
		for k, r := range rows { // reduced above too
			if f := r[at]; f != 0 {
				for j := range r {
					rows[k][j] = submod(r[j], mulmod(f, row[j]))
				}
			}
		}
		rows, lead = append(rows, row), append(lead, at)
	}
	c = make([]int, n)
	for k, r := range rows {
		x := int(r[n])
		if r[n] > prime/2 {
			x = -int(prime - r[n])
		}
		if x > 1<<20 || x < -1<<20 {
			return nil, false
		}
		c[lead[k]] = x
	}
	for i := range v {
		got := 0
		for j := range n {
			got += c[j] * columns[j][i]
		}
		if got != v[i] {
			return nil, false
		}
	}
	return c, true
}

package cpu

import mathbits "math/bits"

// gcd is the greatest common divisor. Where both numbers are about as large it is found by differences and shifts,
// whose steps are no branches: the number of divisions would be guessed wrong for nearly every pair.
func gcd[T integer](a, b T) T {
	const far = 6 // bits that a division takes from the greater one at once
	a, b = absInt(a), absInt(b)
	if a <= 0 || b <= 0 { // zero, or the least integer, which is its own negative
		return gcdByDivision(a, b)
	}
	if a>>far > b || b>>far > a {
		if a, b = min(a, b), max(a, b)%min(a, b); b == 0 {
			return a
		}
	}
	u, v := uint64(a), uint64(b)
	twos := mathbits.TrailingZeros64(u | v)
	u >>= mathbits.TrailingZeros64(u) & 63
	v >>= mathbits.TrailingZeros64(v) & 63
	for u != v { // both are odd
		d := max(u, v) - min(u, v)
		u, v = min(u, v), d>>(mathbits.TrailingZeros64(d)&63)
	}
	return T(u << twos)
}

func gcdByDivision[T integer](a, b T) T {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

package simd

import "math"

// MTState is the state of mt19937 (Matsumoto and Nishimura 1998): 624 words.
type MTState = [624]uint32

const mtMiddle = 397 // the word that is mixed into the first

// mtNextRun replaces the words of dst but for the last by their successors. m has the words that are mixed in.
var mtNextRun = mtNext

// MTTemper sets dst[i] to the draw that word a[i] of the state stands for.
var MTTemper = mtTemper

// UniformFloat32 sets dst[i] to width·u + low, rounded once, u being the 24 low bits of draws[i] as a fraction. dst
// and draws may be the same memory.
var UniformFloat32 = uniformFloat32

// UniformFloat64 sets dst[i] to width·u + low, rounded once, u being the 53 low bits of two draws, the first above,
// as a fraction. dst and draws may be the same memory.
var UniformFloat64 = uniformFloat64

// BoxMullerFloat32 turns uniform numbers on [0, 1) into normal ones. len(x) is a multiple of 16: in each group, eight
// numbers for radii stand before eight for angles. Logarithm, sine and cosine are Cephes' for float32, with the fused
// steps of PyTorch's kernel for AVX2, so that the numbers are PyTorch's to the bit.
var BoxMullerFloat32 = boxMullerFloat32

// BoxMullerFloat64 is BoxMullerFloat32 in float64, with the values of math.Log and math.Sincos.
var BoxMullerFloat64 = boxMullerFloat64

// Log1mFloat64 sets dst[i] = log(1 - a[i]) for a[i] in [0, 1), with the values of math.Log.
var Log1mFloat64 = log1mFloat64

// MTNext replaces the state by the next one.
func MTNext(s *MTState) {
	n, m := len(s), mtMiddle
	mtNextRun(s[:n-m+1], s[m:])
	mtNextRun(s[n-m:], s[:m-1])
	s[n-1] = s[m-1] ^ mtMix(s[n-1], s[0])
}

func mtMix(a, b uint32) uint32 {
	y := a&0x80000000 | b&0x7fffffff
	return y>>1 ^ -(y&1)&0x9908b0df
}

func mtNext(dst, m []uint32) {
	m = m[:len(dst)-1]
	for i := range m {
		dst[i] = m[i] ^ mtMix(dst[i], dst[i+1])
	}
}

func mtTemper(dst, a []uint32) {
	a = a[:len(dst)]
	for i, y := range a {
		y ^= y >> 11
		y ^= y << 7 & 0x9d2c5680
		y ^= y << 15 & 0xefc60000
		dst[i] = y ^ y>>18
	}
}

func uniformFloat32(dst []float32, draws []uint32, width, low float32) {
	draws = draws[:len(dst)]
	for i, w := range draws {
		dst[i] = fma32(float32(int32(w&(1<<24-1)))*0x1p-24, width, low)
	}
}

func uniformFloat64(dst []float64, draws []uint32, width, low float64) {
	draws = draws[:2*len(dst)]
	for i := range dst {
		bits := uint64(draws[2*i])<<32 | uint64(draws[2*i+1])
		dst[i] = math.FMA(float64(int64(bits&(1<<53-1)))*0x1p-53, width, low)
	}
}

func boxMullerFloat32(x []float32, mean, std float32) {
	for ; len(x) >= 16; x = x[16:] {
		for j := range 8 {
			radius := float32(math.Sqrt(float64(-2 * cephesLog32(1-x[j]))))
			sin, cos := cephesSincos32(2 * float32(math.Pi) * x[j+8])
			x[j] = fusedMulAdd32(radius*cos, std, mean)
			x[j+8] = fusedMulAdd32(radius*sin, std, mean)
		}
	}
}

// The coefficients of logf, sinf and cosf in Moshier's Cephes library, the highest power first; the logarithm of 2 and
// a quarter of pi in parts whose multiples are exact.
var (
	cephesLog = [...]float32{7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
		-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1}
	cephesLn2    = [...]float32{-2.12194440e-4, 0.693359375}
	cephesCos    = [...]float32{2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2}
	cephesSin    = [...]float32{-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1}
	cephesOctant = [...]float32{0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8}
)

// cephesLog32 is the logarithm of a positive normal number.
func cephesLog32(u float32) float32 {
	// u = 2^e (1+x) with sqrt(1/2) <= 1+x < sqrt(2)
	bits := math.Float32bits(u)
	e := float32(int32(bits>>23) - 0x7e)
	x := math.Float32frombits(bits&0x807fffff | 0x3f000000)
	if x < math.Sqrt2/2 {
		e--
		x = (x - 1) + x
	} else {
		x--
	}
	z := x * x
	y := polynomial32(x, cephesLog[:]) * x
	y = fusedMulAdd32(y, z, e*cephesLn2[0])
	y = fusedMulAdd32(-z, 0.5, y)
	return fusedMulAdd32(e, cephesLn2[1], x+y)
}

// cephesSincos32 is the sine and cosine of x in [0, 2π].
func cephesSincos32(x float32) (sin, cos float32) {
	octant := (int32(x*float32(4/math.Pi)) + 1) &^ 1
	for _, part := range cephesOctant {
		x = fusedMulAdd32(-float32(octant), part, x)
	}
	z := x * x
	cos = polynomial32(z, cephesCos[:]) * z
	cos = fusedMulAdd32(cos, z, -(z*0.5)) + 1
	sin = polynomial32(z, cephesSin[:]) * z
	sin = fusedMulAdd32(sin, x, x)
	switch octant & 7 {
	case 2:
		return cos, -sin
	case 4:
		return -sin, -cos
	case 6:
		return -cos, sin
	}
	return sin, cos
}

// polynomial32 is the polynomial of x with the coefficients, the highest first, rounded once a step.
func polynomial32(x float32, coefficients []float32) float32 {
	y := coefficients[0]
	for _, c := range coefficients[1:] {
		y = fusedMulAdd32(y, x, c)
	}
	return y
}

// fusedMulAdd32 is a*b+c, rounded once. The product is exact in float64; the sum is rounded to odd there, so that
// rounding it again to float32 is as good as rounding the exact sum.
func fusedMulAdd32(a, b, c float32) float32 {
	p, q := float64(a)*float64(b), float64(c)
	s := p + q
	back := s - p
	lost := (p - (s - back)) + (q - back)
	if bits := math.Float64bits(s); lost != 0 && bits&1 == 0 {
		if (lost > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}

func boxMullerFloat64(x []float64, mean, std float64) {
	for ; len(x) >= 16; x = x[16:] {
		for j := range 8 {
			u1, u2 := 1-x[j], x[j+8]
			radius := math.Sqrt(-2 * math.Log(u1))
			sin, cos := math.Sincos(2 * math.Pi * u2)
			x[j] = float64(radius*cos*std) + mean
			x[j+8] = float64(radius*sin*std) + mean
		}
	}
}

func log1mFloat64(dst, a []float64) {
	a = a[:len(dst)]
	for i, v := range a {
		dst[i] = math.Log(1 - v)
	}
}

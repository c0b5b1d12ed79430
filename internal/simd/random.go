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
// numbers for radii stand before eight for angles. Logarithm, sine and cosine are computed in float64 and rounded.
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
			u1, u2 := 1-x[j], x[j+8]
			radius := float32(math.Sqrt(float64(-2 * float32(math.Log(float64(u1))))))
			sin, cos := math.Sincos(float64(2 * float32(math.Pi) * u2))
			x[j] = float32(radius*float32(cos)*std) + mean
			x[j+8] = float32(radius*float32(sin)*std) + mean
		}
	}
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

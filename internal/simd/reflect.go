package simd

// Reflector is v1, v2, tau, tau·v1 and tau·v2 of the reflector I - tau v vᵀ, where v is (1, v1, v2).
type Reflector [5]float64

// ReflectFloat64 replaces the rows x, y and z by the reflector times them. y and z are at least as long as x.
func ReflectFloat64(x, y, z []float64, r *Reflector) {
	if len(x) == 0 {
		return
	}
	y, z = y[:len(x)], z[:len(x)]
	reflectRows(bytesOf(x), bytesOf(y), bytesOf(z), bytesOf(r[:]), len(x))
}

var reflectRows = reflectGo

func reflectGo(px, py, pz, pp *byte, n int) {
	x, y, z, p := view[float64](px, n), view[float64](py, n), view[float64](pz, n), view[float64](pp, 5)
	v1, v2, t0, t1, t2 := p[0], p[1], p[2], p[3], p[4]
	for i, e := range x {
		sum := e + v1*y[i] + v2*z[i]
		x[i] = e - sum*t0
		y[i] -= sum * t1
		z[i] -= sum * t2
	}
}

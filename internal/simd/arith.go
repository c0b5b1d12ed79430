package simd

// AddFloat32 sets dst[i] = a[i] + b[i].
var AddFloat32 = add[float32]

// AddFloat64 sets dst[i] = a[i] + b[i].
var AddFloat64 = add[float64]

// SubFloat32 sets dst[i] = a[i] - b[i].
var SubFloat32 = sub[float32]

// SubFloat64 sets dst[i] = a[i] - b[i].
var SubFloat64 = sub[float64]

// MulFloat32 sets dst[i] = a[i] * b[i].
var MulFloat32 = mul[float32]

// MulFloat64 sets dst[i] = a[i] * b[i].
var MulFloat64 = mul[float64]

func add[T float32 | float64](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func sub[T float32 | float64](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func mul[T float32 | float64](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

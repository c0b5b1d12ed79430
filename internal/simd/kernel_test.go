package simd

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"testing"
	"unsafe"
)

// TestKernels compares every form in assembly with the Go form: special values against each other, every tail length
// against guard pages, and the result in place of an input.
func TestKernels(t *testing.T) {
	bindTables()
	var names []string
	for name := range kernels {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, l := range levels() {
		if l == Go {
			continue
		}
		t.Run(l.String(), func(t *testing.T) {
			for _, name := range names {
				k := kernels[name]
				if l == AVX2 && k.avx2 == nil || l == AVX512 && k.avx512 == nil {
					continue
				}
				t.Run(name, func(t *testing.T) { k.check(t, k.at(l)) })
			}
		})
	}
}

// check compares f with the Go form.
func (k *Kernel) check(t *testing.T, f Func) {
	params := k.parameters()
	longest := slices.Max(lengths())
	var all [3][]byte
	for j, typ := range k.In {
		all[j] = make([]byte, longest*int(typ.Size()))
		fillValues(reflect.NewAt(reflect.ArrayOf(longest, typ), unsafe.Pointer(unsafe.SliceData(all[j]))).Elem(), j*7, j)
	}
	for i, n := range lengths() {
		front := i%2 == 1
		var in [3]*byte
		for j, typ := range k.In {
			b := guarded[byte](t, n*int(typ.Size()), front)
			copy(b, all[j][i%7*int(typ.Size()):])
			if n > longest-7 {
				copy(b, all[j])
			}
			in[j] = unsafe.SliceData(b)
		}
		size := n * int(k.Out.Size())
		want := make([]byte, size+16)
		got := guarded[byte](t, size, front)
		k.portable(n, unsafe.SliceData(want), in[0], in[1], in[2], params)
		compare := func(p *byte) {
			t.Helper()
			if bytes.Equal(view[byte](p, size), want[:size]) {
				return
			}
			x := reflect.NewAt(reflect.ArrayOf(n, k.Out), unsafe.Pointer(p)).Elem()
			w := reflect.NewAt(reflect.ArrayOf(n, k.Out), unsafe.Pointer(unsafe.SliceData(want))).Elem()
			for j := range n {
				if !near(x.Index(j), w.Index(j), k.ULP) &&
					!(k.abs > 0 && math.Abs(x.Index(j).Float()-w.Index(j).Float()) <= k.abs) {
					var args []any
					for m, typ := range k.In {
						args = append(args, reflect.NewAt(reflect.ArrayOf(n, typ), unsafe.Pointer(in[m])).Elem().Index(j).Interface())
					}
					t.Fatalf("%s of %v (element %d of %d) is %v, want %v", k.Name, args, j, n, x.Index(j), w.Index(j))
				}
			}
		}
		f(n, unsafe.SliceData(got), in[0], in[1], in[2], params)
		compare(unsafe.SliceData(got))
		if len(k.In) > 0 && k.In[0] == k.Out && n > 0 { // in place; the first input's values are gone then
			was := slices.Clone(view[byte](in[0], size))
			f(n, in[0], in[0], in[1], in[2], params)
			copy(got, view[byte](in[0], size))
			copy(view[byte](in[0], size), was)
			compare(unsafe.SliceData(got))
		}
	}
}

// parameters are the kernel's parameters in memory.
func (k *Kernel) parameters() *byte {
	if len(k.params) == 0 {
		return nil
	}
	t := k.Out
	if len(k.In) > 0 {
		t = k.In[0]
	}
	if t.Kind() == reflect.Uint16 { // a half type
		t = reflect.TypeFor[float32]()
	}
	a := reflect.New(reflect.ArrayOf(len(k.params), t))
	for i, v := range k.params {
		a.Elem().Index(i).Set(reflect.ValueOf(v).Convert(t))
	}
	return (*byte)(a.UnsafePointer())
}

// fillValues writes special values and random ones, so that every pair of special ones meets.
func fillValues(a reflect.Value, seed, input int) {
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	for i := range a.Len() {
		e := a.Index(i)
		at := i + seed
		if input > 0 {
			at = i/len(specials64) + i*7 + seed*3
		}
		switch e.Kind() {
		case reflect.Float32:
			v := specials32[at%len(specials32)]
			if rng.IntN(3) == 0 {
				v = math.Float32frombits(rng.Uint32())
			}
			e.SetFloat(float64(v))
		case reflect.Float64:
			v := specials64[at%len(specials64)]
			if rng.IntN(3) == 0 {
				v = math.Float64frombits(rng.Uint64())
			}
			e.SetFloat(v)
		case reflect.Bool:
			e.SetBool(rng.IntN(2) == 0)
		case reflect.Uint16:
			of := []int{0, 0x8000, 1, 0x3c00, 0xbf80, 0x7bff, 0x7c00, 0xfc00, 0x7e01, 0x7f7f, 0x7f80, 0xff80, 0x7fc1,
				rng.IntN(1 << 16), rng.IntN(1 << 16)}
			e.SetUint(uint64(of[at%len(of)]))
		case reflect.Uint8:
			e.SetUint(uint64([]int{0, 1, 255, 128, 127, rng.IntN(1 << 16)}[at%6]) & (1<<(8*e.Type().Size()) - 1))
		default:
			v := []int64{0, 1, -1, math.MinInt64, math.MaxInt64, 127, -128, 1 << 31, 7, 31, 32, 63, int64(rng.Uint64()),
				int64(rng.IntN(100))}[at%14]
			e.SetInt(v << (64 - 8*e.Type().Size()) >> (64 - 8*e.Type().Size()))
			if rng.IntN(4) == 0 {
				e.SetInt(math.MinInt64 >> (64 - 8*e.Type().Size()))
			}
		}
	}
}

// near reports whether two values are the same to the bit, NaNs being alike, or within ulp units of the last place.
func near(a, b reflect.Value, ulp float64) bool {
	switch x, y := uint16(0), uint16(0); a.Interface().(type) {
	case float16:
		x, y = uint16(a.Uint()), uint16(b.Uint())
		return x == y || x&0x7fff > 0x7c00 && y&0x7fff > 0x7c00 || ulp > 0 && halfUnits(x, y) <= ulp
	case bfloat16:
		x, y = uint16(a.Uint()), uint16(b.Uint())
		return x == y || x&0x7fff > 0x7f80 && y&0x7fff > 0x7f80 || ulp > 0 && halfUnits(x, y) <= ulp
	}
	switch a.Kind() {
	case reflect.Float32:
		x, y := float32(a.Float()), float32(b.Float())
		return same32(x, y) || ulp > 0 && (ulps32(x, y) <= ulp || tiny(float64(x), float64(y), 0x1p-118))
	case reflect.Float64: // the Go forms are off by one themselves
		x, y := a.Float(), b.Float()
		return same64(x, y) || ulp > 0 && (math.Abs(float64(ordinal64(x)-ordinal64(y))) <= ulp+1 || tiny(x, y, 0x1p-1010))
	}
	return a.Interface() == b.Interface()
}

// halfUnits is the distance of two numbers of a half type in units of the last place, none being NaN.
func halfUnits(a, b uint16) float64 {
	ordinal := func(x uint16) int {
		if x>>15 != 0 {
			return 1<<15 - int(x)
		}
		return int(x)
	}
	return math.Abs(float64(ordinal(a) - ordinal(b)))
}

// ordinal32 numbers the values of float32 in their order; NaNs lie far from all others.
func ordinal32(x float32) int64 {
	b := int64(math.Float32bits(x))
	if x != x {
		return math.MaxInt32 * 4
	}
	if b>>31 != 0 {
		return 1<<31 - b
	}
	return b
}

// ordinal64 is ordinal32 for float64.
func ordinal64(x float64) int64 {
	b := int64(math.Float64bits(x))
	if x != x {
		return math.MaxInt64
	}
	if b < 0 {
		return math.MinInt64 - b
	}
	return b
}

// ulps32 is the distance of two numbers in units of the last place.
func ulps32(x, y float32) float64 { return math.Abs(float64(ordinal32(x) - ordinal32(y))) }

// tiny reports whether both numbers are so small that intermediate results were subnormal.
func tiny(x, y, limit float64) bool { return math.Abs(x) < limit && math.Abs(y) < limit }

// TestAllFloat32 measures kernels of one float32 against their Go form, which is exact to half a unit, on a sample of
// all inputs: every n-th with GOTORCH_ALL=n.
func TestAllFloat32(t *testing.T) {
	bindTables()
	step, err := strconv.ParseUint(os.Getenv("GOTORCH_ALL"), 10, 32)
	if err != nil || step == 0 {
		step = 400009
	}
	for _, r := range realFunctions {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			measureAll(t, kernels[r.name+" float32"], step)
		})
	}
}

// measureAll compares the forms of a kernel in assembly with the Go form on every step-th float32.
func measureAll(t *testing.T, k *Kernel, step uint64) {
	const n = 4096
	in, got, want := make([]float32, n), make([]float32, n), make([]float32, n)
	p := func(s []float32) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(s))) }
	var worst [AVX512 + 1]float64
	var at [AVX512 + 1]float32
	for b := uint64(0); b < 1<<32; {
		m := 0
		for ; m < n && b < 1<<32; b += step {
			in[m] = math.Float32frombits(uint32(b))
			m++
		}
		k.portable(m, p(want), p(in), nil, nil, nil)
		for _, l := range levels()[1:] {
			k.at(l)(m, p(got), p(in), nil, nil, nil)
			for i := range m {
				if same32(got[i], want[i]) || tiny(float64(got[i]), float64(want[i]), 0x1p-118) ||
					math.Abs(float64(got[i]-want[i])) <= k.abs {
					continue
				}
				if u := ulps32(got[i], want[i]); u > worst[l] {
					worst[l], at[l] = u, in[i]
				}
			}
		}
	}
	for _, l := range levels()[1:] {
		t.Logf("%s: %v units at %v", l, worst[l], at[l])
		if worst[l] > k.ULP {
			t.Errorf("%s of %s is off by %v units of the last place at %v, more than %v", k.Name, l, worst[l], at[l], k.ULP)
		}
	}
}

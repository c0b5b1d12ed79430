package simd

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"testing"
	"unsafe"
)

// TestKernels compares every form in assembly with the Go form: special values against each other, every tail length against
// guard pages, and the result in the place of an input.
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
	for i, n := range lengths() {
		front := i%2 == 1
		var in [3]*byte
		var values [3]reflect.Value
		for j, typ := range k.In {
			b := guarded[byte](t, n*int(typ.Size()), front)
			in[j] = unsafe.SliceData(b)
			values[j] = reflect.NewAt(reflect.ArrayOf(n, typ), unsafe.Pointer(in[j])).Elem()
			fillValues(values[j], i+j*7, j)
		}
		size := n * int(k.Out.Size())
		want := make([]byte, size+16)
		got := guarded[byte](t, size, front)
		k.portable(n, unsafe.SliceData(want), in[0], in[1], in[2], params)
		compare := func(p *byte) {
			t.Helper()
			x := reflect.NewAt(reflect.ArrayOf(n, k.Out), unsafe.Pointer(p)).Elem()
			w := reflect.NewAt(reflect.ArrayOf(n, k.Out), unsafe.Pointer(unsafe.SliceData(want))).Elem()
			for j := range n {
				if !near(x.Index(j), w.Index(j), k.ULP) {
					var args []any
					for m := range k.In {
						args = append(args, values[m].Index(j).Interface())
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
	a := reflect.New(reflect.ArrayOf(len(k.params), k.In[0]))
	for i, v := range k.params {
		a.Elem().Index(i).Set(reflect.ValueOf(v).Convert(k.In[0]))
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
		case reflect.Uint8, reflect.Uint16:
			e.SetUint(uint64([]int{0, 1, 255, 128, 127, rng.IntN(1 << 16)}[at%6]) & (1<<(8*e.Type().Size()) - 1))
		default:
			v := []int64{0, 1, -1, math.MinInt64, math.MaxInt64, 127, -128, 1 << 31, 7, 31, 32, 63, int64(rng.Uint64()), int64(rng.IntN(100))}[at%14]
			e.SetInt(v << (64 - 8*e.Type().Size()) >> (64 - 8*e.Type().Size()))
			if rng.IntN(4) == 0 {
				e.SetInt(math.MinInt64 >> (64 - 8*e.Type().Size()))
			}
		}
	}
}

// near reports whether two values are the same to the bit, NaNs being alike, or within ulp units of the last place.
func near(a, b reflect.Value, ulp float64) bool {
	switch a.Kind() {
	case reflect.Float32:
		x, y := float32(a.Float()), float32(b.Float())
		return same32(x, y) || ulp > 0 && math.Abs(float64(ordinal32(x)-ordinal32(y))) <= math.Ceil(ulp)
	case reflect.Float64:
		x, y := a.Float(), b.Float()
		return same64(x, y) || ulp > 0 && math.Abs(float64(ordinal64(x)-ordinal64(y))) <= math.Ceil(ulp)
	}
	return a.Interface() == b.Interface()
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

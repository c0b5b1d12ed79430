package simd

import (
	"reflect"
	"sync"
	"unsafe"
)

// Note: pointwise kernels. Every pointwise kernel has the same signature, so that callers find it by its name, as "add
// float32" or "lt int64", and need no code for each. The name belongs to a Go form, which defines what the kernel
// computes; a generated table adds the forms in assembly. A test compares all forms of all kernels.

// Func computes n contiguous elements of dst from as many of a, b and c; inputs that a kernel does not have are not
// looked at, nor are parameters. dst may be an input; otherwise they must not overlap.
type Func func(n int, dst, a, b, c, p *byte)

// Kernel is a pointwise kernel in all its forms.
type Kernel struct {
	Name string
	ULP  float64 // greatest error of the assembly in units of the last place; 0: the same bits as the Go form
	abs  float64 // or greatest absolute error, where that is more
	In   []reflect.Type
	Out  reflect.Type

	portable     Func
	params       []float64 // for tests: parameters that make sense
	avx2, avx512 Func
}

var kernels = map[string]*Kernel{}

// Get returns the fastest form of a kernel at the current level, nil where there is no kernel of that name.
func Get(name string) Func {
	bindTables()
	k := kernels[name]
	if k == nil {
		return nil
	}
	return k.at(current)
}

// at is the form for a level.
func (k *Kernel) at(l Level) Func {
	switch {
	case l >= AVX512 && k.avx512 != nil:
		return k.avx512
	case l >= AVX2 && k.avx2 != nil:
		return k.avx2
	}
	return k.portable
}

// LevelOf is the level of the form that Get returns.
func LevelOf(name string) Level {
	switch k := kernels[name]; {
	case k == nil:
	case current >= AVX512 && k.avx512 != nil:
		return AVX512
	case current >= AVX2 && k.avx2 != nil:
		return AVX2
	}
	return Go
}

// forms are the assembly of a kernel; the AVX2 form computes multiples of lanes elements.
type forms struct {
	name         string
	lanes        int  // of the AVX2 form; the other has twice as many
	bails        bool // it ends before a vector that it cannot compute, with what is left of n at p
	avx2, avx512 Func
}

// pending are assembly tables of files that were initialized before those with the Go forms.
var pending [][]forms

// assembly adds a table of assembly.
func assembly(table []forms) { pending = append(pending, table) }

// bindTables joins the tables with the Go forms; it runs before the first look-up.
var bindTables = sync.OnceFunc(func() {
	for _, table := range pending {
		for _, f := range table {
			k := kernels[f.name]
			if k == nil {
				panic("simd: no Go form of " + f.name)
			}
			if f.bails {
				f.avx2, f.avx512 = k.resuming(f.avx2, f.lanes), k.resuming(f.avx512, 2*f.lanes)
			}
			k.avx512 = f.avx512
			if f.avx2 != nil {
				k.avx2 = k.withTail(f.avx2, f.lanes)
			}
		}
	}
})

func define(name string, ulp float64, out reflect.Type, portable Func, in ...reflect.Type) *Kernel {
	if kernels[name] != nil {
		panic("simd: two kernels " + name)
	}
	k := &Kernel{Name: name, ULP: ulp, In: in, Out: out, portable: portable}
	kernels[name] = k
	return k
}

func view[T any](p *byte, n int) []T { return unsafe.Slice((*T)(unsafe.Pointer(p)), n) }

// define1 adds a kernel of one input.
func define1[R, A any](name string, f func(dst []R, a []A)) *Kernel {
	return define(name, 0, reflect.TypeFor[R](), func(n int, dst, a, _, _, _ *byte) { f(view[R](dst, n), view[A](a, n)) },
		reflect.TypeFor[A]())
}

// define2 adds a kernel of two inputs.
func define2[R, A any](name string, f func(dst []R, a, b []A)) *Kernel {
	return define(name, 0, reflect.TypeFor[R](), func(n int, dst, a, b, _, _ *byte) {
		f(view[R](dst, n), view[A](a, n), view[A](b, n))
	},
		reflect.TypeFor[A](), reflect.TypeFor[A]())
}

// define3 adds a kernel of three inputs, the first of which may have a type of its own.
func define3[R, F, A any](name string, f func(dst []R, a []F, b, c []A)) *Kernel {
	return define(name, 0, reflect.TypeFor[R](), func(n int, dst, a, b, c, _ *byte) {
		f(view[R](dst, n), view[F](a, n), view[A](b, n), view[A](c, n))
	}, reflect.TypeFor[F](), reflect.TypeFor[A](), reflect.TypeFor[A]())
}

// define1p adds a kernel of one input and parameters of its type.
func define1p[R, A any](name string, f func(dst []R, a []A, p []A), params ...float64) *Kernel {
	m := len(params)
	k := define(name, 0, reflect.TypeFor[R](), func(n int, dst, a, _, _, p *byte) {
		f(view[R](dst, n), view[A](a, n), view[A](p, m))
	}, reflect.TypeFor[A]())
	k.params = params
	return k
}

// define2p adds a kernel of two inputs and parameters of their type.
func define2p[R, A any](name string, f func(dst []R, a, b []A, p []A), params ...float64) *Kernel {
	m := len(params)
	k := define(name, 0, reflect.TypeFor[R](), func(n int, dst, a, b, _, p *byte) {
		f(view[R](dst, n), view[A](a, n), view[A](b, n), view[A](p, m))
	}, reflect.TypeFor[A](), reflect.TypeFor[A]())
	k.params = params
	return k
}

// define3p adds a kernel of three inputs and parameters of their type.
func define3p[A any](name string, f func(dst, a, b, c []A, p []A), params ...float64) *Kernel {
	m, t := len(params), reflect.TypeFor[A]()
	k := define(name, 0, t, func(n int, dst, a, b, c, p *byte) {
		f(view[A](dst, n), view[A](a, n), view[A](b, n), view[A](c, n), view[A](p, m))
	}, t, t, t)
	k.params = params
	return k
}

// First is the address of a slice's first element, as a [Func] takes it; the slice must not be empty.
func First[T any](s []T) *byte { return (*byte)(unsafe.Pointer(&s[0])) }

// offset is the address some bytes behind p, which must lie in the same memory.
func offset(p *byte, bytes int) *byte {
	if p == nil {
		return nil
	}
	return (*byte)(unsafe.Add(unsafe.Pointer(p), bytes))
}

// sizes are those of an element of each input.
func (k *Kernel) sizes() (in [3]int) {
	for i, t := range k.In {
		in[i] = int(t.Size())
	}
	return in
}

// withTail makes a kernel for any number of elements of one for multiples of lanes. The rest is computed in Go where
// that is the same to the bit, else as a whole vector in a buffer: an element's value must not depend on its place.
func (k *Kernel) withTail(f Func, lanes int) Func {
	out, in := int(k.Out.Size()), k.sizes()
	exact, portable := k.ULP == 0, k.portable
	return func(n int, dst, a, b, c, p *byte) {
		m := n &^ (lanes - 1)
		if m > 0 {
			f(m, dst, a, b, c, p)
			if m == n {
				return
			}
			dst, a, b, c = offset(dst, m*out), offset(a, m*in[0]), offset(b, m*in[1]), offset(c, m*in[2])
		}
		if exact {
			portable(n-m, dst, a, b, c, p)
			return
		}
		t := tails.Get().(*tail)
		for i, x := range [3]*byte{a, b, c} {
			if in[i] > 0 {
				copy(t[i+1][:], view[byte](x, (n-m)*in[i]))
			}
		}
		f(lanes, &t[0][0], &t[1][0], &t[2][0], &t[3][0], p)
		copy(view[byte](dst, (n-m)*out), t[0][:])
		*t = tail{}
		tails.Put(t)
	}
}

// resuming makes a kernel that computes everything of one that ends early: the Go form computes what of a vector that
// one cannot, element by element, as the results of the others must not depend on their neighbours.
func (k *Kernel) resuming(f Func, lanes int) Func {
	out, in, portable := int(k.Out.Size()), k.sizes(), k.portable
	return func(n int, dst, a, b, c, _ *byte) {
		left := lefts.Get().(*int)
		one := lefts.Get().(*int)
		skip := func(elements int) {
			dst, a, b, c = offset(dst, elements*out), offset(a, elements*in[0]), offset(b, elements*in[1]),
				offset(c, elements*in[2])
		}
		for {
			f(n, dst, a, b, c, counter(left))
			if *left == 0 {
				break
			}
			skip(n - *left)
			n = *left
			for range min(lanes, n) {
				// Elements that the kernel computes keep its value: each is put into a vector of its own.
				v := tails.Get().(*tail)
				for i, x := range [3]*byte{a, b, c} {
					if in[i] > 0 {
						copy(v[i+1][:in[i]], view[byte](x, in[i]))
					}
				}
				if f(lanes, &v[0][0], &v[1][0], &v[2][0], &v[3][0], counter(one)); *one == 0 {
					copy(view[byte](dst, out), v[0][:out])
				} else {
					portable(1, dst, a, b, c, nil)
				}
				*v = tail{}
				tails.Put(v)
				if n--; n == 0 {
					break // no pointer may point behind the last element
				}
				skip(1)
			}
			if n == 0 {
				break
			}
		}
		lefts.Put(left)
		lefts.Put(one)
	}
}

// tail holds a vector of the result and one of each input.
type tail [4][64]byte

var tails = sync.Pool{New: func() any { return new(tail) }}

var lefts = sync.Pool{New: func() any { return new(int) }}

func counter(p *int) *byte { return (*byte)(unsafe.Pointer(p)) }

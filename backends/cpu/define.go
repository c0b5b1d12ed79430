package cpu

import (
	"fmt"
	"slices"
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// pointwise is how an operator is computed in one dtype: the dtypes of its loop's operands and the loop.
type pointwise struct {
	out  tensor.Dtype
	in   [maxInputs]tensor.Dtype
	cost int                       // of an element, in cheap elements such as those of add
	easy func(c *tensor.Call) bool // the calls whose elements are cheap, whatever cost says
	loop loop                      // the same for every call
	make func(c *tensor.Call) loop // or one for each

	// values are the loops where an input is one value, which is their parameter; they have the other input alone. An
	// operator has them if plain is nil or reports so for the call.
	values [2]valueLoop
	plain  func(c *tensor.Call) bool
	// bound are the calls whose loop has the numbers, so that it reads the first input alone.
	bound func(c *tensor.Call) bool

	isa  simd.Level // of the loop, for traces
	wide bool       // the loop computes half types in float32
}

// pointwises has every pointwise operator by name, for every dtype that it computes in.
var pointwises = map[string]*[numDtypes]*pointwise{}

// define sets how an operator is computed in dtypes, and registers its kernel.
func define(name string, dts []tensor.Dtype, w *pointwise) {
	w.cost = max(w.cost, 1)
	t := pointwises[name]
	if t == nil {
		t = new([numDtypes]*pointwise)
		pointwises[name] = t
		tensor.Register(name, tensor.KeyCPU, func(c *tensor.Call) {
			p := c.Plan()
			w := t[p.Dtype]
			if w == nil {
				panic(tensor.Errorf(c.Name(), "not implemented for %s", p.Dtype).WithHint(p.Dtype.ConvertHint()))
			}
			w.run(c, p)
			if c.KeySet().Has(tensor.KeyTrace) {
				c.Note, c.Loop = w.describe(p), w.loopOf(c)
			}
		})
	}
	for _, d := range dts {
		t[d] = w
	}
}

// run computes a planned call.
func (w *pointwise) run(c *tensor.Call, p *tensor.Plan) {
	f := w.loopOf(c)
	cost := w.cost
	if w.easy != nil && w.easy(c) {
		cost = 1
	}
	if !p.Flat || p.Numel*cost > grainSize || p.Out.Dtype != w.out || !w.small(p, f) {
		e := start(p, w.out, w.in[:])
		if w.values[0].run != nil && (w.plain == nil || w.plain(c)) {
			e.values = w.values
		}
		if w.bound != nil && w.bound(c) {
			e.sides = e.sides[:2]
		}
		e.run(f, cost)
	}
}

// loopOf is the loop of a call.
func (w *pointwise) loopOf(c *tensor.Call) loop {
	if w.loop != nil {
		return w.loop
	}
	return w.made(c)
}

// made makes the loop for the arguments of a call, which keeps it if it runs again.
func (w *pointwise) made(c *tensor.Call) loop {
	if c.Made == nil {
		return w.make(c)
	}
	if *c.Made == nil {
		*c.Made = w.make(c)
	}
	return (*c.Made).(loop)
}

// small runs a loop over contiguous operands and numbers in one go; it reports whether they are that.
func (w *pointwise) small(p *tensor.Plan, f loop) bool {
	var x [maxInputs]unsafe.Pointer
	for i := range p.In {
		o := &p.In[i]
		if o.Tensor == nil || o.Dtype != w.in[i] {
			return p.Numel <= blockLen && w.smallNumbers(p, f)
		}
		x[i] = elemsAt(o, p.Numel)
	}
	f(p.Numel, bytePtr(elemsAt(&p.Out, p.Numel)), bytePtr(x[0]), bytePtr(x[1]), bytePtr(x[2]), nil)
	return true
}

// smallNumbers is small where some operands are numbers.
func (w *pointwise) smallNumbers(p *tensor.Plan, f loop) bool {
	tmp := scratches.Get().(*scratch)
	defer scratches.Put(tmp)
	var x [maxInputs]unsafe.Pointer
	for i := range p.In {
		switch o := &p.In[i]; {
		case o.Tensor == nil && !isNarrow(p.Dtype):
			x[i] = unsafe.Pointer(&tmp[i])
			putNumber(x[i], o.Number, w.in[i], w.in[i])
			copierOf(w.in[i].Size())(x[i], 1, x[i], 0, p.Numel)
		case o.Tensor != nil && o.Dtype == w.in[i]:
			x[i] = elemsAt(o, p.Numel)
		default:
			return false
		}
	}
	f(p.Numel, bytePtr(elemsAt(&p.Out, p.Numel)), bytePtr(x[0]), bytePtr(x[1]), bytePtr(x[2]), nil)
	return true
}

// elemsAt is the address of an operand's first element, nil where there is none.
func elemsAt(o *tensor.PlanOperand, n int) unsafe.Pointer {
	if n == 0 {
		return nil
	}
	return unsafe.Add(o.Tensor.Storage().Pointer(), o.Offset*o.Dtype.Size())
}

// describe says how a call ran, for traces: "float32 avx512, 6 elements, contiguous" or "float32, [2 3], strided,
// int64 converted". Loops in Go name no instruction set.
func (w *pointwise) describe(p *tensor.Plan) string {
	s := p.Dtype.String()
	if isHalf(p.Dtype) && (w.in[0] == tensor.Float32 || w.wide) {
		s += " in float32"
	}
	if w.isa != simd.Go {
		s += " " + w.isa.String()
	}
	switch {
	case p.Flat:
		s += fmt.Sprintf(", %d elements, contiguous", p.Numel)
	case len(p.Shape) == 1 && !slices.ContainsFunc(p.In, func(o tensor.PlanOperand) bool {
		return o.Stride[0] != 1 && o.Stride[0] != 0
	}) && p.Out.Stride[0] == 1:
		s += fmt.Sprintf(", %d elements, contiguous × one value", p.Numel)
	default:
		s += fmt.Sprintf(", %v, strided", p.Shape)
	}
	for i := range p.In {
		if o := &p.In[i]; o.Tensor == nil {
			s += ", with a number"
		} else if o.Dtype != p.Dtype {
			s += ", " + o.Dtype.String() + " converted"
		}
	}
	return s
}

// halves are the dtypes that are computed in float32.
var halves = []tensor.Dtype{tensor.Float16, tensor.Bfloat16}

// dtypesOf lists the dtypes that are computed as T: float32 does the half types' work too, complex64 that of
// complex32.
func dtypesOf[T tensor.Element]() []tensor.Dtype {
	switch d := tensor.DtypeOf[T](); d {
	case tensor.Float32:
		return append([]tensor.Dtype{tensor.Float32}, halves...)
	case tensor.Complex64:
		return []tensor.Dtype{tensor.Complex64, tensor.Complex32}
	}
	d := tensor.DtypeOf[T]()
	return []tensor.Dtype{d}
}

// goCost is the cost of an element that a call of a Go function computes.
const goCost = 8

// unary defines an operator of one operand: f computes in A and results in R.
func unary[A, R tensor.Element](name string, f func(dst []R, a []A)) {
	define(name, dtypesOf[A](), &pointwise{out: tensor.DtypeOf[R](), in: [maxInputs]tensor.Dtype{tensor.DtypeOf[A]()},
		cost: goCost, loop: loop1(f)})
}

func loop1[A, R tensor.Element](f func(dst []R, a []A)) loop {
	return func(n int, dst, a, _, _, _ *byte) { f(elems[R](dst, n), elems[A](a, n)) }
}

// unaryWith is unary for a loop that depends on the call's other arguments.
func unaryWith[A, R tensor.Element](name string, make func(c *tensor.Call) func(dst []R, a []A)) {
	define(name, dtypesOf[A](),
		&pointwise{out: tensor.DtypeOf[R](), in: [maxInputs]tensor.Dtype{tensor.DtypeOf[A]()}, cost: goCost,
			make: func(c *tensor.Call) loop { return loop1(make(c)) }})
}

// binary defines an operator of two operands.
func binary[A, R tensor.Element](name string, f func(dst []R, a, b []A)) {
	d := tensor.DtypeOf[A]()
	define(name, dtypesOf[A](), &pointwise{out: tensor.DtypeOf[R](), in: [maxInputs]tensor.Dtype{d, d}, cost: goCost,
		loop: loop2(f)})
}

func loop2[A, R tensor.Element](f func(dst []R, a, b []A)) loop {
	return func(n int, dst, a, b, _, _ *byte) { f(elems[R](dst, n), elems[A](a, n), elems[A](b, n)) }
}

// binaryWith is binary for a loop that depends on the call's other arguments.
func binaryWith[A, R tensor.Element](name string, make func(c *tensor.Call) func(dst []R, a, b []A)) {
	d := tensor.DtypeOf[A]()
	define(name, dtypesOf[A](), &pointwise{out: tensor.DtypeOf[R](), in: [maxInputs]tensor.Dtype{d, d}, cost: goCost,
		make: func(c *tensor.Call) loop { return loop2(make(c)) }})
}

// ternaryWith defines an operator of three operands, the first of which may have a type of its own.
func ternaryWith[F, A, R tensor.Element](name string, make func(c *tensor.Call) func(dst []R, f []F, a, b []A)) {
	d := tensor.DtypeOf[A]()
	define(name, dtypesOf[A](),
		&pointwise{out: tensor.DtypeOf[R](), in: [maxInputs]tensor.Dtype{tensor.DtypeOf[F](), d, d}, cost: goCost,
			make: func(c *tensor.Call) loop {
				f := make(c)
				return func(n int, dst, a, b, c, _ *byte) {
					f(elems[R](dst, n), elems[F](a, n), elems[A](b, n), elems[A](c, n))
				}
			}})
}

// elems is n elements at p.
func elems[T any](p *byte, n int) []T { return unsafe.Slice((*T)(unsafe.Pointer(p)), n) }

// numberAs converts a number to T.
func numberAs[T tensor.Element](s tensor.Scalar) (v T) {
	d := tensor.DtypeOf[T]()
	putNumber(unsafe.Pointer(&v), s, d, d)
	return v
}

// vector defines an operator by kernels of package simd: in dtypes d, the kernel of that name and dtype. It has n
// inputs.
func vector(name, kernel string, n int, result tensor.Dtype, cost int, ds ...tensor.Dtype) {
	for _, d := range ds {
		w := &pointwise{out: d, cost: cost, loop: kernelOf(kernel, d), isa: simd.LevelOf(kernel + " " + d.String())}
		if result != tensor.NoDtype {
			w.out = result
		}
		for i := range n {
			w.in[i] = d
		}
		if name == "mul" {
			w.values = valueLoops("scale", "scale", d)
		}
		define(name, withHalves(d), w)
		if d == tensor.Float32 && w.out == d && simd.Get(kernel+" bfloat16") != nil {
			defineHalves(name, w, func(h tensor.Dtype) func(*tensor.Call) loop {
				f := kernelOf(kernel, h)
				return func(*tensor.Call) loop { return f }
			})
		}
	}
}

// defineHalves defines an operator that w computes in float32 for the half types, by kernels that convert on the way.
// bind makes the loop of a call.
func defineHalves(name string, w *pointwise, bind func(h tensor.Dtype) func(c *tensor.Call) loop) {
	for _, h := range halves {
		v := &pointwise{out: h, cost: w.cost, easy: w.easy, bound: w.bound, isa: w.isa, wide: true, make: bind(h)}
		for i, d := range w.in {
			if d != tensor.NoDtype {
				v.in[i] = h
			}
		}
		define(name, []tensor.Dtype{h}, v)
	}
}

// throughFloat32 is a loop for a half type that converts blocks, for a loop of so many inputs over float32.
func throughFloat32(f loop, h tensor.Dtype, inputs int) loop {
	widen, narrow := kernelOf("cast float32", h), simd.Get("cast "+h.String()+" float32")
	return func(n int, dst, a, b, c, p *byte) {
		tmp := scratches.Get().(*scratch)
		var x [1 + maxInputs]*byte
		for i := range x {
			x[i] = bytePtr(unsafe.Pointer(&tmp[i]))
		}
		for i := 0; i < n; i += blockLen {
			k := min(blockLen, n-i)
			for j, in := range []*byte{a, b, c}[:inputs] {
				widen(k, x[j+1], moved(in, i*h.Size()), nil, nil, nil)
			}
			f(k, x[0], x[1], x[2], x[3], p)
			narrow(k, moved(dst, i*h.Size()), x[0], nil, nil, nil)
		}
		scratches.Put(tmp)
	}
}

// vectorWith is vector for kernels with parameters, which params reads from the call as the dtype computed in.
func vectorWith(name, kernel string, n, cost int, params func(c *tensor.Call) []tensor.Scalar, ds ...tensor.Dtype) {
	for _, d := range ds {
		f := kernelOf(kernel, d)
		w := &pointwise{out: d, cost: cost, isa: simd.LevelOf(kernel + " " + d.String())}
		for i := range n {
			w.in[i] = d
		}
		w.make = func(c *tensor.Call) loop { return bindParams(f, d, d, params(c)) }
		define(name, withHalves(d), w)
		if d == tensor.Float32 && simd.Get(kernel+" bfloat16") != nil {
			defineHalves(name, w, func(h tensor.Dtype) func(*tensor.Call) loop {
				f := kernelOf(kernel, h)
				compute := d
				if kernel == "clamp" {
					compute = h
				}
				return func(c *tensor.Call) loop { return bindParams(f, d, compute, params(c)) }
			})
		}
	}
}

// bindParams passes numbers to a kernel as its parameters, elements of d which are rounded to compute.
func bindParams(f loop, d, compute tensor.Dtype, params []tensor.Scalar) loop {
	p := new([4]uint64)
	for i, s := range params {
		putNumber(unsafe.Add(unsafe.Pointer(p), i*d.Size()), s, d, compute)
	}
	return func(n int, dst, a, b, c, _ *byte) { f(n, dst, a, b, c, (*byte)(unsafe.Pointer(p))) }
}

// kernelOf is the kernel of package simd for a dtype.
func kernelOf(name string, d tensor.Dtype) loop {
	f := simd.Get(name + " " + d.String())
	if f == nil {
		panic("cpu: no kernel " + name + " " + d.String())
	}
	return f
}

func withHalves(d tensor.Dtype) []tensor.Dtype {
	if d == tensor.Float32 {
		return dtypesOf[float32]()
	}
	return []tensor.Dtype{d}
}

var (
	floatDtypes   = []tensor.Dtype{tensor.Float32, tensor.Float64}
	integerDtypes = []tensor.Dtype{tensor.Uint8, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64}
	realDtypes    = append(slices.Clone(integerDtypes), floatDtypes...)
)

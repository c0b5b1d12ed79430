package cpu

import (
	"fmt"
	"slices"
	"unsafe"

	"gotorch/tensor"
)

// runner computes a planned call in one dtype.
type runner func(c *tensor.Call, p *tensor.Plan)

// runners has the runner of every pointwise operator for every dtype that it computes in.
var runners = map[string]*[numDtypes]runner{}

// define sets the runner of an operator for dtypes, and registers its kernel.
func define(name string, dts []tensor.Dtype, r runner) {
	t := runners[name]
	if t == nil {
		t = new([numDtypes]runner)
		runners[name] = t
		tensor.Register(name, tensor.KeyCPU, func(c *tensor.Call) {
			p := c.Plan()
			r := t[p.Dtype]
			if r == nil {
				tensor.Errorf(c.Name(), "not implemented for %s", p.Dtype)
			}
			r(c, p)
			if c.KeySet().Has(tensor.KeyTrace) {
				c.Note = describe(p)
			}
		})
	}
	for _, d := range dts {
		t[d] = r
	}
}

// describe says how a call ran, for traces: "float32, 6 elements, contiguous" or "float32, [2 3], strided, converted".
func describe(p *tensor.Plan) string {
	s := p.Dtype.String()
	switch {
	case p.Flat:
		s += fmt.Sprintf(", %d elements, contiguous", p.Numel)
	case len(p.Shape) == 1 && !slices.ContainsFunc(p.In, func(o tensor.PlanOperand) bool { return o.Stride[0] != 1 && o.Stride[0] != 0 }) && p.Out.Stride[0] == 1:
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

// dtypesOf lists the dtypes that are computed as T: float32 does the half types' work too.
func dtypesOf[T tensor.Element]() []tensor.Dtype {
	d := tensor.DtypeOf[T]()
	if d == tensor.Float32 {
		return []tensor.Dtype{tensor.Float32, tensor.Float16, tensor.Bfloat16}
	}
	return []tensor.Dtype{d}
}

// unary defines an operator of one operand: loop computes in A and gives R.
func unary[A, R tensor.Element](name string, loop func(dst []R, a []A)) {
	unaryWith(name, func(*tensor.Call) func([]R, []A) { return loop })
}

// unaryWith is unary for a loop that depends on the call's other arguments.
func unaryWith[A, R tensor.Element](name string, make func(c *tensor.Call) func(dst []R, a []A)) {
	in, out := tensor.DtypeOf[A](), tensor.DtypeOf[R]()
	define(name, dtypesOf[A](), func(c *tensor.Call, p *tensor.Plan) {
		loop := make(c)
		if p.Flat && p.Numel <= grainSize && p.Out.Dtype == out && p.In[0].Dtype == in && p.In[0].Tensor != nil {
			loop(elems[R](&p.Out, p.Numel), elems[A](&p.In[0], p.Numel))
			return
		}
		start(p, out, in).run(func(n int, x *pointers) { loop(slice[R](x[0], n), slice[A](x[1], n)) })
	})
}

// binary defines an operator of two operands.
func binary[A, R tensor.Element](name string, loop func(dst []R, a, b []A)) {
	binaryWith(name, func(*tensor.Call) func([]R, []A, []A) { return loop })
}

// binaryWith is binary for a loop that depends on the call's other arguments.
func binaryWith[A, R tensor.Element](name string, make func(c *tensor.Call) func(dst []R, a, b []A)) {
	in, out := tensor.DtypeOf[A](), tensor.DtypeOf[R]()
	define(name, dtypesOf[A](), func(c *tensor.Call, p *tensor.Plan) {
		loop := make(c)
		a, b := &p.In[0], &p.In[1]
		if p.Flat && p.Numel <= grainSize && p.Out.Dtype == out && a.Dtype == in && b.Dtype == in && a.Tensor != nil && b.Tensor != nil {
			loop(elems[R](&p.Out, p.Numel), elems[A](a, p.Numel), elems[A](b, p.Numel))
			return
		}
		if p.Flat && p.Numel <= blockLen && p.Out.Dtype == out && p.Dtype == in && runSmall(p, in, loop) {
			return
		}
		start(p, out, in).run(func(n int, x *pointers) { loop(slice[R](x[0], n), slice[A](x[1], n), slice[A](x[2], n)) })
	})
}

// runSmall runs a loop of one block whose operands are plain tensors and numbers; it reports whether they are.
func runSmall[A, R tensor.Element](p *tensor.Plan, in tensor.Dtype, loop func(dst []R, a, b []A)) bool {
	tmp := scratches.Get().(*scratch)
	defer scratches.Put(tmp)
	var x [2][]A
	for i := range x {
		switch o := &p.In[i]; {
		case o.Tensor == nil:
			x[i] = slice[A](unsafe.Pointer(&tmp[i]), p.Numel)
			v := numberAs[A](o.Number)
			for j := range x[i] {
				x[i][j] = v
			}
		case o.Dtype == in:
			x[i] = elems[A](o, p.Numel)
		default:
			return false
		}
	}
	loop(elems[R](&p.Out, p.Numel), x[0], x[1])
	return true
}

// ternaryWith defines an operator of three operands, the first of which may have a type of its own.
func ternaryWith[F, A, R tensor.Element](name string, make func(c *tensor.Call) func(dst []R, f []F, a, b []A)) {
	first, in, out := tensor.DtypeOf[F](), tensor.DtypeOf[A](), tensor.DtypeOf[R]()
	define(name, dtypesOf[A](), func(c *tensor.Call, p *tensor.Plan) {
		loop := make(c)
		start(p, out, first, in).run(func(n int, x *pointers) {
			loop(slice[R](x[0], n), slice[F](x[1], n), slice[A](x[2], n), slice[A](x[3], n))
		})
	})
}

// elems lends n contiguous elements of an operand.
func elems[T any](o *tensor.PlanOperand, n int) []T {
	if n == 0 {
		return nil
	}
	var z T
	return slice[T](unsafe.Add(o.Tensor.Storage().Pointer(), o.Offset*int(unsafe.Sizeof(z))), n)
}

// numberAs converts a number to T.
func numberAs[T tensor.Element](s tensor.Scalar) (v T) {
	d := tensor.DtypeOf[T]()
	putNumber(unsafe.Pointer(&v), s, d, d)
	return v
}

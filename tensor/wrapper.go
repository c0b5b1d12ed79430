package tensor

import (
	"slices"
	"strings"
)

// Note: wrapper tensors. A user's type that holds tensors stands in a tensor of its own, which has a shape, a dtype
// and a device, and no elements. Every operator that meets one is passed to the type's handler, which calls the
// operator on what it holds and wraps the results, or does something else. The key of wrappers stands above the
// devices and beneath autograd, vmap and modes. So there are two ways to have gradients. Above: the wrapper itself
// requires grad, autograd records calls of wrappers, gradients are wrappers, and in the handler nothing is recorded.
// Beneath: what it holds requires grad, and the handler's own calls are recorded. Composite operators are taken
// apart before.

// Wrapper is a user's type that holds tensors; see [NewWrapper].
type Wrapper interface {
	// Name is what a tensor of this type is called where it is printed: Logging(f32[3]).
	Name() string
	// Handle answers the call of an operator, one of whose tensors is of this type: by [Call.Forward], or with results
	// of its own by [Call.Return]. A call that writes must return the tensor that it writes to. Handle may panic with an
	// *Error, which ends the call.
	Handle(c *Call)
	// Dense returns the elements as another tensor of the same shape: Item, Data and Tolist read that. Nil means that
	// they cannot be read.
	Dense() *Tensor
}

// wrapped is the owner of the storage of a tensor that stands for a wrapper.
type wrapped struct {
	w    Wrapper
	view bool // made by a view operator
}

// NewWrapper makes the tensor that stands for w. Its shape, strides, dtype and device are those of like. A nil w or
// like panics with an *Error.
//
//	type Logging struct{ x *tensor.Tensor }
//
//	func (l Logging) Name() string          { return "Logging" }
//	func (l Logging) Dense() *tensor.Tensor { return l.x }
//	func (l Logging) Handle(c *tensor.Call) {
//		fmt.Println(c.Name())
//		c.Forward(tensor.Wrapper.Dense, func(y *tensor.Tensor) tensor.Wrapper { return Logging{y} })
//	}
//
//	y := tensor.NewWrapper(Logging{x}, x).Exp() // prints exp
func NewWrapper(w Wrapper, like *Tensor) *Tensor {
	const op = "new_wrapper"
	switch {
	case w == nil:
		panic(Errorf(op, "the wrapper is nil").OnArg("w"))
	case like == nil:
		panic(Errorf(op, "like is a nil tensor").OnArg("like"))
	}
	x := newHeader(len(like.shape), like.dtype)
	copy(x.shape, like.shape)
	copy(x.stride, like.stride)
	x.offset, x.numel, x.layout = like.offset, like.numel, Wrapped
	x.st = &Storage{bytes: like.st.bytes, device: like.st.device, owner: &wrapped{w: w}}
	x.keys = like.keys&deviceKeys | 1<<KeyWrapper
	return x
}

// wrapping is what x stands for, nil for a tensor that is no wrapper.
func (x *Tensor) wrapping() *wrapped {
	if x.keys&(1<<KeyWrapper) == 0 {
		return nil
	}
	w, _ := x.st.owner.(*wrapped)
	return w
}

// Wrapper is the user's value that x stands for, nil where x is no wrapper.
func (x *Tensor) Wrapper() Wrapper {
	if w := x.wrapping(); w != nil {
		return w.w
	}
	return nil
}

// IsPlain reports whether the elements of x lie in its storage: no wrapper and no layer of a transform stands between,
// and it is not sparse.
//
//gotorch:internal
func (x *Tensor) IsPlain() bool { return x.keys&opaque == 0 }

// opaque are the keys of tensors whose elements lie elsewhere.
const opaque = layered | 1<<KeyWrapper | 1<<KeySparse

// Dense is the tensor that x's elements are read from: x itself unless it is a wrapper. A wrapper that cannot be read
// panics with an *Error.
func (x *Tensor) Dense() *Tensor {
	for n := 0; ; n++ {
		w := x.Wrapper()
		if w == nil {
			return x
		}
		y := w.Dense()
		switch {
		case y == nil:
			panic(Errorf("dense", "a %s has no elements that can be read", w.Name()).
				WithHint("its method Dense returned nil; it returns them as a tensor"))
		case !slices.Equal(y.shape, x.shape):
			panic(Errorf("dense", "the method Dense of %s returned shape %v for a tensor of shape %v", w.Name(), y.shape,
				x.shape))
		case y == x || n > maxWrapped:
			panic(Errorf("dense", "the method Dense of %s returns wrappers without an end", w.Name()))
		}
		x = y
	}
}

// maxWrapped is how deep handlers may be nested, which call operators on wrappers.
const maxWrapped = 100

func init() { RegisterFallback(KeyWrapper, runWrapper) }

// runWrapper gives a call to the handler of its first wrapper.
func runWrapper(c *Call) {
	var w *wrapped
	find := func(_ int, t *Tensor) {
		if w == nil {
			w = t.wrapping()
		}
	}
	c.EachTensor(find)
	for _, t := range c.out {
		find(0, t)
	}
	if w == nil {
		c.Next()
		return
	}
	if s := CurrentScope(); s != nil && s.wrappers >= maxWrapped {
		panic(Errorf(c.Name(), "the handler of %s calls itself: %d calls are nested", w.w.Name(), s.wrappers).
			WithHint("c.Forward calls the operator on what the wrappers hold"))
	}
	written := slices.Clone(c.Written())
	recorded := c.all.Has(KeyAutograd)
	for _, d := range written {
		if v := d.wrapping(); v != nil && v.view && recorded {
			panic(Errorf(c.Name(), "a write into a view of a %s cannot be recorded", v.w.Name()).
				WithHint("write out of place, or inside autograd.NoGrad"))
		}
	}
	c.keys = 0 // no kernel beneath can read a wrapper
	InScope(func(s *Scope) {
		s.wrappers++
		s.Temporaries = nil // what the handler makes is seen by the user
		if recorded {
			s.Exclude(1 << KeyAutograd)
			s.Beneath = true
		}
	}, func() { w.w.Handle(c) })
	c.checkAnswer("the handler of "+w.w.Name(), "c.Forward(unwrap, wrap) calls the operator on what the wrappers hold",
		written)
	for _, d := range written {
		if d.wrapping() != nil {
			d.st.wrote(c.Op.noteOf(c.Variant))
		}
	}
}

// Forward calls the operator of a wrapper's handler on what the wrappers hold, and answers the call with the results
// wrapped. unwrap returns what a wrapper holds; it is asked for the wrappers of the handler's type, by their Name, and
// others stay. wrap makes the wrapper of a new result; where it returns nil the result is returned as it is. What the
// call writes to is written, and returned.
func (c *Call) Forward(unwrap func(w Wrapper) *Tensor, wrap func(y *Tensor) Wrapper) {
	name := ""
	c.eachWrapped(func(w *wrapped) {
		if name == "" {
			name = w.w.Name()
		}
	})
	out := c.Again(func(_ int, t *Tensor) *Tensor {
		w := t.Wrapper()
		if w == nil || w.Name() != name {
			return t
		}
		inner := unwrap(w)
		if inner == nil {
			panic(Errorf(c.Name(), "unwrap returned nil for a %s", name))
		}
		return inner
	}, nil)
	if written := c.Written(); c.IsWrite() {
		for i, d := range written {
			if r := out[min(i, len(out)-1)]; d.wrapping() != nil && !slices.Equal(d.shape, r.shape) {
				d.shape, d.stride = slices.Clone(r.shape), slices.Clone(r.stride)
				d.numel, d.offset = r.numel, r.offset
			}
		}
		c.Return(written...)
		return
	}
	for i, r := range out {
		w := wrap(r)
		if w == nil {
			continue
		}
		out[i] = NewWrapper(w, r)
		out[i].wrapping().view = c.IsView()
	}
	c.Return(out...)
}

// eachWrapped calls f with the wrappers among the call's tensors.
func (c *Call) eachWrapped(f func(w *wrapped)) {
	one := func(_ int, t *Tensor) {
		if w := t.wrapping(); w != nil {
			f(w)
		}
	}
	c.EachTensor(one)
	for _, t := range c.out {
		one(0, t)
	}
}

// wrapperText is how a wrapper is written: Logging(f32[2 3]).
func (x *Tensor) wrapperText() string {
	sizes := make([]string, len(x.shape))
	for i, n := range x.shape {
		sizes[i] = itoa(n)
	}
	text := x.Wrapper().Name() + "(" + shortDtypes[x.dtype] + "[" + strings.Join(sizes, " ") + "]"
	if fn := x.gradFnName(); fn != "" {
		text += ", grad_fn=<" + fn + ">"
	} else if x.RequiresGrad() {
		text += ", requires_grad=True"
	}
	return text + ")"
}

// shortDtypes are names of dtypes in a few letters.
var shortDtypes = map[Dtype]string{Bool: "bool", Uint8: "u8", Int8: "i8", Int16: "i16", Int32: "i32", Int64: "i64",
	Float16: "f16", Bfloat16: "bf16", Float32: "f32", Float64: "f64", Complex64: "c64", Complex128: "c128"}

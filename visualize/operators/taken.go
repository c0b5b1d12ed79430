package operators

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"gotorch/autograd"
	"gotorch/internal/sources"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// taken is a call of an operator as it went: what of it Branches and Chain show. It keeps words and numbers, and no
// tensor.
type taken struct {
	op      *tensor.Op
	variant tensor.Variant
	site    tensor.Site
	args    []ChainArg
	keys    tensor.KeySet // that it began with, without Trace
	last    tensor.Key    // the lowest key that ran
	device  tensor.Device
	layout  tensor.Layout
	given   []tensor.Dtype // of its tensors, each once
	dtype   tensor.Dtype   // that the kernel's switch goes by
	note    string         // the kernel's own words
	loop    sources.Place  // where its loop stands, if it told
	results []string
	node    string // what autograd recorded
	saved   []string
	binding sources.Place // the function by which it was called
	inner   []InnerCall
	more    int // calls of it that are left out
	before  int // calls that the function made before
	err     string
}

// InnerCall is a call that an operator made of others.
type InnerCall struct {
	Call   string `json:"call"`
	Key    string `json:"key"`
	Kernel string `json:"kernel,omitempty"`
}

// ChainArg is a parameter of the schema with what this call gave for it.
type ChainArg struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default bool   `json:"default,omitempty"`
}

// mostInner is how many calls of a body are shown.
const mostInner = 12

// lastCall is a recorder that keeps the last call which the function itself made.
type lastCall struct {
	names map[*tensor.Tensor]string
	call  *taken
	count int
	depth int
}

// recordLast runs f and returns its last call, nil if there was none, and the panic that ended f.
func recordLast(f func()) (t *taken, panicked any) {
	r := &lastCall{names: draw.LiveNames()}
	panicked = draw.Record(r, f, func(string) {
		if t = r.call; t != nil {
			t.before = r.count - 1
		}
	})
	return t, panicked
}

// Watch notes a call and lets it go on.
func (r *lastCall) Watch(c *tensor.Call) {
	switch r.depth++; r.depth {
	case 1:
		r.count++
		r.call = r.begin(c)
	case 2:
		defer r.within(c)
	}
	t := r.call
	ended := false
	defer func() {
		r.depth--
		if r.depth > 0 {
			return
		}
		t.end(c)
		if !ended {
			if p := recover(); p != nil {
				t.err = draw.OneLine(fmt.Sprint(p), 300)
				panic(p)
			}
		}
	}()
	c.Next()
	ended = true
}

// begin notes what is known before the call is made.
func (r *lastCall) begin(c *tensor.Call) *taken {
	t := &taken{op: c.Op, variant: c.Variant, site: draw.CurrentSite(), keys: c.KeySet() &^ tensor.Set(tensor.KeyTrace),
		device: c.Device(), layout: tensor.Strided, binding: bindingOf()}
	for i := range c.NumArgs() {
		t.args = append(t.args, ChainArg{c.Op.Params[i].Name, r.argument(c, i), !c.Given(i)})
	}
	c.EachTensor(func(_ int, x *tensor.Tensor) {
		if len(t.given) == 0 || x.Layout() != tensor.Strided && t.layout == tensor.Strided {
			t.layout = x.Layout()
		}
		for _, d := range t.given {
			if d == x.Dtype() {
				return
			}
		}
		t.given = append(t.given, x.Dtype())
	})
	return t
}

// end notes what came of it. The kernel's words are of use also where it panicked.
func (t *taken) end(c *tensor.Call) {
	t.last, t.note = c.Key(), draw.OneLine(c.Note, 200)
	for i, x := range c.Results() {
		if i == 4 {
			t.results = append(t.results, fmt.Sprintf("… %d more", len(c.Results())-i))
			break
		}
		if x != nil {
			t.results = append(t.results, tensorText(x))
		}
	}
	if p := c.Plan(); p != nil && p.Dtype != tensor.NoDtype {
		t.dtype = p.Dtype
	} else if len(t.given) > 0 {
		t.dtype = t.given[0]
		if rs := c.Results(); len(t.given) > 1 && len(rs) > 0 && rs[0] != nil {
			for _, d := range t.given {
				if d == rs[0].Dtype() {
					t.dtype = d
				}
			}
		}
	} else if rs := c.Results(); len(rs) > 0 && rs[0] != nil {
		t.dtype = rs[0].Dtype()
	}
	if c.Loop != nil {
		t.loop = placeOf(c.Loop)
	}
	if t.keys.Has(tensor.KeyAutograd) && t.last != tensor.KeyAutograd && len(c.Results()) > 0 && c.Results()[0] != nil {
		if a := c.Results()[0].AutogradMeta(); a != nil && a.Fn != nil {
			t.node = a.Fn.Name()
			if n, ok := a.Fn.(*autograd.Node); ok {
				t.saved = n.SavedNames()
			}
		}
	}
}

// within notes a call that the body of the operator made.
func (r *lastCall) within(c *tensor.Call) {
	if len(r.call.inner) == mostInner {
		r.call.more++
		return
	}
	in := InnerCall{Call: c.Name(), Key: c.Key().String()}
	switch {
	case c.IsView() && c.Key().IsDevice():
		in.Kernel = "a view"
	case c.Key() == tensor.KeyMeta:
		in.Kernel = "shapes alone"
	case c.Key().IsDevice():
		dt := tensor.NoDtype
		if rs := c.Results(); len(rs) > 0 && rs[0] != nil {
			dt = rs[0].Dtype()
		}
		in.Kernel = kernelName(c.Op.Name, c.Note, dt)
	case c.Op.IsComposite():
		in.Kernel = "a body in its turn"
	}
	r.call.inner = append(r.call.inner, in)
}

// kernelName is the operator with what a kernel's note says first: "add float32 avx512".
// Without a note it is the operator and the dtype.
func kernelName(op, note string, dt tensor.Dtype) string {
	words, _, _ := strings.Cut(note, ",")
	if words == "" && dt != tensor.NoDtype {
		words = dt.String()
	}
	return strings.TrimSpace(op + " " + draw.OneLine(words, 60))
}

// argument is what was given for a parameter: a tensor by name, dtype and shape.
func (r *lastCall) argument(c *tensor.Call, i int) string {
	named := func(x *tensor.Tensor) string {
		if n := r.names[x]; n != "" {
			return draw.Clip(n, draw.MaxName) + " " + tensorText(x)
		}
		return tensorText(x)
	}
	if x := c.Tensor(i); x != nil {
		return named(x)
	}
	switch v := c.Arg(i).(type) {
	case nil:
		return "None"
	case []*tensor.Tensor:
		var list []string
		for k, x := range v {
			if k == 3 {
				list = append(list, fmt.Sprintf("… %d more", len(v)-k))
				break
			}
			if x != nil {
				list = append(list, named(x))
			}
		}
		return "[" + strings.Join(list, ", ") + "]"
	case []any:
		return draw.IndexText(v)
	case string:
		return fmt.Sprintf("%q", draw.OneLine(v, 40))
	default:
		return draw.OneLine(fmt.Sprint(v), 60)
	}
}

// tensorText is a tensor in few characters: float32[2 3], and what is not usual of it.
func tensorText(x *tensor.Tensor) string {
	text := draw.DtypeShape(x)
	if x.Layout() != tensor.Strided {
		text += " " + x.Layout().String()
	}
	if x.Device() != tensor.CPU {
		text += " on " + x.Device().String()
	}
	return text
}

// name is the operator in the form of the call.
func (t *taken) name() string {
	if t.variant == tensor.InPlace {
		return t.op.Full + "_"
	}
	return t.op.Full
}

// ran reports whether the call is known to have done its work: on a device that answers later it may yet fail.
func (t *taken) ran() bool { return t.err == "" && !t.device.AnswersLater() }

// text is the call as the dispatcher sees it: add(a float32[2 3], b float32[3]).
func (t *taken) text() string {
	var list []string
	for i, a := range t.args {
		switch p := &t.op.Params[i]; {
		case a.Default:
		case p.HasDef || p.KwOnly:
			list = append(list, a.Name+"="+a.Value)
		default:
			list = append(list, a.Value)
		}
	}
	return t.name() + "(" + strings.Join(list, ", ") + ")"
}

// noCall is the error of a view of a call where there was none.
func noCall(view string) *tensor.Error {
	return tensor.Errorf(view, "no operator was called: there is nothing that the dispatcher could do").
		WithHint("x + y, x.Sum() and other expressions of tensors call one")
}

// bindingOf is the exported function of package tensor that makes the call which is being watched. It is found in the
// stack: between the dispatcher and the caller.
func bindingOf() sources.Place {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	dispatched := false
	for {
		f, more := frames.Next()
		_, name, ours := strings.Cut(f.Function, "/tensor.")
		if dispatched {
			name = name[strings.LastIndexByte(name, '.')+1:]
			switch {
			case !ours:
				return sources.Place{}
			case name != "" && name[0] >= 'A' && name[0] <= 'Z':
				if file, ok := sources.Named(f.File); ok {
					if p, ok := sources.Around(file, f.Line); ok {
						return p
					}
				}
				return sources.Place{}
			}
		}
		dispatched = dispatched || ours && name == "(*Call).dispatch"
		if !more {
			return sources.Place{}
		}
	}
}

// placeOf finds where a function stands, of one in assembly its declaration; the zero Place where nobody knows.
func placeOf(f any) sources.Place {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return sources.Place{}
	}
	fn := runtime.FuncForPC(v.Pointer())
	if fn == nil {
		return sources.Place{}
	}
	compiled, line := fn.FileLine(fn.Entry())
	name := fn.Name()[strings.LastIndexByte(fn.Name(), '/')+1:]
	if file, ok := sources.Named(compiled); ok {
		if p, ok := sources.At(file, line); ok {
			p.Name = name
			return p
		}
		if p, ok := sources.Around(file, line); ok {
			p.Name = name
			return p
		}
	}
	p, _ := sources.Declared("internal/simd", strings.TrimPrefix(name, "simd."))
	p.Name = name
	return p
}

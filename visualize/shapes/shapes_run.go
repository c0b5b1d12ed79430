package shapes

import (
	"fmt"
	"reflect"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: a run for shapes. The code runs as it is, but every tensor that it meets is exchanged for a substitute on the
// meta device, which has shape, stride and dtype and no elements (see tensor.SubstituteOf). Tensors that share a
// storage have substitutes that share one, so that views and writes in place come out as they would. Factories make
// meta tensors too. What reads values that nobody computed is an error, and ends the run.

// shapeRun is what the scope's Trace field holds during such a run.
type shapeRun struct {
	view        *ShapeRun
	substitutes map[*tensor.Tensor]*tensor.Tensor
	stores      map[*tensor.Storage]*tensor.Storage
	label       map[*tensor.Tensor]string // of substitutes of tensors that have names
	from        map[*tensor.Tensor]int    // the line, from 1, that made a tensor
	depth       int
	inner       int     // calls within the one that runs
	flops       float64 // of calls within the one that runs, that call no other
	live        map[*tensor.Tensor]string
}

// substitute makes the substitute of a tensor, once.
func (r *shapeRun) substitute(x *tensor.Tensor) *tensor.Tensor {
	if x.Device() == tensor.Meta {
		return x
	}
	if y := r.substitutes[x]; y != nil {
		return y
	}
	tensor.RequireStrided("shapes", x)
	st := r.stores[x.Storage()]
	if st == nil {
		st = tensor.NewStorage(tensor.Meta, nil, x.Storage().Nbytes(), nil)
		r.stores[x.Storage()] = st
	}
	y := tensor.FromStorage("shapes", st, x.Shape(), x.Stride(), x.StorageOffset(), x.Dtype())
	if x.RequiresGrad() {
		tensor.Under(0, tensor.Set(tensor.KeyTrace), func() {
			if y.RequiresGrad_(); !x.IsLeaf() {
				y = y.Clone() // made by an operator, as x was: it may be written to
			}
		})
	}
	r.substitutes[x] = y
	if n := r.live[x]; n != "" {
		r.label[y] = n
	}
	return y
}

// TensorNames are the live names and those of the fake tensors.
func (r *shapeRun) TensorNames(live map[*tensor.Tensor]string) map[*tensor.Tensor]string {
	all := make(map[*tensor.Tensor]string, len(live)+len(r.label)+len(r.from))
	for x, n := range live {
		all[x] = n
	}
	for x, line := range r.from {
		if line <= len(r.view.Lines) {
			all[x] = r.view.Lines[line-1].label(line)
		}
	}
	for x, n := range r.label {
		all[x] = n
	}
	return all
}

// maxShapeLines is how many calls are noted; more are counted.
const maxShapeLines = 5000

// Watch sees every call.
func (r *shapeRun) Watch(c *tensor.Call) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > 1 {
		before := r.inner
		c.Next()
		if r.inner == before {
			r.flops += c.Flops()
		}
		r.inner++
		return
	}
	r.inner, r.flops = 0, 0
	l := ShapeLine{Op: c.Name()}
	site := draw.CurrentSite()
	l.Cell, l.Line, l.Name = site.Cell, site.Line, site.Name
	r.unname(c, len(r.view.Lines), l.Name, func(k int) (*string, bool) {
		m := &r.view.Lines[k]
		return &m.Name, m.Cell == l.Cell && m.Line == l.Line
	})
	for i := range c.NumArgs() {
		if !c.Given(i) {
			continue
		}
		if len(l.Args) >= 12 {
			l.MoreArgs++
			continue
		}
		r.addArg(&l, c.Arg(i))
	}
	done := false
	defer func() {
		if done {
			return
		}
		p := recover()
		if p == nil { // runtime.Goexit
			return
		}
		l.Failed = true
		r.add(l)
		r.view.stop(p)
		panic(stopped{p})
	}()
	c.Next()
	done = true
	given, stores := map[*tensor.Tensor]bool{}, map[*tensor.Storage]bool{}
	c.EachTensor(func(_ int, x *tensor.Tensor) { given[x], stores[x.Storage()] = true, true })
	for i, x := range c.Results() {
		if x == nil {
			continue
		}
		if i == 4 {
			l.MoreResults = len(c.Results()) - i
			break
		}
		l.Results = append(l.Results, ShapeOf{Shape: x.Shape(), Dtype: x.Dtype().String()})
		switch {
		case given[x]:
			l.InPlace = c.IsWrite()
			l.Same = !l.InPlace
			if l.Name == "" {
				l.Name = r.called(x)
			}
		case stores[x.Storage()]:
			l.View = true
		default:
			l.Bytes = addBytes(l.Bytes, x.Numel(), x.Dtype().Size())
		}
	}
	if l.Flops = r.flops; r.inner == 0 {
		l.Flops = c.Flops()
	}
	r.add(l)
	if n := len(r.view.Lines); r.view.More == 0 {
		for _, x := range c.Results() {
			if x != nil && (!given[x] || l.Same && r.from[x] > 0) {
				r.from[x] = n
			}
		}
	}
}

// called is what a tensor that was met is called, "" if it has no name.
func (r *shapeRun) called(x *tensor.Tensor) string {
	if n := r.label[x]; n != "" {
		return n
	}
	if i := r.from[x]; i > 0 && i <= len(r.view.Lines) {
		return r.view.Lines[i-1].Name
	}
	return r.live[x]
}

// unname takes the name from those of n calls that are of the same statement as the call c and whose results it takes:
// of several calls in a statement the last one is what is assigned. of returns the name of a call and whether it is of
// that statement.
func (r *shapeRun) unname(c *tensor.Call, n int, name string, of func(k int) (called *string, same bool)) {
	c.EachTensor(func(_ int, x *tensor.Tensor) {
		from := r.from[x]
		if from == 0 || from > n {
			return
		}
		for k := from - 1; k < n; k++ {
			if _, same := of(k); !same {
				return
			}
		}
		if called, _ := of(from - 1); *called == name {
			*called = ""
		}
	})
}

func addBytes(have, n, size int) int {
	if n > (MaxCount-have)/max(size, 1) {
		return MaxCount
	}
	return have + n*size
}

func (r *shapeRun) add(l ShapeLine) {
	r.view.Bytes = min(MaxCount, r.view.Bytes+l.Bytes)
	r.view.Flops += l.Flops
	if l.Bytes > r.view.Largest {
		r.view.Largest = l.Bytes
	}
	r.view.Calls++
	if len(r.view.Lines) >= maxShapeLines && !l.Failed {
		r.view.More++
		return
	}
	r.view.Lines = append(r.view.Lines, l)
}

func (r *shapeRun) addArg(l *ShapeLine, v any) {
	switch v := v.(type) {
	case nil:
	case *tensor.Tensor:
		a := ShapeOf{Shape: v.Shape(), Dtype: v.Dtype().String(), Line: r.from[v], Tensor: true}
		if a.Name = draw.Clip(r.label[v], draw.MaxName); a.Name == "" && a.Line == 0 {
			a.Name = draw.Clip(r.live[v], draw.MaxName)
		}
		l.Args = append(l.Args, a)
	case []*tensor.Tensor:
		for i, x := range v {
			if i == 6 {
				l.MoreArgs += len(v) - i
				break
			}
			if x != nil {
				r.addArg(l, x)
			}
		}
	case []any:
		l.Args = append(l.Args, ShapeOf{Name: draw.IndexText(v)})
	default:
		l.Args = append(l.Args, ShapeOf{Name: draw.OneLine(fmt.Sprint(v), 24)})
	}
}

// stopped is the panic of a call that was noted already.
type stopped struct{ cause any }

// stop notes why a run ended, and draws it.
func (v *ShapeRun) stop(p any) {
	e, ok := p.(*tensor.Error)
	if !ok {
		v.Error = draw.OneLine(fmt.Sprint(p), 300)
		return
	}
	v.Error = draw.OneLine(e.Error(), 300)
	switch pic := Explain(e).(type) {
	case *Broadcasting:
		v.Broadcast = pic
	case *Product:
		v.Product = pic
	case *Regrouping:
		v.Regroup = pic
	case *IndexAxis:
		v.Axis = pic
	}
}

// RecordShapes runs f on the meta device, like [Shapes]. It returns also the panic that ended f, unless it was an
// error of a tensor, which the view shows.
func RecordShapes(f func()) (v *ShapeRun, panicked any) {
	v = &ShapeRun{}
	r := &shapeRun{view: v, substitutes: map[*tensor.Tensor]*tensor.Tensor{},
		stores: map[*tensor.Storage]*tensor.Storage{}, label: map[*tensor.Tensor]string{}, from: map[*tensor.Tensor]int{}}
	r.live = draw.LiveNames()
	defer func() {
		r.live = nil
		switch p := recover().(type) {
		case nil:
		case stopped:
			if _, ok := p.cause.(*tensor.Error); !ok {
				panicked = p.cause
			}
		case *tensor.Error:
			v.stop(p)
			v.At = draw.CurrentSite().String()
		default:
			panicked = p
		}
		v.finish()
	}()
	tensor.InScope(func(s *tensor.Scope) {
		s.Trace = r
		s.Substitute = r.substitute
		s.Device = tensor.Meta
		s.Include(tensor.Set(tensor.KeyTrace))
	}, f)
	return v, nil
}

// Shapes runs a function on the meta device, and shows what shapes go through it, call by call: nothing is computed,
// no memory is taken, and tensors stay as they are. f is a function, xs are its arguments; each must be what f takes.
//
//	visualize.Shapes(net.Forward, tensor.Empty(64, 784))
//
// Shapes that do not fit end the run, and are drawn. So does what needs values, which a meta tensor has not: Item, a
// mask as an index, Nonzero. Work of other goroutines is not seen.
func Shapes(f any, xs ...any) *ShapeRun {
	fn := reflect.ValueOf(f)
	if !fn.IsValid() || fn.Kind() != reflect.Func {
		panic(tensor.Errorf("shapes", "the first argument must be a function, not %T", f))
	}
	in := argumentsFor(fn.Type(), xs)
	v, panicked := RecordShapes(func() { fn.Call(in) })
	if panicked != nil {
		panic(panicked)
	}
	return v
}

// argumentsFor makes the arguments of a function of that type. It panics where they are not what it takes.
func argumentsFor(t reflect.Type, xs []any) []reflect.Value {
	if n := t.NumIn(); len(xs) != n && !(t.IsVariadic() && len(xs) >= n-1) {
		panic(tensor.Errorf("shapes", "the function takes %s, got %d", draw.Counted(n, "argument"), len(xs)))
	}
	in := make([]reflect.Value, len(xs))
	for i, x := range xs {
		want := t.In(min(i, t.NumIn()-1))
		if t.IsVariadic() && i >= t.NumIn()-1 {
			want = want.Elem()
		}
		v := reflect.ValueOf(x)
		switch {
		case !v.IsValid():
			v = reflect.Zero(want)
		case v.Type().AssignableTo(want):
		case v.CanConvert(want) && v.Kind() != reflect.String:
			v = v.Convert(want)
		default:
			panic(tensor.Errorf("shapes", "argument %d must be %s, not %T", i, want, x))
		}
		in[i] = v
	}
	return in
}

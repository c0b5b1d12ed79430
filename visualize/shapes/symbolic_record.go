package shapes

import (
	"fmt"
	"reflect"
	"time"

	"gotorch/internal/sizes"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// How many runs a view makes at most, and for how long it goes on making them.
const (
	symbolicRuns = 900
	symbolicTime = 6 * time.Second
)

// explore runs the program for many values.
func (p *symbolicProgram) explore() *SymbolicView {
	began := draw.Clock()
	x := &sizes.Explorer{Names: p.names, Limit: symbolicRuns,
		Run:  func(v []int) *sizes.Trace { return p.once(v, false).trace },
		Stop: func() bool { return draw.Clock()-began > symbolicTime },
	}
	if p.start != nil {
		x.Start = append(x.Start, p.start)
	}
	found := x.Explore()
	return p.view(found, p.once(found.At, true))
}

// SymbolicShapes finds out which shapes go through a function whatever sizes its arguments have: as expressions of
// letters, with the conditions on them that calls make. f is a function; for each of its arguments there is a shape
// with letters, "[B, 3, H, W]" or "int64[B, T]", a letter for a whole number, "N", or a value that it gets as it is.
//
//	visualize.SymbolicShapes(net.Forward, "[B, 3, 32, 32]")   // in a cell: %shapes net(x) with x=[B, 3, 32, 32]
//
// The function runs on the meta device, for many values of the letters: nothing is computed. What is shown is true of
// every value that was tried, and is proved of no other; see [SymbolicView.Runs] and its neighbours. It panics with an
// *Error for a shape that it does not understand, and for arguments that f does not take.
func SymbolicShapes(f any, args ...any) *SymbolicView {
	fn := reflect.ValueOf(f)
	if !fn.IsValid() || fn.Kind() != reflect.Func {
		panic(tensor.Errorf("shapes", "the first argument must be a function, not %T", f))
	}
	p := &symbolicProgram{words: map[int]string{}}
	held := map[int]any{}
	for i, a := range args {
		text, ok := a.(string)
		if !ok {
			held[i] = a
			continue
		}
		in := p.parseInput(text)
		in.name = fmt.Sprintf("x%s", draw.Subscript(i+1))
		if len(args) == 1 {
			in.name = "x"
		}
		p.ins = append(p.ins, in)
	}
	if len(p.names) == 0 {
		panic(tensor.Errorf("shapes", "no argument has a letter").WithHint(`as in "[B, 3, H, W]"`))
	}
	p.live = draw.LiveNames()
	arguments := func(inputs map[string]any) []reflect.Value {
		k := 0
		all := make([]any, len(args))
		for i := range args {
			if v, ok := held[i]; ok {
				all[i] = v
				continue
			}
			all[i] = inputs[p.ins[k].name]
			k++
		}
		return argumentsFor(fn.Type(), all)
	}
	first := map[string]any{} // what f does not take is told before anything is run
	for _, in := range p.ins {
		in.dims = make([]sizes.Expr, len(in.dims))
		first[in.name], _ = in.make(nil)
	}
	arguments(first)
	p.run = func(r *symbolicRun) {
		for _, v := range fn.Call(arguments(r.inputs)) {
			r.given = append(r.given, v.Interface())
		}
		r.told = true
	}
	return p.explore()
}

// RecordSymbolic is [SymbolicShapes] for code that is run: with are the shapes of names, "x=[B, 3, H, W], n=N", and
// run is called for each choice of sizes. It gets its tensors by [SymbolicInput], and says by [SymbolicResult] what it
// gives, else the last call's results are that.
func RecordSymbolic(with string, run func()) *SymbolicView {
	p := newSymbolicProgram(with, draw.LiveNames())
	p.run = func(*symbolicRun) { run() }
	return p.explore()
}

// newSymbolicProgram is a program that is not known yet, and its inputs, which may be tensors that live has names for.
func newSymbolicProgram(with string, live map[*tensor.Tensor]string) *symbolicProgram {
	p := &symbolicProgram{words: map[int]string{}, live: live}
	p.ins = p.parseInputs(with)
	if len(p.names) == 0 {
		panic(tensor.Errorf("shapes", "no size is a letter").WithHint("%shapes without with shows shapes of numbers"))
	}
	values := map[int]int{}
	for i, in := range p.ins {
		for x, name := range p.live {
			if name == in.name && !in.number {
				p.bind(values, in, x)
				if !in.typed {
					p.ins[i].dtype = x.Dtype()
				}
			}
		}
	}
	if len(values) > 0 {
		p.start = make([]int, len(p.names))
		for i := range p.start {
			p.start[i] = 8
			if n, ok := values[i]; ok {
				p.start[i] = n
			}
		}
	}
	return p
}

// CheckSymbolic returns what [RecordSymbolic] would say about the shapes of names, where live are the names of
// tensors.
func CheckSymbolic(with string, live map[*tensor.Tensor]string) error {
	return tensor.Try(func() { newSymbolicProgram(with, live) })
}

// currentSymbolic is the run that code is in.
func currentSymbolic() *symbolicRun {
	if s := tensor.CurrentScope(); s != nil {
		if r, ok := s.Trace.(*symbolicRun); ok {
			return r
		}
	}
	panic(tensor.Errorf("shapes", "this is for %%shapes … with …, and no such run is under way"))
}

// SymbolicInput is the tensor that a name has in a run of [RecordSymbolic].
func SymbolicInput(name string) *tensor.Tensor {
	x, _ := currentSymbolic().inputs[name].(*tensor.Tensor)
	return x
}

// SymbolicSize is the number that a name has in a run of [RecordSymbolic].
func SymbolicSize(name string) int {
	n, _ := currentSymbolic().inputs[name].(int)
	return n
}

// SymbolicResult says what a run of [RecordSymbolic] gives.
func SymbolicResult(values ...any) {
	r := currentSymbolic()
	r.given, r.told = values, true
}

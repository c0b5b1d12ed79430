package programs

import (
	"fmt"
	"reflect"
	"strings"
	"weak"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: captured programs. While the function runs, every call on plain tensors that a user's code makes becomes
// one step; what the call does beneath is its own affair. A call on tensors of a transform is not a step: the plain
// calls that the transform makes in its place are, with the call on their right. So a program is what the machine is
// asked for once all transforms are gone, and can be run again.

// CapturedProgram is the calls of a function, as [Program] wrote them down.
type CapturedProgram struct {
	Name    string
	Inputs  []ProgramVar
	Consts  []ProgramVar // tensors that are neither inputs nor results of a step
	Steps   []ProgramStep
	Outputs []string
	Reads   []ProgramGuard `json:",omitempty"` // values that Go code read: Run rejects inputs that give others
	More    int            // steps that were not noted

	hidden       string   // the call that made a value beneath which later steps use: it cannot be made again
	names        []string // of all variables
	idents       map[string]string
	places       map[int]place
	forms        []inputForm
	strided      bool // an operator looks at strides
	writesInputs bool
	replay       []replayStep // nil when the program came from JSON
	inputs       []int
	consts       []heldTensor
	gives        []int
}

// ProgramVar is a tensor of a program, and its dtype and shape: float32[2 3].
type ProgramVar struct {
	Name, Type string
}

// ProgramStep is one call.
type ProgramStep struct {
	Results []ProgramVar
	Op      string
	Args    []string
	For     []string `json:",omitempty"` // the calls on tensors of transforms that it stands for, outermost first
	Site    string   `json:",omitempty"` // where it was called: y @ In[3]:2
	Dead    bool     `json:",omitempty"` // nothing that is returned needs it
	Writes  bool     `json:",omitempty"`
	Sized   bool     `json:",omitempty"` // the shapes of the results depend on values, and are guarded
	Uses    []string // the variables among the arguments

	hidden bool // nobody called it: it is left out where nothing needs it
}

// replayStep is what running a step again takes.
type replayStep struct {
	op      string
	kwargs  map[string]any // variables as ref, lists of them as []any
	results []int
	flops   float64 // floating point operations, as the call counted them
	costly  bool    // nobody knows how many they are
	after   bool    // it belongs to the backward pass: see [MinCut]
}

// ref stands for a variable.
type ref int

// heldTensor is a tensor that the program holds: a copy of a small one, the address of a large one.
type heldTensor struct {
	id   int
	held *tensor.Tensor
	weak weak.Pointer[tensor.Tensor]
}

// maxProgramSteps is how many steps a program holds, maxHeld how many elements of a constant it copies.
const (
	maxProgramSteps = 4000
	maxHeld         = 4096
)

// Program runs f, a Go function of as many tensors as there are xs that gives one or more, and writes down the calls
// that it made: a small typed program, in which results that nothing needs are marked. [CapturedProgram.Run] runs it
// again on other tensors, and rejects those for which f might do something else. f may be what autograd.Vmap gives, or
// call JVP or Grad: the program has the calls that remain when transforms are done. It panics as f does.
func Program(f any, xs ...*tensor.Tensor) *CapturedProgram {
	r := newProgramRecorder()
	names := make([]string, len(xs))
	if typed := draw.TypedTexts("Program"); len(typed) == len(xs)+1 {
		r.p.Name = draw.OneLine(typed[0], 60)
		copy(names, typed[1:])
	}
	for i, x := range xs {
		if x == nil {
			panic(tensor.Errorf("program", "input %d is a nil tensor", i))
		}
		if names[i] == "" {
			names[i] = r.live[x]
		}
		r.input(x, names[i])
	}
	var ys []*tensor.Tensor
	draw.WithRecorder(r, func() { ys = callFunction(f, xs) })
	return r.finish(ys)
}

// RecordProgram is [Program] for code that gives nothing back: variables that it reads are the inputs, and the result
// of its last call is the output. A panic in f is returned with the program so far.
func RecordProgram(f func()) (p *CapturedProgram, panicked any) {
	r := newProgramRecorder()
	r.free = true
	func() {
		defer func() { panicked = recover() }()
		draw.WithRecorder(r, f)
	}()
	return r.finish(r.last), panicked
}

// callFunction calls f with xs.
func callFunction(f any, xs []*tensor.Tensor) (ys []*tensor.Tensor) {
	v := reflect.ValueOf(f)
	if f == nil || v.Kind() != reflect.Func {
		panic(tensor.Errorf("program", "wants a function of tensors, not %T", f))
	}
	t := v.Type()
	if !t.IsVariadic() && t.NumIn() != len(xs) {
		panic(tensor.Errorf("program", "the function takes %d tensors and is given %d", t.NumIn(), len(xs)))
	}
	in := make([]reflect.Value, len(xs))
	for i, x := range xs {
		in[i] = reflect.ValueOf(x)
		if want := t.In(min(i, t.NumIn()-1)); want != in[i].Type() && !(t.IsVariadic() && i >= t.NumIn()-1 && want.Elem() == in[i].Type()) {
			panic(tensor.Errorf("program", "argument %d of the function must be a *tensor.Tensor, not %s", i, want))
		}
	}
	for _, out := range v.Call(in) {
		switch y := out.Interface().(type) {
		case *tensor.Tensor:
			ys = append(ys, y)
		case []*tensor.Tensor:
			ys = append(ys, y...)
		}
	}
	return ys
}

// Run calls the steps again with other tensors in place of the inputs, one for each, and gives the outputs. The inputs
// must have the shapes, dtypes and devices of those that the program was captured with, and give the values that Go
// code read then: it panics with a *tensor.Error that names the guard (see [CapturedProgram.Guards]) where they do
// not, where a step panics, or where a large tensor that the program only pointed to is gone.
func (p *CapturedProgram) Run(xs ...*tensor.Tensor) []*tensor.Tensor {
	switch {
	case p.replay == nil && len(p.Steps) > 0:
		panic(tensor.Errorf("program", "a program that was read from JSON cannot be run"))
	case p.More > 0:
		panic(tensor.Errorf("program", "only %d of %d steps were written down", len(p.Steps), len(p.Steps)+p.More))
	case p.hidden != "":
		panic(tensor.Errorf("program", "a step uses a value that %s made beneath, so that it would be that of the capture",
			p.hidden))
	case len(xs) != len(p.inputs):
		panic(tensor.Errorf("program", "takes %d tensors and is given %d", len(p.inputs), len(xs)))
	}
	p.checkInputs(xs)
	env := map[ref]*tensor.Tensor{}
	for i, id := range p.inputs {
		env[ref(id)] = xs[i]
	}
	for i, c := range p.consts {
		x := c.held
		if x != nil {
			x = x.Clone() // a step may write into it
		} else if x = c.weak.Value(); x == nil {
			panic(tensor.Errorf("program", "the tensor %s is gone: nothing else held it", p.Consts[i].Name))
		}
		env[ref(c.id)] = x
	}
	for at, s := range p.replay {
		p.checkReads(at, env)
		kwargs := map[string]any{}
		for name, v := range s.kwargs {
			kwargs[name] = bound(v, env)
		}
		out, err := tensor.Invoke(s.op, nil, kwargs)
		if err != nil {
			panic(err)
		}
		p.checkResults(at, out)
		for i, id := range s.results {
			env[ref(id)] = asTensor(out[i])
		}
	}
	p.checkReads(len(p.replay), env)
	ys := make([]*tensor.Tensor, len(p.gives))
	for i, id := range p.gives {
		ys[i] = env[ref(id)]
	}
	return ys
}

// asTensor is a result as a variable holds it: a Go bool as a tensor.
func asTensor(v any) *tensor.Tensor {
	if b, ok := v.(bool); ok {
		return tensor.New(b)
	}
	x, _ := v.(*tensor.Tensor)
	return x
}

// bound replaces variables by the tensors that they stand for.
func bound(v any, env map[ref]*tensor.Tensor) any {
	switch v := v.(type) {
	case ref:
		return env[v]
	case []ref:
		out := make([]*tensor.Tensor, len(v))
		for i, r := range v {
			out[i] = env[r]
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = bound(e, env)
		}
		return out
	}
	return v
}

// maxListed is how many variables the head of a program has.
const maxListed = 24

// head is the first line: what is given and what is held.
func (p *CapturedProgram) head() string {
	list := func(vars []ProgramVar) string {
		var out []string
		for i, v := range vars {
			if i == maxListed {
				out = append(out, fmt.Sprintf("… %d more", len(vars)-i))
				break
			}
			out = append(out, v.Name+":"+draw.Clip(v.Type, 40))
		}
		return strings.Join(out, ", ")
	}
	s := "(" + list(p.Inputs) + ")"
	if len(p.Consts) > 0 {
		s += " with " + list(p.Consts)
	}
	return s
}

package shapes

import (
	"fmt"
	"hash/fnv"
	"math/bits"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"gotorch/internal/sizes"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: symbolic shapes by running. A shape rule is Go code on whole numbers, and between two operators stands the
// user's own Go code, which may ask a tensor for its size and compute with it. Numbers that carry expressions would
// have to go through all of that. So the code runs as it is, on the meta device, for many values of the letters, and
// package sizes finds what the numbers have in common. That is no proof: what is printed held for every value that was
// tried, and the view says which these were. It speaks for operators that users define just as well.

// symbolicRun is what the scope's Trace field holds during one of the runs.
type symbolicRun struct {
	*shapeRun
	trace  *sizes.Trace
	inputs map[string]any
	given  []any // what the program gave
	told   bool  // it said what it gives
	last   []*tensor.Tensor
	calls  []symbolicCall // how calls are shown, where keep is set
	keep   bool
	words  map[int]string // texts that stand in a trace as numbers
}

// symbolicCall is how a call is shown: pieces of text, and numbers by their place in the trace.
type symbolicCall struct {
	place, name, op string
	args            []symbolicArg
	results         []symbolicArg
	note            string // view, in place
}

// symbolicArg is an argument or result.
type symbolicArg struct {
	label    string // of a tensor
	line     int    // the call, from 1, that made it
	dtype    string
	from, to int      // its numbers
	text     []string // around the numbers, nil for a tensor's shape
	tensor   bool
}

// numberText finds the numbers in the text of an argument.
var numberText = regexp.MustCompile(`[-+]?\d[\d.]*(?:[eE][-+]?\d+)?`)

// maxArgNumbers is how many numbers of a text are looked at.
const maxArgNumbers = 48

// numbersOf takes the numbers out of a text. What is no whole number gets a number that stands for its text.
func (r *symbolicRun) numbersOf(text string) (pieces []string, numbers []int) {
	from := 0
	for _, at := range numberText.FindAllStringIndex(text, maxArgNumbers) {
		if at[0] > 0 && isWordByte(text[at[0]-1]) { // float32
			continue
		}
		pieces = append(pieces, text[from:at[0]])
		from = at[1]
		n, err := strconv.Atoi(text[at[0]:at[1]])
		if err != nil || n > 1<<30 || n < -1<<30 {
			n = r.word(text[at[0]:at[1]])
		}
		numbers = append(numbers, n)
	}
	return append(pieces, text[from:]), numbers
}

func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// farFromSizes is more than any size that is tried.
const farFromSizes = 1 << (bits.UintSize * 5 / 8)

// word is a number that stands for a text: one that no size has.
func (r *symbolicRun) word(text string) int {
	h := fnv.New32a()
	h.Write([]byte(text))
	n := farFromSizes + int(h.Sum32()>>(4*(64/bits.UintSize-1)))
	r.words[n] = text
	return n
}

// Watch sees every call.
func (r *symbolicRun) Watch(c *tensor.Call) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > 1 {
		c.Next()
		return
	}
	site := draw.CurrentSite()
	call := symbolicCall{op: c.Name(), name: site.Name}
	if site.Cell != "" {
		call.place = fmt.Sprintf("%s:%d", site.Cell, site.Line)
	}
	step := sizes.Step{}
	var key strings.Builder
	key.WriteString(call.op + " " + call.place)
	for i := range c.NumArgs() {
		if c.Given(i) {
			r.take(c.Arg(i), &step, &call, &key)
		}
	}
	step.Key = key.String()
	if r.keep {
		r.unname(c, len(r.calls), call.name, func(k int) (*string, bool) {
			return &r.calls[k].name, r.calls[k].place == call.place
		})
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
		r.fail(p, &step)
		r.push(step, call)
		panic(stopped{p})
	}()
	c.Next()
	done = true
	var out strings.Builder
	given, stores := map[*tensor.Tensor]bool{}, map[*tensor.Storage]bool{}
	c.EachTensor(func(_ int, x *tensor.Tensor) { given[x], stores[x.Storage()] = true, true })
	for _, x := range c.Results() {
		if x == nil {
			continue
		}
		call.results = append(call.results, symbolicArg{dtype: x.Dtype().String(), from: len(step.Out),
			to: len(step.Out) + x.Dim(), tensor: true})
		fmt.Fprintf(&out, "%s%d ", x.Dtype(), x.Dim())
		step.Out = append(step.Out, x.Shape()...)
		switch {
		case given[x] && c.IsWrite():
			call.note = "in place"
		case given[x]:
			call.note = "as it is"
		case stores[x.Storage()]:
			call.note = "view"
		}
	}
	step.OutKey = out.String()
	r.push(step, call)
	for _, x := range c.Results() {
		if x != nil && !given[x] {
			r.from[x] = len(r.trace.Steps)
		}
	}
	r.last = append(r.last[:0], c.Results()...)
}

// maxSymbolicCalls is how many calls of a run are looked at.
const maxSymbolicCalls = 2000

func (r *symbolicRun) push(step sizes.Step, call symbolicCall) {
	if len(r.trace.Steps) >= maxSymbolicCalls && step.Error == "" {
		panic(tensor.Errorf("shapes", "there are more than %d calls", maxSymbolicCalls))
	}
	r.trace.Steps = append(r.trace.Steps, step)
	if r.keep {
		r.calls = append(r.calls, call)
	}
}

// fail notes why a call failed. That it wants data is no fault of the sizes.
func (r *symbolicRun) fail(p any, step *sizes.Step) {
	text := draw.OneLine(fmt.Sprint(p), 300)
	if e, ok := p.(*tensor.Error); ok {
		text = draw.OneLine(e.Error(), 300)
	}
	if strings.Contains(text, "meta tensor") {
		step.Data, step.OutKey = true, "data"
		return
	}
	step.Error = text
}

// take notes an argument.
func (r *symbolicRun) take(v any, step *sizes.Step, call *symbolicCall, key *strings.Builder) {
	switch v := v.(type) {
	case nil:
		key.WriteString(" nil")
	case *tensor.Tensor:
		if v == nil {
			return
		}
		a := symbolicArg{dtype: v.Dtype().String(), from: len(step.In), to: len(step.In) + v.Dim(), tensor: true}
		if r.keep {
			a.line = r.from[v]
			if a.label = draw.Clip(r.label[v], draw.MaxName); a.label == "" && a.line == 0 {
				a.label = draw.Clip(r.live[v], draw.MaxName)
			}
		}
		fmt.Fprintf(key, " %s%d@%d", v.Dtype(), v.Dim(), r.from[v])
		step.Tensors = append(step.Tensors, [2]int{a.from, a.to})
		step.In = append(step.In, v.Shape()...)
		call.args = append(call.args, a)
	case []*tensor.Tensor:
		fmt.Fprintf(key, " %d", len(v))
		for _, x := range v {
			if x != nil {
				r.take(x, step, call, key)
			}
		}
	default:
		text := ""
		if list, ok := v.([]any); ok {
			var parts []string
			for _, i := range list {
				if x, ok := i.(*tensor.Tensor); ok && x != nil {
					parts = append(parts, draw.DtypeShape(x))
				} else {
					parts = append(parts, fmt.Sprint(i))
				}
			}
			text = "[" + strings.Join(parts, ", ") + "]"
		} else {
			text = draw.OneLine(fmt.Sprint(v), 400)
		}
		pieces, numbers := r.numbersOf(text)
		key.WriteString(" " + strings.Join(pieces, "#"))
		call.args = append(call.args, symbolicArg{from: len(step.In), to: len(step.In) + len(numbers), text: pieces})
		step.In = append(step.In, numbers...)
	}
}

// label is what the result of a call, the nth, is called.
func (c *symbolicCall) label(n int) string {
	if c.name != "" {
		return draw.Clip(c.name, draw.MaxName)
	}
	return fmt.Sprintf("#%d", n)
}

// symbolicProgram is what is run.
type symbolicProgram struct {
	letters
	ins   []symbolicInput
	start []int // the letters of the tensors that the names have, nil for none
	live  map[*tensor.Tensor]string
	words map[int]string
	run   func(r *symbolicRun)
}

// once runs the program for values of the letters.
func (p *symbolicProgram) once(values []int, keep bool) *symbolicRun {
	view := &ShapeRun{}
	r := &symbolicRun{shapeRun: &shapeRun{view: view, substitutes: map[*tensor.Tensor]*tensor.Tensor{},
		stores: map[*tensor.Storage]*tensor.Storage{}, label: map[*tensor.Tensor]string{},
		from: map[*tensor.Tensor]int{}, live: p.live}, trace: &sizes.Trace{}, inputs: map[string]any{}, keep: keep,
		words: p.words}
	for _, in := range p.ins {
		x, ok := in.make(values)
		if !ok {
			r.end(tensor.Errorf("shapes", "%s would have a size below zero, or too many elements", in.name))
			return r
		}
		if t, ok := x.(*tensor.Tensor); ok {
			r.label[t] = in.name
		}
		r.inputs[in.name] = x
	}
	func() {
		defer func() {
			switch e := recover().(type) {
			case nil:
			case stopped:
			default:
				r.end(e)
			}
		}()
		tensor.InScope(func(s *tensor.Scope) {
			s.Trace = r
			s.Substitute = r.substitute
			s.Device = tensor.Meta
			s.Include(tensor.Set(tensor.KeyTrace))
		}, func() { p.run(r) })
	}()
	tensor.Interrupted("shapes")
	if n := len(r.trace.Steps); n > 0 && (r.trace.Steps[n-1].Data || r.trace.Steps[n-1].Error != "") {
		return r
	}
	r.finishResult()
	return r
}

// end notes a panic outside of a call as a step of its own.
func (r *symbolicRun) end(p any) {
	site := draw.CurrentSite()
	call := symbolicCall{op: "Go code"}
	if site.Cell != "" {
		call.place = fmt.Sprintf("%s:%d", site.Cell, site.Line)
	}
	var step sizes.Step
	r.fail(p, &step)
	pieces, numbers := r.numbersOf(step.Error) // sizes that it complains of
	step.Key, step.In = "panic "+call.place+strings.Join(pieces, "#"), numbers
	if who, _, ok := strings.Cut(step.Error, ": "); ok && !strings.Contains(who, " ") {
		call.op = who
	}
	r.trace.Steps = append(r.trace.Steps, step)
	r.calls = append(r.calls, call)
}

// finishResult notes what the program gave: tensors by their shapes, whole numbers by their values.
func (r *symbolicRun) finishResult() {
	if !r.told {
		for _, x := range r.last {
			r.given = append(r.given, x)
		}
	}
	var key strings.Builder
	var add func(v reflect.Value)
	add = func(v reflect.Value) {
		for v.Kind() == reflect.Interface && !v.IsNil() {
			v = v.Elem()
		}
		if !v.IsValid() {
			return
		}
		if x, ok := v.Interface().(*tensor.Tensor); ok && x != nil {
			fmt.Fprintf(&key, "%s:%d ", x.Dtype(), x.Dim())
			r.trace.Out = append(r.trace.Out, x.Shape()...)
			return
		}
		switch v.Kind() {
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				if i < 64 {
					add(v.Index(i))
				}
			}
		case reflect.Int, reflect.Int64:
			key.WriteString("int ")
			r.trace.Out = append(r.trace.Out, int(v.Int()))
		}
	}
	for _, x := range r.given {
		add(reflect.ValueOf(x))
	}
	r.trace.OutKey = "=" + key.String()
}

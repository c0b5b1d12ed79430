package visualize

import (
	"fmt"
	"strings"
	"time"

	"gotorch/tensor"
)

// Trace is what the dispatcher did while a function ran: a tree of calls, each with the keys that it went through.
type Trace struct {
	Calls []*TracedCall `json:"calls"`
	Error string        `json:"error,omitempty"` // the panic that ended the function, which goes on after the trace
}

// TracedCall is one call of an operator.
type TracedCall struct {
	Op     string        `json:"op"`
	Args   []string      `json:"args"`
	Keys   []string      `json:"keys"` // the key set that it began with, highest first, without Trace
	Site   string        `json:"site,omitempty"`
	Steps  []Step        `json:"steps"`
	Inner  []*TracedCall `json:"calls,omitempty"` // what its kernels called
	Result []string      `json:"result,omitempty"`
	Bytes  int           `json:"bytes"` // of the results
	Nanos  int64         `json:"ns"`    // with everything beneath, the tracing of inner calls included
	Note   string        `json:"note,omitempty"`
	Error  string        `json:"error,omitempty"`
}

// Step is what happened at one key.
type Step struct {
	Key  string `json:"key"`
	Kind string `json:"kind"` // kernel, fallback, composite, fallthrough
	What string `json:"what,omitempty"`
}

// recorder is what a scope's Trace field holds.
type recorder struct {
	trace Trace
	stack []*TracedCall
}

func init() {
	tensor.RegisterFallback(tensor.KeyTrace, func(c *tensor.Call) {
		s := tensor.CurrentScope()
		r, _ := s.Trace.(*recorder)
		if r == nil || len(r.stack) > 200 {
			c.Next()
			return
		}
		r.record(c)
	})
}

// TraceFunc runs f and shows what the dispatcher did for it, in this goroutine. A panic of f goes on.
func TraceFunc(f func()) *Trace {
	t, panicked := Record(f)
	if panicked != nil {
		panic(panicked)
	}
	return t
}

// Record runs f like TraceFunc and gives the trace also when f panics, with the panic's value, which the caller should panic with again.
func Record(f func()) (t *Trace, panicked any) {
	r := new(recorder)
	t = &r.trace
	defer func() {
		if panicked = recover(); panicked != nil {
			r.trace.Error = fmt.Sprint(panicked)
		}
	}()
	tensor.InScope(func(s *tensor.Scope) {
		s.Trace = r
		s.Include(tensor.Set(tensor.KeyTrace))
	}, f)
	return t, nil
}

func (r *recorder) record(c *tensor.Call) {
	e := &TracedCall{Op: c.Name(), Args: argsText(c), Site: tensor.CurrentSite().String()}
	keys := c.KeySet() &^ tensor.Set(tensor.KeyTrace)
	for _, k := range tensor.Keys() {
		if keys.Has(k) {
			e.Keys = append(e.Keys, k.String())
		}
	}
	if len(r.stack) == 0 {
		r.trace.Calls = append(r.trace.Calls, e)
	} else {
		top := r.stack[len(r.stack)-1]
		top.Inner = append(top.Inner, e)
	}
	r.stack = append(r.stack, e)
	op, variant := c.Op, c.Variant
	start := time.Now()
	defer func() {
		e.Nanos = time.Since(start).Nanoseconds()
		r.stack = r.stack[:len(r.stack)-1]
		if err := recover(); err != nil {
			e.Error = fmt.Sprint(err)
			panic(err)
		}
	}()
	c.Next()
	e.Note = c.Note
	for _, x := range c.Results() {
		e.Result = append(e.Result, tensorText(x))
		if !c.IsView() && variant == tensor.Functional {
			e.Bytes += x.Numel() * x.Dtype().Size()
		}
	}
	e.Steps = steps(c, op, keys)
}

// steps tells what happened at each key, from the operator's table.
func steps(c *tensor.Call, op *tensor.Op, keys tensor.KeySet) []Step {
	var out []Step
	for _, k := range tensor.Keys() {
		if !keys.Has(k) {
			continue
		}
		s := Step{Key: k.String(), Kind: op.Entry(k)}
		switch {
		case k == tensor.KeyAutograd && s.Kind == "fallback":
			s.What = autogradText(c)
		case s.Kind == "composite":
			s.What = "a body of other operators"
		case s.Kind == "kernel":
			s.What = kernelText(c, op)
		}
		out = append(out, s)
		if s.Kind == "kernel" || s.Kind == "composite" { // nothing beneath runs
			break
		}
	}
	return out
}

// autogradText tells what the node of the result keeps.
func autogradText(c *tensor.Call) string {
	if len(c.Results()) == 0 {
		return ""
	}
	fn := nodeOf(c.Results()[0])
	if fn == nil {
		return "records nothing"
	}
	var names []string
	for _, s := range fn.Saved() {
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return "saves nothing → " + fn.Name()
	}
	return "saves " + strings.Join(names, ", ") + " → " + fn.Name()
}

// kernelText tells of the device's kernel: dtype and how it walked.
func kernelText(c *tensor.Call, op *tensor.Op) string {
	if c.IsView() {
		return "a view: only the header is new"
	}
	text := op.Name
	if p := c.Plan(); p != nil {
		text += " " + p.Dtype.String()
		if p.Flat {
			text += ", contiguous"
		} else {
			text += ", strided " + fmt.Sprint(p.Shape)
		}
		for i := range p.In {
			if p.In[i].Tensor == nil {
				text += " × number"
				break
			}
		}
	} else if len(c.Results()) > 0 {
		text += " " + c.Results()[0].Dtype().String()
	}
	if c.Note != "" {
		text += ", " + c.Note
	}
	return text
}

// tensorText is a tensor in few characters: its name if it has one, dtype and shape.
func tensorText(x *tensor.Tensor) string {
	t := fmt.Sprintf("%s%v", x.Dtype(), x.Shape())
	if n := nameOf(x); n != "" {
		return n + " " + t
	}
	return t
}

// argsText writes the arguments that were given.
func argsText(c *tensor.Call) []string {
	var out []string
	for i := range c.NumArgs() {
		if !c.Given(i) {
			continue
		}
		p := &c.Op.Params[i]
		text := ""
		switch v := c.Arg(i).(type) {
		case *tensor.Tensor:
			text = tensorText(v)
		case []*tensor.Tensor:
			parts := make([]string, len(v))
			for j, x := range v {
				parts[j] = tensorText(x)
			}
			text = "[" + clip(strings.Join(parts, ", "), 60) + "]"
		default:
			text = clip(fmt.Sprint(v), 30)
		}
		if i > 0 || !p.Is("Tensor") {
			if _, isTensor := c.Arg(i).(*tensor.Tensor); !isTensor && (p.HasDef || p.KwOnly) {
				text = p.Name + "=" + text
			}
		}
		out = append(out, text)
	}
	return out
}

// Count is the number of calls in the trace, inner ones included.
func (t *Trace) Count() int {
	n := 0
	var add func([]*TracedCall)
	add = func(cs []*TracedCall) {
		for _, c := range cs {
			n++
			add(c.Inner)
		}
	}
	add(t.Calls)
	return n
}

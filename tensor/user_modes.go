package tensor

import (
	"fmt"
	"slices"
)

// Note: modes of a user. A mode is a function that sees every call of an operator that the running goroutine makes,
// and may change it, answer it or forward it, as a TorchFunctionMode does in PyTorch. Modes form a stack: the
// innermost runs first, and what it forwards goes to the next. While a handler runs its mode is off, so that the
// operators that it calls go to the outer modes, and none calls itself. The key of modes stands above autograd, vmap
// and the devices and beneath the trace, which shows the stack. A goroutine without modes pays nothing: the key is not
// in its set.

// userMode is a mode with those around it.
type userMode struct {
	handler func(c *Call)
	name    string
	outer   *userMode
}

// WithMode runs f with a mode: handler receives every call of an operator that this goroutine makes in f. It ends in
// one of three ways: c.Next() forwards the call, after which c.Results() are its results; c.Return(…) answers it;
// c.Again(…) makes it once more with other arguments, and its results are returned by c.Return. A handler that does
// none of these, or returns other results than the schema has, makes the call panic with an *Error. name is what the
// trace calls the mode. The mode ends with f, panics included, and is not inherited by goroutines that f starts. A nil
// handler panics with an *Error.
//
//	tensor.WithMode(func(c *tensor.Call) {
//		c.Next()
//		fmt.Println(c.Name(), c.Results())
//	}, func() { x.Add(1).Exp() }, "log")
func WithMode(handler func(c *Call), f func(), name ...string) {
	if handler == nil {
		panic(Errorf("with_mode", "the handler is nil").OnArg("handler"))
	}
	m := &userMode{handler: handler, name: "mode"}
	if len(name) > 0 {
		m.name = name[0]
	}
	InScope(func(s *Scope) {
		m.outer = s.modes
		s.modes = m
		s.Include(1 << KeyMode)
	}, f)
}

// Modes names the modes of the running goroutine, the innermost first.
func Modes() (names []string) {
	if s := CurrentScope(); s != nil {
		for m := s.modes; m != nil; m = m.outer {
			names = append(names, m.name)
		}
	}
	return names
}

func init() { RegisterFallback(KeyMode, runMode) }

// runMode gives a call to the innermost mode.
func runMode(c *Call) {
	s := CurrentScope()
	if s == nil || s.modes == nil {
		c.Next()
		return
	}
	m := s.modes
	if m.outer != nil {
		c.keys |= 1 << KeyMode // forwarded, it goes to the next mode
	}
	written := slices.Clone(c.Written())
	InScope(func(s *Scope) {
		s.modes = m.outer
		if m.outer == nil {
			s.Drop(1 << KeyMode)
		}
	}, func() { m.handler(c) })
	c.checkAnswer("the mode "+m.name, "c.Next() forwards the call, c.Return(…) answers it", written)
}

// checkAnswer panics unless who, the handler of a mode or wrapper, left the results that the schema has.
func (c *Call) checkAnswer(who, hint string, written []*Tensor) {
	fail := func(format string, args ...any) {
		panic(Errorf(c.Name(), "%s", who+" "+fmt.Sprintf(format, args...)).WithHint(hint))
	}
	if len(c.ret) == 0 && !c.ReturnsList() {
		fail("neither forwarded nor answered the call")
	}
	if !c.ReturnsList() && len(c.ret) != len(c.Op.Rets) {
		fail("answered with %s; the operator has %d", plural(len(c.ret), "result"), len(c.Op.Rets))
	}
	for i, r := range c.ret {
		if r == nil {
			fail("answered with a nil tensor as result %d", i)
		}
		if i < len(written) && r != written[i] {
			fail("answered a call that writes into a tensor with another tensor: return the tensor that is written to")
		}
	}
}

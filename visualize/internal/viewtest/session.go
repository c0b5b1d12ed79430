// Package viewtest is what the tests of views share: a session with names and places, checks of what every view
// promises, and a sink.
package viewtest

import (
	"math"
	"testing"

	_ "gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/visualize/display"
)

// Session stands for the prompt: where the code stands, what variables hold, what was typed, and where things are
// shown.
type Session struct {
	display.Program
	T     testing.TB
	site  tensor.Site
	Named map[*tensor.Tensor]string
	Typed []string

	AllNamed func() map[*tensor.Tensor][]string // nil where not every name is known
	Operands func(op string) [][]string
	Source   func(at tensor.Site) string
	Shown    display.Sink // nil is standard output
}

// NewSession attaches a session for one test.
func NewSession(t testing.TB) *Session {
	s := &Session{T: t, Named: map[*tensor.Tensor]string{}}
	tensor.SetHooks(func(h *tensor.Hooks) { h.Site = func() tensor.Site { return s.site } })
	display.Attach(func() display.Host { return s })
	t.Cleanup(func() {
		tensor.SetHooks(func(h *tensor.Hooks) { h.Site = nil })
		display.Attach(nil)
	})
	return s
}

// The methods of display.Host that views ask for.

func (s *Session) Sink() display.Sink                 { return s.Shown }
func (s *Session) ArgTexts(_, callee string) []string { return s.Typed }
func (s *Session) OperandTexts(op string) [][]string {
	if s.Operands == nil {
		return nil
	}
	return s.Operands(op)
}

func (s *Session) SourceLine(cell string, line int) string {
	if s.Source == nil {
		return ""
	}
	return s.Source(tensor.Site{Cell: cell, Line: line})
}

func (s *Session) Names(all bool, found func(x any, name string)) bool {
	if all && s.AllNamed == nil {
		return false
	}
	if all {
		for x, names := range s.AllNamed() {
			for _, n := range names {
				found(x, n)
			}
		}
		return true
	}
	for x, name := range s.Named {
		found(x, name)
	}
	return true
}

// At says that a cell's line runs, which assigns to name.
func (s *Session) At(cell string, line int, name string) {
	s.site = tensor.Site{Cell: cell, Line: line, Name: name}
}

// Name gives x a name.
func (s *Session) Name(name string, x *tensor.Tensor) *tensor.Tensor {
	s.Named[x] = name
	return x
}

// Leaf makes a leaf with a name.
func (s *Session) Leaf(name string, line int, shape ...int) *tensor.Tensor {
	s.At("In[1]", line, name)
	return s.Name(name, Floats(shape...).RequiresGrad_())
}

func Floats(shape ...int) *tensor.Tensor {
	n := 1
	for _, d := range shape {
		n *= d
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i) / 4
	}
	return tensor.FromSlice(v, shape...)
}

func Window(x *tensor.Tensor, shape, stride []int, offset int) *tensor.Tensor {
	return tensor.FromStorage("test", x.Storage(), shape, stride, offset, x.Dtype())
}

// Noise is a number between 0 and 1 that looks random.
func Noise(i int) float64 {
	_, f := math.Modf(math.Abs(math.Sin(float64(i)*12.9898)) * 43758.5453)
	return f
}

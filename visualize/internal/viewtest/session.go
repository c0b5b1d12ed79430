// Package viewtest is what the tests of views share: a session with names and places, checks of what every view promises, and a sink.
package viewtest

import (
	"math"
	"testing"

	_ "gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Session stands for the prompt: where the code stands, and what variables hold.
type Session struct {
	T     testing.TB
	site  tensor.Site
	Names map[*tensor.Tensor]string
	Typed []string
}

// NewSession sets the hooks for one test.
func NewSession(t testing.TB) *Session {
	s := &Session{T: t, Names: map[*tensor.Tensor]string{}}
	tensor.SetSite(func() tensor.Site { return s.site })
	draw.SetNamer(func() map[*tensor.Tensor]string { return s.Names })
	draw.SetArgTexts(func(string) []string { return s.Typed })
	t.Cleanup(func() {
		tensor.SetSite(nil)
		draw.SetNamer(nil)
		draw.SetArgTexts(nil)
	})
	return s
}

// At says that a cell's line runs, which assigns to name.
func (s *Session) At(cell string, line int, name string) {
	s.site = tensor.Site{Cell: cell, Line: line, Name: name}
}

// Name gives x a name.
func (s *Session) Name(name string, x *tensor.Tensor) *tensor.Tensor {
	s.Names[x] = name
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

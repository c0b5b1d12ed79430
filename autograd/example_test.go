package autograd_test

import (
	"fmt"

	"gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// The slope of a function, and the slope of its slope.
func ExampleGrad() {
	x := tensor.New([]float64{1, 2, 3}).RequiresGrad_()
	y := x.Mul(x).Mul(x).Sum()
	slope := autograd.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, opt.CreateGraph(true))[0]
	curve := autograd.Grad([]*tensor.Tensor{slope.Sum()}, []*tensor.Tensor{x})[0]
	fmt.Println(tensor.Data[float64](slope.Detach()), tensor.Data[float64](curve))
	// Output: [3 12 27] [6 12 18]
}

// A line fitted to points by hand: backward computes the gradients, and the parameters are written to inside NoGrad.
func ExampleNoGrad() {
	x := tensor.New([]float64{0, 1, 2, 3})
	y := tensor.New([]float64{1, 3, 5, 7})
	slope, start := tensor.New([]float64{0}).RequiresGrad_(), tensor.New([]float64{0}).RequiresGrad_()
	for range 500 {
		miss := x.Mul(slope).Add(start).Sub(y)
		miss.Mul(miss).Sum().Backward()
		autograd.NoGrad(func() {
			for _, p := range []*tensor.Tensor{slope, start} {
				p.Sub_(p.Grad().Mul(0.03))
				p.SetGrad(nil)
			}
		})
	}
	fmt.Printf("%.3f %.3f\n", slope.Item(), start.Item())
	// Output: 2.000 1.000
}

// The graph behind a tensor.
func ExampleGradFn() {
	w := tensor.New([]float64{1, 2}).RequiresGrad_()
	for n := autograd.GradFn(w.Mul(3).Tanh()); n != nil; {
		fmt.Println(n.Name(), len(n.Saved()))
		if len(n.Next()) == 0 {
			break
		}
		n = n.Next()[0].Node
	}
	// Output:
	// TanhBackward0 1
	// MulBackward0 0
	// AccumulateGrad 0
}

// Vmap maps a function of one row over a batch: the function is called once.
func ExampleVmap() {
	dot := func(x, y *tensor.Tensor) *tensor.Tensor { return x.Mul(y).Sum() }
	xs := tensor.Arange(6).View(2, 3)
	fmt.Println(autograd.Vmap(dot)(xs, xs))
	// Output: tensor([ 5, 50])
}

// The derivative of a function in a direction, computed forwards: no graph is built.
func ExampleJVP() {
	f := func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x) }
	x, direction := tensor.New([]float64{1, 2}), tensor.New([]float64{1, 10})
	values, slopes := autograd.JVP(f, []*tensor.Tensor{x}, []*tensor.Tensor{direction})
	fmt.Println(tensor.Data[float64](values[0]), tensor.Data[float64](slopes[0]))
	// Output: [1 4] [2 40]
}

// Gradients by backward are compared with finite differences.
func ExampleGradcheck() {
	x := tensor.New([]float64{0.5, 2}).RequiresGrad_()
	good := func(xs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{xs[0].Exp().Sum()} }
	fmt.Println(autograd.Gradcheck(good, []*tensor.Tensor{x}))
	// Output: <nil>
}

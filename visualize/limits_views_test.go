package visualize

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"runtime"
	"slices"
	"testing"
	"time"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/display"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	for name, make := range map[string]func(x *tensor.Tensor) View{
		"bits":       func(x *tensor.Tensor) View { return Bits(x) },
		"image":      func(x *tensor.Tensor) View { return Image(x) },
		"image_grid": func(x *tensor.Tensor) View { return ImageGrid(x) },
		"heatmap":    func(x *tensor.Tensor) View { return Heatmap(x) },
		"plot":       func(x *tensor.Tensor) View { return Plot(x) },
		"plot_xy":    func(x *tensor.Tensor) View { return Plot(mateOf(x), x) },
		"scatter":    func(x *tensor.Tensor) View { return Scatter(x) },
		"scatter_xy": func(x *tensor.Tensor) View { return Scatter(x, x) },
		"hist":       func(x *tensor.Tensor) View { return Hist(x) },
		"live": func(x *tensor.Tensor) View {
			was := display.CurrentHost()
			display.Attach(func() display.Host { return &viewtest.Session{Shown: &viewtest.Sink{}} })
			defer display.Attach(func() display.Host { return was })
			p := Live("x")
			p.Add(0, x)
			p.Add(1, x)
			return p.Chart()
		},
		"backward": func(x *tensor.Tensor) View { return Backward(x) },
		"backward_of": func(x *tensor.Tensor) View {
			if !x.Dtype().IsDifferentiable() {
				return nil
			}
			if x.Numel() > 1<<16 {
				x = x.Reshape(-1).Narrow(0, 0, 1<<16)
			}
			x = x.Detach().RequiresGrad_()
			return Backward(x.Mul(2).Sum())
		},
		"graph_of": func(x *tensor.Tensor) View {
			if !x.Dtype().IsDifferentiable() || x.Numel() > 1<<16 && x.Device() != tensor.Meta {
				return nil
			}
			x = x.Detach().RequiresGrad_()
			return Graph(x.Mul(mateOf(x)).Abs(), x.Sum())
		},
		"shapes": func(x *tensor.Tensor) View {
			return Shapes(func(x *tensor.Tensor) *tensor.Tensor { return x.Unsqueeze(0).Mul(x).Sum() }, x)
		},
		"strides_pair":   func(x *tensor.Tensor) View { return Strides(x, mateOf(x), x) },
		"aliases_pair":   func(x *tensor.Tensor) View { return Aliases(x, mateOf(x), viewOf(x)) },
		"order_pair":     func(x *tensor.Tensor) View { return Order(x, mateOf(x)) },
		"broadcast_pair": func(x *tensor.Tensor) View { return Broadcast(mateOf(x), x) },
		"graph_pair":     func(x *tensor.Tensor) View { return Graph(x, mateOf(x)) },
		"plan_pair":      around(RecordPlans, moderate(func(x *tensor.Tensor) { x.Add(mateOf(x)) })),
		"trace_pair":     around(Record, moderate(func(x *tensor.Tensor) { x.Add(mateOf(x)) })),
		"flame_pair":     around(RecordFlame, moderate(func(x *tensor.Tensor) { x.Add(mateOf(x)) })),
		"memory_pair":    around(RecordMemory, moderate(func(x *tensor.Tensor) { x.Add(mateOf(x)) })),
		"shapes_pair":    around(RecordShapes, moderate(func(x *tensor.Tensor) { x.Add(mateOf(x)) })),
		"program_pair":   around(RecordProgram, moderate(func(x *tensor.Tensor) { x.Add(mateOf(x)) })),
		"explain_index":  explained(func(x *tensor.Tensor) { x.Select(max(0, x.Dim()-1), 1<<40) }),
		"explain_dim":    explained(func(x *tensor.Tensor) { x.Unsqueeze(99) }),
		"explain_view":   explained(func(x *tensor.Tensor) { viewOf(x).View(-1) }),
		"explain_views":  explained(func(x *tensor.Tensor) { x.T().View(3, -1, 7) }),
		"explain_shapes": explained(func(x *tensor.Tensor) { mateOf(x).Add(x) }),
		"explain_expand": explained(func(x *tensor.Tensor) { x.Expand(append([]int{7}, mateOf(x).Shape()...)...) }),
		"explain_matmul": explained(func(x *tensor.Tensor) { x.Matmul(mateOf(x)) }),
		"explain_cat":    explained(func(x *tensor.Tensor) { tensor.Cat([]*tensor.Tensor{x, mateOf(x)}) }),
		"explain_item":   explained(func(x *tensor.Tensor) { x.Item() }),
		"explain_write":  explained(func(x *tensor.Tensor) { x.Detach().Copy_(mateOf(x)) }),
	} {
		anyTensorViews[name] = make
	}
}

// around returns the view of what a recorder sees of f, which may panic.
func around[V View](record func(func()) (V, any), f func(x *tensor.Tensor)) func(x *tensor.Tensor) View {
	return func(x *tensor.Tensor) View {
		v, panicked := record(func() { f(x) })
		if _, ok := panicked.(*tensor.Error); panicked != nil && !ok {
			panic(panicked)
		}
		return v
	}
}

// moderate lets f have x where its result is of moderate size: what is measured is the view, not the arithmetic.
func moderate(f func(x *tensor.Tensor)) func(x *tensor.Tensor) {
	return func(x *tensor.Tensor) {
		if x.Device() == tensor.Meta || x.Numel() <= 1<<14 {
			f(x)
		} else {
			x.Detach()
		}
	}
}

// explained returns the picture of the error that f makes, nil where it makes none.
func explained(f func(x *tensor.Tensor)) func(x *tensor.Tensor) View {
	f = moderate(f)
	return func(x *tensor.Tensor) View { return Explain(tensor.Try(func() { f(x) })) }
}

// seedOf is a seed that x's shape gives.
func seedOf(x *tensor.Tensor) int64 {
	n := int64(x.Dim())
	for _, d := range x.Shape() {
		n = n*31 + int64(d)
	}
	return n & (1<<40 - 1)
}

// mateOf is another tensor, to be taken together with x: one whose shape fits, or nearly does, or any other.
func mateOf(x *tensor.Tensor) *tensor.Tensor {
	seed := seedOf(x)
	r := rand.New(rand.NewSource(seed))
	if y := anyKind(seed+1, viewtest.AnyTensor(seed+1)); r.Intn(4) == 0 && (y.Numel() < 1<<7 && x.Numel() < 1<<7 || y.Device() == tensor.Meta) {
		return y // what both broadcast to is of moderate size
	}
	shape := x.Shape()
	shape = shape[r.Intn(len(shape)+1):]
	for d := range shape {
		switch r.Intn(4) {
		case 0:
			shape[d] = 1
		case 1:
			if r.Intn(4) == 0 {
				shape[d]++
			}
		}
	}
	n := 1
	for _, d := range shape {
		n *= max(d, 1)
	}
	if x.Device() == tensor.Meta || n > 1<<14 {
		return tensor.ZerosLike(tensor.Zeros(1), opt.Device(tensor.Meta)).Expand(shape...)
	}
	return tensor.Zeros(shape...)
}

// viewOf is a view of x, seen otherwise.
func viewOf(x *tensor.Tensor) *tensor.Tensor {
	if x.Dim() > 1 {
		return x.Transpose(0, -1).Narrow(0, 0, (x.Size(-1)+1)/2).Unsqueeze(1)
	}
	return x.Unsqueeze(0).Expand(3, -1)
}

// kinds are what a tensor may be besides its shape.
var allDtypes = []tensor.Dtype{tensor.Bool, tensor.Uint8, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64,
	tensor.Float16, tensor.Bfloat16, tensor.Float32,
	tensor.Float64, tensor.Complex64, tensor.Complex128}

// anyKind makes of x, whose storage counts, a tensor of another dtype over its own storage, with NaN and infinities,
// of which gradients are asked, or a view of a view.
func anyKind(seed int64, x *tensor.Tensor) *tensor.Tensor {
	r := rand.New(rand.NewSource(seed ^ 0x5eed))
	d := allDtypes[r.Intn(len(allDtypes))]
	count := x.Storage().Nbytes() / x.ElementSize()
	var base *tensor.Tensor
	if x.Device() == tensor.Meta {
		base = tensor.ZerosLike(tensor.Zeros(1), opt.Device(tensor.Meta), opt.Dtype(d)).Expand(count).Contiguous()
	} else {
		base = tensor.Arange(count).To(tensor.Float32)
		if r.Intn(2) == 0 {
			for range 1 + r.Intn(3) {
				base.Select(0, r.Intn(count)).
					Fill_([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 3e38, 1e-45}[r.Intn(6)])
			}
		}
		base = base.To(d)
	}
	x = tensor.FromStorage("test", base.Storage(), x.Shape(), x.Stride(), x.StorageOffset(), d)
	if d.IsDifferentiable() && r.Intn(2) == 0 {
		x.RequiresGrad_()
	}
	for range r.Intn(3) {
		if x.Numel() == 0 || x.Dim() > 7 {
			break
		}
		switch k := r.Intn(4); {
		case k == 0:
			x = x.Unsqueeze(-1)
		case k == 1 && x.Dim() > 1:
			x = x.Transpose(0, -1)
		case k == 2 && x.Dim() > 0:
			x = x.Select(0, x.Size(0)-1)
		case k == 3:
			x = x.Detach()
		}
	}
	return x
}

// slowest is how long each view took at most, and of what.
var slowest = map[string]slow{}

type slow struct {
	took time.Duration
	of   string
}

// timedView makes a view and two of its forms in most; f may reject the tensor with a *tensor.Error, and give nil.
// What took too long has two more chances: the machine may have been busy, or collecting garbage.
func timedView(t testing.TB, what string, x *tensor.Tensor, most time.Duration,
	f func(x *tensor.Tensor) View) (v View) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			var e *tensor.Error
			if err, ok := p.(error); !ok || !errors.As(err, &e) {
				b := make([]byte, 4096)
				t.Errorf("%s of %v %v %v %v panics: %v\n%s", what, x.Dtype(), x.Shape(), x.Stride(), x.StorageOffset(), p,
					b[:runtime.Stack(b, false)])
			}
			v = nil
		}
	}()
	best := time.Duration(math.MaxInt64)
	for range 3 {
		start := time.Now()
		v = f(x)
		if viewtest.IsNil(v) {
			return nil
		}
		v.Text(false)
		v.HTML()
		if best = min(best, time.Since(start)); best <= most/2 {
			break
		}
	}
	if best > slowest[what].took {
		slowest[what] = slow{best, fmt.Sprintf("%v%v %v", x.Dtype(), x.Shape(), x.Stride())}
	}
	if best > most {
		t.Errorf("%s of %v %v %v took %v", what, x.Dtype(), x.Shape(), x.Stride(), best)
	}
	return v
}

// viewNames are the names of anyTensorViews.
func viewNames() (names []string) {
	for name := range anyTensorViews {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestManyViews: every view of tensors of every kind ends in a tenth of a second, within its size.
func TestManyViews(t *testing.T) {
	viewtest.NewSession(t)
	Peak()
	began := time.Now()
	n := 0
	for seed := int64(1000); seed < 1400 && time.Since(began) < 4*time.Second; seed++ {
		viewsOf(t, anyKind(seed, viewtest.AnyTensor(seed)), viewTime)
		n++
	}
	t.Logf("%d tensors", n)
	for _, name := range viewNames() {
		t.Logf("%8v at most: %s of %s", slowest[name].took.Round(100*time.Microsecond), name, slowest[name].of)
	}
}

// viewTime is what a view may take on a busy machine; what is caught is one that takes as long as its tensor is large.
const viewTime = 5 * time.Second

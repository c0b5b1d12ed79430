package runs

import (
	"strings"
	"testing"
	"time"

	"gotorch/internal/parallel"
	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// TestFlameSums: the boxes beneath a box are no longer than it, the table's times make up the calls', and the flame
// holds all calls.
func TestFlameSums(t *testing.T) {
	viewtest.NewSession(t)
	x, w := viewtest.Floats(64, 32), viewtest.Floats(32, 16).RequiresGrad_()
	v := Flame(func() {
		for range 30 {
			x.Matmul(w).Sigmoid().Sum().Backward()
		}
	})
	var check func(list []*FlameNode, most int64)
	check = func(list []*FlameNode, most int64) {
		if sum := sumNanos(list); sum > most {
			t.Errorf("%d ns beneath %d", sum, most)
		}
		for _, n := range list {
			check(n.Inner, n.Nanos)
		}
	}
	check(v.Root, v.Nanos)
	var table int64
	calls := 0
	for _, o := range v.Operators {
		table += o.Nanos
		calls += o.Calls
		if o.Kernel > o.Nanos || o.Kernel < 0 {
			t.Errorf("%s: %d ns of %d in kernels", o.Op, o.Kernel, o.Nanos)
		}
		if o.Op == "mm" && o.Flops != 30*2*2*64*32*16 { // the gradient of x is not asked for
			t.Errorf("mm: %v operations", o.Flops)
		}
		if o.Op == "mm" && o.Bytes != 30*2*4*(64*32+32*16+64*16) {
			t.Errorf("mm: %d bytes", o.Bytes)
		}
	}
	if top := sumNanos(v.Root); table != top {
		t.Errorf("the table has %d ns, the flame %d", table, top)
	}
	if calls != v.Calls || calls < 30*5 {
		t.Errorf("%d calls in the table, %d in all", calls, v.Calls)
	}
}

// TestFlameWorkers: a loop that is long enough shows who worked on it.
func TestFlameWorkers(t *testing.T) {
	viewtest.NewSession(t)
	if parallel.Threads() < 2 {
		parallel.SetThreads(2)
		defer parallel.SetThreads(0)
	}
	x := tensor.Ones(1 << 20)
	var v *Timing
	for range 20 { // a helper may be busy elsewhere
		if v = Flame(func() { x.Exp() }); len(v.Workers) > 1 {
			break
		}
	}
	if parallel.Threads() > 1 && (v.Loops == 0 || len(v.Workers) < 2 || v.Workers[0].Chunks+v.Workers[1].Chunks < 2) {
		t.Errorf("%d loops, workers %+v", v.Loops, v.Workers)
	}
	for _, w := range v.Workers {
		if w.Nanos <= 0 || w.Nanos > 2*v.Nanos {
			t.Errorf("%s was in kernels for %d ns of %d", workerName(w.Worker), w.Nanos, v.Nanos)
		}
	}
}

func BenchmarkPeak(b *testing.B) {
	for range b.N {
		measure()
	}
}

// TestPeak: the machine is measured once, and told in words.
func TestPeak(t *testing.T) {
	viewtest.NewSession(t)
	SetClock(0)
	m := Peak()
	if m.BytesPerSecond < 1e8 || m.FlopsPerSecond < 1e7 || m.Instructions == "" {
		t.Errorf("%+v", m)
	}
	if Peak() != m {
		t.Error("measured twice")
	}
	if s := m.String(); !strings.Contains(s, "in runs of ") || !strings.Contains(s, "products in registers (") {
		t.Error(s)
	}
	best := time.Duration(m.Nanos)
	for range 4 { // the machine may be busy
		best = min(best, time.Duration(measure().Nanos))
	}
	if best > time.Second { // 20 to 30 ms where nothing else runs
		t.Errorf("measuring takes %v", best)
	}
	t.Log(m, best)
}

// TestConvolutionFlops: the rule for convolutions, transposed ones and their weight's gradient, against counting by
// hand.
func TestConvolutionFlops(t *testing.T) {
	viewtest.NewSession(t)
	x, w := viewtest.Floats(2, 3, 8, 8).RequiresGrad_(), viewtest.Floats(4, 3, 3, 3).RequiresGrad_()
	tr := TraceFunc(func() { tensor.Conv2d(x, w).Sum().Backward() })
	got := map[string]float64{}
	var walk func(list []*TracedCall)
	walk = func(list []*TracedCall) {
		for _, c := range list {
			got[c.Op+"/"+c.Outputs[0].Dtype] += c.Flops
			walk(c.Inner)
		}
	}
	walk(tr.Calls)
	one := 2.0 * 2 * 4 * 6 * 6 * 3 * 3 * 3 // forward, once more for the gradient of x, and once for that of w
	if got["convolution/float32"] != 2*one || got["_convolution_weight/float32"] != one {
		t.Errorf("%v, want %v for each", got, one)
	}
}

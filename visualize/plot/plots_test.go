package plot

import (
	"fmt"
	"math"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// TestPlotErrors: what cannot be drawn is an error that says so.
func TestPlotErrors(t *testing.T) {
	viewtest.NewSession(t)
	x, meta := viewtest.Floats(4), tensor.ZerosLike(tensor.Zeros(2, 2), opt.Device(tensor.Meta))
	var none *tensor.Tensor
	for _, c := range []struct {
		make func()
		want string
	}{
		{func() { Plot() }, "no numbers were given"},
		{func() { Plot(Title("x")) }, "no numbers were given"},
		{func() { Plot(tensor.Zeros(0)) }, "empty"},
		{func() { Plot([]float64{}) }, "empty"},
		{func() { Plot(x.To(tensor.Complex64)) }, "complex"},
		{func() { Plot(none) }, "nil"},
		{func() { Plot(nil) }, "nil"},
		{func() { Plot(meta) }, "meta"},
		{func() { Plot(x, viewtest.Floats(3)) }, "x has 4 elements and y 3"},
		{func() { Plot(viewtest.Floats(2, 2, 2)) }, "[2 2 2]"},
		{func() { Plot(x, x, x) }, "pairs"},
		{func() { Plot("name", x) }, "stands before"},
		{func() { Plot(x, Bins(3)) }, "Bins"},
		{func() { Plot(x, XRange(1, 1)) }, "XRange"},
		{func() { Plot(x, LogY(), YRange(0, 1)) }, "begins above 0"},
		{func() { Plot(x.Neg(), LogY()) }, "no point"},
		{func() { Plot([]float64{math.NaN()}) }, "no point"},
		{func() { Plot([]string{"a"}) }, "no list of numbers"},
		{func() { Plot([][]int{{1, 2}, {3}}) }, "differ in length"},
		{func() { Plot(x, Labels("a", "b")) }, "2 labels for 1 series"},
		{func() { Scatter(x, x, Groups(viewtest.Floats(3))) }, "3 elements for 4"},
		{func() { Hist(tensor.Zeros(0, 3)) }, "empty"},
		{func() { Hist([]float64{math.Inf(1)}) }, "no finite"},
		{func() { Hist(x, Bins(-1)) }, "Bins is -1"},
		{func() { Heatmap(viewtest.Floats(2, 2, 2)) }, "two dimensions"},
		{func() { Heatmap(tensor.Zeros(0, 2)) }, "empty"},
		{func() { Heatmap(viewtest.Floats(2, 2), Colormap("jet")) }, "no colormap"},
		{func() { Heatmap(viewtest.Floats(2, 2), Labels("a")) }, "1 labels"},
		{func() { ImageGrid(viewtest.Floats(2, 5, 4, 4)) }, "1, 3 or 4 channels"},
		{func() { ImageGrid(meta) }, "meta"},
		{func() { ImageGrid(viewtest.Floats(2, 1, 2, 2), Labels("a", "b", "c")) }, "3 labels for 2"},
		{func() { Live("x", Bins(2)) }, "Bins"},
		{func() { Live("x").Add(1) }, "no value"},
		{func() { Live("x").Add(1, viewtest.Floats(2)) }, "not one element"},
		{func() { Live("x").Add(1, "a") }, "no value behind it"},
		{func() { Live("x").Chart() }, "nothing has been added"},
	} {
		if err := tensor.Try(c.make); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestPlotKinds: all kinds of numbers are the same plot.
func TestPlotKinds(t *testing.T) {
	viewtest.NewSession(t)
	want := Plot([]float64{0, 1, 1}).Text(false)
	one := tensor.Ones(1).RequiresGrad_()
	for _, v := range []any{[]int{0, 1, 1}, []bool{false, true, true}, []float32{0, 1, 1}, [3]uint8{0, 1, 1},
		[]any{0, 1.0, one}, []*tensor.Tensor{tensor.Zeros(), one, one},
		tensor.FromSlice([]bool{false, true, true}, 3), tensor.FromSlice([]float32{0, 1, 1}, 3, 1).RequiresGrad_().Mul(1)} {
		if got := Plot(v).Text(false); got != want {
			t.Errorf("%T:\n%s\nwant\n%s", v, got, want)
		}
	}
}

// TestPlotNumbers: plots of numbers of every size have axes whose labels tell where they are, and forms that are well
// formed.
func TestPlotNumbers(t *testing.T) {
	viewtest.NewSession(t)
	r := rand.New(rand.NewSource(1))
	for range 150 {
		n := 1 + r.Intn(20)
		base, size := math.Pow(10, float64(r.Intn(600)-300)), math.Pow(10, float64(r.Intn(24)-18))
		v := make([]float64, n)
		for i := range v {
			if v[i] = base * (1 + size*r.NormFloat64()); r.Intn(10) == 0 {
				v[i] = []float64{0, math.NaN(), math.Inf(1), -base, math.MaxFloat64, 5e-324}[r.Intn(6)]
			}
		}
		for _, make := range []func() draw.View{func() draw.View { return Plot(v) },
			func() draw.View { return Plot(v, LogY()) }, func() draw.View { return Scatter(v, v, LogX()) },
			func() draw.View { return Hist(v) }, func() draw.View { return Heatmap(v) }} {
			var view draw.View
			start := time.Now()
			if tensor.Try(func() { view = make() }) != nil {
				continue
			}
			viewtest.CheckForms(t, view)
			if c, ok := view.(*Chart); ok && (!(c.X.Min < c.X.Max) || !(c.Y.Min < c.Y.Max)) {
				t.Fatalf("%v: axes %+v %+v", v, c.X, c.Y)
			}
			for _, l := range strings.Split(view.Text(false), "\n") {
				if draw.Width(l) > 80 {
					t.Fatalf("%v: a line of %d columns: %q", v, draw.Width(l), l)
				}
			}
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("%v took %v", v, d)
			}
		}
	}
}

// TestThinning: of a million points every peak is drawn, and points that are left out are counted.
func TestThinning(t *testing.T) {
	viewtest.NewSession(t)
	v := make([]float64, 1<<20)
	for i := range v {
		v[i] = viewtest.Noise(i)
	}
	v[777777], v[888888] = 50, -60
	at := make([]float64, len(v))
	for i := range at {
		at[i] = float64(i)
	}
	c := Plot(at, v)
	s := c.Series[0]
	if s.Count != len(v) || len(s.X) > maxPoints || slices.Max(s.Y) != 50 || slices.Min(s.Y) != -60 || len(c.Notes) == 0 {
		t.Errorf("%d points of %d, from %v to %v, %v", len(s.X), s.Count, slices.Min(s.Y), slices.Max(s.Y), c.Notes)
	}
	if i := slices.Index(s.Y, 50); s.X[i] != 777777 {
		t.Errorf("the peak stands at %v", s.X[i])
	}
	cloud := Scatter(v, v, XRange(0, 1)).Series[0].Cloud
	total := 0
	for _, n := range cloud.Counts {
		total += n
	}
	if total >= len(v) || total < len(v)-10 {
		t.Errorf("%d points in the cloud", total)
	}
}

// TestHistCounts: every number is in one bin, on the edges too.
func TestHistCounts(t *testing.T) {
	viewtest.NewSession(t)
	c := Hist([]float64{0, 0.5, 1, 1, 2, 3, 4, 4}, Bins(4))
	if got := c.Series[0].Y; !slices.Equal(got, []float64{2, 2, 1, 3}) {
		t.Errorf("got %v", got)
	}
	c = Hist([]float64{0, 0.5, 1, 1, 2, 3, 4, 4}, Bins(2), Range(1, 3))
	if got := c.Series[0].Y; !slices.Equal(got, []float64{2, 2}) || !strings.Contains(c.Text(false), "4 outside") {
		t.Errorf("got %v in\n%s", got, c)
	}
}

// TestHistMany: the counts of many numbers, which several cores share, are those of counting them one by one.
func TestHistMany(t *testing.T) {
	viewtest.NewSession(t)
	tensor.ManualSeed(3)
	for _, x := range []*tensor.Tensor{tensor.Randn(300_007), tensor.Randn(300_007).To(tensor.Float64),
		tensor.Randn(500, 601).T(), tensor.Arange(200_000).Remainder(40)} {
		for _, bad := range []int{0, 3} {
			x = x.Clone()
			if bad > 0 && x.Dtype() != tensor.Int64 {
				x.Narrow(0, x.Size(0)/2, bad).Fill_(math.NaN())
			}
			c := Hist(x)
			edges := c.Series[0].X
			want, finite := make([]float64, len(edges)-1), 0
			least, greatest := math.Inf(1), math.Inf(-1)
			for _, v := range tensor.Data[float64](x.To(tensor.Float64).Contiguous()) {
				if v != v {
					continue
				}
				finite++
				least, greatest = min(least, v), max(greatest, v)
				for k := range want {
					if v >= edges[k] && (v < edges[k+1] || k == len(want)-1 && v == edges[k+1]) {
						want[k]++
					}
				}
			}
			if got := c.Series[0].Y; !slices.Equal(got, want) {
				t.Errorf("%v %v: got %v, want %v", x.Dtype(), x.Shape(), got, want)
			}
			note := fmt.Sprintf("%d of the numbers left out: NaN", x.Numel()-finite)
			if told := strings.Contains(c.Text(false), note); told != (finite < x.Numel()) {
				t.Errorf("%s: told %v:\n%s", note, told, c)
			}
			if edges[0] > least || edges[len(want)] < greatest {
				t.Errorf("bins from %g to %g of numbers from %g to %g", edges[0], edges[len(want)], least, greatest)
			}
		}
	}
}

// TestHistMemory: numbers are counted where they lie; new memory for a copy would cost more than the counting.
func TestHistMemory(t *testing.T) {
	viewtest.NewSession(t)
	x := tensor.Randn(3_000_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Hist(x)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("%d bytes for a histogram of %d numbers", n, x.Numel())
	}
}

// TestLive: a plot that several goroutines feed is shown once, drawn seldom, and ends with all that was added.
func TestLive(t *testing.T) {
	s := &viewtest.Sink{}
	viewtest.NewSession(t).Shown = s
	live := Live("loss")
	live.Add(0, math.NaN()) // nothing to draw yet
	start := time.Now()
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		wg.Go(func() {
			for i := range 70000 {
				live.Add(i, name, float64(i%1000))
			}
		})
	}
	wg.Wait()
	live.Add(70000, "a", tensor.Full([]int{1}, 5000.0))
	live.Flush()
	if most := 3 + int(time.Since(start)/(100*time.Millisecond)); s.Shown != 1 || s.Count > most {
		t.Errorf("shown %d times, drawn %d times, at most %d were due", s.Shown, s.Count, most)
	}
	if want := live.Chart().Text(false); s.Last != want || !strings.Contains(want, "4000") {
		t.Errorf("the last picture is\n%s\nwant\n%s", s.Last, want)
	}
	if got := live.String(); !strings.HasPrefix(got, `live plot "loss"  loss: 1 point  `) ||
		!strings.Contains(got, "a: 70001 points") {
		t.Error(got)
	}
}

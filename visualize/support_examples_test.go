package visualize

import (
	"math"
	"testing"
	"time"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"support", func(s *viewtest.Session) View { return Support("add") }},
		exampleView{"support_several", func(s *viewtest.Session) View {
			return Support("x.Exp", "bitwise_and", "neg_", "conv2d", "nonzero", "index_select", "lt")
		}},
		exampleView{"support_overloads", func(s *viewtest.Session) View { return Support("max") }},
		exampleView{"support_none", func(s *viewtest.Session) View { return Support() }},
	)
}

// TestSupportSamples: nearly every operator can be tried, each in a moment, and its grid is that of calls made by
// hand.
func TestSupportSamples(t *testing.T) {
	viewtest.NewSession(t)
	var none []string
	var slowest time.Duration
	for i, o := range tensor.Ops() {
		var g *SupportGrid
		d := time.Duration(math.MaxInt64)
		for tries := 0; tries < 5 && d > viewTime; tries++ { // the machine may be busy
			start := time.Now()
			g = Support(o.Full)
			d = min(d, time.Since(start))
		}
		if d > slowest {
			slowest = d
			t.Logf("%s took %v", o.Full, d)
		}
		if g.Rows[0].Cells[0].Mark == "?" {
			none = append(none, o.Full)
		}
		if i%10 == 0 {
			viewtest.CheckForms(t, g)
		}
	}
	t.Logf("no sample for %d of %d: %v", len(none), len(tensor.Ops()), none)
	if len(none) > len(tensor.Ops())/20 {
		t.Errorf("no sample for %d of %d operators: %v", len(none), len(tensor.Ops()), none)
	}
	if slowest > viewTime {
		t.Errorf("the slowest took %v", slowest)
	}
}

// TestSupportByHand holds cells against calls that are written out.
func TestSupportByHand(t *testing.T) {
	viewtest.NewSession(t)
	for name, call := range map[string]func(x *tensor.Tensor) *tensor.Tensor{
		"exp":         func(x *tensor.Tensor) *tensor.Tensor { return x.Exp() },
		"bitwise_not": func(x *tensor.Tensor) *tensor.Tensor { return x.BitwiseNot() },
		"sum":         func(x *tensor.Tensor) *tensor.Tensor { return x.Sum() },
		"floor":       func(x *tensor.Tensor) *tensor.Tensor { return x.Floor() },
		"neg":         func(x *tensor.Tensor) *tensor.Tensor { return x.Neg() },
		"mean":        func(x *tensor.Tensor) *tensor.Tensor { return x.Mean() },
	} {
		g := Support(name)
		for _, row := range g.Rows {
			if row.Device != "cpu" || row.Op != name {
				continue
			}
			for i, dt := range tensor.Dtypes() {
				var y *tensor.Tensor
				err := tensor.Try(func() { y = call(tensor.Ones(2, 2).To(dt)) })
				want := ""
				if err == nil {
					want = y.Dtype().String()
				}
				if row.Cells[i].Result != want {
					t.Errorf("%s of %s: the grid says %+v, a call gives %q %v", name, dt, row.Cells[i], want, err)
				}
			}
		}
	}
}

// TestSupportChangesNothing: neither the random numbers that come next, nor what is recorded.
func TestSupportChangesNothing(t *testing.T) {
	viewtest.NewSession(t)
	tensor.ManualSeed(7)
	want := tensor.Rand(3).String()
	tensor.ManualSeed(7)
	tr := TraceFunc(func() { Support("dropout", "normal_", "rand", "randperm", "nn.functional.dropout") })
	if got := tensor.Rand(3).String(); got != want {
		t.Errorf("the next numbers are %s, without the view %s", got, want)
	}
	if tr.Count() != 0 {
		t.Errorf("the trace has %d calls", tr.Count())
	}
}

package visualize

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

var addressed = regexp.MustCompile(`\[([\d,]+)\] → .* = (\d+) → \+(\d+) B → (\S+)$`)

// checkAddresses holds what a map prints against the elements read through the tensor: the sum of each lane, and
// every label. The tensor's storage holds 0, 1, 2, …, so that an element is its own address.
func checkAddresses(t testing.TB, x *tensor.Tensor, m *StrideMap) {
	t.Helper()
	if x.Device() == tensor.Meta {
		return
	}
	at := func(label string) (int, bool) {
		var index []int
		if label != "∎" {
			for _, s := range strings.Split(label, ",") {
				i, err := strconv.Atoi(s)
				if err != nil {
					return 0, false
				}
				index = append(index, i)
			}
		}
		n, _ := tensor.ScalarOf(x.At(index...))
		return int(n.Float()), true
	}
	seen := map[string]bool{}
	for _, s := range m.Storages {
		for _, l := range s.Lanes {
			for _, row := range l.Rows {
				for k, label := range row {
					if label == "" {
						continue
					}
					if v, ok := at(label); !ok || v != s.Cells[k] {
						t.Errorf("%v %v: the label %s stands at cell %d, its element is %d", l.Shape, l.Stride, label, s.Cells[k], v)
					}
					if seen[label] {
						t.Errorf("%v %v: %s stands twice", l.Shape, l.Stride, label)
					}
					seen[label] = true
				}
			}
			if f := addressed.FindStringSubmatch(l.Example); f != nil {
				v, _ := at(f[1])
				if f[2] != strconv.Itoa(v) || f[3] != strconv.Itoa(4*v) || f[4] != draw.ShortValue(float64(v)) {
					t.Errorf("%s, but the element is %d", l.Example, v)
				}
			} else if len(l.Shape) > 0 && l.Numel > 0 {
				t.Errorf("no address in %q", l.Example)
			}
			checkBands(t, x, &s, &l)
			if whole := s.Count == len(s.Cells); whole && !l.More && len(seen) != l.Numel {
				t.Errorf("%v %v: %d of %d elements are shown", l.Shape, l.Stride, len(seen), l.Numel)
			}
		}
	}
}

// checkBands holds what a map of blocks says against the elements: the address and the value of each shown block, the
// bytes of a block, jumps, and how much of the storage is reached. An element is its own address.
func checkBands(t testing.TB, x *tensor.Tensor, s *StorageMap, l *Lane) {
	t.Helper()
	if !s.Nested || l.Unbanded || l.Numel == 0 {
		return
	}
	product := 1
	for k, b := range l.Bands {
		product *= b.Size
		if b.Size != x.Size(b.Dim) || b.Stride != x.Stride()[b.Dim] || b.Jump != 4*b.Stride {
			t.Errorf("%v %v: band %+v", l.Shape, l.Stride, b)
		}
		for _, block := range b.Blocks {
			// The least and the greatest element of the block are found by its corners: those of the inner dimensions.
			inner := l.Bands[k+1:]
			least, most := -1, -1
			for corner := range 1 << len(inner) {
				index := append([]int(nil), l.Index...)
				index[b.Dim] = block.Index
				for i, in := range inner {
					index[in.Dim] = (corner >> i & 1) * (in.Size - 1)
				}
				n, _ := tensor.ScalarOf(x.At(index...))
				v := int(n.Float())
				if least < 0 || v < least {
					least = v
				}
				most = max(most, v)
			}
			if block.At != 4*least || b.Block != 4*(most-least+1) {
				t.Errorf("%v %v: block %+v of %d bytes, its elements are %d to %d", l.Shape, l.Stride, block, b.Block, least, most)
			}
			if block.Chosen != (block.Index == l.Index[b.Dim]) || block.Value != "" &&
				block.Value != draw.ShortValue(float64(least)) {
				t.Errorf("%v %v: block %+v, element %d, asked for %v", l.Shape, l.Stride, block, least, l.Index)
			}
		}
		if text := l.Name + (&StrideMap{Storages: []StorageMap{*s}}).Text(false); !strings.Contains(text,
			fmt.Sprintf("dim %d  size %d  stride %d  jump %+d B", b.Dim, b.Size, b.Stride, 4*b.Stride)) {
			t.Errorf("the text has no band %+v", b)
		}
	}
	if product != l.Numel {
		t.Errorf("%v: bands of %d elements, not %d", l.Shape, product, l.Numel)
	}
	if l.Numel > 1<<16 {
		return
	}
	seen := map[int]bool{}
	for _, v := range tensor.Data[float32](x.Contiguous()) {
		seen[int(v)] = true
	}
	if n := 4 * len(seen); n < l.Reach || n > l.ReachMost {
		t.Errorf("%v %v: reaches %d bytes, not %d to %d", l.Shape, l.Stride, n, l.Reach, l.ReachMost)
	}
}

// viewsOf makes every view of a tensor, each within the time that a view may take.
func viewsOf(t testing.TB, x *tensor.Tensor, most time.Duration) {
	t.Helper()
	m := timedView(t, "strides", x, most, func(x *tensor.Tensor) View { return Strides(x) }).(*StrideMap)
	viewtest.CheckForms(t, m)
	cells := 0
	for _, s := range m.Storages {
		for _, l := range s.Lanes {
			cells += len(l.Rows) * len(s.Cells)
		}
	}
	if cells > 2048 {
		t.Errorf("%d cells", cells)
	}
	for _, name := range viewNames() {
		if v := timedView(t, name, x, most, anyTensorViews[name]); v != nil {
			viewtest.CheckForms(t, v)
		}
		if t.Failed() {
			t.Fatalf("%s of %v %v %v offset %d, %v", name, x.Dtype(), x.Shape(), x.Stride(), x.StorageOffset(), x.Device())
		}
	}
}

// anyTensorViews are the views that take any tensor.
var anyTensorViews = map[string]func(x *tensor.Tensor) View{
	"card":   func(x *tensor.Tensor) View { return Card(x) },
	"layers": func(x *tensor.Tensor) View { return Layers(x) },
	"program": func(x *tensor.Tensor) View {
		return Program(func(x *tensor.Tensor) *tensor.Tensor { return x.Detach() }, x)
	},
	"graph":     func(x *tensor.Tensor) View { return Graph(x) },
	"trace":     func(x *tensor.Tensor) View { return TraceFunc(func() { x.Detach() }) },
	"explore":   func(x *tensor.Tensor) View { return Explore(x) },
	"broadcast": func(x *tensor.Tensor) View { return Broadcast(x, tensor.Ones(3, 1), x) },
}

func FuzzViews(f *testing.F) {
	for seed := range int64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		x := viewtest.AnyTensor(seed)
		checkAddresses(t, x, Strides(x))
		viewsOf(t, anyKind(seed, x), viewTime)
	})
}

// TestCardValues: numbers of every size are measured.
func TestCardValues(t *testing.T) {
	viewtest.NewSession(t)
	nan, inf, most := math.NaN(), math.Inf(1), math.MaxFloat64
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{nan, nan, inf}, "no finite elements  NaN 2  Inf 1"},
		{[]float64{most, -most}, "min -1.798e+308  mean 0  max 1.798e+308"},
		{[]float64{most, most, most}, "mean 1.798e+308"},
		{[]float64{5e-324, 0}, "max 4.941e-324"},
		{[]float64{1, 2, 3, 4}, "min 1  mean 2.5  max 4  std 1.291"},
	} {
		card := Card(tensor.FromSlice(c.values, len(c.values)))
		viewtest.CheckForms(t, card)
		if text := card.Text(false); !strings.Contains(text, c.want) {
			t.Errorf("%v: no %q in %s", c.values, c.want, text)
		}
		n := 0
		for _, k := range card.Histogram {
			n += k
		}
		if n != card.Stats.Finite {
			t.Errorf("%v: %d in the histogram", c.values, n)
		}
	}
}

// TestMany: many tensors at once, long names, and the largest that there are.
func TestMany(t *testing.T) {
	s := viewtest.NewSession(t)
	var xs []*tensor.Tensor
	for i := range 200 {
		xs = append(xs, s.Name(strings.Repeat("name", 30)+fmt.Sprint(i), tensor.Zeros(3, 50)))
	}
	m := Strides(xs...)
	viewtest.CheckForms(t, m)
	if m.More != 200-16 {
		t.Errorf("%d more", m.More)
	}
	x := tensor.Zeros(100)
	for i := range xs {
		xs[i] = x.Narrow(0, i%50, 50)
	}
	viewtest.CheckForms(t, Strides(xs...))
	big := tensor.FromStorage("test", tensor.ZerosLike(tensor.Zeros(1), opt.Device(tensor.Meta)).Expand(1<<40).
		Contiguous().Storage(), []int{1 << 20, 1 << 20}, []int{1, 1 << 20}, 0, tensor.Float32)
	viewsOf(t, big, viewTime)
	bands := Strides(big).Storages[0].Lanes[0].Bands
	if len(bands) != 2 || bands[0].Dim != 1 || bands[0].Jump != 4<<20 || bands[0].Blocks[0].At != 0 {
		t.Errorf("2^40 elements are %+v", bands)
	}
}

// TestLargeGraphs: graphs of any size are drawn in time and within the bound, the same each time.
func TestLargeGraphs(t *testing.T) {
	s := viewtest.NewSession(t)
	w := s.Leaf("w", 1, 2)
	wide, deep := w, w
	for i := range 3000 {
		s.At("In[2]", i, "") // every node at a line of its own: nothing folds
		if i < 300 {
			wide = wide.Add(w.Mul(float64(i)).Exp())
		}
		deep = deep.Sin()
	}
	for _, x := range []*tensor.Tensor{wide, deep} {
		start := time.Now()
		g := Graph(x)
		html := g.HTML()
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("took %v", d)
		}
		if g.More == 0 || len(g.Nodes) != 110 {
			t.Errorf("%d nodes, %d more", len(g.Nodes), g.More)
		}
		viewtest.CheckForms(t, g)
		if Graph(x).HTML() != html {
			t.Error("another picture the second time")
		}
	}
	none := viewtest.NewSession(t) // without places nodes are alike by operator and shape
	_ = none
	h := w
	for range 1000 {
		h = h.Sin().Mul(w)
	}
	if g := Graph(h); len(g.Nodes) > 20 || g.More > 0 || g.Total != 2001 {
		t.Errorf("a loop of 1000 steps: %d nodes shown of %d, %d left out", len(g.Nodes), g.Total, g.More)
	}
}

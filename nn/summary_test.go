package nn_test

import (
	"strings"
	"testing"

	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

type convBlock struct {
	Conv *nn.Conv2d
	Norm *nn.BatchNorm
}

func (b *convBlock) Forward(x *tensor.Tensor) *tensor.Tensor {
	return b.Norm.Forward(b.Conv.Forward(x)).Relu()
}

type convNet struct {
	Blocks []*convBlock
	FC     *nn.Linear
	Unused *nn.Linear
}

func (m *convNet) Forward(x *tensor.Tensor) *tensor.Tensor {
	for _, b := range m.Blocks {
		x = tensor.MaxPool2d(b.Forward(x), 2)
	}
	return m.FC.Forward(x.Flatten(opt.StartDim(1)))
}

func newConvNet() *convNet {
	make := func(in, out int) *convBlock {
		return &convBlock{nn.NewConv2d(in, out, 3, opt.Padding(1)), nn.NewBatchNorm2d(out)}
	}
	return &convNet{[]*convBlock{make(1, 8), make(8, 16)}, nn.NewLinear(16*7*7, 10), nn.NewLinear(3, 3)}
}

func TestSummary(t *testing.T) {
	m := newConvNet()
	nn.Params(m.FC).Freeze()
	s := nn.Summary(m, tensor.Zeros(2, 1, 28, 28))
	rows := map[string]nn.SummaryRow{}
	for _, r := range s.Rows {
		if r.Kind != "" {
			rows[r.Name] = r
		}
	}
	conv := rows["blocks.0.conv"]
	if want := 2.0 * 2 * 8 * 28 * 28 * 9; conv.Flops != want || conv.Params != 80 || conv.Kind != "Conv2d" {
		t.Errorf("%+v", conv)
	}
	if fc := rows["fc"]; fc.Frozen != fc.Params || fc.Params != 16*7*7*10+10 {
		t.Errorf("%+v", fc)
	}
	if n := nn.Params(m).Numel(); s.Params != n || s.Trained != n-7850 {
		t.Errorf("%d of %d parameters, %d trained", s.Params, n, s.Trained)
	}
	if len(s.Unused) != 2 || s.Unused[0].Name != "unused.weight" {
		t.Errorf("%+v", s.Unused)
	}
	sum := 0.0
	for _, r := range s.Rows {
		if !r.Group {
			sum += r.Flops
		}
	}
	if sum != s.Flops {
		t.Errorf("rows have %v operations, the model %v", sum, s.Flops)
	}
	for _, part := range []string{"      relu  ", "\n  max_pool2d  ", "frozen", "blocks",
		"unused.weight [3 3] is not used"} {
		if !strings.Contains(s.String(), part) {
			t.Errorf("no %q in\n%s", part, s)
		}
	}
	if h := s.HTML(); strings.Count(h, "<tr") != len(s.Rows)+1 {
		t.Error(h)
	}
}

// TestSummaryAfterChildren: an operator that runs after a module's last child is the module's, not that of what is
// around it; at the end of the model too.
func TestSummaryAfterChildren(t *testing.T) {
	blocks := nn.NewSequential(newConvNet().Blocks[0],
		nn.NewSequential(&convBlock{nn.NewConv2d(8, 4, 3), nn.NewBatchNorm2d(4)}))
	s := nn.Summary(blocks, tensor.Zeros(2, 1, 12, 12))
	owners := map[string]int{}
	for _, r := range s.Rows {
		if len(r.Ops) == 1 && r.Ops[0] == "relu" {
			owners[r.Name]++
		}
	}
	if len(owners) != 2 || owners["0"] != 1 || owners["1.0"] != 1 {
		t.Errorf("%v\n%s", owners, s)
	}
}

// TestSummaryShared: a module that is called twice counts its parameters once.
func TestSummaryShared(t *testing.T) {
	l := nn.NewLinear(4, 4)
	s := nn.Summary(nn.NewSequential(l, nn.ReLU, l), tensor.Zeros(3, 4))
	if s.Params != 20 || len(s.Rows) != 3 || !s.Rows[2].Again || s.Rows[2].Params != 0 || s.Flops != 2*(3*4*9)+12 {
		t.Errorf("%+v\n%s", s, s)
	}
	enc := nn.NewTransformerEncoderLayer(16, 2, opt.DimFeedforward(32), opt.BatchFirst(true))
	hidden := nn.Func{Name: "encode", F: func(x T) T { return enc.Forward(x) }}
	s = nn.Summary(nn.NewSequential(hidden), tensor.Zeros(2, 5, 16))
	if s.Params != 0 {
		t.Errorf("a function has parameters\n%s", s)
	}
	s = nn.Summary(encoder{enc}, tensor.Zeros(2, 5, 16))
	var names []string
	for _, r := range s.Rows {
		names = append(names, r.Name)
	}
	want := "enc|enc.self_attn|enc.self_attn.out_proj|enc|enc.norm1|enc.linear1|enc|enc.linear2|enc|enc.norm2"
	if got := strings.Join(names, "|"); got != want {
		t.Errorf("%s\n%s", got, s)
	}
}

type encoder struct{ Enc *nn.TransformerEncoderLayer }

func (e encoder) Forward(x *tensor.Tensor) *tensor.Tensor { return e.Enc.Forward(x) }

package interp

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gotorch/interp/internal/celltest"
)

// TestGraphByModule: the graph of a model has its modules, by the names of the state dict; layers that compute the
// same are written once.
func TestGraphByModule(t *testing.T) {
	for _, layers := range []int{6, 12} {
		s := New(Options{})
		defer s.Close()
		celltest.Cell(s, fmt.Sprintf("enc := nn.NewTransformerEncoder(nn.NewTransformerEncoderLayer(16, 2), %d)\n"+
			"y := enc.Forward(Randn([5, 2, 16]))", layers))
		got := celltest.Cell(s, "%graph y.Sum()")
		for _, want := range []string{
			"enc  ", fmt.Sprintf("  layers.0 … layers.%d × %d  ", layers-1, layers), "    self_attn  ",
			"Addmm", "      out_proj  Addmm  float32[10 16]", "    linear1  Addmm  float32[10 2048]",
			"    norm2  NativeLayerNorm  float32[5 2 16]",
		} {
			if !strings.Contains("\n"+got, "\n"+want) && !strings.Contains(got, want+"(") {
				t.Errorf("%q is not there:\n%s", want, got)
			}
		}
		if n := strings.Count(got, "\n"); n > 40 {
			t.Errorf("%d lines", n)
		}
		html := celltest.Cell(s, "fmt.Println(visualize.Graph(y).HTML())")
		if strings.Contains(html, "<script") || strings.Count(html, "<details") < 6 {
			t.Errorf("parts do not fold without script: %s", html)
		}
		if !regexp.MustCompile(`<details style="[^"]*"><summary[^>]*><b>linear1`).MatchString(html) {
			t.Error("linear1 is not folded")
		}
	}
}

// TestGraphByModuleOfCells: so has one of a model that a cell declares; what has no parameters belongs to what the
// calls around it have in common.
func TestGraphByModuleOfCells(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	got := celltest.Cell(s, `type Block struct { Conv *nn.Conv2d; Norm *nn.BatchNorm2d }
func (b *Block) Forward(x *Tensor) *Tensor { return b.Norm.Forward(b.Conv.Forward(x)).Relu() }
type Net struct { Blocks []*Block; Head *nn.Linear }
func (n *Net) Forward(x *Tensor) *Tensor {
	for _, b := range n.Blocks { x = b.Forward(x) + x }
	return n.Head.Forward(x.Mean([2, 3]))
}
net := &Net{Head: nn.NewLinear(4, 3)}
for range 8 { net.Blocks = append(net.Blocks, &Block{nn.NewConv2d(4, 4, 3, padding=1), nn.NewBatchNorm2d(4)}) }
visualize.Graph(net.Forward(Randn([2, 4, 5, 5])))`)
	for _, want := range []string{"net  ", "\n  blocks.0 … blocks.7 × 8  4 calls each", "\n    blocks.1  ",
		"\n      conv  Convolution  float32[2 4 5 5]", "\n    #7 Relu(#6)", "\n  #33 Mean(",
		"\n  head  Addmm  float32[2 3]"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, got)
		}
	}
}

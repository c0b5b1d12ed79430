package interp

import (
	"strings"
	"testing"
)

// TestModulesOfCells: package nn sees the tensors in structs that cells declare, whose fields may be lower case, and
// calls their methods.
func TestModulesOfCells(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"ManualSeed(0)\nnn.NewLinear(2, 1).Weight", "tensor([[-0.0053,  0.3793]], requires_grad=True)"},
		{"type MLP struct { fc1, fc2 *nn.Linear; act nn.Module; note string }\n" +
			"func (m *MLP) Forward(x *Tensor) *Tensor { return m.fc2.Forward(m.act.Forward(m.fc1.Forward(x))) }\n" +
			"m := &MLP{nn.NewLinear(4, 8), nn.NewLinear(8, 2, bias=false), nn.ReLU, \"\"}\nnn.Params(m).Names()",
			`["fc1.weight" "fc1.bias" "fc2.weight"]`},
		{"nn.Params(nn.Sequential{nn.Tanh, m}).Names()", `["1.fc1.weight" "1.fc1.bias" "1.fc2.weight"]`},
		{"nn.Sequential{m, nn.Tanh}.Forward(Zeros(3, 4)).Shape()", "[3 2]"},
		{"nn.NewConv2d(3, 4, [3, 2], stride=2, padding=1, bias=false).Forward(Zeros(1, 3, 8, 8)).Shape()", "[1 4 4 5]"},
		{"type Deep struct { blocks []*MLP; w *Tensor; by map[string]nn.Module }\n" +
			"nn.Params(Deep{[]*MLP{m}, Ones(2), map[string]nn.Module{\"k\": m.fc1}}).Names()",
			`["blocks.0.fc1.weight" "blocks.0.fc1.bias" "blocks.0.fc2.weight" "w"]`},
	} {
		if got := strings.TrimSpace(cell(s, c.src)); got != c.want {
			t.Errorf("%s\n  %s, want %s", c.src, got, c.want)
		}
	}
}

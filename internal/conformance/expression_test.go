package conformance

import (
	"testing"

	"gotorch/tensor"
)

func TestEvaluate(t *testing.T) {
	x := tensor.Arange(6).View(2, 3)
	for _, c := range []struct{ python, want string }{
		{"x", "tensor([[0, 1, 2],\n        [3, 4, 5]])"},
		{"-x", "tensor([[ 0, -1, -2],\n        [-3, -4, -5]])"},
		{"x*2 + 1", "tensor([[ 1,  3,  5],\n        [ 7,  9, 11]])"},
		{"2*(x+1)", "tensor([[ 2,  4,  6],\n        [ 8, 10, 12]])"},
		{"1 - x", "tensor([[ 1,  0, -1],\n        [-2, -3, -4]])"},
		{"2**x", "tensor([[ 1,  2,  4],\n        [ 8, 16, 32]])"},
		{"-x**2", "tensor([[  0,  -1,  -4],\n        [ -9, -16, -25]])"},
		{"1/x.double()", "tensor([[   inf, 1.0000, 0.5000],\n        [0.3333, 0.2500, 0.2000]], dtype=torch.float64)"},
		{"x[1]", "tensor([3, 4, 5])"},
		{"x[:, 1:]", "tensor([[1, 2],\n        [4, 5]])"},
		{"x[..., -1]", "tensor([2, 5])"},
		{"x[None].shape[0] * x", "tensor([[0, 1, 2],\n        [3, 4, 5]])"},
		{"x[[1, 0]]", "tensor([[3, 4, 5],\n        [0, 1, 2]])"},
		{"x[x > 3]", "tensor([4, 5])"},
		{"x.T", "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])"},
		{"x.permute(1, 0)[0]", "tensor([0, 3])"},
		{"x.to(torch.float32)/2", "tensor([[0.0000, 0.5000, 1.0000],\n        [1.5000, 2.0000, 2.5000]])"},
		{"torch.cat([x, x], dim=1)", "tensor([[0, 1, 2, 0, 1, 2],\n        [3, 4, 5, 3, 4, 5]])"},
		{"torch.stack((x, x))[1, 0]", "tensor([0, 1, 2])"},
		{"x.max(dim=1).values", "tensor([2, 5])"},
		{"x.float().mean(-1, keepdim=True)", "tensor([[1.],\n        [4.]])"},
		{"torch.linalg.norm(x.double())", "tensor(7.4162, dtype=torch.float64)"},
		{"F.relu(x - 2.5)", "tensor([[0.0000, 0.0000, 0.0000],\n        [0.5000, 1.5000, 2.5000]])"},
		{"torch.tensor([1., 2.]) @ x.float()", "tensor([ 6.,  9., 12.])"},
		{"x.sum() // 4 % 3", "tensor(0)"},
	} {
		v, err := evaluate(c.python, map[string]any{"x": x})
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if y, ok := v.(*tensor.Tensor); !ok || y.String() != c.want {
			t.Errorf("%s: %v, want %s", c.python, v, c.want)
		}
	}
	for _, bad := range []string{"x +", "y", "x.nothing()", "x[", "x)", "torch.add(x", "x.view(4)", "1 ? 2"} {
		if v, err := evaluate(bad, map[string]any{"x": x}); err == nil {
			t.Errorf("%s: %v, want an error", bad, v)
		}
	}
}

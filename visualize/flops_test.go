package visualize_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize"
)

// TestFlops: operations counted by hand, for each kind of operator. Flame graphs, which look at calls that ran, and
// shape views, which look at the meta device, agree on them.
func TestFlops(t *testing.T) {
	x, y, w := tensor.Randn(4, 6), tensor.Randn(6, 5), tensor.Randn(4, 6)
	row, col := tensor.Randn(6), tensor.Randn(4)
	as, bs := tensor.Randn(3, 4, 6), tensor.Randn(3, 6, 5)
	out, mask := tensor.Zeros(4, 5), x.Gt(0)
	image, filter := tensor.Randn(2, 4, 8, 8), tensor.Randn(6, 2, 3, 3)
	back := tensor.Randn(4, 3, 3, 3)
	fused := tensor.Fuse(func(a, b *tensor.Tensor) *tensor.Tensor { return a.Mul(b).Add(1).Tanh() })
	for name, c := range map[string]struct {
		call func()
		want float64
	}{
		"pointwise":   {func() { x.Exp() }, 24},
		"broadcast":   {func() { col.Unsqueeze(1).Add(row) }, 24},
		"in place":    {func() { x.Mul_(2) }, 24},
		"comparison":  {func() { x.Gt(0) }, 24},
		"addcmul":     {func() { x.Addcmul(x, w) }, 72},
		"moves":       {func() { tensor.Where(mask, x, w) }, 0},
		"view":        {func() { x.T().Reshape(2, 12).Select(0, 1) }, 0},
		"copy":        {func() { x.T().Contiguous().Clone() }, 0},
		"reduction":   {func() { x.Sum(opt.Dim(0)) }, 24},
		"all":         {func() { x.Mean() }, 24},
		"scan":        {func() { x.Cumsum(1) }, 24},
		"mm":          {func() { x.Mm(y) }, 2 * 4 * 5 * 6},
		"mv":          {func() { x.Mv(row) }, 2 * 4 * 6},
		"dot":         {func() { row.Dot(row) }, 2 * 6},
		"bmm":         {func() { as.Bmm(bs) }, 3 * 2 * 4 * 5 * 6},
		"addmm":       {func() { out.Addmm(x, y) }, 4 * 5 * (2*6 + 1)},
		"addbmm":      {func() { out.Addbmm(as, bs) }, 4 * 5 * (3*2*6 + 1)},
		"addr":        {func() { x.Addr(col, row) }, 2 * 24},
		"composite":   {func() { tensor.Linear(x, y.T(), opt.Bias(tensor.Zeros(5))) }, 4 * 5 * (2*6 + 1)},
		"convolution": {func() { tensor.Conv2d(image, filter, opt.Groups(2)) }, 2 * (2 * 6 * 6 * 6) * (2 * 3 * 3)},
		"transposed":  {func() { tensor.ConvTranspose2d(image, back) }, 2 * (2 * 4 * 8 * 8) * (3 * 3 * 3)},
		"fused":       {func() { fused(x, w) }, 3 * 24},
		"none":        {func() { tensor.Zeros(3).Fill_(1) }, 0},
	} {
		flame := 0.0
		for _, o := range visualize.Flame(c.call).Operators {
			flame += o.Flops
		}
		shapes := visualize.Shapes(c.call).Flops
		if flame != c.want || shapes != c.want {
			t.Errorf("%s: %v in the flame graph, %v in the shape view, want %v", name, flame, shapes, c.want)
		}
	}
}

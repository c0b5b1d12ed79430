package tensor_test

import (
	"fmt"
	"slices"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestHeaderChanges: the in-place forms of views change the header of x itself, once, and count as a write.
func TestHeaderChanges(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(x *tensor.Tensor) *tensor.Tensor
		same   func(x *tensor.Tensor) *tensor.Tensor
	}{
		{"t_", func(x *tensor.Tensor) *tensor.Tensor { return x.T_() },
			func(x *tensor.Tensor) *tensor.Tensor { return x.T() }},
		{"transpose_", func(x *tensor.Tensor) *tensor.Tensor { return x.Transpose_(0, -1) },
			func(x *tensor.Tensor) *tensor.Tensor { return x.Transpose(0, -1) }},
		{"swapaxes_", func(x *tensor.Tensor) *tensor.Tensor { return x.Swapaxes_(0, 1) },
			func(x *tensor.Tensor) *tensor.Tensor { return x.Swapaxes(0, 1) }},
		{"unsqueeze_", func(x *tensor.Tensor) *tensor.Tensor { return x.Unsqueeze_(1) },
			func(x *tensor.Tensor) *tensor.Tensor { return x.Unsqueeze(1) }},
		{"squeeze_", func(x *tensor.Tensor) *tensor.Tensor { return x.Squeeze_() },
			func(x *tensor.Tensor) *tensor.Tensor { return x.Squeeze() }},
		{"as_strided_", func(x *tensor.Tensor) *tensor.Tensor {
			return x.AsStrided_([]int{2}, []int{2}, opt.StorageOffset(1))
		},
			func(x *tensor.Tensor) *tensor.Tensor { return x.AsStrided([]int{2}, []int{2}, opt.StorageOffset(1)) }},
	} {
		x := tensor.Arange(6).View(2, 3).Clone()
		want, before := c.same(x), x.Version()
		y := c.change(x)
		if y != x || !slices.Equal(x.Shape(), want.Shape()) || !slices.Equal(x.Stride(), want.Stride()) ||
			x.StorageOffset() != want.StorageOffset() ||
			x.Numel() != want.Numel() || x.Version() != before+1 {
			t.Errorf("%s: shape %v stride %v offset %d version %d, want %v %v %d %d", c.name, x.Shape(), x.Stride(),
				x.StorageOffset(), x.Version(),
				want.Shape(), want.Stride(), want.StorageOffset(), before+1)
		}
	}
	x := tensor.Zeros(1, 2, 1, 2, 1) // more dimensions than lie in the header, and back
	for range 3 {
		x.Unsqueeze_(0)
	}
	if got := x.Shape(); !slices.Equal(got, []int{1, 1, 1, 1, 2, 1, 2, 1}) {
		t.Errorf("unsqueeze_ thrice: %v", got)
	}
	x.Squeeze_()
	if got := fmt.Sprint(x.Shape(), x.Stride()); got != "[2 2] [2 1]" {
		t.Errorf("squeeze_: %s", got)
	}
	tensor.Ones(1, 3).Expand(2, 3).T_() // repeats elements, but nothing is written
}

func TestDetachInPlace(t *testing.T) {
	x := tensor.Ones(2).RequiresGrad_()
	y := x.Mul(2)
	if y.Detach_() != y || y.RequiresGrad() || !y.IsLeaf() {
		t.Error("detach_ left a history")
	}
	if x.Detach_(); x.RequiresGrad() {
		t.Error("detach_ left a leaf that requires grad")
	}
	if err := tensor.Try(func() { tensor.Ones(2).View(2, 1).Detach_() }); err == nil {
		t.Error("detach_ of a view: no error")
	}
}

// TestViewErrors: the operator, what was wrong, the sizes.
func TestViewErrors(t *testing.T) {
	x := tensor.Arange(24).View(2, 3, 4)
	one := tensor.New(1)
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { x.View(5, 5) }, "view: shape [5 5] needs 25 elements; the tensor has 24"},
		{func() { x.View(-1, -1) }, "view: only one dimension can be inferred, shape [-1 -1] has two -1"},
		{func() { x.View(-2, 3) }, "view: invalid shape dimension -2"},
		{func() { tensor.Zeros(0).View(-1, 0) }, "view: cannot reshape a tensor of 0 elements into shape [-1 0]: the " +
			"unspecified dimension size -1 can be any value"},
		{func() { x.Transpose(0, 1).View(24) }, "view: view size [24] is not compatible with the input's shape [3 2 4] " +
			"and stride [4 12 1]: at least one dimension spans across two contiguous subspaces (use Reshape, which copies " +
			"where it must)"},
		{func() {
			x.T()
		}, "t: expects a tensor of at most 2 dimensions, but self is 3D (shape [2 3 4]) (MT swaps the last two " +
			"dimensions, Permute puts all into an order)"},
		{func() { x.Permute(0, 1) },
			"permute: the number of dimensions in the tensor (3) is not that of the desired order of dimensions [0 1] (2)"},
		{func() { x.Permute(0, 0, 1) }, "permute: duplicate dims are not allowed: dimension 0 is twice in [0 0 1]"},
		{func() { x.Transpose(0, 3) }, "transpose: dimension 3 is out of range: a tensor of 3 dimensions has -3 to 2"},
		{func() { x.Select(1, 3) }, "select: index 3 is out of range for a tensor of size [2 3 4] at dimension 1"},
		{func() { one.Select(0, 0) }, "select: a tensor of 0 dimensions has no dimension 0: it needs at least one"},
		{func() { x.Slice(opt.Step(0)) }, "slice: the step of a slice cannot be zero"},
		{func() { x.Expand(3, 3, 4) }, "expand: the expanded size of the tensor (3) must match the existing size (2) at " +
			"non-singleton dimension 0: target sizes [3 3 4], tensor sizes [2 3 4]"},
		{func() { x.Expand(-1, 2, 3, 4) }, "expand: the expanded size (-1) is not allowed in a leading, non-existing " +
			"dimension 0: sizes [-1 2 3 4] for shape [2 3 4]"},
		{func() { x.Expand(3, 4) }, "expand: the number of sizes provided (2: [3 4]) must be greater or equal to the " +
			"number of dimensions of the tensor (3: shape [2 3 4])"},
		{func() { x.Diagonal(opt.Dim1(1), opt.Dim2(-2)) }, "diagonal: diagonal dimensions cannot be identical 1, -2"},
		{func() { x.Unfold(2, 5, 1) }, "unfold: maximum size for tensor at dimension 2 is 4 but size is 5"},
		{func() { x.Split([]int{1, 2}, opt.Dim(2)) }, "split: split_with_sizes expects split_sizes to sum exactly to 4 " +
			"(the input's size at dimension 2), but got [1 2]"},
		{func() { x.Chunk(0) }, "chunk: expects chunks to be greater than 0, got 0"},
		{func() { x.Narrow(0, 1, 2) }, "narrow: start (1) + length (2) exceeds dimension size (2)"},
		{func() { x.Unflatten(2, []int{3, -1}...) },
			"unflatten: provided sizes [3 -1] don't multiply up to the size of dim 2 (4) in the input tensor"},
		{func() { x.Flatten(opt.StartDim(2), opt.EndDim(1)) }, "flatten: start_dim (2) cannot come after end_dim (1)"},
		{func() {
			x.AsStrided([]int{5, 5}, []int{6, 1})
		}, "as_strided: shape [5 5], stride [6 1] and offset 0 reach elements 0 to 28 of a storage of 24"},
		{func() { x.ViewDtype(tensor.Complex128) }, ""},
		{func() {
			x.Transpose(1, 2).ViewDtype(tensor.Int32)
		}, "view: the stride of the last dimension must be 1 to view int64 as int32 (different element sizes), got 4"},
		{func() { tensor.ViewAsReal(x) }, "view_as_real: only complex tensors can be viewed as real, not int64"},
		{func() { x.Hsplit(2) }, "hsplit: attempted to split along dimension 1, but the size of the dimension 3 is not " +
			"divisible by the split_size 2"},
		{func() { x.Movedim([]int{0, 0}, []int{1, 2}) }, "movedim: repeated dim 0 in source [0 0]"},
		{func() { tensor.Cat(nil) }, "cat: expected a non-empty list of tensors"},
		{func() { tensor.Cat([]*tensor.Tensor{x, one}) },
			"cat: zero-dimensional tensor (at position 1) cannot be concatenated (Stack joins single numbers)"},
		{func() { tensor.Cat([]*tensor.Tensor{x, tensor.Zeros(2, 3, 5)}) },
			"cat: sizes of tensors must match except in dimension 0: expected size 4 but got size 5 in dimension 2 for " +
				"tensor number 1 in the list (shapes [2 3 4] and [2 3 5])"},
		{func() {
			tensor.Stack([]*tensor.Tensor{x, one})
		}, "stack: expects each tensor to be equal size, but got [2 3 4] at entry 0 and [] at entry 1"},
		{func() { x.Repeat(2, 2) },
			"repeat: number of dimensions of repeats [2 2] can not be smaller than number of dimensions of tensor (3)"},
		{func() { x.Flip(0, -3) }, "flip: dim 0 appears multiple times in the list of dims [0 -3]"},
		{func() { x.Roll([]int{1, 2}, 0) }, "roll: shifts and dimensions must align: shifts [1 2], dims [0]"},
		{func() { x.Rot90(opt.Dims(1, -2)) },
			"rot90: expected rotation dims to be different, but got dim0 = 1 and dim1 = -2"},
		{func() {
			tensor.Meshgrid([]*tensor.Tensor{one}, opt.Indexing("ji"))
		}, `meshgrid: indexing must be one of "xy" or "ij", got "ji"`},
	} {
		err := tensor.Try(c.f)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestMetaViews: shapes and strides without memory are those with memory.
func TestMetaViews(t *testing.T) {
	for i, f := range []func(x *tensor.Tensor) *tensor.Tensor{
		func(x *tensor.Tensor) *tensor.Tensor { return x.Permute(2, 0, 1) },
		func(x *tensor.Tensor) *tensor.Tensor { return x.Transpose(0, 1).Reshape(-1) },
		func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(opt.Dim(1), opt.Step(-2)) },
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.Cat([]*tensor.Tensor{x, x.Double()}, opt.Dim(1)) },
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.Stack([]*tensor.Tensor{x, x}, opt.Dim(1)) },
		func(x *tensor.Tensor) *tensor.Tensor { return x.Repeat(2, 1, 1, 3).Flip(0).Roll(1).Rot90() },
		func(x *tensor.Tensor) *tensor.Tensor { return x.To(tensor.Float16).Transpose(0, 2).Contiguous() },
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.ZerosLike(x.Transpose(0, 2), tensor.Int64) },
		func(x *tensor.Tensor) *tensor.Tensor { return x.NewFull([]int{2, 2}, 7) },
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.BlockDiag(x.Select(0, 0), x.Select(0, 1)) },
	} {
		real, meta := f(tensor.Zeros(2, 3, 4)), f(tensor.With(tensor.Meta).Zeros(2, 3, 4))
		if meta.Device() != tensor.Meta || !slices.Equal(real.Shape(), meta.Shape()) ||
			!slices.Equal(real.Stride(), meta.Stride()) || real.Dtype() != meta.Dtype() {
			t.Errorf("%d: on meta %s %v %v on %s, else %s %v %v", i, meta.Dtype(), meta.Shape(), meta.Stride(), meta.Device(),
				real.Dtype(), real.Shape(), real.Stride())
		}
	}
}

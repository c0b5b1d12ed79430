package tensor_test

import (
	"fmt"
	"os"
	"path/filepath"

	_ "gotorch"
	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func ExampleNew() {
	fmt.Println(tensor.New([][]int{{1, 2, 3}, {4, 5, 6}}))
	fmt.Println(tensor.New([]float64{0.5, 1}, opt.Dtype(tensor.Float16)))
	// Output:
	// tensor([[1, 2, 3],
	//         [4, 5, 6]])
	// tensor([0.5000, 1.0000], dtype=torch.float16)
}

// A transpose is a view: other strides over the same storage.
func ExampleTensor_Stride() {
	x := tensor.Arange(6).View(2, 3)
	y := x.T()
	fmt.Println(x.Shape(), x.Stride(), x.IsContiguous())
	fmt.Println(y.Shape(), y.Stride(), y.IsContiguous(), tensor.SharesStorage(x, y))
	// Output:
	// [2 3] [3 1] true
	// [3 2] [1 3] false true
}

// x[:, 1:3], x[-1] and x[mask], as a cell would write them.
func ExampleTensor_Index() {
	x := tensor.Arange(6).View(2, 3)
	fmt.Println(x.Index(tensor.Colon, tensor.Slice(1, 3, nil)))
	fmt.Println(x.Index(-1))
	fmt.Println(x.Index(x.Gt(2)))
	// Output:
	// tensor([[1, 2],
	//         [4, 5]])
	// tensor([3, 4, 5])
	// tensor([3, 4, 5])
}

// Sizes are matched from the last dimension on; a size of 1 is repeated without a copy.
func ExampleTensor_Add() {
	column, row := tensor.New([][]int{{10}, {20}}), tensor.New([]int{1, 2, 3})
	fmt.Println(column.Add(row))
	fmt.Println(row.Add(0.5).Dtype())
	// Output:
	// tensor([[11, 12, 13],
	//         [21, 22, 23]])
	// float32
}

func ExampleTensor_Sum() {
	x := tensor.Arange(6).View(2, 3)
	fmt.Println(x.Sum(), x.Sum(opt.Dim(1)), x.Sum(opt.Dim(0), opt.Keepdim(true)).Shape())
	// Output: tensor(15) tensor([ 3, 12]) [1 3]
}

func ExampleTensor_Matmul() {
	a, b := tensor.Ones(4, 2, 3), tensor.Ones(3, 5)
	fmt.Println(a.Matmul(b).Shape())
	// Output: [4 2 5]
}

// In-place forms end in an underscore; they write through views.
func ExampleTensor_Version() {
	x := tensor.Zeros(2, 2)
	x.Select(0, 1).Add_(1)
	fmt.Println(x, x.Version())
	// Output:
	// tensor([[0., 0.],
	//         [1., 1.]]) 1
}

// What a caller did wrong panics with an *Error; Try makes an error of it.
func ExampleTry() {
	err := tensor.Try(func() { tensor.Zeros(2, 3).Select(0, 5) })
	fmt.Println(err)
	// Output: select: index 5 is out of range for a tensor of size [2 3] at dimension 0
}

// Random numbers are PyTorch's for the same seed.
func ExampleManualSeed() {
	tensor.ManualSeed(0)
	fmt.Println(tensor.Rand(3))
	// Output: tensor([0.4963, 0.7682, 0.0885])
}

// Tensors of the meta device have a shape and no storage: they tell what a program would do.
func ExampleOnDevice() {
	tensor.OnDevice(tensor.Meta, func() {
		x := tensor.Zeros(1_000_000, 1_000_000)
		fmt.Println(x.Matmul(x.T()).Shape(), x.Device())
	})
	// Output: [1000000 1000000] meta
}

func ExampleData() {
	x := tensor.With(opt.Dtype(tensor.Float64)).Arange(4).Sqrt()
	fmt.Printf("%.2f\n", tensor.Data[float64](x))
	// Output: [0.00 1.00 1.41 1.73]
}

func ExampleSaveNpy() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.npy")
	tensor.SaveNpy(path, tensor.Eye(2))
	fmt.Println(tensor.LoadNpy(path))
	// Output:
	// tensor([[1., 0.],
	//         [0., 1.]])
}

// Operators can be called by the names that PyTorch's dispatcher has for them.
func ExampleInvoke() {
	results, err := tensor.Invoke("cumsum", []any{tensor.Ones(3)}, map[string]any{"dim": 0})
	fmt.Println(results, err)
	_, err = tensor.Invoke("cumsum", []any{tensor.Ones(3)}, map[string]any{"dim": 4})
	fmt.Println(err)
	// Output:
	// [tensor([1., 2., 3.])] <nil>
	// cumsum: dimension 4 is out of range: a tensor of 1 dimension has -1 to 0
}

func ExampleTensor_Backward() {
	w := tensor.New([]float64{1, 2}).RequiresGrad_()
	w.Mul(w).Sum().Backward()
	fmt.Println(w.Grad(), autograd.GradFn(w.Mul(2)).Name())
	// Output: tensor([2., 4.], dtype=torch.float64) MulBackward0
}

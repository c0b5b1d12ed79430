// Package gonum exchanges matrices with gonum.org/v1/gonum/mat. Memory is shared where the layouts allow it.
//
//	q := gonum.Tensor(&m)      // a tensor over the memory of a *mat.Dense
//	var eig mat.Eigen
//	eig.Factorize(gonum.Dense(x), mat.EigenRight)
package gonum

import (
	"gonum.org/v1/gonum/mat"

	"gotorch/tensor"
)

// Tensor is a matrix as a tensor of float64: (rows, columns), of a vector (length). A *mat.Dense and a *mat.VecDense
// share their memory with it, so that writes to one are seen in the other; any other mat.Matrix is copied.
func Tensor(m mat.Matrix) *tensor.Tensor {
	switch m := m.(type) {
	case nil:
		panic(tensor.Errorf("gonum.Tensor", "the matrix is nil"))
	case *mat.Dense:
		raw := m.RawMatrix()
		return over(raw.Data, []int{raw.Rows, raw.Cols}, []int{raw.Stride, 1})
	case *mat.VecDense:
		raw := m.RawVector()
		return over(raw.Data, []int{raw.N}, []int{raw.Inc})
	}
	rows, cols := m.Dims()
	data := make([]float64, rows*cols)
	for i := range rows {
		for j := range cols {
			data[i*cols+j] = m.At(i, j)
		}
	}
	return tensor.FromSlice(data, rows, cols)
}

// over is a tensor over data with a shape and strides.
func over(data []float64, shape, stride []int) *tensor.Tensor {
	for _, n := range shape {
		if n == 0 {
			return tensor.With(tensor.Float64).Zeros(shape...)
		}
	}
	return tensor.FromSlice(data, len(data)).AsStrided(shape, stride)
}

// Dense is a tensor of two dimensions as a *mat.Dense. A tensor of float64 on the CPU whose rows are contiguous shares
// its memory with it; writes to the matrix are then seen in the tensor, and are not recorded by autograd. Other
// tensors are copied. Of a tensor without elements it is the empty matrix.
func Dense(x *tensor.Tensor) *mat.Dense {
	checkDims("gonum.Dense", x, 2)
	rows, cols := x.Size(0), x.Size(1)
	if rows*cols == 0 {
		return new(mat.Dense)
	}
	x = float64s(x)
	if x.Size(1) > 1 && x.Stride()[1] != 1 || x.Size(0) > 1 && x.Stride()[0] < cols {
		x = x.Contiguous()
	}
	step := cols
	if rows > 1 {
		step = x.Stride()[0]
	}
	m := new(mat.Dense)
	raw := m.RawMatrix()
	raw.Rows, raw.Cols, raw.Stride = rows, cols, step
	raw.Data = elements(x, (rows-1)*step+cols)
	m.SetRawMatrix(raw)
	return m
}

// Vector is a tensor of one dimension as a *mat.VecDense, which shares its memory under the conditions of [Dense].
func Vector(x *tensor.Tensor) *mat.VecDense {
	checkDims("gonum.Vector", x, 1)
	n := x.Size(0)
	if n == 0 {
		return new(mat.VecDense)
	}
	if x = float64s(x); n > 1 && x.Stride()[0] < 1 {
		x = x.Contiguous()
	}
	step := 1
	if n > 1 {
		step = x.Stride()[0]
	}
	v := new(mat.VecDense)
	raw := v.RawVector()
	raw.N, raw.Inc, raw.Data = n, step, elements(x, (n-1)*step+1)
	v.SetRawVector(raw)
	return v
}

func checkDims(op string, x *tensor.Tensor, dims int) {
	if x == nil {
		panic(tensor.Errorf(op, "the tensor is nil"))
	}
	if x.Dim() != dims {
		panic(tensor.Errorf(op, "the tensor has shape %v, a matrix has two dimensions and a vector one", x.Shape()).
			WithHint("x.Reshape(rows, columns) or x.Flatten()"))
	}
	if x.Dtype().IsComplex() {
		panic(tensor.Errorf(op, "the tensor is %s, the matrices are real", x.Dtype()).WithHint("x.Real()"))
	}
}

func float64s(x *tensor.Tensor) *tensor.Tensor {
	return x.Detach().To(tensor.Float64, tensor.NewOption("device", tensor.CPU))
}

// elements are n elements of the memory of x from its first on.
func elements(x *tensor.Tensor, n int) []float64 {
	return tensor.Elems[float64](x.AsStrided([]int{n}, []int{1}))
}

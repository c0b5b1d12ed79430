package data

import (
	"encoding/binary"
	"io"
	"math"

	"gotorch/tensor"
)

// IDX reads a file of the format of MNIST: a tensor of bytes, integers or floating point numbers. It may be packed, if
// its name ends with .gz. A file that is none panics with an *Error.
func IDX(path string) *tensor.Tensor {
	const op = "data.IDX"
	r, done := open(op, path)
	defer done()
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || head[0] != 0 || head[1] != 0 {
		panic(tensor.Errorf(op, "%s is no IDX file", path))
	}
	width, known := map[byte]int{8: 1, 9: 1, 11: 2, 12: 4, 13: 4, 14: 8}[head[2]]
	dims := int(head[3])
	if !known || dims > 8 {
		panic(tensor.Errorf(op, "%s is no IDX file: type %#x with %d dimensions", path, head[2], dims))
	}
	shape, n := make([]int, dims), 1
	for i := range shape {
		var b [4]byte
		if _, err := io.ReadFull(r, b[:]); err != nil {
			panic(tensor.Errorf(op, "%s ends within its sizes", path))
		}
		shape[i] = int(binary.BigEndian.Uint32(b[:]))
		if shape[i] > 0 && n > mostBytes/shape[i] {
			panic(tensor.Errorf(op, "%s says that it has more than %d elements", path, mostBytes))
		}
		n *= shape[i]
	}
	raw := grow(op, path, r, n*width)
	return idxTensor(head[2], raw, n).Reshape(shape...)
}

func idxTensor(kind byte, raw []byte, n int) *tensor.Tensor {
	big := binary.BigEndian
	switch kind {
	case 8:
		return tensor.FromSlice(raw)
	case 9:
		return tensor.FromSlice(convert(n, func(i int) int8 { return int8(raw[i]) }))
	case 11:
		return tensor.FromSlice(convert(n, func(i int) int16 { return int16(big.Uint16(raw[2*i:])) }))
	case 12:
		return tensor.FromSlice(convert(n, func(i int) int32 { return int32(big.Uint32(raw[4*i:])) }))
	case 13:
		return tensor.FromSlice(convert(n, func(i int) float32 { return math.Float32frombits(big.Uint32(raw[4*i:])) }))
	}
	return tensor.FromSlice(convert(n, func(i int) float64 { return math.Float64frombits(big.Uint64(raw[8*i:])) }))
}

func convert[T any](n int, f func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// MNIST reads the files of MNIST, or of a set in its format, from a folder: pictures (1, 28, 28) of float32 from 0 to
// 1, and classes. train chooses the files that begin with train, or with t10k.
func MNIST(dir string, train bool) Dataset {
	const op = "data.MNIST"
	name := "t10k"
	if train {
		name = "train"
	}
	x := IDX(find(op, dir, name+"-images-idx3-ubyte", name+"-images.idx3-ubyte"))
	y := IDX(find(op, dir, name+"-labels-idx1-ubyte", name+"-labels.idx1-ubyte"))
	if x.Dim() != 3 || y.Dim() != 1 {
		panic(tensor.Errorf(op, "the pictures have shape %v, the classes %v", x.Shape(), y.Shape()))
	}
	return Tensors(x.To(tensor.Float32).Div(255).Unsqueeze(1), y.To(tensor.Int64))
}

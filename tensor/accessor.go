package tensor

import "unsafe"

// Note: accessors. An accessor reads and writes elements of a tensor of a known number of dimensions and Go type by
// their indices, whatever the strides: PyTorch's TensorAccessor. The dtype and the dimensions are checked once, when
// it is made, and each index against the size of its dimension. It is for kernels: neither autograd nor the version of
// the storage sees what it writes.

// accessor is what accessors of any number of dimensions have.
type accessor[T Element] struct {
	x    *Tensor
	data unsafe.Pointer // of the element whose indices are all 0
}

func access[T Element](x *Tensor, dims int) accessor[T] {
	const op = "accessor"
	if x == nil {
		panic(Errorf(op, "the tensor is nil"))
	}
	checkElement[T](op, x)
	if len(x.shape) != dims {
		panic(Errorf(op, "an accessor of %s for a tensor of shape %v", plural(dims, "dimension"), x.shape))
	}
	x.noteRead(op, nil)
	SubstituteOf(x).onHost(op) // who has it may write
	return accessor[T]{x, x.Ptr()}
}

// Tensor is the tensor that the accessor reads.
func (a accessor[T]) Tensor() *Tensor { return a.x }

// Size is the size of dimension d.
func (a accessor[T]) Size(d int) int { return a.x.Size(d) }

// step is how far index i of dimension d is from the first.
func (a accessor[T]) step(d, i int) int {
	if uint(i) >= uint(a.x.shape[d]) {
		panic(Errorf("accessor", "index %d is out of bounds for dimension %d with size %d", i, d, a.x.shape[d]))
	}
	return i * a.x.stride[d]
}

func (a accessor[T]) at(offset int) *T {
	return (*T)(unsafe.Add(a.data, offset*int(unsafe.Sizeof(*new(T)))))
}

// Accessor1 reads and writes elements of a vector.
type Accessor1[T Element] struct{ accessor[T] }

// Accessor2 reads and writes elements of a matrix.
type Accessor2[T Element] struct{ accessor[T] }

// Accessor3 reads and writes elements of a tensor of three dimensions.
type Accessor3[T Element] struct{ accessor[T] }

// Accessor4 reads and writes elements of a tensor of four dimensions.
type Accessor4[T Element] struct{ accessor[T] }

// Access1 makes the accessor of a vector. A tensor of other dimensions, of a dtype that is not T, or that is not in
// the memory of the host panics with an *Error; so do Access2, Access3 and Access4.
func Access1[T Element](x *Tensor) Accessor1[T] { return Accessor1[T]{access[T](x, 1)} }

// Access2 makes the accessor of a matrix; see [Access1].
func Access2[T Element](x *Tensor) Accessor2[T] { return Accessor2[T]{access[T](x, 2)} }

// Access3 makes the accessor of a tensor of three dimensions; see [Access1].
func Access3[T Element](x *Tensor) Accessor3[T] { return Accessor3[T]{access[T](x, 3)} }

// Access4 makes the accessor of a tensor of four dimensions; see [Access1].
func Access4[T Element](x *Tensor) Accessor4[T] { return Accessor4[T]{access[T](x, 4)} }

// At is the element at index i, which counts from 0. An index out of bounds panics with an *Error.
func (a Accessor1[T]) At(i int) T { return *a.at(a.step(0, i)) }

// Set writes the element at index i.
func (a Accessor1[T]) Set(v T, i int) { *a.at(a.step(0, i)) = v }

// At is the element in row i and column j.
func (a Accessor2[T]) At(i, j int) T { return *a.at(a.step(0, i) + a.step(1, j)) }

// Set writes the element in row i and column j.
func (a Accessor2[T]) Set(v T, i, j int) { *a.at(a.step(0, i) + a.step(1, j)) = v }

// At is the element at indices i, j, k.
func (a Accessor3[T]) At(i, j, k int) T { return *a.at(a.step(0, i) + a.step(1, j) + a.step(2, k)) }

// Set writes the element at indices i, j, k.
func (a Accessor3[T]) Set(v T, i, j, k int) { *a.at(a.step(0, i) + a.step(1, j) + a.step(2, k)) = v }

// At is the element at indices i, j, k, l.
func (a Accessor4[T]) At(i, j, k, l int) T {
	return *a.at(a.step(0, i) + a.step(1, j) + a.step(2, k) + a.step(3, l))
}

// Set writes the element at indices i, j, k, l.
func (a Accessor4[T]) Set(v T, i, j, k, l int) {
	*a.at(a.step(0, i) + a.step(1, j) + a.step(2, k) + a.step(3, l)) = v
}

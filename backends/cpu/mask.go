package cpu

import (
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: masks. A mask is worked on in chunks of fixed size: one pass counts what holds in each chunk, so that a second
// one knows where the chunk's results begin and chunks are independent. Inside of a chunk nothing branches on the
// mask.

func init() {
	kernels(map[string]tensor.Kernel{
		"nonzero":        nonzero,
		"masked_select":  maskedSelect,
		"masked_scatter": maskedScatter,
	})
}

// maskChunk is the number of elements of a chunk.
const maskChunk = 1 << 14

// held is a contiguous mask and how many of its elements hold before each chunk; the last number counts them all.
type held struct {
	op     string
	owner  *tensor.Tensor
	mask   []uint8 // 0 and 1
	before []int
}

// holds counts what is not zero in x.
func holds(op string, x *tensor.Tensor) *held {
	h := &held{op: op, owner: contiguous(op, x, tensor.Bool)}
	h.mask = slice[uint8](h.owner.Ptr(), h.owner.Numel())
	h.before = make([]int, (len(h.mask)+maskChunk-1)/maskChunk+1)
	parallel.For(len(h.mask), maskChunk, func(lo, hi int) {
		tensor.Interrupted(op)
		h.before[lo/maskChunk+1] = countOnes(h.mask[lo:hi])
	})
	for i := 1; i < len(h.before); i++ {
		h.before[i] += h.before[i-1]
	}
	return h
}

func (h *held) count() int { return h.before[len(h.before)-1] }

// chunks calls f for each chunk: its elements begin at lo, its results are from to to.
func (h *held) chunks(f func(lo int, mask []uint8, from, to int)) {
	parallel.For(len(h.mask), maskChunk, func(lo, hi int) {
		tensor.Interrupted(h.op)
		c := lo / maskChunk
		f(lo, h.mask[lo:hi], h.before[c], h.before[c+1])
	})
	runtime.KeepAlive(h)
}

// countOnes adds bytes that are 0 or 1, eight at a time.
func countOnes(b []uint8) int {
	n := 0
	for len(b) >= 8 {
		// 128 words at most: each byte of the sum stays below 256
		var sum uint64
		words := min(len(b)/8, 128)
		for _, w := range unsafe.Slice((*[8]uint8)(b), words) {
			sum += *(*uint64)(unsafe.Pointer(&w))
		}
		b = b[8*words:]
		sum = sum&0x00ff00ff00ff00ff + sum>>8&0x00ff00ff00ff00ff
		n += int(sum * 0x0001000100010001 >> 48)
	}
	for _, v := range b {
		n += int(v)
	}
	return n
}

// listHeld writes the positions where mask holds, plus first.
func listHeld[T int | int64](dst []T, mask []uint8, first int) {
	i, k := 0, 0
	for ; i+8 <= len(mask) && k < len(dst); i += 8 {
		m := (*[8]uint8)(mask[i:])
		if *(*uint64)(unsafe.Pointer(m)) == 0 {
			continue
		}
		if k+8 > len(dst) {
			break
		}
		d := dst[k : k+8]
		n := 0
		for j := range m {
			d[n&7] = T(first + i + j)
			n += int(m[j])
		}
		k += n
	}
	for ; k < len(dst); i++ {
		dst[k] = T(first + i)
		k += int(mask[i])
	}
}

func nonzero(c *tensor.Call) {
	x := c.Tensor(0)
	h := holds(c.Name(), x)
	dims := x.Dim()
	result := c.New([]int{h.count(), dims}, tensor.Int64)
	out := tensor.Elems[int64](result)
	if dims == 0 {
		return
	}
	h.chunks(func(lo int, mask []uint8, from, to int) {
		if dims == 1 {
			listHeld(out[from:to], mask, lo)
			return
		}
		buf := make([]int, to-from)
		listHeld(buf, mask, lo)
		coordinates(out[from*dims:to*dims], buf, x.Sizes())
	})
	runtime.KeepAlive(result)
}

// coordinates writes the indices of positions, counted in row-major order and rising.
func coordinates(out []int64, at []int, shape []int) {
	dims := len(shape)
	cols := shape[dims-1]
	end, begin := 0, 0 // of the row of the position before
	for i, p := range at {
		row := out[i*dims : (i+1)*dims]
		if p < end {
			copy(row, out[(i-1)*dims:])
			row[dims-1] = int64(p - begin)
			continue
		}
		q := p / cols
		begin = q * cols
		end = begin + cols
		row[dims-1] = int64(p - begin)
		for d := dims - 2; d >= 0; d-- {
			row[d] = int64(q % shape[d])
			q /= shape[d]
		}
	}
}

func maskedSelect(c *tensor.Call) {
	op, x, mask := c.Name(), c.Tensor(0), c.Tensor(1)
	checkMask(c, mask)
	c.ExactOut(x.Dtype(), x, mask)
	shape := c.BroadcastTwo(x, mask)
	h := holds(op, expanded(op, mask, shape))
	x = expanded(op, x, shape)
	dst := c.New([]int{h.count()}, x.Dtype())
	switch x.ElementSize() {
	case 1:
		selectHeld[uint8](h, dst, x)
	case 2:
		selectHeld[uint16](h, dst, x)
	case 4:
		selectHeld[uint32](h, dst, x)
	case 8:
		selectHeld[uint64](h, dst, x)
	default:
		selectHeld[[2]uint64](h, dst, x)
	}
	runtime.KeepAlive(x)
	runtime.KeepAlive(dst)
}

func selectHeld[T any](h *held, dst, x *tensor.Tensor) {
	out, in := slice[T](dst.Ptr(), h.count()), slice[T](x.Ptr(), len(h.mask))
	h.chunks(func(lo int, mask []uint8, from, to int) { compress(out[from:to], in[lo:], mask) })
}

// compress copies the elements of src where mask holds.
func compress[T any](dst, src []T, mask []uint8) {
	src = src[:len(mask)]
	i := 0
	for k := 0; k < len(dst); i++ {
		dst[k] = src[i]
		k += int(mask[i])
	}
}

func maskedScatter(c *tensor.Call) {
	op, dst, src := c.Name(), c.Ret(0), c.Tensor(2)
	h := holds(op, expanded(op, c.Tensor(1), dst.Sizes()))
	if n := h.count(); n > src.Numel() {
		panic(tensor.Errorf(op, "the number of elements of source (%d) is less than the number of places where the mask "+
			"holds (%d)", src.Numel(), n).OnArg("source"))
	}
	v := source(c, src, src.Sizes())
	copySelf(c)
	t := contiguous(op, dst, dst.Dtype())
	switch dst.ElementSize() {
	case 1:
		scatterHeld[uint8](h, t, v)
	case 2:
		scatterHeld[uint16](h, t, v)
	case 4:
		scatterHeld[uint32](h, t, v)
	case 8:
		scatterHeld[uint64](h, t, v)
	default:
		scatterHeld[[2]uint64](h, t, v)
	}
	if t != dst {
		copyTensor(op, dst, t)
	}
	runtime.KeepAlive(dst)
	runtime.KeepAlive(v)
}

func scatterHeld[T any](h *held, dst, src *tensor.Tensor) {
	out, in := slice[T](dst.Ptr(), len(h.mask)), slice[T](src.Ptr(), h.count())
	h.chunks(func(lo int, mask []uint8, from, to int) {
		d, s := out[lo:lo+len(mask)], in[from:to]
		i, k := 0, 0
		for ; k < len(s); i++ {
			pair := [2]T{d[i], s[k]}
			d[i] = pair[mask[i]&1]
			k += int(mask[i])
		}
	})
}

func checkMask(c *tensor.Call, mask *tensor.Tensor) {
	if mask.Dtype() != tensor.Bool && mask.Dtype() != tensor.Uint8 {
		panic(tensor.Errorf(c.Name(), "the mask must be bool, not %v", mask.Dtype()).OnArg("mask"))
	}
}

package cpu

import (
	"runtime"
	"unsafe"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: unfold. Each channel and tap of a picture has a row of the result: what the tap reads for every window.

// unfolding is the geometry of an unfold.
type unfolding struct {
	op                                string
	planes                            int // channels of all samples
	in, out                           [2]int
	kernel, dilation, padding, stride [2]int
}

// newUnfolding reads kernel_size, dilation, padding and stride from slots k on.
func newUnfolding(c *tensor.Call, k int, in []int) *unfolding {
	u := &unfolding{op: c.Name(), planes: 1}
	n := len(in) - 2
	u.in = [2]int(in[n:])
	u.kernel, u.dilation = [2]int(c.Pair(k, 2)), [2]int(c.Pair(k+1, 2))
	u.padding, u.stride = [2]int(c.Pair(k+2, 2)), [2]int(c.Pair(k+3, 2))
	for _, s := range in[:n] {
		u.planes *= s
	}
	for d := range u.out {
		u.out[d] = (u.in[d]+2*u.padding[d]-u.dilation[d]*(u.kernel[d]-1)-1)/u.stride[d] + 1
	}
	return u
}

// reach is where tap k reads in dimension d for the windows from lo up to hi, which are those that it reads something
// for: window i at first + i*stride.
func (u *unfolding) reach(d, k int) (first, lo, hi int) {
	first = k*u.dilation[d] - u.padding[d]
	lo = max(0, (-first+u.stride[d]-1)/u.stride[d])
	hi = min(u.out[d], (u.in[d]-first+u.stride[d]-1)/u.stride[d])
	return first, min(lo, u.out[d]), max(min(lo, u.out[d]), hi)
}

func init() {
	kernels(map[string]tensor.Kernel{
		"nn.functional.unfold": func(c *tensor.Call) {
			out := c.Ret(0)
			if out.Numel() == 0 {
				return
			}
			u := newUnfolding(c, 1, c.Tensor(0).Sizes())
			x := contiguous(u.op, c.Tensor(0), out.Dtype())
			u.gather(x, out)
			runtime.KeepAlive(x)
		},
		"_unfold_backward":   fold,
		"nn.functional.fold": fold,
	})
}

// fold adds windows up to pictures.
func fold(c *tensor.Call) {
	out := c.Ret(0)
	if out.Numel() == 0 {
		return
	}
	u, dt := newUnfolding(c, 2, out.Sizes()), out.Dtype().Accumulate()
	f := foldKernels[dt]
	if f == nil {
		panic(tensor.Errorf(u.op, "not implemented for %s", out.Dtype()))
	}
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(u.op, out.Sizes(), dt, tensor.CPU)
	}
	g := contiguous(u.op, c.Tensor(0), dt)
	f(u, g, dst)
	if dst != out {
		copyTensor(u.op, out, dst)
	}
	runtime.KeepAlive(g)
}

// gather copies what every tap reads.
func (u *unfolding) gather(x, y *tensor.Tensor) {
	size := x.ElementSize()
	move := copierOf(size)
	src, dst := x.Ptr(), y.Ptr()
	taps, windows := u.kernel[0]*u.kernel[1], u.out[0]*u.out[1]
	parallel.For(u.planes*taps, parallel.Grain(0.3*float64(windows)), func(first, last int) {
		tensor.Interrupted(u.op)
		for r := first; r < last; r++ {
			tap := r % taps
			h0, hLo, hHi := u.reach(0, tap/u.kernel[1])
			w0, wLo, wHi := u.reach(1, tap%u.kernel[1])
			row := unsafe.Slice((*byte)(unsafe.Add(dst, r*windows*size)), windows*size)
			if u.padding != [2]int{} {
				clear(row)
			}
			if wLo == wHi {
				continue
			}
			for i := hLo; i < hHi; i++ {
				at := (r/taps*u.in[0]+h0+i*u.stride[0])*u.in[1] + w0 + wLo*u.stride[1]
				move(unsafe.Pointer(&row[(i*u.out[1]+wLo)*size]), 1, unsafe.Add(src, at*size), u.stride[1], wHi-wLo)
			}
		}
	})
	runtime.KeepAlive(y)
}

var foldKernels = [numDtypes]func(u *unfolding, g, y *tensor.Tensor){
	tensor.Float32: foldPlanes[float32], tensor.Float64: foldPlanes[float64], tensor.Complex64: foldPlanes[complex64],
	tensor.Complex128: foldPlanes[complex128],
}

// foldPlanes adds up what every tap reads.
func foldPlanes[T interface {
	number
	tensor.Element
}](u *unfolding, g, y *tensor.Tensor) {
	gs, ys := tensor.Elems[T](g), tensor.Elems[T](y)
	ks, one := gemm.Kernels[T](), []T{1}
	taps, windows, plane := u.kernel[0]*u.kernel[1], u.out[0]*u.out[1], u.in[0]*u.in[1]
	parallel.For(u.planes, parallel.Grain(0.5*float64(taps*windows)), func(first, last int) {
		for p := first; p < last; p++ {
			dst := ys[p*plane:][:plane]
			clear(dst)
			for tap := range taps {
				tensor.Interrupted(u.op)
				h0, hLo, hHi := u.reach(0, tap/u.kernel[1])
				w0, wLo, wHi := u.reach(1, tap%u.kernel[1])
				if wLo == wHi {
					continue
				}
				for i := hLo; i < hHi; i++ {
					from := gs[(p*taps+tap)*windows+i*u.out[1]+wLo:][:wHi-wLo]
					to := dst[(h0+i*u.stride[0])*u.in[1]+w0+wLo*u.stride[1]:]
					if u.stride[1] == 1 {
						ks.AddRows(to[:len(from)], from, len(from), one)
						continue
					}
					for j, v := range from {
						to[j*u.stride[1]] += v
					}
				}
			}
		}
	})
}

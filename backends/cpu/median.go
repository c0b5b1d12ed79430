package cpu

import (
	"math"
	"slices"
	"unsafe"

	"gotorch/tensor"
)

func init() {
	for _, skip := range []bool{false, true} {
		name := map[bool]string{false: "median", true: "nanmedian"}[skip]
		kernels(map[string]tensor.Kernel{
			name: func(c *tensor.Call) {
				x := c.Self()
				rows := contiguous(c.Name(), x, x.Dtype())
				medians(c, rows, tensor.Alloc(c.Name(), nil, tensor.Int64, tensor.CPU), x.Numel(), skip)
			},
			name + ".dim": func(c *tensor.Call) {
				x := c.Self()
				d, n := slices.Index(dimsOf(c), true), 1
				rows := x
				if x.Dim() > 0 {
					n = x.Sizes()[d]
					rows = window(x, toEnd(x.Sizes(), d), toEnd(x.Strides(), d), x.StorageOffset())
				}
				medians(c, contiguous(c.Name(), rows, x.Dtype()), c.Ret(1), n, skip)
			},
		})
	}
}

// toEnd is a with element d at the end.
func toEnd(a []int, d int) []int {
	return append(slices.Delete(slices.Clone(a), d, d+1), a[d])
}

// medians writes the lower of the two elements in the middle of each row of n, and where it stands: the first NaN
// where there is one, or with skip, the middle one of the others.
func medians(c *tensor.Call, rows, indices *tensor.Tensor, n int, skip bool) {
	op, values := c.Name(), c.Ret(0)
	switch {
	case values.Numel() == 0:
	case n == 0:
		fillTensor(op, values, tensor.FloatScalar(math.NaN()))
	case narrowKeys(rows.Dtype()):
		pickRows(op, rows, values, indices, n, 1, false, keyers32[rows.Dtype()], rowMedian[uint32](skip))
	default:
		pickRows(op, rows, values, indices, n, 1, false, keyers64[rows.Dtype()], rowMedian[uint64](skip))
	}
}

func rowMedian[K keyType](skip bool) rowOrder[K] {
	return func(s *sorter, row keyRow[K], at []int64) {
		keys, nan := row.all(s), ^K(0)
		numbers := len(keys)
		if row.dt.IsFloatingPoint() {
			for i := range keys {
				if keys[i] == nan {
					numbers--
				}
			}
		}
		if numbers == 0 || numbers < len(keys) && !skip {
			at[0] = int64(slices.Index(keys, nan))
			return
		}
		k := (numbers - 1) / 2
		key := selectKey(s.op, copyKeys(s, keys), k)
		for _, v := range keys {
			if v < key {
				k--
			}
		}
		for i, v := range keys { // the k-th of those that are equal
			if v == key {
				if k == 0 {
					at[0] = int64(i)
					return
				}
				k--
			}
		}
	}
}

// copyKeys is a copy of a row's keys in memory of the sorter.
func copyKeys[K keyType](s *sorter, keys []K) []K {
	s.copy = grown(s.copy, len(s.keys))
	scratch := slice[K](unsafe.Pointer(unsafe.SliceData(s.copy)), len(keys))
	copy(scratch, keys)
	return scratch
}

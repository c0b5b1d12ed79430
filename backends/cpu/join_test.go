package cpu_test

import (
	"math"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestFlipDtypes: elements of every size come in reverse order, whatever is left over of eight bytes.
func TestFlipDtypes(t *testing.T) {
	for _, dt := range []tensor.Dtype{tensor.Uint8, tensor.Int16, tensor.Int32, tensor.Int64, tensor.Float32,
		tensor.Complex128} {
		for n := range 40 {
			x := tensor.Arange(3*n).To(dt).View(3, n)
			y := tensor.Elems[int64](x.Flip(1).To(tensor.Int64))
			for i := range 3 * n {
				if got, want := y[i], int64(i/n*n+n-1-i%n); got != want {
					t.Fatalf("%v of %d: element %d is %v, want %d", dt, n, i, got, want)
				}
			}
		}
	}
}

// TestRamps: blocks of vectors give the bits of a loop over single elements.
func TestRamps(t *testing.T) {
	for _, n := range []int{1, 2, 7, 511, 513, 1025, 70001} {
		step := float32(float64(float32(0.7)-float32(-0.3)) / float64(max(n-1, 1)))
		line, wide := tensor.Elems[float32](tensor.Linspace(-0.3, 0.7, n)),
			tensor.Elems[float64](tensor.Linspace(0.7, -0.3, n, opt.Dtype(tensor.Float64)))
		ramp := tensor.Elems[float32](tensor.Arange(0, 0.1*float64(n)-0.05, 0.1))
		whole := tensor.Elems[int64](tensor.Arange(5, 5-3*n, -3))
		if len(ramp) != n || len(whole) != n {
			t.Fatalf("lengths %d and %d, want %d", len(ramp), len(whole), n)
		}
		last := (-0.3 - 0.7) / float64(max(n-1, 1))
		for i := range n {
			want, want64 := float32(-0.3)+float32(float64(step)*float64(i)), 0.7+float64(last*float64(i))
			if i >= n/2 && n > 1 {
				want, want64 = float32(0.7)-float32(float64(step)*float64(n-1-i)), -0.3-float64(last*float64(n-1-i))
			}
			product := 0.1 * float64(i)
			if math.Float32bits(line[i]) != math.Float32bits(want) || wide[i] != want64 || ramp[i] != float32(product) ||
				whole[i] != int64(5-3*i) {
				t.Fatalf("n=%d: element %d is %v, %v, %v and %d", n, i, line[i], wide[i], ramp[i], whole[i])
			}
		}
	}
}

// TestConstantPad compares with the definition: an element is the input's, or the value where the input has none.
func TestConstantPad(t *testing.T) {
	x := tensor.Arange(3*4*5*6).View(3, 4, 5, 6)
	for _, y := range []*tensor.Tensor{x, x.Transpose(1, 3), x.Flatten()} {
		for _, pad := range [][]int{{}, {2, 1}, {-1, 3}, {-2, -2}, {1, 1, 2, 0}, {0, 2, -1, -1},
			{1, 2, 3, 4, -1, 1, 2, -3}, {-9, 20}} {
			n := y.Dim()
			if len(pad) > 2*n {
				continue
			}
			z := tensor.ConstantPadNd(y, pad, opt.Value(7))
			got := tensor.Elems[int64](z)
			index := make([]int, n)
			for at, v := range got {
				want, in := int64(7), true
				for d, rest := n-1, at; d >= 0; d-- {
					index[d] = rest % z.Size(d)
					rest /= z.Size(d)
					if i := 2 * (n - 1 - d); i < len(pad) {
						index[d] -= pad[i]
					}
					in = in && index[d] >= 0 && index[d] < y.Size(d)
				}
				if in {
					want = 0
					for d, s := range y.Strides() {
						want += int64(index[d] * s)
					}
				}
				if v != want {
					t.Fatalf("pad %v of %v: element %d is %d, want %d", pad, y.Shape(), at, v, want)
				}
			}
		}
	}
}

// TestJoins: what cat and stack join can be cut out again.
func TestJoins(t *testing.T) {
	for _, dt := range []tensor.Dtype{tensor.Bool, tensor.Float16, tensor.Float32, tensor.Complex128} {
		for _, s := range [][]int{{3, 1, 5}, {40, 3, 1}, {1, 2, 70000}, {2, 300, 33}} {
			if s[2] > 1000 && dt != tensor.Float32 {
				continue
			}
			for d := range 3 {
				var ts, same []*tensor.Tensor
				for i := range 4 {
					shape := []int{s[0], s[1], s[2]}
					same = append(same, tensor.Arange(s[0]*s[1]*s[2]).Add(i).BitwiseAnd(63).View(shape...).To(dt))
					shape[d] += 3 * i % 4
					x := tensor.Arange(shape[0] * shape[1] * shape[2]).BitwiseAnd(63 - i).View(shape...).To(dt)
					if shape[d] > 1 && i == 3 && s[0] == 3 {
						x = x.Transpose(0, 2).Contiguous().Transpose(0, 2)
					}
					ts = append(ts, x)
				}
				y, at := tensor.Cat(ts, opt.Dim(d)), 0
				for i, x := range ts {
					if !y.Narrow(d, at, x.Size(d)).Equal(x) {
						t.Fatalf("cat of %v along %d: tensor %d is not what it was", s, d, i)
					}
					at += x.Size(d)
				}
				y = tensor.Stack(same, opt.Dim(d))
				for i, x := range same {
					if !y.Select(d, i).Equal(x) {
						t.Fatalf("stack of %v along %d: tensor %d is not what it was", s, d, i)
					}
				}
			}
		}
	}
}

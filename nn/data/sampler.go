package data

import (
	"slices"

	"gotorch/tensor"
)

// Sampler returns the indices of an epoch in their order, with random numbers of g.
type Sampler func(g *tensor.Generator) []int

// InOrder is 0 up to but not including n.
func InOrder(n int) Sampler {
	return func(*tensor.Generator) []int {
		tensor.MustFit("data.InOrder", 8*float64(n))
		out := make([]int, n)
		for i := range out {
			out[i] = i
		}
		return out
	}
}

// Shuffled is 0 up to but not including n in a random order.
func Shuffled(n int) Sampler {
	return func(g *tensor.Generator) []int { return permutation(n, g) }
}

// ShuffledOf is indices in a random order.
func ShuffledOf(indices []int) Sampler {
	indices = slices.Clone(indices)
	return func(g *tensor.Generator) []int {
		order := permutation(len(indices), g)
		for i, at := range order {
			order[i] = indices[at]
		}
		return order
	}
}

// Weighted is n draws of indices, each with a probability in proportion to its weight, with replacement.
func Weighted(weights []float64, n int) Sampler {
	w := tensor.New(weights)
	return func(g *tensor.Generator) []int {
		return tensor.Data[int](tensor.Multinomial(w, n, tensor.NewOption("replacement", true),
			tensor.NewOption("generator", g)))
	}
}

// Balanced is the weights for [Weighted] with which all classes are drawn equally often: one over the number of its
// class for each label.
func Balanced(labels *tensor.Tensor) []float64 {
	list := tensor.Data[int64](labels.To(tensor.Int64).Flatten())
	count := map[int64]int{}
	for _, c := range list {
		count[c]++
	}
	out := make([]float64, len(list))
	for i, c := range list {
		out[i] = 1 / float64(count[c])
	}
	return out
}

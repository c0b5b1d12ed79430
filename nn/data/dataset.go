// Package data has data sets, and loaders that turn them into batches.
//
//	ds := data.Tensors(x, y)
//	train, test := data.RandomSplit(ds, 0.8)
//	for b := range data.Loader(train, opt.Batch(32), opt.Shuffle(true)) {
//		loss := nn.CrossEntropyLoss(m.Forward(b.X), b.Y)
//		...
//	}
//
// A data set has a length and a sample for each index: any type with these two methods is one. dataset.go has those
// made of tensors and of others, loader.go the loader, sampler.go orders, transform.go what is done to pictures;
// csv.go, json.go, images.go, idx.go and cifar.go read files, generated.go, digits.go and text.go make data.
package data

import (
	"math"
	"slices"
	"sort"

	"gotorch/tensor"
)

// Sample is one example, or a batch of them with the batch as first dimension: the input X, the target Y, and what
// else there may be. Y is nil where there is none.
type Sample struct {
	X, Y *tensor.Tensor
	More []*tensor.Tensor
}

// Batch is a Sample of several examples.
type Batch = Sample

// Dataset has samples by their index, from 0 up to but not including Len.
type Dataset interface {
	Len() int
	At(i int) Sample
}

// drawing is a Dataset whose samples need random numbers, such as one with random transforms.
type drawing interface {
	draw(i int, g *tensor.Generator) Sample
}

// gathering is a Dataset that makes a batch faster than sample by sample.
type gathering interface{ gather(indices []int) Batch }

// tensors are samples along the first dimension of tensors.
type tensors []*tensor.Tensor

// Tensors is the data set of the rows of tensors: X of the first, Y of the second, More of others. They must have the
// same first size.
func Tensors(xs ...*tensor.Tensor) Dataset {
	const op = "data.Tensors"
	if len(xs) == 0 {
		panic(tensor.Errorf(op, "there are no tensors"))
	}
	for i, x := range xs {
		if x == nil || x.Dim() == 0 {
			panic(tensor.Errorf(op, "tensor %d has no first dimension", i))
		}
		if x.Size(0) != xs[0].Size(0) {
			panic(tensor.Errorf(op, "tensor %d has %d rows, tensor 0 %d", i, x.Size(0), xs[0].Size(0)))
		}
	}
	return tensors(slices.Clone(xs))
}

func (t tensors) Len() int { return t[0].Size(0) }

func (t tensors) At(i int) Sample {
	return t.each(func(x *tensor.Tensor) *tensor.Tensor { return x.Select(0, i) })
}

func (t tensors) gather(indices []int) Batch {
	at := tensor.FromSlice(indices)
	return t.each(func(x *tensor.Tensor) *tensor.Tensor { return x.IndexSelect(0, at) })
}

func (t tensors) each(f func(*tensor.Tensor) *tensor.Tensor) (s Sample) {
	for i, x := range t {
		switch y := f(x); i {
		case 0:
			s.X = y
		case 1:
			s.Y = y
		default:
			s.More = append(s.More, y)
		}
	}
	return s
}

// concat is data sets one after the other.
type concat struct {
	all  []Dataset
	ends []int
}

// Concat is the samples of data sets, one after the other.
func Concat(sets ...Dataset) Dataset {
	c := concat{all: slices.Clone(sets)}
	n := 0
	for i, d := range sets {
		if d == nil {
			panic(tensor.Errorf("data.Concat", "data set %d is nil", i))
		}
		n += d.Len()
		c.ends = append(c.ends, n)
	}
	return c
}

func (c concat) Len() int {
	if len(c.ends) == 0 {
		return 0
	}
	return c.ends[len(c.ends)-1]
}

func (c concat) find(i int) (d Dataset, at int) {
	checkIndex("data.Concat", i, c.Len())
	k := sort.SearchInts(c.ends, i+1)
	if k > 0 {
		i -= c.ends[k-1]
	}
	return c.all[k], i
}

func (c concat) At(i int) Sample {
	d, at := c.find(i)
	return d.At(at)
}

func (c concat) draw(i int, g *tensor.Generator) Sample {
	d, at := c.find(i)
	return sample(d, at, g)
}

// subset is some samples of a data set.
type subset struct {
	of      Dataset
	indices []int
}

// Subset is the samples of d at indices, in that order.
func Subset(d Dataset, indices []int) Dataset {
	for _, i := range indices {
		checkIndex("data.Subset", i, d.Len())
	}
	return subset{d, slices.Clone(indices)}
}

func (s subset) Len() int                               { return len(s.indices) }
func (s subset) At(i int) Sample                        { return s.of.At(s.indices[i]) }
func (s subset) draw(i int, g *tensor.Generator) Sample { return sample(s.of, s.indices[i], g) }

func checkIndex(op string, i, n int) {
	if i < 0 || i >= n {
		panic(tensor.Errorf(op, "there is no sample %d among %d", i, n))
	}
}

// RandomSplit divides a data set at random into two: share of the samples, rounded, and the others. It draws from the
// default generator, or from one with opt.Seed.
func RandomSplit(d Dataset, share float64, opts ...tensor.Option) (first, rest Dataset) {
	const op = "data.RandomSplit"
	if !(share >= 0 && share <= 1) {
		panic(tensor.Errorf(op, "the share must be from 0 to 1, got %v", share))
	}
	m := tensor.Keywords(op, opts, "seed")
	order := permutation(d.Len(), generatorOf(m["seed"]))
	n := int(math.Round(share * float64(d.Len())))
	return subset{d, order[:n]}, subset{d, order[n:]}
}

// generatorOf is a generator with the seed, or the default one.
func generatorOf(seed any) *tensor.Generator {
	if n, ok := seed.(int); ok {
		return tensor.NewGenerator(n)
	}
	return tensor.DefaultGenerator()
}

func permutation(n int, g *tensor.Generator) []int {
	return tensor.Data[int](tensor.Randperm(n, tensor.NewOption("generator", g)))
}

// mapped is a data set with functions of its samples.
type mapped struct {
	of Dataset
	f  []Transform
}

// Map is the samples of d with transforms of X, one after the other. What they draw is decided by the loader's seed
// and the sample's index.
func Map(d Dataset, transforms ...Transform) Dataset { return mapped{d, slices.Clone(transforms)} }

func (m mapped) Len() int        { return m.of.Len() }
func (m mapped) At(i int) Sample { return m.draw(i, tensor.DefaultGenerator()) }

func (m mapped) draw(i int, g *tensor.Generator) Sample {
	s := sample(m.of, i, g)
	for _, f := range m.f {
		s.X = f(s.X, g)
	}
	return s
}

// function is a data set by a function.
type function struct {
	n  int
	at func(i int) Sample
}

// Func is the data set of n samples that f computes.
func Func(n int, f func(i int) Sample) Dataset { return function{n, f} }

func (f function) Len() int        { return f.n }
func (f function) At(i int) Sample { return f.at(i) }

// sample is one sample, with random numbers of g where it needs some.
func sample(d Dataset, i int, g *tensor.Generator) Sample {
	if r, ok := d.(drawing); ok {
		return r.draw(i, g)
	}
	return d.At(i)
}

// Stack makes a batch of samples. [Loader] uses it by default; opt.Collate replaces it.
func Stack(samples []Sample) Batch {
	if len(samples) == 0 {
		panic(tensor.Errorf("data.Stack", "there are no samples"))
	}
	b := Batch{
		X: stack("X", samples, func(s Sample) *tensor.Tensor { return s.X }),
		Y: stack("Y", samples, func(s Sample) *tensor.Tensor { return s.Y }),
	}
	for k := range samples[0].More {
		b.More = append(b.More, stack("More", samples, func(s Sample) *tensor.Tensor {
			if k < len(s.More) {
				return s.More[k]
			}
			return nil
		}))
	}
	return b
}

// stack stacks one part of all samples; nil if the first has none.
func stack(name string, samples []Sample, of func(s Sample) *tensor.Tensor) *tensor.Tensor {
	const op = "data.Stack"
	if of(samples[0]) == nil {
		return nil
	}
	xs := make([]*tensor.Tensor, len(samples))
	for i, s := range samples {
		if xs[i] = of(s); xs[i] == nil {
			panic(tensor.Errorf(op, "sample %d has no %s", i, name))
		}
		if !slices.Equal(xs[i].Shape(), xs[0].Shape()) {
			panic(tensor.Errorf(op, "%s of sample %d has shape %v, that of sample 0 %v", name, i, xs[i].Shape(),
				xs[0].Shape()).WithHint("opt.Collate takes a function that makes a batch of samples"))
		}
	}
	return tensor.Stack(xs)
}

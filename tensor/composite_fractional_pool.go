package tensor

import "fmt"

// Note: fractional pooling (B. Graham, "Fractional Max-Pooling", 2014). The windows of a dimension begin at whole
// parts of multiples of the ratio of sizes, moved by one random number for each plane; the last one ends where the
// input ends.

func init() {
	m := map[string]Kernel{}
	for dims, name := range map[int]string{2: "nn.functional.fractional_max_pool2d",
		3: "nn.functional.fractional_max_pool3d"} {
		m[name] = func(c *Call) {
			y, _ := fractionalPool(c, dims)
			c.Return(y)
		}
		m[name+"_with_indices"] = func(c *Call) { c.Return(two(fractionalPool(c, dims))...) }
	}
	composites(m)
}

// fractionalSizes reads kernel_size and the sizes of the result.
func fractionalSizes(c *Call, in []int) (kernel, out []int) {
	dims := len(in)
	kernel = c.Pair(1, dims)
	switch {
	case c.IsNone(2) == c.IsNone(3):
		panic(Errorf(c.Name(), "either output_size or output_ratio must be given, and not both"))
	case !c.IsNone(2):
		out = c.Pair(2, dims)
	default:
		ratios := c.Scalars(3)
		for len(ratios) < dims {
			ratios = append(ratios, ratios[0])
		}
		for d, r := range ratios[:dims] {
			if !(r.Float() > 0 && r.Float() < 1) {
				panic(Errorf(c.Name(), "output_ratio must be between 0 and 1, got %v", r.Float()).OnArg("output_ratio"))
			}
			out = append(out, int(float64(in[d])*r.Float()))
		}
	}
	for d := range out {
		if out[d] < 1 || kernel[d] < 1 || out[d]+kernel[d]-1 > in[d] {
			panic(Errorf(c.Name(), "%d windows of %d elements do not fit into dimension %d of size %d", out[d], kernel[d], d,
				in[d]))
		}
	}
	return kernel, out
}

func fractionalPool(c *Call, dims int) (y, indices *Tensor) {
	x, samples := c.Tensor(0), c.Tensor(4)
	single := len(x.shape) == dims+1
	if single {
		x = x.Unsqueeze(0)
	}
	if len(x.shape) != dims+2 || product(x.shape[1:]) == 0 {
		panic(Errorf(c.Name(), "expected %d or %d dimensions, of which only the batch may be empty, got shape %v", dims+1,
			dims+2, c.Tensor(0).shape).OnArg("input"))
	}
	in := x.shape[2:]
	kernel, out := fractionalSizes(c, in)
	n, planes := x.shape[0], x.shape[1]
	if samples == nil {
		samples = With(x.dtype, x.Device()).Rand(n, planes, dims)
	} else if fmt.Sprint(samples.shape) != fmt.Sprint([]int{n, planes, dims}) || samples.dtype != x.dtype {
		panic(Errorf(c.Name(), "expected %s of shape %v, got %s of %v", x.dtype, []int{n, planes, dims}, samples.dtype,
			samples.shape).OnArg("_random_samples"))
	}
	// place is where each element of each window stands, (N, C, windows…, elements…)
	on := With(Int64, x.Device())
	var place *Tensor
	for d := range dims {
		column := d // pictures have the number for the last dimension first
		if dims == 2 {
			column = 1 - d
		}
		begin := fractionalBegins(samples.Select(2, column).Unsqueeze(2), in[d], out[d], kernel[d])
		at := begin.Unsqueeze(3).Add(on.Arange(kernel[d])) // (N, C, windows, elements)
		shape := []int{n, planes}
		for range 2 * dims {
			shape = append(shape, 1)
		}
		shape[2+d], shape[2+dims+d] = out[d], kernel[d]
		at = at.View(shape...)
		if place == nil {
			place = at
		} else {
			place = place.Mul(in[d]).Add(at)
		}
	}
	windows, elements := product(out), product(kernel)
	place = place.Reshape(n, planes, windows*elements)
	values := x.Flatten(optStartDim(2)).Gather(2, place).View(n, planes, windows, elements)
	y, best := values.MaxDim(3)
	indices = place.View(n, planes, windows, elements).Gather(3, best.Unsqueeze(3)).Squeeze(3)
	shape := append([]int{n, planes}, out...)
	if single {
		shape = shape[1:]
	}
	return y.Reshape(shape...), indices.Reshape(shape...)
}

// fractionalBegins returns where the windows of one dimension begin, for a random number of each plane.
func fractionalBegins(sample *Tensor, in, out, kernel int) *Tensor {
	last := With(Int64, sample.Device()).Full(sample.shape, in-kernel)
	if out == 1 {
		return last
	}
	ratio := With(sample.dtype, sample.Device()).Full([]int{}, in-kernel).Div(out - 1)
	i := With(sample.dtype, sample.Device()).Arange(out - 1)
	begin := sample.Add(i).Mul(ratio).Trunc().Sub(sample.Mul(ratio).Trunc()).To(Int64)
	return Cat([]*Tensor{begin, last}, optDim(2))
}

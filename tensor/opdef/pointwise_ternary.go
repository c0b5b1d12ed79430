package opdef

// ternaryRows: functions of three tensors or numbers, broadcast and taken element by element.
var ternaryRows = []Row{
	{"addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor", Pointwise | InPlace | Out,
		"Addcmul returns self + value * tensor1 * tensor2."},
	{"addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor", Pointwise | InPlace | Out,
		"Addcdiv returns self + value * tensor1 / tensor2; refuses to divide integers."},
	{"lerp(Tensor self, Tensor end, Tensor|Scalar weight) -> Tensor", Pointwise | InPlace | Out,
		"Lerp returns self + weight * (end - self); the dtypes are equal."},
	{"clamp(Tensor self, Tensor|Scalar? min=None, Tensor|Scalar? max=None) -> Tensor", Pointwise | InPlace | Out,
		"Clamp limits each element to [min, max]; either may be left out.\n" +
			"New([-3, 0.5, 7]).Clamp(min=0, max=1)"},
	{"clip(Tensor self, Tensor|Scalar? min=None, Tensor|Scalar? max=None) -> Tensor", Composite | InPlace | Out,
		"Clip is Clamp under NumPy's name.\n" +
			"New([-3, 0.5, 7]).Clip(min=0, max=1)"},
	{"where(Tensor condition, Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise,
		"Where takes self where condition holds and other elsewhere.\n" +
			"Where(New([true, false]), New([1, 2]), New([3, 4]))"},
	{"masked_fill(Tensor self, Tensor mask, Tensor|Scalar value) -> Tensor", Pointwise | InPlace,
		"MaskedFill puts value, a number or a tensor of no dimensions, where mask holds.\n" +
			"New([1, 2, 3]).MaskedFill(New([true, false, true]), 0)"},
}

package opdef

// pointwiseRows: operators that broadcast and work element by element.
var pointwiseRows = []Row{
	{"add(Tensor|Scalar self, Tensor|Scalar other, *, Scalar alpha=1) -> Tensor", Pointwise | InPlace | Out, "Add returns self + alpha * other."},
	{"mul(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | InPlace | Out, "Mul returns self * other."},
	{"tanh(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Tanh returns the hyperbolic tangent of each element."},
}

package opdef

const (
	maskedDims  = ", int[]? dim=None, *, bool keepdim=False, ScalarType? dtype=None, Tensor? mask=None) -> Tensor"
	maskedDim   = ", int? dim=None, *, bool keepdim=False, ScalarType? dtype=None, Tensor? mask=None) -> Tensor"
	maskedAlong = ", int dim, *, ScalarType? dtype=None, Tensor? mask=None) -> Tensor"
	maskedVar   = ", int[]? dim=None, bool? unbiased=None, *, int? correction=None, bool keepdim=False, ScalarType? " +
		"dtype=None, " +
		"Tensor? mask=None) -> Tensor"
)

// maskedRows: torch.masked, operators that take only the elements where a mask, which expands to the input's shape, is
// true. A reduction of no element is that of an empty list: 0 for sums, NaN for means.
var maskedRows = []Row{
	{"masked.sum(Tensor input" + maskedDims, Composite | FunctionOnly,
		"MaskedSum adds the elements where mask is true, all or along dim."},
	{"masked.prod(Tensor input" + maskedDims, Composite | FunctionOnly,
		"MaskedProd multiplies the elements where mask is true, all or along dim."},
	{"masked.amax(Tensor input" + maskedDims, Composite | FunctionOnly,
		"MaskedAmax returns the greatest element where mask is true, of all or along dim."},
	{"masked.amin(Tensor input" + maskedDims, Composite | FunctionOnly,
		"MaskedAmin returns the least element where mask is true, of all or along dim."},
	{"masked.argmax(Tensor input" + maskedDim, Composite | FunctionOnly | NoGrad,
		"MaskedArgmax returns where the greatest element with a true mask stands, in the dtype of input unless dtype " +
			"says another."},
	{"masked.argmin(Tensor input" + maskedDim, Composite | FunctionOnly | NoGrad,
		"MaskedArgmin returns where the least element with a true mask stands, in the dtype of input unless dtype says " +
			"another."},
	{"masked.mean(Tensor input" + maskedDims, Composite | FunctionOnly,
		"MaskedMean averages the elements where mask is true, all or along dim."},
	{"masked.median(Tensor input, int dim=-1, *, bool keepdim=False, ScalarType? dtype=None, " +
		"Tensor? mask=None) -> Tensor", Composite | FunctionOnly,
		"MaskedMedian returns the middle one, the lower of two, of the elements where mask is true along dim."},
	{"masked.logsumexp(Tensor input" + maskedDims, Composite | FunctionOnly,
		"MaskedLogsumexp returns the logarithm of the sum of exponentials where mask is true."},
	{"masked.norm(Tensor input, Scalar ord=2.0" + maskedDims, Composite | FunctionOnly,
		"MaskedNorm returns the ord-norm of the elements where mask is true, of all or along dim."},
	{"masked.var(Tensor input" + maskedVar, Composite | FunctionOnly,
		"MaskedVar returns the variance of the elements where mask is true; the divisor is their count less correction, 1."},
	{"masked.std(Tensor input" + maskedVar, Composite | FunctionOnly, "MaskedStd returns the root of MaskedVar."},
	{"masked.cumsum(Tensor input" + maskedAlong, Composite | FunctionOnly,
		"MaskedCumsum returns running sums along dim, to which elements with a false mask add nothing."},
	{"masked.cumprod(Tensor input" + maskedAlong, Composite | FunctionOnly,
		"MaskedCumprod returns running products along dim, which elements with a false mask leave as they are."},
	{"masked.softmax(Tensor input" + maskedAlong, Composite | FunctionOnly,
		"MaskedSoftmax returns Softmax along dim of the elements where mask is true, 0 elsewhere."},
	{"masked.softmin(Tensor input" + maskedAlong, Composite | FunctionOnly,
		"MaskedSoftmin returns Softmin along dim of the elements where mask is true, 0 elsewhere."},
	{"masked.log_softmax(Tensor input" + maskedAlong, Composite | FunctionOnly,
		"MaskedLogSoftmax returns LogSoftmax along dim of the elements where mask is true, -Inf elsewhere."},
	{"masked.normalize(Tensor input, Scalar ord, int dim, *, float eps=1e-12, ScalarType? dtype=None, Tensor? " +
		"mask=None) -> Tensor",
		Composite | FunctionOnly,
		"MaskedNormalize divides the elements where mask is true by their ord-norm along dim, or by eps if that is more."},
	{"masked.logaddexp(Tensor input, Tensor other, *, ScalarType? dtype=None, Tensor? input_mask=None, Tensor? " +
		"other_mask=None) -> Tensor",
		Composite | FunctionOnly,
		"MaskedLogaddexp returns Logaddexp of the elements where their masks are true."},
}

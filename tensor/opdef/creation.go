package opdef

// made ends the signature of every factory, like those of tensors made after the model of another.
const (
	made = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool requires_grad=False) -> Tensor"
	like = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool requires_grad=False, MemoryFormat? " +
		"memory_format=None) -> Tensor"
)

// creationRows: operators that make a tensor, from only sizes and numbers or after the model of another tensor.
var creationRows = []Row{
	{"empty(int[] size, *, " + like, Factory | Out | Zeroed,
		"Empty returns a tensor whose elements are whatever the memory held."},
	{"empty_strided(int[] size, int[] stride, *, " + made, Factory | Zeroed,
		"EmptyStrided returns an uninitialized tensor with the given strides, which may overlap."},
	{"zeros(int[] size, *, " + made, Factory | Out | Zeroed, "Zeros returns a tensor of zeros."},
	{"ones(int[] size, *, " + made, Factory | Out, "Ones returns a tensor of ones."},
	{"full(int[] size, Scalar fill_value, *, " + made, Factory | Out,
		"Full returns a tensor whose every element is fill_value, in the dtype that the number suggests.\n" +
			"Full([2, 3], 7)"},
	{"arange(Scalar[] limits, *, " + made, Factory | Out,
		"Arange returns the numbers from start (0) up to but not including end, by step (1); limits are end, or start and " +
			"end, or all three.\n" +
			"Arange(0, 10, 2)"},
	{"range(Scalar start, Scalar end, Scalar step=1, *, " + made, Factory | Out,
		"Range returns the numbers from start to end, end included."},
	{"linspace(Scalar start, Scalar end, int steps, *, " + made, Factory | Out,
		"Linspace returns steps numbers, evenly spaced, from start to end, both included.\n" +
			"Linspace(0, 1, 5)"},
	{"logspace(Scalar start, Scalar end, int steps, float base=10.0, *, " + made, Factory | Out,
		"Logspace returns base to the power of steps evenly spaced exponents from start to end."},
	{"eye(int n, int? m=None, *, " + made, Factory | Out | Zeroed,
		"Eye returns an n by m matrix (n by n without m) with ones on its diagonal and zeros elsewhere."},
	{"tril_indices(int row, int col, int offset=0, *, " + made, Factory | NoGrad,
		"TrilIndices returns the rows and columns, as an int64 tensor of 2 by N, of the lower triangle of a row by col " +
			"matrix."},
	{"triu_indices(int row, int col, int offset=0, *, " + made, Factory | NoGrad,
		"TriuIndices returns the rows and columns, as an int64 tensor of 2 by N, of the upper triangle of a row by col " +
			"matrix."},

	{"empty_like(Tensor self, *, " + like, Fixed | FunctionOnly | NoGrad | Zeroed,
		"EmptyLike returns an uninitialized tensor of the shape, dtype and device of self."},
	{"zeros_like(Tensor self, *, " + like, Fixed | FunctionOnly | NoGrad | Zeroed,
		"ZerosLike returns zeros in the shape, dtype and device of self."},
	{"ones_like(Tensor self, *, " + like, Fixed | FunctionOnly | NoGrad,
		"OnesLike returns ones in the shape, dtype and device of self."},
	{"full_like(Tensor self, Scalar fill_value, *, " + like, Fixed | FunctionOnly | NoGrad,
		"FullLike returns fill_value in the shape, dtype and device of self."},
	{"new_empty(Tensor self, int[] size, *, " + made, Fixed | MethodOnly | NoGrad | Zeroed,
		"NewEmpty returns an uninitialized tensor of the given size with the dtype and device of self."},
	{"new_empty_strided(Tensor self, int[] size, int[] stride, *, " + made, Fixed | MethodOnly | NoGrad | Zeroed,
		"NewEmptyStrided returns an uninitialized tensor of the given size and strides with the dtype and device of self."},
	{"new_zeros(Tensor self, int[] size, *, " + made, Fixed | MethodOnly | NoGrad | Zeroed,
		"NewZeros returns zeros of the given size with the dtype and device of self."},
	{"new_ones(Tensor self, int[] size, *, " + made, Fixed | MethodOnly | NoGrad,
		"NewOnes returns ones of the given size with the dtype and device of self."},
	{"new_full(Tensor self, int[] size, Scalar fill_value, *, " + made, Fixed | MethodOnly | NoGrad,
		"NewFull returns fill_value repeated to the given size with the dtype and device of self."},

	{"complex(Tensor real, Tensor imag) -> Tensor", Pointwise | FunctionOnly | Out,
		"Complex returns the complex tensor with the given real and imaginary parts, which have one floating point dtype."},
	{"polar(Tensor abs, Tensor angle) -> Tensor", Pointwise | FunctionOnly | Out,
		"Polar returns the complex tensor with the given absolute values and angles (radians)."},
	{"meshgrid(Tensor[] tensors, *, str? indexing=None) -> Tensor[]", Composite | FunctionOnly,
		"Meshgrid expands vectors to grids of coordinates, one for each; indexing is \"ij\" (rows first) or \"xy\"."},
	{"vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", Composite | FunctionOnly,
		"Vander returns the matrix whose columns are powers of x.\n" +
			"Vander(New([1, 2, 3]))"},
}

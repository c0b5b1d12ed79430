package opdef

// scanRows: running sums and the like, triangles and diagonals.
var scanRows = []Row{
	{"cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", Fixed | InPlace | Out,
		"Cumsum returns the running sums along dim; integers and bools run in int64."},
	{"cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", Fixed | InPlace | Out,
		"Cumprod returns the running products along dim; integers and bools run in int64."},
	{"logcumsumexp(Tensor self, int dim) -> Tensor", Fixed | Out,
		"Logcumsumexp returns the logarithm of the running sums of exponentials along dim."},
	{"cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", Fixed,
		"Cummax returns the greatest elements so far along dim and where they stand."},
	{"cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", Fixed,
		"Cummin returns the least elements so far along dim and where they stand."},
	{"diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor", Composite,
		"Diff returns the n-th differences of neighbours along dim."},
	{"trapezoid(Tensor y, Tensor? x=None, *, Scalar? dx=None, int dim=-1) -> Tensor", Composite | FunctionOnly,
		"Trapezoid integrates y along dim by the trapezoidal rule, over x or in steps of dx (1)."},
	{"trapz(Tensor y, Tensor? x=None, *, Scalar? dx=None, int dim=-1) -> Tensor", Composite | FunctionOnly,
		"Trapz is Trapezoid under NumPy's name."},
	{"cumulative_trapezoid(Tensor y, Tensor? x=None, *, Scalar? dx=None, int dim=-1) -> Tensor", Composite | FunctionOnly,
		"CumulativeTrapezoid returns the running integrals of y along dim by the trapezoidal rule, over x or in steps of " +
			"dx (1)."},
	{"tril(Tensor self, int diagonal=0) -> Tensor", Fixed | InPlace | Out,
		"Tril keeps the elements on and below a diagonal of each matrix and sets the others to zero."},
	{"triu(Tensor self, int diagonal=0) -> Tensor", Fixed | InPlace | Out,
		"Triu keeps the elements on and above a diagonal of each matrix and sets the others to zero."},
	{"diag(Tensor self, int diagonal=0) -> Tensor", Fixed | Out | Zeroed,
		"Diag returns a matrix with a vector on its diagonal, or the diagonal of a matrix, as a copy."},
	{"diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", Fixed | Zeroed,
		"DiagEmbed puts the last dimension on the diagonals of new planes of zeros."},
	{"diagflat(Tensor self, int offset=0) -> Tensor", Composite,
		"Diagflat puts all elements on the diagonal of a matrix."},
}

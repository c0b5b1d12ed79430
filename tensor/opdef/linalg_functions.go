package opdef

// linalgFunctionRows: functions of matrices, products of many, and decompositions of low rank.
var linalgFunctionRows = []Row{
	{"linalg.matrix_exp(Tensor A) -> Tensor", Fixed | FunctionOnly,
		"LinalgMatrixExp returns the exponential of each matrix."},
	{"matrix_exp(Tensor self) -> Tensor", Fixed, "MatrixExp returns the exponential of each matrix."},
	{"linalg.matrix_power(Tensor A, int n) -> Tensor", Composite | FunctionOnly | Out,
		"LinalgMatrixPower multiplies each matrix n times by itself; a negative n takes the inverse."},
	{"matrix_power(Tensor self, int n) -> Tensor", Composite | Out,
		"MatrixPower multiplies each matrix n times by itself; a negative n takes the inverse."},
	{"linalg.matmul(Tensor self, Tensor other) -> Tensor", Composite | FunctionOnly | Out, "LinalgMatmul is Matmul."},
	{"linalg.multi_dot(Tensor[] tensors) -> Tensor", Composite | FunctionOnly | Out,
		"LinalgMultiDot multiplies two or more matrices in the order that costs least; the first and the last may be " +
			"vectors."},
	{"linalg.vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", Composite | FunctionOnly | Out,
		"LinalgVecdot returns the sums of the products of two batches of vectors along dim, the first conjugated."},
	{"linalg.diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)", Composite | FunctionOnly,
		"LinalgDiagonal is Diagonal of the last two dimensions."},
	{"linalg.vander(Tensor x, *, int? N=None) -> Tensor", Composite | FunctionOnly,
		"LinalgVander returns the matrices of the powers 0 to N-1 of each element: a row for each."},
	{"linalg.tensorinv(Tensor A, int ind=2) -> Tensor", Composite | FunctionOnly | Out,
		"LinalgTensorinv returns the inverse of A as a map between tensors: Tensordot with it undoes Tensordot with A " +
			"over ind dimensions."},
	{"linalg.tensorsolve(Tensor A, Tensor B, int[]? dims=None) -> Tensor", Composite | FunctionOnly | Out,
		"LinalgTensorsolve returns the X with Tensordot(A, X) = B; the dimensions dims of A are moved to its end first."},
	{"svd_lowrank(Tensor A, int q=6, int niter=2, Tensor? M=None) -> (Tensor U, Tensor S, Tensor V)",
		Composite | FunctionOnly, "SvdLowrank returns an approximate singular value decomposition of rank q of A, or of A " +
			"- M, by niter steps from random vectors."},
	{"pca_lowrank(Tensor A, int? q=None, bool center=True, int niter=2) -> (Tensor U, Tensor S, Tensor V)",
		Composite | FunctionOnly, "PcaLowrank returns the q principal components of the rows of A, whose mean is taken " +
			"away if center, as SvdLowrank gives them."},
}

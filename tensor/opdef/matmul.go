package opdef

// matmulRows: products of matrices and vectors.
var matmulRows = []Row{
	{"mm(Tensor self, Tensor mat2) -> Tensor", Fixed | Out, "Mm multiplies two matrices, (n, k) by (k, m).\n" +
		"New([[1, 2, 4], [3, 0.5, 2]]).Mm(Ones(3, 2))"},
	{"bmm(Tensor self, Tensor mat2) -> Tensor", Fixed | Out,
		"Bmm multiplies matrices batch by batch, (b, n, k) by (b, k, m), without broadcasting.\n" +
			"Ones(4, 2, 3).Bmm(Ones(4, 3, 5))"},
	{"mv(Tensor self, Tensor vec) -> Tensor", Fixed | Out, "Mv multiplies a matrix by a vector.\n" +
		"New([[1, 2, 4], [3, 0.5, 2]]).Mv(Ones(3))"},
	{"dot(Tensor self, Tensor other) -> Tensor", Fixed | Out,
		"Dot returns the sum of the products of two vectors, none conjugated.\n" +
			"New([1, 2, 3]).Dot(New([4, 5, 6]))"},
	{"vdot(Tensor self, Tensor other) -> Tensor", Fixed | Out,
		"Vdot returns the sum of the products of two vectors, the first conjugated.\n" +
			"New([1, 2, 3]).Vdot(New([4, 5, 6]))"},
	{"matmul(Tensor self, Tensor other) -> Tensor", Composite | Out,
		"Matmul multiplies vectors, matrices or batches of matrices, by the number of dimensions; batches broadcast.\n" +
			"New([[1, 2, 4], [3, 0.5, 2]]).Matmul(Ones(3, 2))"},
	{"outer(Tensor self, Tensor vec2) -> Tensor", Composite | Out,
		"Outer returns the matrix of all products of two vectors.\n" +
			"New([1, 2]).Outer(New([1, 2, 3]))"},
	{"ger(Tensor self, Tensor vec2) -> Tensor", Composite | Out, "Ger is Outer under another name.\n" +
		"Ger(New([1, 2]), New([1, 2, 3]))"},
	{"inner(Tensor self, Tensor other) -> Tensor", Composite | Out,
		"Inner sums the products along the last dimensions of both."},
	{"addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", Fixed | InPlace | Out,
		"Addmm returns beta * self + alpha * (mat1 @ mat2); self is broadcast.\n" +
			"Ones(2, 2).Addmm(New([[1, 2, 4], [3, 0.5, 2]]), Ones(3, 2))"},
	{"addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor", Fixed | InPlace | Out,
		"Addmv returns beta * self + alpha * (mat @ vec).\n" +
			"Ones(2).Addmv(New([[1, 2, 4], [3, 0.5, 2]]), Ones(3))"},
	{"addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", Fixed | InPlace | Out,
		"Addr returns beta * self + alpha * outer(vec1, vec2).\n" +
			"Zeros(2, 3).Addr(New([1, 2]), New([1, 2, 3]))"},
	{"baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
		Fixed | InPlace | Out, "Baddbmm returns beta * self + alpha * (batch1 @ batch2), batch by batch.\n" +
			"Ones(4, 3, 2).Baddbmm(Ones(4, 3, 5), Ones(4, 5, 2))"},
	{"addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
		Fixed | InPlace | Out, "Addbmm returns beta * self + alpha * the sum of batch1 @ batch2 over the batch.\n" +
			"Ones(3, 2).Addbmm(Ones(4, 3, 5), Ones(4, 5, 2))"},
	{"einsum(str equation, Tensor[] operands) -> Tensor", Composite | FunctionOnly | Variadic,
		"Einsum multiplies and sums along the dimensions that the equation names, as in \"ij,jk->ik\".\n" +
			`Einsum("ij,jk->ik", Ones(2, 3), Ones(3, 4))`},
	{"tensordot(Tensor a, Tensor b, int dims=2) -> Tensor", Composite | FunctionOnly,
		"Tensordot sums the products along the last dims dimensions of a and the first dims of b."},
	{"tensordot.dims(Tensor a, Tensor b, int[1] dims_self, int[1] dims_other) -> Tensor", Composite | FunctionOnly,
		"TensordotDims sums the products along dims_self of a and dims_other of b."},
	{"kron(Tensor self, Tensor other) -> Tensor", Composite | Out,
		"Kron returns the Kronecker product: every element of self times the whole of other."},
	{"cross(Tensor self, Tensor other, int? dim=None) -> Tensor", Composite | Out,
		"Cross returns the vector product along dim, whose size is 3; without dim, along the first such."},
	{"linalg.cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", Fixed | FunctionOnly | Out,
		"LinalgCross returns the vector product along dim, whose size is 3; batches broadcast."},
	{"chain_matmul(Tensor[] matrices) -> Tensor", Composite | FunctionOnly | Variadic | Out,
		"ChainMatmul multiplies matrices in the order that costs least.\n" +
			"ChainMatmul(Ones(2, 3), Ones(3, 4), Ones(4, 1))"},
	{"cdist(Tensor x1, Tensor x2, float p=2.0, str compute_mode=\"use_mm_for_euclid_dist_if_necessary\") -> Tensor",
		Fixed | FunctionOnly, "Cdist returns the p-distances between every row of x1 and every row of x2, batch by batch."},
}

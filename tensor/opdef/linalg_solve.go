package opdef

// linalgSolveRows: determinants, inverses, systems of equations, and the factors that solve them.
var linalgSolveRows = []Row{
	{"linalg.det(Tensor A) -> Tensor", Fixed | FunctionOnly | Out, "LinalgDet returns the determinant of each matrix."},
	{"det(Tensor self) -> Tensor", Fixed, "Det returns the determinant of each matrix."},
	{"linalg.slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", Fixed | FunctionOnly,
		"LinalgSlogdet returns the sign of each determinant (of complex matrices its phase) and the logarithm of its " +
			"absolute value."},
	{"slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)", Fixed,
		"Slogdet returns the sign of each determinant and the logarithm of its absolute value."},
	{"logdet(Tensor self) -> Tensor", Composite,
		"Logdet returns the logarithm of each determinant, NaN of a negative one."},
	{"_adjugate(Tensor self) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"Adjugate is the adjugate of each matrix: its inverse times its determinant, which singular matrices have too."},
	{"linalg.inv(Tensor A) -> Tensor", Fixed | FunctionOnly | Out,
		"LinalgInv returns the inverse of each matrix; a singular one is an error."},
	{"inverse(Tensor self) -> Tensor", Fixed | Out,
		"Inverse returns the inverse of each matrix; a singular one is an error."},
	{"linalg.inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)", Fixed | FunctionOnly,
		"LinalgInvEx returns the inverse of each matrix, and in info 0 or the number of the diagonal element that is zero."},
	{"linalg.solve(Tensor A, Tensor B, *, bool left=True) -> Tensor", Fixed | FunctionOnly | Out,
		"LinalgSolve returns the X of A X = B, or of X A = B if not left; B is matrices, or vectors; batches broadcast."},
	{"linalg.solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)",
		Fixed | FunctionOnly, "LinalgSolveEx is LinalgSolve that tells of singular matrices in info: 0, or the number of " +
			"the diagonal element that is zero."},
	{"linalg.solve_triangular(Tensor A, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor",
		Fixed | FunctionOnly | Out, "LinalgSolveTriangular returns the X of A X = B, or of X A = B, reading the upper or " +
			"the lower triangle of A."},
	{"triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> " +
		"(Tensor solution, Tensor cloned_coefficient)", Composite,
		"TriangularSolve returns the X of A X = self for a triangular A, and a copy of A."},
	{"linalg.lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)", Fixed | FunctionOnly,
		"LinalgLuFactor returns P, L and U with A = P L U in packed form: L below the diagonal, U above, and the row, " +
			"counted from 1, that each row was exchanged with."},
	{"linalg.lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor " +
		"info)", Fixed | FunctionOnly, "LinalgLuFactorEx is LinalgLuFactor that tells of zeros on the diagonal of U in " +
		"info."},
	{"lu(Tensor self, bool pivot=True, bool get_infos=False) -> (Tensor LU, Tensor pivots, Tensor infos)", Fixed,
		"Lu is LinalgLuFactorEx; with get_infos a zero on the diagonal of U is told in infos, without it is an error."},
	{"linalg.lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)", Composite | FunctionOnly,
		"LinalgLu returns a permutation P, a lower triangular L with ones on its diagonal and an upper triangular U " +
			"with A = P L U."},
	{"linalg.lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor",
		Fixed | FunctionOnly | Out, "LinalgLuSolve solves A X = B, X A = B, or those with the conjugate transpose of A, " +
			"by the factors that LinalgLuFactor gave."},
	{"lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor", Composite | Out,
		"LuSolve solves A X = self by the factors that Lu gave."},
	{"lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor " +
		"L, Tensor U)", Fixed | FunctionOnly, "LuUnpack returns P, L and U of the packed form that Lu and LinalgLuFactor " +
		"give; what is not asked for is empty."},
	{"linalg.cholesky(Tensor A, *, bool upper=False) -> Tensor", Fixed | FunctionOnly | Out,
		"LinalgCholesky returns the lower triangular L with A = L Lᴴ, or its conjugate transpose; a matrix that is " +
			"not positive definite is an error."},
	{"cholesky(Tensor self, bool upper=False) -> Tensor", Fixed | Out,
		"Cholesky returns the lower triangular L with self = L Lᴴ, or its conjugate transpose."},
	{"linalg.cholesky_ex(Tensor A, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)",
		Fixed | FunctionOnly, "LinalgCholeskyEx is LinalgCholesky that tells in info of the first leading minor that is " +
			"not positive."},
	{"cholesky_inverse(Tensor self, bool upper=False) -> Tensor", Fixed | Out,
		"CholeskyInverse returns the inverse of the matrix whose Cholesky factor self is."},
	{"cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor", Fixed | Out,
		"CholeskySolve returns the X of A X = self, where input2 is the Cholesky factor of A; batches broadcast."},
	{"linalg.ldl_factor(Tensor A, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)", Fixed | FunctionOnly,
		"LinalgLdlFactor returns L and D of symmetric or Hermitian matrices in packed form, A = P L D Lᵀ Pᵀ or with Lᴴ; D " +
			"has blocks of one and two rows."},
	{"linalg.ldl_factor_ex(Tensor A, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, " +
		"Tensor info)", Fixed | FunctionOnly, "LinalgLdlFactorEx is LinalgLdlFactor that tells in info of the first block " +
		"of D that is zero."},
	{"linalg.ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor",
		Fixed | FunctionOnly | Out, "LinalgLdlSolve returns the X of A X = B by the factors that LinalgLdlFactor gave."},
	{"linalg.lstsq(Tensor A, Tensor B, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, " +
		"Tensor rank, Tensor singular_values)", Fixed | FunctionOnly,
		"LinalgLstsq returns the X that makes A X - B least, the sums of squares that remain, the ranks, and the singular " +
			"values; driver is \"gels\" (full rank), \"gelsy\", \"gelsd\" or \"gelss\"."},
}

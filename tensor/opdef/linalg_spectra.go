package opdef

// linalgSpectraRows: orthogonal factors, singular values, eigenvalues, and what is made of them.
var linalgSpectraRows = []Row{
	{"linalg.qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)", Fixed | FunctionOnly,
		"LinalgQr returns a Q with orthonormal columns and an upper triangular R with A = Q R; mode is \"reduced\", " +
			"\"complete\" (Q is square) or \"r\" (Q is empty)."},
	{"qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)", Composite,
		"Qr is LinalgQr, reduced if some and else complete."},
	{"geqrf(Tensor self) -> (Tensor a, Tensor tau)", Fixed,
		"Geqrf returns Q R in packed form: R on and above the diagonal, below it the vectors of the reflectors that " +
			"LinalgHouseholderProduct and Ormqr take, and their factors tau."},
	{"linalg.householder_product(Tensor A, Tensor tau) -> Tensor", Fixed | FunctionOnly | Out,
		"LinalgHouseholderProduct returns the first columns of the product of the reflectors I - tau v vᴴ, whose vectors " +
			"stand below the diagonal of A."},
	{"orgqr(Tensor self, Tensor input2) -> Tensor", Composite | Out, "Orgqr is LinalgHouseholderProduct."},
	{"ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor",
		Fixed | Out, "Ormqr multiplies input3 by the product of the reflectors that Geqrf gave as self and " +
			"input2, or by its conjugate transpose, from the left or the right."},
	{"linalg.eigh(Tensor A, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)", Fixed | FunctionOnly,
		"LinalgEigh returns the eigenvalues, ascending, and as columns the eigenvectors of Hermitian matrices, of which " +
			"it reads the lower (\"L\") or upper (\"U\") triangle."},
	{"linalg.eigvalsh(Tensor A, str UPLO=\"L\") -> Tensor", Fixed | FunctionOnly | Out,
		"LinalgEigvalsh returns the eigenvalues of Hermitian matrices, ascending."},
	{"linalg.eig(Tensor A) -> (Tensor eigenvalues, Tensor eigenvectors)", Fixed | FunctionOnly,
		"LinalgEig returns the eigenvalues of each matrix, which are complex, and as columns its right eigenvectors, of " +
			"norm 1."},
	{"linalg.eigvals(Tensor A) -> Tensor", Fixed | FunctionOnly | Out,
		"LinalgEigvals returns the eigenvalues of each matrix, which are complex."},
	{"symeig(Tensor self, bool eigenvectors=False, bool upper=True) -> (Tensor eigenvalues, Tensor eigenvectors)",
		Composite, "Symeig returns the eigenvalues of Hermitian matrices, and their eigenvectors if asked for; LinalgEigh " +
			"is its new form."},
	{"linalg.svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
		Fixed | FunctionOnly, "LinalgSvd returns unitary U and Vh and the singular values S, descending, with A = U " +
			"diag(S) Vh."},
	{"linalg.svdvals(Tensor A, *, str? driver=None) -> Tensor", Fixed | FunctionOnly | Out,
		"LinalgSvdvals returns the singular values of each matrix, descending."},
	{"svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)", Composite,
		"Svd returns U, S and V with self = U diag(S) Vᴴ, the reduced ones if some; U and V are zeros if not compute_uv."},
	{"linalg.pinv(Tensor A, *, Tensor|Scalar? atol=None, Tensor|Scalar? rtol=None, bool hermitian=False) -> Tensor",
		Fixed | FunctionOnly | Out, "LinalgPinv returns the pseudoinverse of each matrix; singular values up to max(atol, " +
			"rtol * the greatest) count as zero."},
	{"pinverse(Tensor self, float rcond=1e-15) -> Tensor", Composite,
		"Pinverse returns the pseudoinverse; singular values up to rcond times the greatest count as zero."},
	{"linalg.matrix_rank(Tensor A, *, Tensor|Scalar? atol=None, Tensor|Scalar? rtol=None, bool hermitian=False) -> " +
		"Tensor", Composite | FunctionOnly | NoGrad | Out,
		"LinalgMatrixRank counts the singular values of each matrix above max(atol, rtol * the greatest)."},
	{"linalg.cond(Tensor A, Scalar|str? p=None) -> Tensor", Composite | FunctionOnly | Out,
		"LinalgCond returns the condition number of each matrix in the norm p: None or 2, -2, 1, -1, infinities, \"fro\" " +
			"or \"nuc\"."},
	{"linalg.matrix_norm(Tensor A, Scalar|str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? " +
		"dtype=None) -> Tensor", Composite | FunctionOnly | Out,
		"LinalgMatrixNorm returns the norm of each matrix: \"fro\", \"nuc\", 1, 2, their negatives, or an infinity."},
	{"linalg.norm(Tensor A, Scalar|str? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> " +
		"Tensor", Composite | FunctionOnly | Out,
		"LinalgNorm is LinalgVectorNorm or, for two dimensions and an ord, LinalgMatrixNorm."},
}

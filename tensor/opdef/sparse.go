package opdef

// sparseRows: tensors that keep only the elements that are not zero. PyTorch's private operators of construction are
// what derivatives pass through.
var sparseRows = []Row{
	{"sparse_coo_tensor(Tensor indices, Tensor values, int[]? size=None, *, " + made, Composite | FunctionOnly,
		"SparseCooTensor returns a sparse tensor of values at indices, one column each; equal indices add up.\n" +
			"SparseCooTensor(New([[0, 1, 1], [2, 0, 2]]), New([3.0, 4.0, 5.0]), size=[2, 3])"},
	{"sparse_csr_tensor(Tensor crow_indices, Tensor col_indices, Tensor values, int[]? size=None, *, " + made,
		Composite | FunctionOnly,
		"SparseCsrTensor returns a sparse matrix by rows: row i has the values crow_indices[i] to " +
			"crow_indices[i+1], in the columns col_indices.\n" +
			"SparseCsrTensor(New([0, 1, 3]), New([2, 0, 2]), New([3.0, 4.0, 5.0]), size=[2, 3])"},
	{"sparse_csc_tensor(Tensor ccol_indices, Tensor row_indices, Tensor values, int[]? size=None, *, " + made,
		Composite | FunctionOnly,
		"SparseCscTensor returns a sparse matrix by columns: column j has the values ccol_indices[j] to " +
			"ccol_indices[j+1], in the rows row_indices.\n" +
			"SparseCscTensor(New([0, 1, 1, 3]), New([1, 0, 1]), New([4.0, 3.0, 5.0]), size=[2, 3])"},
	{"_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, int[] size, bool is_coalesced=False) -> Tensor",
		Fixed | FunctionOnly | MethodOnly, "SparseCooTensorUnsafe is SparseCooTensor without checks."},
	{"_sparse_csr_tensor_unsafe(Tensor crow_indices, Tensor col_indices, Tensor values, int[] size) -> Tensor",
		Fixed | FunctionOnly | MethodOnly, "SparseCsrTensorUnsafe is SparseCsrTensor without checks."},
	{"_sparse_csc_tensor_unsafe(Tensor ccol_indices, Tensor row_indices, Tensor values, int[] size) -> Tensor",
		Fixed | FunctionOnly | MethodOnly, "SparseCscTensorUnsafe is SparseCscTensor without checks."},
	{"to_sparse(Tensor self, int? sparse_dim=None) -> Tensor", Composite | MethodOnly,
		"ToSparse returns self in coordinates (COO): the elements that are not zero. With sparse_dim only the leading " +
			"dimensions are sparse, and the others lie in the values.\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparse()"},
	{"to_sparse_csr(Tensor self) -> Tensor", Composite | MethodOnly,
		"ToSparseCsr returns a matrix in compressed sparse rows.\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparseCsr()"},
	{"to_sparse_csc(Tensor self) -> Tensor", Composite | MethodOnly,
		"ToSparseCsc returns a matrix in compressed sparse columns.\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparseCsc()"},
	{"to_dense(Tensor self, ScalarType? dtype=None) -> Tensor", Composite | MethodOnly,
		"ToDense returns a sparse tensor with all its zeros; a strided tensor is returned as it is.\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparse().ToDense()"},
	{"coalesce(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly,
		"Coalesce returns a sparse tensor (COO) with its indices in order and each only once: equal ones are added.\n" +
			"SparseCooTensor(New([[1, 0, 1]]), New([1.0, 2.0, 3.0])).Coalesce()"},
	{"indices(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly | NoGrad,
		"Indices returns the indices of a coalesced sparse tensor, one column for each value.\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparse().Indices()"},
	{"values(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly,
		"Values returns the values of a coalesced sparse tensor (COO), or of one in compressed rows or columns.\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparse().Values()"},
	{"crow_indices(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly | NoGrad,
		"CrowIndices returns where each row of a matrix in compressed rows (CSR) begins.\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparseCsr().CrowIndices()"},
	{"col_indices(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly | NoGrad,
		"ColIndices returns the columns of the values of a matrix in compressed rows (CSR).\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparseCsr().ColIndices()"},
	{"ccol_indices(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly | NoGrad,
		"CcolIndices returns where each column of a matrix in compressed columns (CSC) begins.\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparseCsc().CcolIndices()"},
	{"row_indices(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly | NoGrad,
		"RowIndices returns the rows of the values of a matrix in compressed columns (CSC).\n" +
			"New([[0.0, 2.0], [3.0, 0.0]]).ToSparseCsc().RowIndices()"},
	{"_values(Tensor self) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"Values returns the values of any sparse tensor."},
	{"_with_values(Tensor self, Tensor values) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"WithValues returns a sparse tensor like self with other values."},
	{"_values_at(Tensor self, Tensor indices) -> Tensor", Composite | FunctionOnly | MethodOnly,
		"ValuesAt returns the elements of self at indices, one column each; zero where a sparse tensor has none."},
	{"sparse_mask(Tensor self, Tensor mask) -> Tensor", Composite | MethodOnly,
		"SparseMask returns the elements of self where mask, a sparse tensor, has some.\n" +
			"New([[1.0, 2.0], [3.0, 4.0]]).SparseMask(Eye(2).ToSparse())"},
	{"sparse.sum(Tensor self, int[]? dim=None, ScalarType? dtype=None) -> Tensor", Composite | FunctionOnly,
		"SparseSum returns the sum of a sparse tensor, of all elements or over dim: sparse while a sparse dimension " +
			"is left.\n" +
			"SparseSum(New([[0.0, 2.0], [3.0, 0.0]]).ToSparse(), dim=[0])"},
	{"sparse.mm(Tensor sparse, Tensor dense) -> Tensor", Composite | FunctionOnly,
		"SparseMm multiplies a sparse matrix by a dense or a sparse one.\n" +
			"SparseMm(New([[0.0, 2.0], [3.0, 0.0]]).ToSparse(), Ones(2, 2))"},
	{"sparse.addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
		Composite | FunctionOnly,
		"SparseAddmm returns beta · self + alpha · (mat1 @ mat2) for a sparse mat1.\n" +
			"SparseAddmm(Ones(2, 2), New([[0.0, 2.0], [3.0, 0.0]]).ToSparse(), Ones(2, 2))"},
	{"sparse.softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", Composite | FunctionOnly,
		"SparseSoftmax returns the softmax over dim of the elements that a sparse tensor has; others count as -Inf.\n" +
			"SparseSoftmax(New([[1.0, 2.0], [3.0, 0.0]]).ToSparse(), 1)"},
	{"sparse.log_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", Composite | FunctionOnly,
		"SparseLogSoftmax returns the logarithm of SparseSoftmax.\n" +
			"SparseLogSoftmax(New([[1.0, 2.0], [3.0, 0.0]]).ToSparse(), 1)"},
}

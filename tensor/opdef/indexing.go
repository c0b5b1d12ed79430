package opdef

// indexingRows: operators that read and write by index, mask or value.
var indexingRows = []Row{
	// By Go and Python indices.
	{"index(Tensor(a) self, Index[] indices) -> Tensor(a)", Composite | MethodOnly,
		"Index returns self[indices]: numbers, slices, None and ... give views, tensors and masks a copy."},
	{"_index(Tensor self, Index[] indices) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"Index gathers by index tensors of integers, one for each leading dimension or None; they broadcast."},
	{"index_put(Tensor self, Index[] indices, Tensor|Scalar values, bool accumulate=False) -> Tensor", Composite,
		"IndexPut returns a copy of self with values at indices."},
	{"index_put_(Tensor(a!) self, Index[] indices, Tensor|Scalar values, bool accumulate=False) -> Tensor(a!)",
		Composite | MethodOnly, "IndexPut_ writes self[indices] = values, or adds them if accumulate is set."},
	{"_index_put_impl_(Tensor(a!) self, Index[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)",
		Fixed | FunctionOnly | MethodOnly,
		"IndexPutImpl_ scatters values by index tensors of integers, one for each leading dimension or None."},

	// By index tensors along one dimension.
	{"index_select(Tensor self, int dim, Tensor index) -> Tensor", Fixed | Out,
		"IndexSelect returns the slices along dim that the vector index lists.\n" +
			"New([[1, 2], [3, 4], [5, 6]]).IndexSelect(0, New([2, 0]))"},
	{"index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", Fixed | InPlace | Out,
		"IndexAdd adds alpha times the slices of source to those of self that index lists; a slice listed twice " +
			"gets both.\n" +
			"Zeros(3, 2).IndexAdd(0, New([0, 2]), Ones(2, 2))"},
	{"index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", Fixed | InPlace | Out,
		"IndexCopy puts the slices of source where index lists.\n" +
			"Zeros(3, 2).IndexCopy(0, New([0, 2]), Ones(2, 2))"},
	{"index_fill(Tensor self, int dim, Tensor index, Tensor|Scalar value) -> Tensor", Fixed | InPlace,
		"IndexFill puts value into the slices that index lists.\n" +
			"Zeros(3, 2).IndexFill(0, New([0, 2]), 1)"},
	{"gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor", Fixed | Out,
		"Gather takes, for each element of index, the element of self at that place along dim.\n" +
			"New([[1, 2], [3, 4]]).Gather(1, New([[0, 0], [1, 0]]))"},
	{"scatter(Tensor self, int dim, Tensor index, Tensor|Scalar src, *, str? reduce=None) -> Tensor",
		Fixed | InPlace | Out, "Scatter writes each element of src to the place along dim that index names; reduce " +
			"\"add\" or \"multiply\" combines instead.\n" +
			"Zeros(2, 3).Scatter(1, New([[0], [2]]), 5)"},
	{"scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", Fixed | InPlace | Out,
		"ScatterAdd adds each element of src to the place along dim that index names.\n" +
			"Zeros(2, 3).ScatterAdd(1, New([[0], [2]]), Ones(2, 1))"},
	{"scatter_reduce(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor",
		Fixed | InPlace | Out, "ScatterReduce combines the elements of src that index sends to one place: \"sum\", " +
			"\"prod\", \"mean\", \"amax\" or \"amin\".\n" +
			`Zeros(3).ScatterReduce(0, New([0, 0, 2]), New([1.0, 2, 3]), "sum")`},
	{"index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor",
		Fixed | InPlace | Out, "IndexReduce combines the slices of source that index sends to one place: \"prod\", " +
			"\"mean\", \"amax\" or \"amin\".\n" +
			`Ones(3).IndexReduce(0, New([0, 0, 2]), New([1.0, 2, 3]), "prod")`},
	{"take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", Composite | Out,
		"TakeAlongDim is Gather with broadcasting; without dim, in the flattened tensor.\n" +
			"New([[3, 1], [2, 4]]).TakeAlongDim(New([[1, 0], [0, 1]]), dim=1)"},

	// By index into the flattened tensor.
	{"take(Tensor self, Tensor index) -> Tensor", Fixed | Out,
		"Take returns the elements of the flattened tensor that index names, in the shape of index.\n" +
			"New([5, 6, 7]).Take(New([2, 0]))"},
	{"put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", Fixed | InPlace,
		"Put writes source at the places of the flattened tensor that index names, or adds it if accumulate is set.\n" +
			"Zeros(3).Put(New([0, 2]), New([7.0, 8.0]))"},

	// By mask.
	{"masked_select(Tensor self, Tensor mask) -> Tensor", Dynamic | Out,
		"MaskedSelect returns the elements where mask holds, as a vector; both broadcast.\n" +
			"New([1, 2, 3]).MaskedSelect(New([true, false, true]))"},
	{"masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", Fixed | InPlace,
		"MaskedScatter puts the elements of source, in order, where mask holds.\n" +
			"Zeros(3).MaskedScatter(New([true, false, true]), New([7.0, 8.0]))"},
	{"nonzero(Tensor self) -> Tensor", Dynamic | NoGrad | Out,
		"Nonzero returns the indices of the elements that are not zero, a row each."},
	{"nonzero.as_tuple(Tensor self) -> Tensor[]", Composite | NoGrad,
		"NonzeroAsTuple returns the indices of the elements that are not zero, a vector for each dimension."},
	{"argwhere(Tensor self) -> Tensor", Composite | NoGrad, "Argwhere is Nonzero, with no columns for a single number."},

	// Writing a view of a copy.
	{"select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor", Fixed,
		"SelectScatter returns a copy of self with src at one index of dim.\n" +
			"Zeros(2, 3).SelectScatter(Ones(3), 0, 1)"},
	{"slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor", Fixed,
		"SliceScatter returns a copy of self with src in a slice of dim."},
	{"diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor", Fixed,
		"DiagonalScatter returns a copy of self with src on a diagonal.\n" +
			"Zeros(3, 3).DiagonalScatter(New([1.0, 2, 3]))"},
	{"as_strided_scatter(Tensor self, Tensor src, int[] size, int[] stride, int? storage_offset=None) -> Tensor", Fixed,
		"AsStridedScatter returns a copy of self with src where AsStrided would look."},

	// Filling.
	{"fill(Tensor self, Tensor|Scalar value) -> Tensor", Composite | FunctionOnly,
		"Fill returns value in the shape of self."},
	{"fill_(Tensor(a!) self, Tensor|Scalar value) -> Tensor(a!)", Fixed | MethodOnly | Idempotent,
		"Fill_ sets every element to value, a number or a tensor of no dimensions."},
	{"zero_(Tensor(a!) self) -> Tensor(a!)", Fixed | MethodOnly | Idempotent, "Zero_ sets every element to zero."},
	{"fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)", Fixed | MethodOnly,
		"FillDiagonal_ sets the main diagonal to fill_value; wrap begins it anew below a tall matrix."},
}

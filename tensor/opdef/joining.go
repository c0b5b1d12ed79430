package opdef

// joiningRows: operators that copy tensors together, or one tensor several times or in another order.
var joiningRows = []Row{
	{"cat(Tensor[] tensors, int dim=0) -> Tensor", Fixed | FunctionOnly | Out,
		"Cat joins tensors along an existing dimension; their other sizes agree, and their dtypes are promoted."},
	{"concat(Tensor[] tensors, int dim=0) -> Tensor", Composite | FunctionOnly | Out,
		"Concat is Cat under another name."},
	{"concatenate(Tensor[] tensors, int axis=0) -> Tensor", Composite | FunctionOnly | Out,
		"Concatenate is Cat under NumPy's name."},
	{"stack(Tensor[] tensors, int dim=0) -> Tensor", Fixed | FunctionOnly | Out,
		"Stack joins tensors of one shape along a new dimension."},
	{"hstack(Tensor[] tensors) -> Tensor", Composite | FunctionOnly | Out,
		"Hstack joins tensors as columns: along dimension 1, vectors along 0."},
	{"vstack(Tensor[] tensors) -> Tensor", Composite | FunctionOnly | Out,
		"Vstack joins tensors as rows: vectors become rows of a matrix."},
	{"row_stack(Tensor[] tensors) -> Tensor", Composite | FunctionOnly | Out, "RowStack is Vstack under another name."},
	{"dstack(Tensor[] tensors) -> Tensor", Composite | FunctionOnly | Out, "Dstack joins tensors along dimension 2."},
	{"column_stack(Tensor[] tensors) -> Tensor", Composite | FunctionOnly | Out,
		"ColumnStack joins tensors along dimension 1; vectors become columns."},
	{"block_diag(Tensor[] tensors) -> Tensor", Fixed | FunctionOnly | Variadic | Zeroed,
		"BlockDiag puts matrices along the diagonal of a matrix of zeros.\n" +
			"BlockDiag(Ones(2, 2), Ones(1, 3))"},
	{"cartesian_prod(Tensor[] tensors) -> Tensor", Composite | FunctionOnly | Variadic,
		"CartesianProd returns every choice of one element from each vector, a row each.\n" +
			"CartesianProd(New([1, 2]), New([4, 5, 6]))"},
	{"combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", Composite | FunctionOnly,
		"Combinations returns every choice of r elements of a vector, a row each.\n" +
			"Combinations(New([1, 2, 3]))"},
	{"repeat(Tensor self, int[] repeats) -> Tensor", Fixed | MethodOnly,
		"Repeat lays copies of self side by side, repeats[i] times along each dimension; new dimensions come in front.\n" +
			"New([1, 2]).Repeat(3, 2)"},
	{"tile(Tensor self, int[] dims) -> Tensor", Composite, "Tile is Repeat with missing counts in front taken as 1."},
	{"repeat_interleave(Tensor self, int|Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor", Composite,
		"RepeatInterleave repeats each element, or each slice along dim, that many times in place; without dim self is " +
			"flattened.\n" +
			"New([1, 2, 3]).RepeatInterleave(2)"},
	{"flip(Tensor self, int[] dims) -> Tensor", Fixed, "Flip reverses the order along each of dims, in a copy."},
	{"fliplr(Tensor self) -> Tensor", Composite, "Fliplr reverses the columns (dimension 1), in a copy."},
	{"flipud(Tensor self) -> Tensor", Composite, "Flipud reverses the rows (dimension 0), in a copy."},
	{"roll(Tensor self, int[1] shifts, int[] dims=[]) -> Tensor", Fixed,
		"Roll shifts along each of dims, what falls off coming in at the other end; without dims the flattened tensor is " +
			"rolled.\n" +
			"Arange(5).Roll(2)"},
	{"rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor", Fixed,
		"Rot90 turns the plane of two dims by k quarter turns, from the first towards the second."},
}

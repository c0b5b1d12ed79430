package opdef

// viewRows: operators whose result looks into the storage of their argument, and those made of them.
var viewRows = []Row{
	{"view(Tensor(a) self, int[] size) -> Tensor(a)", View | MethodOnly,
		"View returns the same elements under another shape, without copying; one size may be -1."},
	{"view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", View | MethodOnly,
		"ViewDtype returns the same bytes read as another dtype; the last dimension shrinks or grows with the element " +
			"size.\n" +
			"New([1.0, 2.0]).ViewDtype(Int32)"},
	{"view_as(Tensor(a) self, Tensor other) -> Tensor(a)", Composite | MethodOnly,
		"ViewAs returns a view with the shape of other."},
	{"as_strided(Tensor(a) self, int[] size, int[] stride, int? storage_offset=None) -> Tensor(a)", View | InPlace,
		"AsStrided returns a view of the storage with the given sizes, strides and offset, counted in elements.\n" +
			"Arange(6).AsStrided([2, 2], [3, 1])"},
	{"transpose(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", View | InPlace, "Transpose swaps two dimensions."},
	{"t(Tensor(a) self) -> Tensor(a)", View | InPlace,
		"T swaps the dimensions of a matrix; vectors and single numbers stay as they are."},
	{"permute(Tensor(a) self, int[] dims) -> Tensor(a)", View, "Permute puts the dimensions into the order dims.\n" +
		"Zeros(2, 3, 4).Permute(2, 0, 1)"},
	{"expand(Tensor(a) self, int[] size) -> Tensor(a)", View | MethodOnly,
		"Expand repeats dimensions of size 1, and new ones in front, by a stride of zero; -1 keeps a size.\n" +
			"New([1, 2, 3]).Expand([2, 3])"},
	{"squeeze(Tensor(a) self, int[]? dim=None) -> Tensor(a)", View | InPlace,
		"Squeeze drops the dimensions of size 1, or of those only the ones in dim."},
	{"unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", View | InPlace,
		"Unsqueeze inserts a dimension of size 1 at dim."},
	{"slice(Tensor(a) self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor(a)", View | MethodOnly,
		"Slice returns every step-th index from start up to end along dim; a negative step walks backwards."},
	{"select(Tensor(a) self, int dim, int index) -> Tensor(a)", View,
		"Select takes one index of a dimension, which goes away.\n" +
			"New([[1, 2], [3, 4]]).Select(0, 1)"},
	{"diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", View,
		"Diagonal returns the diagonals of the planes of dim1 and dim2 as the last dimension."},
	{"unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", View | MethodOnly,
		"Unfold returns all windows of the given size along dimension, step apart; the window becomes the last dimension.\n" +
			"Arange(6).Unfold(0, 3, 2)"},
	{"split(Tensor(a) self, int|int[] split_size, int dim=0) -> Tensor(a)[]", View,
		"Split cuts along dim into pieces of split_size (the last may be smaller), or into pieces of the listed sizes."},
	{"split_with_sizes(Tensor(a) self, int[] split_sizes, int dim=0) -> Tensor(a)[]", View,
		"SplitWithSizes cuts along dim into pieces of the listed sizes, which add up to the size of dim.\n" +
			"Arange(6).SplitWithSizes([1, 5])"},
	{"unbind(Tensor(a) self, int dim=0) -> Tensor(a)[]", View, "Unbind returns the slices along dim, which goes away."},
	{"view_as_real(Tensor(a) self) -> Tensor(a)", View | FunctionOnly,
		"ViewAsReal returns a complex tensor as a real one with a last dimension of 2.\n" +
			"ViewAsReal(Complex(New([1.0, 2.0]), New([3.0, 4.0])))"},
	{"view_as_complex(Tensor(a) self) -> Tensor(a)", View | FunctionOnly,
		"ViewAsComplex returns a real tensor whose last dimension is 2 as a complex one.\n" +
			"ViewAsComplex(New([[1.0, 2], [3, 4]]))"},
	{"detach(Tensor(a) self) -> Tensor(a)", View | NoGrad | NoHistory,
		"Detach returns the same elements cut off from the graph."},
	{"alias(Tensor(a) self) -> Tensor(a)", View | FunctionOnly | MethodOnly,
		"Alias returns another tensor over the same elements."},

	{"_reshape_alias(Tensor(a) self, int[] size, int[] stride) -> Tensor(a)", View | FunctionOnly | MethodOnly,
		"ReshapeAlias is a View whose strides are known."},
	{"_unsafe_view(Tensor self, int[] size) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"UnsafeView is a View of a tensor that nobody else has, and so not noted as a view."},

	{"reshape(Tensor(a) self, int[] shape) -> Tensor(a)", Composite,
		"Reshape returns the elements under another shape: a view where the strides allow it, else a copy."},
	{"reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", Composite | MethodOnly,
		"ReshapeAs reshapes self to the shape of other."},
	{"flatten(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)", Composite,
		"Flatten makes the dimensions from start_dim to end_dim one; a view where the strides allow it."},
	{"ravel(Tensor(a) self) -> Tensor(a)", Composite,
		"Ravel returns the elements in one contiguous dimension; a view where self is contiguous."},
	{"unflatten(Tensor(a) self, int dim, int[] sizes) -> Tensor(a)", Composite,
		"Unflatten makes the dimension dim several, of the given sizes; one may be -1.\n" +
			"Arange(6).Unflatten(0, [2, 3])"},
	{"movedim(Tensor(a) self, int[1] source, int[1] destination) -> Tensor(a)", Composite,
		"Movedim moves the dimensions source to the places destination; the others keep their order.\n" +
			"Zeros(2, 3, 4).Movedim(0, 2)"},
	{"moveaxis(Tensor(a) self, int[1] source, int[1] destination) -> Tensor(a)", Composite,
		"Moveaxis is Movedim under NumPy's name.\n" +
			"Zeros(2, 3, 4).Moveaxis(0, 2)"},
	{"swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", Composite,
		"Swapaxes is Transpose under NumPy's name.\n" +
			"Zeros(2, 3).Swapaxes(0, 1)"},
	{"swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", Composite, "Swapdims is Transpose under another name."},
	{"mT(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly, "MT swaps the last two dimensions."},
	{"mH(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly, "MH swaps the last two dimensions and conjugates."},
	{"H(Tensor(a) self) -> Tensor(a)", Composite | MethodOnly, "H is the conjugate transpose of a matrix."},
	{"adjoint(Tensor(a) self) -> Tensor(a)", Composite, "Adjoint swaps the last two dimensions and conjugates."},
	{"narrow_copy(Tensor self, int dim, int start, int length) -> Tensor", Composite | Out,
		"NarrowCopy is a copy of Narrow.\n" +
			"NarrowCopy(Arange(6), 0, 2, 3)"},
	{"narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a)", Composite,
		"Narrow returns the length indices from start along dim, as a view.\n" +
			"Arange(6).Narrow(0, 2, 3)"},
	{"narrow.Tensor(Tensor(a) self, int dim, Tensor start, int length) -> Tensor(a)", Composite,
		"NarrowTensor is Narrow from a start that a tensor of no dimensions holds.\n" +
			"Arange(6).Narrow(0, New(2), 3)"},
	{"broadcast_to(Tensor(a) self, int[] size) -> Tensor(a)", Composite, "BroadcastTo expands self to the given size.\n" +
		"New([1, 2, 3]).BroadcastTo([2, 3])"},
	{"expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", Composite | MethodOnly,
		"ExpandAs expands self to the size of other."},
	{"broadcast_tensors(Tensor(a)[] tensors) -> Tensor(a)[]", Composite | FunctionOnly | Variadic,
		"BroadcastTensors expands all tensors to their common shape.\n" +
			"BroadcastTensors(New([1, 2, 3]), New([[1], [2]]))"},
	{"chunk(Tensor(a) self, int chunks, int dim=0) -> Tensor(a)[]", Composite,
		"Chunk cuts along dim into at most that many pieces of equal size, the last perhaps smaller."},
	{"tensor_split(Tensor(a) self, int|int[]|Tensor indices_or_sections, int dim=0) -> Tensor(a)[]", Composite,
		"TensorSplit cuts along dim into that many nearly equal sections, or before each of the indices.\n" +
			"Arange(7).TensorSplit(3)"},
	{"hsplit(Tensor(a) self, int|int[] indices_or_sections) -> Tensor(a)[]", Composite,
		"Hsplit cuts into columns: along dimension 1, or 0 of a vector.\n" +
			"Zeros(2, 4).Hsplit(2)"},
	{"vsplit(Tensor(a) self, int|int[] indices_or_sections) -> Tensor(a)[]", Composite,
		"Vsplit cuts into rows: along dimension 0 of a tensor of two or more dimensions."},
	{"dsplit(Tensor(a) self, int|int[] indices_or_sections) -> Tensor(a)[]", Composite,
		"Dsplit cuts along dimension 2 of a tensor of three or more dimensions.\n" +
			"Zeros(2, 2, 4).Dsplit(2)"},
	{"atleast_1d(Tensor(a) self) -> Tensor(a)", Composite | FunctionOnly,
		"Atleast1d makes a single number a vector of one element."},
	{"atleast_2d(Tensor(a) self) -> Tensor(a)", Composite | FunctionOnly,
		"Atleast2d puts dimensions of size 1 in front until there are two."},
	{"atleast_3d(Tensor(a) self) -> Tensor(a)", Composite | FunctionOnly,
		"Atleast3d adds dimensions of size 1 until there are three; a matrix gets its third behind."},
	{"real(Tensor(a) self) -> Tensor(a)", Composite, "Real returns the real part as a view; a real tensor is its own."},
	{"imag(Tensor(a) self) -> Tensor(a)", Composite, "Imag returns the imaginary part of a complex tensor as a view.\n" +
		"Imag(Complex(New([1.0, 2.0]), New([3.0, 4.0])))"},

	{"swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)", Composite | MethodOnly,
		"Swapaxes_ is Transpose_ under NumPy's name.\n" +
			"Zeros(2, 3).Swapaxes_(0, 1)"},
	{"swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", Composite | MethodOnly,
		"Swapdims_ is Transpose_ under another name."},
	{"detach_(Tensor(a!) self) -> Tensor(a!)", Composite | MethodOnly | NoGrad,
		"Detach_ cuts self off from the graph; a view of a tensor that has a history refuses."},
}

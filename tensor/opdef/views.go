package opdef

// viewRows: operators whose result looks into the storage of their argument.
var viewRows = []Row{
	{"view(Tensor(a) self, int[] size) -> Tensor(a)", View | MethodOnly, "View returns the same elements under another shape, without copying."},
	{"t(Tensor(a) self) -> Tensor(a)", View, "T swaps the dimensions of a matrix."},
}

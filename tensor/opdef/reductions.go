package opdef

// reductionRows: operators that take dimensions away.
var reductionRows = []Row{
	{"sum(Tensor self, int[]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", Reduction | Out, "Sum adds the elements, all of them or along dim."},
}

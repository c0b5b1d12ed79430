package opdef

// sortingRows: operators that order, rank and count elements.
var sortingRows = []Row{
	{"sort(Tensor self, int dim=-1, bool descending=False, bool stable=False) -> (Tensor values, Tensor indices)", Fixed,
		"Sort orders the elements along dim and tells where they stood; NaN counts as greatest."},
	{"argsort(Tensor self, int dim=-1, bool descending=False, bool stable=False) -> Tensor", Composite | NoGrad,
		"Argsort returns the indices that would sort self along dim."},
	{"msort(Tensor self) -> Tensor", Composite | Out, "Msort sorts along the first dimension."},
	{"topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
		Fixed, "Topk returns the k largest (or smallest) elements along dim and where they stand."},
	{"kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", Reduction,
		"Kthvalue returns the k-th smallest element along dim, counted from 1, and where it stands."},
	{"unique(Tensor self, bool sorted=True, int? dim=None) -> Tensor", Dynamic | NoGrad,
		"Unique returns the distinct elements, or the distinct slices along dim, in order."},
	{"unique.all(Tensor self, bool sorted=True, int? dim=None) -> (Tensor output, Tensor inverse_indices, Tensor counts)",
		Dynamic | NoGrad, "UniqueAll returns the distinct elements, which of them each element is, and how many there are " +
			"of each."},
	{"unique_consecutive(Tensor self, int? dim=None) -> Tensor", Dynamic | NoGrad,
		"UniqueConsecutive drops elements that equal the one before."},
	{"unique_consecutive.all(Tensor self, int? dim=None) -> (Tensor output, Tensor inverse_indices, Tensor counts)",
		Dynamic | NoGrad, "UniqueConsecutiveAll returns the elements that differ from the one before, which of them each " +
			"element is, and the lengths of the runs."},
	{"searchsorted(Tensor sorted_sequence, Tensor|Scalar values, *, bool out_int32=False, bool right=False, str? " +
		"side=None, Tensor? sorter=None) -> Tensor", Fixed | FunctionOnly | NoGrad | Out,
		"Searchsorted returns where each of values would have to be inserted to keep the last dimension of " +
			"sorted_sequence sorted.\n" +
			"Searchsorted(New([1.0, 3, 5]), New([2.0, 5]))"},
	{"bucketize(Tensor|Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
		Composite | FunctionOnly | NoGrad | Out,
		"Bucketize returns the number of the interval between boundaries in which each element lies.\n" +
			"Bucketize(New([0.5, 2, 9]), New([1.0, 2.0, 3.0]))"},
	{"bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor", Dynamic | NoGrad | Zeroed,
		"Bincount counts each number in a vector of non-negative integers, or adds its weights.\n" +
			"New([1, 2, 2, 5]).Bincount()"},
	{"histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor", Fixed | NoGrad | Out,
		"Histc counts the elements in bins of equal width from min to max, or between the extremes if both are 0."},
}

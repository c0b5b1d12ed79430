package opdef

// binningRows: counts in bins, reductions of segments, and slopes.
var binningRows = []Row{
	{"histogram(Tensor self, int|Tensor bins, *, Scalar[]? range=None, Tensor? weight=None, bool density=False) " +
		"-> (Tensor hist, Tensor bin_edges)", Composite | NoGrad,
		"Histogram counts the elements between edges: bins says how many bins of equal width there are, or where the " +
			"edges are.\n" +
			"Histogram(New([1.0, 2, 1, 4]), 3)"},
	{"histogramdd(Tensor self, int[]|Tensor[] bins, *, Scalar[]? range=None, Tensor? weight=None, bool density=False) " +
		"-> Tensor[]",
		Composite | NoGrad | FunctionOnly,
		"Histogramdd counts points, the rows of self, in a grid of bins; the first result has the counts, the others " +
			"each dimension's edges.\n" +
			"Histogramdd(Randn(10, 2), [2, 3])"},
	{"gradient(Tensor self, *, Scalar|Scalar[]|Tensor[]? spacing=None, int[]? dim=None, int edge_order=1) -> Tensor[]",
		Composite | FunctionOnly,
		"Gradient returns the slopes along each of dim, or of all dimensions, by central differences; spacing are " +
			"distances or coordinates."},
	{"segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, " +
		"int axis=0, " +
		"bool unsafe=False, Scalar? initial=None) -> Tensor", Composite | FunctionOnly,
		"SegmentReduce reduces runs along axis, whose lengths or offsets are given, by \"sum\", \"mean\", \"max\", " +
			"\"min\" or \"prod\"."},
}

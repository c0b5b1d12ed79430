package opdef

// Family is the rows of one kind.
type Family struct {
	Title string
	Rows  []Row
}

// Families lists the tables in the order in which documentation shows them.
var Families = []Family{
	{"Creation", creationRows},
	{"Views", viewRows},
	{"Joining and repeating", joiningRows},
	{"Functions of one tensor", unaryRows},
	{"Special functions", specialRows},
	{"Arithmetic", binaryRows},
	{"Choices and blends", ternaryRows},
	{"Comparison and logic", comparisonRows},
	{"Reductions", reductionRows},
	{"Products of matrices", matmulRows},
	{"Fourier transforms", fftRows},
	{"Linear systems", linalgSolveRows},
	{"Orthogonal factors and eigenvalues", linalgSpectraRows},
	{"Functions of matrices", linalgFunctionRows},
	{"Indexing", indexingRows},
	{"Sorting", sortingRows},
	{"Bins and segments", binningRows},
	{"Scans and triangles", scanRows},
	{"Masked operators", maskedRows},
	{"Networks", nnRows},
	{"Sampling layers", samplingRows},
	{"Losses", lossRows},
	{"Random numbers", randomRows},
	{"Copies and conversion", conversionRows},
	{"Sparse layouts", sparseRows},
}

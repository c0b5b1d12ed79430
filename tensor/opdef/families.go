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
	{"Arithmetic", binaryRows},
	{"Comparison and logic", comparisonRows},
	{"Reductions", reductionRows},
	{"Products of matrices", matmulRows},
	{"Indexing", indexingRows},
	{"Sorting", sortingRows},
	{"Scans and triangles", scanRows},
	{"Networks", nnRows},
	{"Losses", lossRows},
	{"Random numbers", randomRows},
	{"Copies and conversion", conversionRows},
}

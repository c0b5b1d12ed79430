package opdef

// families lists the tables in the order in which documentation shows them.
var families = [][]Row{
	creationRows,
	viewRows,
	joiningRows,
	unaryRows,
	binaryRows,
	comparisonRows,
	reductionRows,
	matmulRows,
	indexingRows,
	sortingRows,
	scanRows,
	nnRows,
	lossRows,
	randomRows,
	conversionRows,
}

package opdef

// families lists the tables in the order in which documentation shows them.
var families = [][]Row{
	pointwiseRows,
	viewRows,
	reductionRows,
}

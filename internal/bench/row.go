package main

import (
	"gotorch/internal/programs"
	"gotorch/tensor"
)

// row is a workload in two languages.
type row struct {
	name, group string
	setup       string            // Python statements that make the operands; g is torch.randn
	expr        string            // the Python statements that are timed
	make        func() func()     // makes the operands and returns what is timed
	program     *programs.Program // of the rows of rows_programs.go
	gonum       func() func()     // the same by gonum, where it has the routine
}

// table collects rows.
type table struct {
	rows  []row
	group string
}

// in sets the group of the rows that follow.
func (t *table) in(group string) { t.group = group }

// add adds a row.
func (t *table) add(name, setup, expr string, make func() func()) {
	t.rows = append(t.rows, row{name: name, group: t.group, setup: setup, expr: expr, make: make})
}

// beside gives the last row what gonum does for it.
func (t *table) beside(gonum func() func()) { t.rows[len(t.rows)-1].gonum = gonum }

// T is a tensor: rows are short.
type T = *tensor.Tensor

// g makes a tensor of normal numbers, as torch.randn.
func g(size ...int) T { return tensor.Randn(size...) }

// allRows are the rows of a full run, group by group.
func allRows() []row {
	t := new(table)
	elementwise(t)
	functions(t)
	layouts(t)
	keptResults(t)
	reductions(t)
	scansAndSoftmax(t)
	lossesAndNorms(t)
	products(t)
	linearAlgebra(t)
	fourierTransforms(t)
	convolutions(t)
	resampling(t)
	indexing(t)
	sorting(t)
	randomNumbers(t)
	smallCalls(t)
	training(t)
	modules(t)
	interpreted(t)
	return t.rows
}

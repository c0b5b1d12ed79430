// Package grad draws graphs of derivatives.
//
//   - graph.go: [Graph], the graph that a backward pass will walk: graph_fold.go folds loops, graph_formula.go says
//     what a node computes and keeps, graph_layout.go places nodes; graph_text.go and graph_svg.go draw.
//   - backward*.go: [Backward], a backward pass step by step, with the values that flow.
//   - spelling.go: formulas as text, spelled from the calls that a formula makes.
package grad

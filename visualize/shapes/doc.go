// Package shapes draws what happens to shapes.
//
//   - broadcast*.go: [Broadcast], shapes aligned dimension by dimension.
//   - shapes*.go: [Shapes], the shapes that go through a function, call by call: shapes_run.go runs it with fake
//     tensors on the meta device, shapes_flops.go counts arithmetic, shapes_text.go draws.
//   - symbolic*.go: [SymbolicShapes], shapes as expressions of letters: symbolic_spec.go reads letters, symbolic_run.go
//     runs the code for some sizes, symbolic_record.go for many; package internal/sizes finds the rules.
//   - explain.go: [Explain], the picture of an error, by the type of its details; explain_axis.go,
//     explain_broadcast.go, explain_matmul.go and explain_view.go draw those that are about shapes.
package shapes

// Package shapes draws what happens to shapes.
//
//   - broadcast*.go: [Broadcast], shapes aligned dimension by dimension.
//   - shapes*.go: [Shapes], the shapes that go through a function, call by call: shapes_run.go runs it with fake
//     tensors on the meta device, shapes_flops.go counts arithmetic, shapes_text.go draws.
//   - explain.go: [Explain], the picture of an error, by the type of its details; explain_axis.go,
//     explain_broadcast.go, explain_matmul.go and explain_view.go draw those that are about shapes.
package shapes

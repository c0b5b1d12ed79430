// Package programs captures the calls of a function as a program, which can be looked at, simplified and run again.
//
//   - program*.go: [Program]: program_record.go writes the calls down, program_guards.go keeps what they were captured
//     for, program_passes.go and program_functional.go simplify, program_view.go shows.
//   - derive.go: [Derive], the gradient as Go source.
//   - mincut*.go: [MinCut], the forward and backward pass parted by a minimum cut: mincut_flow.go finds the cut,
//     mincut_run.go runs the function by it, mincut_text.go and mincut_draw.go show it.
//   - gradcheck.go: [Gradcheck], derivatives by formulas and by differences; gradcheck_draw.go shows them.
//   - layers.go: [Layers], what a tensor is inside of transforms.
package programs

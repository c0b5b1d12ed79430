// Package draw is what every view is made of.
//
//   - view.go: the interface [View], and the MIME bundle of one.
//   - canvas.go: an SVG picture, alone or in a page. style.go: colours, and texts in columns. frames.go: several
//     pictures in one page, chosen by buttons. tabular.go: a table of short strings, as lines and as a picture.
//   - terminal.go, width.go: colours and width of a terminal.
//   - labels.go, namer.go: what tensors are called: variables, and arguments as they were typed. tidy.go: texts of
//     others, made safe to show.
//   - values.go, stats.go: elements, sizes and indices as texts; what the elements of a tensor are like.
//   - record.go: run a function with a recorder of the dispatcher's calls.
package draw

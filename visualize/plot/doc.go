// Package plot draws numbers: lines, points, histograms, heatmaps and images.
//
//   - plot.go: [Chart], and [Plot] and [Scatter], which make one; hist.go: [Hist], many.go how it
//     counts; live.go: [Live], a chart that grows.
//   - plot_data.go reads arguments, plot_options.go options; plot_axis.go places numbers on axes; plot_thin.go keeps
//     what many points look like.
//   - plot_draw.go draws a chart, between the axes that plot_layout.go lays out; plot_text.go writes it in characters.
//   - heatmap.go, heatmap_draw.go: [Heatmap]. image.go: [Image]; imagegrid.go: [ImageGrid].
package plot

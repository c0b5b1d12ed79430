// Package training draws what training does to a model.
//
//   - log.go: [Weights] and [Gradients], what a model's tensors were after some steps; log_histogram.go has their
//     histograms, log_text.go and log_draw.go the views.
//   - schedule.go: [Schedule], the learning rates of a schedule.
package training

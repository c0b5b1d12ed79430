// Package visualize draws tensors from the inside: the storage beneath views, the way of a call through the dispatcher, the graph that a backward
// pass walks. A view is data first (a struct that prints as JSON), then text, with or without colour, then SVG, then HTML that needs no script.
//
//	fmt.Println(visualize.Strides(x, x.T()))
//
// Every view has MIMEBundle, so that a notebook shows the picture where a terminal shows the text. Views read tensors and change none; they
// keep none alive either: what they show is copied when they are made.
package visualize

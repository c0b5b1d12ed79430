// Package jupyter is a Jupyter kernel: sockets, signatures, messages, streams, history.
//
// It knows no language. What a cell means is the business of a [Session], which the program that
// embeds the kernel supplies:
//
//	err := jupyter.Run(ctx, connectionFile, session, jupyter.Options{})
//
// The authority is jupyter_client's messaging document, protocol 5.5.
package jupyter

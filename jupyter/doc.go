// Package jupyter is a Jupyter kernel: sockets, signatures, messages, streams, history.
//
// It knows no language. What a cell means is the business of a [Session], which the program that
// embeds the kernel supplies:
//
//	err := jupyter.Run(ctx, connectionFile, session, jupyter.Options{})
//
// [Install] tells Jupyter of that program.
//
// The way of a request: the transport (transport.go, conn.go) lets zmq4 see only peers that have
// greeted and frames within bounds; a channel (kernel.go) checks and decodes (wire.go); control is
// handled at once, shell requests wait in queues (queue.go, subshell.go) for their turn; a handler (request.go,
// ask.go, execute.go) answers on the socket that the request came in on. What cells show goes through
// the publisher (iopub.go, stream.go), so that all subscribers see one order.
//
// The authority is jupyter_client's messaging document, protocol 5.5.
package jupyter

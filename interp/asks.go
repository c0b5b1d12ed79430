package interp

import (
	"context"
	"io"

	"gotorch/internal/ask"
)

// An Asker is a [Sink] that has a way of its own to ask the user for a line; a secret one is not shown. Of others
// the question goes to Stdout, and the answer comes from Stdin. The error is io.EOF at the end of the input, or ctx's.
type Asker interface {
	Ask(ctx context.Context, prompt string, secret bool) (string, error)
}

// asker is how a sink with this input asks; nil where there is nobody to ask.
func asker(sink Sink, in io.Reader) func(ctx context.Context, prompt string, secret bool) (string, error) {
	switch to := sink.(type) {
	case Asker:
		return to.Ask
	case redirected: // the question is for the user, not for what takes the output
		return asker(to.was, in)
	case *capturedSink:
		return asker(to.was, in)
	}
	if in != nil {
		return func(ctx context.Context, prompt string, secret bool) (string, error) {
			return ask.Line(ctx, in, sink.Stdout(), prompt, secret)
		}
	}
	return nil
}

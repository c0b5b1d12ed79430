package task

import (
	"context"
	"io"
)

// Streams are where the output of cells goes and their input comes from. What is nil is the null device.
type Streams struct {
	Out, Err io.Writer
	In       io.Reader
	Ask      func(ctx context.Context, prompt string, secret bool) (string, error) // nil where there is nobody to ask
}

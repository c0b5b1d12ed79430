package interp

import (
	"context"

	"gotorch/tensor"
)

// interruptible runs f, the work of a cell, so that long kernels and the backward pass leave when the cell is stopped.
func interruptible(stop <-chan struct{}, f func()) {
	tensor.WithContext(stopped{context.Background(), stop}, f)
}

// stopped is a context that is done when a channel is closed.
type stopped struct {
	context.Context
	done <-chan struct{}
}

func (s stopped) Done() <-chan struct{} { return s.done }

func (s stopped) Err() error {
	select {
	case <-s.done:
		return context.Canceled
	default:
		return nil
	}
}

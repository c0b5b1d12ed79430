package rt

import (
	"context"
	"reflect"
)

var contextType = reflect.TypeFor[context.Context]()

// boxContext is a box that host code sees as a context. Package context takes for granted that a context which is done
// has an error: where the method of a cell gives none, on a goroutine of that package, nothing would catch its panic.
type boxContext struct {
	context.Context
	b Box
}

// Unbox is the box.
func (c boxContext) Unbox() any { return c.b }

// Err is the error of the cell's method, or that of a context that was cancelled.
func (c boxContext) Err() error {
	done := false
	select {
	case <-c.Context.Done():
		done = true
	default:
	}
	if err := c.Context.Err(); err != nil || !done {
		return err
	}
	return context.Canceled
}

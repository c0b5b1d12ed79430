package tensor

import (
	"slices"
	"sync"
)

// Note: work that cannot be interrupted
//
// A decomposition by a library looks at no context. A call of it, where the caller can be interrupted, runs on a
// goroutine of its own, which the caller leaves when the interrupt comes: the work goes on to its end, and what it
// makes is thrown away. [Left] says which operators work on like that. A few may at once; after them a caller waits.

// mostLeft is how many pieces of work are left at once.
const mostLeft = 4

var left struct {
	sync.Mutex
	ops []string
}

// Left are the operators that an interrupt has ended and whose work goes on.
func Left() []string {
	left.Lock()
	defer left.Unlock()
	return slices.Clone(left.ops)
}

// Leave calls work, which writes to results of the call c, or to nothing that others see. It panics with an *Error as
// soon as the running goroutine's context is done, whatever the work does then. A call that writes into a tensor of
// its caller's waits for the work.
func Leave(c *Call, work func()) {
	s, op := CurrentScope(), c.Name()
	if s == nil || s.Context == nil || s.Context.Done() == nil || c.Variant == OutVariant || len(Left()) >= mostLeft {
		work()
		return
	}
	ctx := s.Context
	Interrupted(op)
	done := make(chan any, 1)
	go func() {
		finished := false
		defer func() {
			v := recover()
			if v == nil && !finished {
				v = Errorf(op, "the goroutine of its work has ended")
			}
			done <- v
		}()
		WithContext(ctx, work)
		finished = true
	}()
	select {
	case v := <-done:
		if v != nil {
			panic(v)
		}
	case <-ctx.Done():
		left.Lock()
		left.ops = append(left.ops, op)
		left.Unlock()
		go func() {
			<-done
			left.Lock()
			defer left.Unlock()
			i := slices.Index(left.ops, op)
			left.ops = slices.Delete(left.ops, i, i+1)
		}()
		Interrupted(op)
	}
}

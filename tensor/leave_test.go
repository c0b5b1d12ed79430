package tensor

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestLeave: a caller that is interrupted does not wait for work that cannot be, and Left names it until its end.
func TestLeave(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun, release := make(chan bool), make(chan bool)
	call := &Call{Op: Lookup("add")}
	var err error
	WithContext(ctx, func() {
		err = Try(func() {
			Leave(call, func() {
				close(begun)
				cancel()
				<-release
			})
		})
	})
	<-begun
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("the caller got %v", err)
	}
	if !slices.Contains(Left(), "add") {
		t.Errorf("left: %v", Left())
	}
	close(release)
	for slices.Contains(Left(), "add") {
		runtime.Gosched()
	}
}

// TestLeaveWaits: work that nobody interrupts is waited for, its panics are the caller's, and so it is where results
// are the caller's own.
func TestLeaveWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	WithContext(ctx, func() {
		done := false
		Leave(&Call{Op: Lookup("add")}, func() { done = true })
		if !done {
			t.Error("it did not wait")
		}
		if err := Try(func() { Leave(&Call{Op: Lookup("add")}, func() { panic(Errorf("add", "no")) }) }); err == nil {
			t.Error("the panic was lost")
		}
		done = false
		if err := Try(func() {
			Leave(&Call{Op: Lookup("add"), Variant: OutVariant}, func() { cancel(); done = true })
		}); err != nil || !done {
			t.Errorf("with a destination of the caller's: %v, done %v", err, done)
		}
	})
}

package tensor

import (
	"reflect"
	"sync/atomic"
)

// Hooks are the functions that this package calls of packages above it, which it cannot import. Each is nil where
// nobody answers.
//
//gotorch:internal
type Hooks struct {
	// Autograd is what package autograd does behind the methods of tensors.
	Autograd *AutogradHooks

	// Site returns the place where the running goroutine's code stands. A session sets it.
	Site func() Site

	// Storage is called for each new storage, on the goroutine that makes it, with the operator that it is for. grown is
	// nil, or the storage, reported before, whose memory takes the place of that of s, which was too small. The memory
	// timeline sets it while it watches; it keeps neither.
	Storage func(s, grown *Storage, op string)

	// Registered is called on the goroutine that registers an operator, a device or the like while the program runs: what
	// names it ("operator my.clip"), and undo takes it away. A session keeps undo for its reset.
	Registered func(what string, undo func())

	// Warn shows the user a text that is no error, such as that a call runs on another device than asked for. Where it is
	// nil the text goes to standard error.
	Warn func(text string)

	// Room is how many bytes the running goroutine's code may still allocate, tensors and all else, when want are asked
	// for. A session sets it.
	Room func(want int) (left int)

	// Receivers is what [WatchReceivers] does in a session, which sets it.
	Receivers func(f func(inside func() []reflect.Value))

	// Draw is called for each random operator that ran on a device, with the generator that it drew from, and how many
	// numbers of 32 bits that had given before and after.
	Draw func(c *Call, g *Generator, from, to uint64)
}

var (
	hooks   atomic.Pointer[Hooks]
	noHooks Hooks
)

// SetHooks changes the hooks: change receives a copy of those that are set. It may be called at any time, and change
// more than once.
//
//gotorch:internal
func SetHooks(change func(h *Hooks)) {
	for {
		old := hooks.Load()
		next := *currentHooks()
		change(&next)
		if hooks.CompareAndSwap(old, &next) {
			return
		}
	}
}

// WatchReceivers runs f. Meanwhile inside gives the first arguments of the functions of cells that run on this
// goroutine and were called within f, the innermost first: a method's receiver, an invalid value where there is none.
// Where there is no session it gives nothing.
//
//gotorch:internal
func WatchReceivers(f func(inside func() []reflect.Value)) {
	if watch := currentHooks().Receivers; watch != nil {
		watch(f)
		return
	}
	f(func() []reflect.Value { return nil })
}

// currentHooks are the hooks that are set.
func currentHooks() *Hooks {
	if h := hooks.Load(); h != nil {
		return h
	}
	return &noHooks
}

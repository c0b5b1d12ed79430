package tensor

import "sync/atomic"

// Hooks are the functions that this package calls of packages above it, which it cannot import. Each is nil where
// nobody answers.
type Hooks struct {
	// Autograd is what package autograd does behind the methods of tensors.
	Autograd *AutogradHooks

	// Site returns the place where the running goroutine's code stands. A session sets it.
	Site func() Site

	// Storage is called for each new storage, on the goroutine that makes it, with the operator that it is for. grown is
	// nil, or the storage, reported before, whose memory takes the place of that of s, which was too small. The memory
	// timeline sets it while it watches; it keeps neither.
	Storage func(s, grown *Storage, op string)

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

// currentHooks are the hooks that are set.
func currentHooks() *Hooks {
	if h := hooks.Load(); h != nil {
		return h
	}
	return &noHooks
}

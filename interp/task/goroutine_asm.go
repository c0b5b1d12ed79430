//go:build amd64 || arm64

package task

// StackUsed returns how many bytes of its stack this goroutine uses. The bounds of
// the stack are the first two words of the runtime's g.
func StackUsed() uintptr

// ID identifies this goroutine among those that live: it is the address of the
// runtime's g.
func ID() uintptr

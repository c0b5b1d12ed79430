//go:build amd64 || arm64

package yaegi

// stackUsed is how many bytes of its stack this goroutine uses. The bounds of
// the stack are the first two words of the runtime's g.
func stackUsed() uintptr

// goroutine tells this goroutine from others that live: the address of the
// runtime's g.
func goroutine() uintptr

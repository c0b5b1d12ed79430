//go:build (amd64 || arm64 || s390x) && !portable

package tensor

// getg is the address of the running goroutine's descriptor. It never moves while the goroutine lives.
func getg() uintptr

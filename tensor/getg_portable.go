//go:build !(amd64 || arm64 || s390x) || portable

package tensor

import "runtime"

// getg reads the goroutine's number from the head of its stack trace: "goroutine 7 [running]". Slow, and right
// everywhere.
func getg() uintptr {
	var buf [40]byte
	n := runtime.Stack(buf[:], false)
	var id uintptr
	for _, c := range buf[len("goroutine "):n] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uintptr(c-'0')
	}
	return id
}

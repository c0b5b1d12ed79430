//go:build amd64 || arm64

package simd

//go:noescape
func pause()

//go:build !amd64

package simd

// PairRows is there for amd64 only, as [GemmPairs].
func PairRows([]float32, []uint16, []uint16) { panic("simd: no pairs") }

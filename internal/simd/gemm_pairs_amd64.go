package simd

import "golang.org/x/sys/cpu"

func init() {
	register(func(l Level) {
		GemmPairs = nil
		if l >= AVX512 && cpu.X86.HasAVX512BF16 {
			GemmPairs = gemmPairs
		}
	})
}

var gemmPairs = &GemmKernels[float32]{
	Lanes: 16, MaxRows: [5]int{1: 14, 2: 14, 4: 6},
	tiles: [5][15]func(t *byte){
		1: {
			nil, tilePairs1x1AVX512, tilePairs2x1AVX512, tilePairs3x1AVX512, tilePairs4x1AVX512, tilePairs5x1AVX512,
			tilePairs6x1AVX512, tilePairs7x1AVX512, tilePairs8x1AVX512, tilePairs9x1AVX512, tilePairs10x1AVX512,
			tilePairs11x1AVX512, tilePairs12x1AVX512, tilePairs13x1AVX512, tilePairs14x1AVX512,
		},
		2: {
			nil, tilePairs1x2AVX512, tilePairs2x2AVX512, tilePairs3x2AVX512, tilePairs4x2AVX512, tilePairs5x2AVX512,
			tilePairs6x2AVX512, tilePairs7x2AVX512, tilePairs8x2AVX512, tilePairs9x2AVX512, tilePairs10x2AVX512,
			tilePairs11x2AVX512, tilePairs12x2AVX512, tilePairs13x2AVX512, tilePairs14x2AVX512,
		},
		4: {
			nil, tilePairs1x4AVX512, tilePairs2x4AVX512, tilePairs3x4AVX512, tilePairs4x4AVX512, tilePairs5x4AVX512,
			tilePairs6x4AVX512,
		},
	},
	transpose: transposeFloat32AVX512,
	panel:     panelFloat32AVX512,
}

// PairRows makes a row of pairs of bfloat16 numbers of two rows of their bits: dst[i] has a[i] first and b[i] second.
// It may be called where there is GemmPairs.
func PairRows(dst []float32, a, b []uint16) {
	if len(dst) == 0 {
		return
	}
	_, _ = a[len(dst)-1], b[len(dst)-1]
	pairRowsAVX512(bytesOf(dst), bytesOf(a), bytesOf(b), len(dst))
}

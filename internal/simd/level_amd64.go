package simd

import "golang.org/x/sys/cpu"

// best is the highest level that the CPU has. It is a variable, and not set in init, so that it is there for every
// init.
var best = func() Level {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA || !x.HasBMI2:
		return Go
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL:
		return AVX512
	}
	return AVX2
}()

package simd

import (
	"os"
	"strings"
)

// Level is an instruction set that kernels are written for.
type Level int

const (
	Go     Level = iota // portable Go
	AVX2                // AVX2 and FMA
	AVX512              // AVX-512 F, BW, DQ and VL
)

// String is the level's name in GOTORCH_CPU and in traces: "go", "avx2" or "avx512".
func (l Level) String() string { return [...]string{"go", "avx2", "avx512"}[l] }

// current is the level in use.
var current = capped(best)

// Current returns the level that kernels run at.
func Current() Level { return current }

// selectors bind the kernels of each family to the forms of a level.
var selectors []func(Level)

// register adds a family and binds it to the current level. Families call it from init in files of an architecture.
func register(bind func(Level)) {
	selectors = append(selectors, bind)
	bind(current)
}

// use binds every family to a level that the CPU has. Tests call it to compare the forms.
func use(l Level) {
	current = l
	for _, bind := range selectors {
		bind(l)
	}
}

// pick returns the form of a kernel for a level: the best one that is not above it. A form that does not exist is nil.
func pick[F any](l Level, portable F, avx2, avx512 *F) F {
	switch {
	case l >= AVX512 && avx512 != nil:
		return *avx512
	case l >= AVX2 && avx2 != nil:
		return *avx2
	}
	return portable
}

// capped is the least of what the CPU has and what GOTORCH_CPU allows. Other values of the variable allow everything.
func capped(has Level) Level {
	switch strings.ToLower(os.Getenv("GOTORCH_CPU")) {
	case "go":
		return Go
	case "avx2":
		return min(has, AVX2)
	}
	return has
}

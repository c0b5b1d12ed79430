//go:build !portable

#include "textflag.h"

// func getg() uintptr
// R14 holds g in Go's internal calling convention on every amd64 system.
TEXT ·getg(SB), NOSPLIT, $0-8
	MOVQ R14, ret+0(FP)
	RET

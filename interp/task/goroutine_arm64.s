#include "textflag.h"

// func StackUsed() uintptr
TEXT ·StackUsed(SB), NOSPLIT, $0-8
	MOVD 8(g), R0 // g.stack.hi
	MOVD $ret+0(FP), R1
	SUB R1, R0, R0
	MOVD R0, ret+0(FP)
	RET

// func ID() uintptr
TEXT ·ID(SB), NOSPLIT, $0-8
	MOVD g, ret+0(FP)
	RET

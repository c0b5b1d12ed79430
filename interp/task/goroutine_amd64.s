#include "textflag.h"

// func StackUsed() uintptr
TEXT ·StackUsed(SB), NOSPLIT, $0-8
	MOVQ 8(R14), AX // g.stack.hi
	LEAQ ret+0(FP), CX
	SUBQ CX, AX
	MOVQ AX, ret+0(FP)
	RET

// func ID() uintptr
TEXT ·ID(SB), NOSPLIT, $0-8
	MOVQ R14, ret+0(FP)
	RET

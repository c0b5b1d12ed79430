package check

import (
	"go/types"
	"strings"
)

// plumbing lists what package tensor exports for backends, autograd and tools,
// not for a user at a prompt. All of it can be called in a cell; completion
// offers it only where nothing else begins as what was typed.
var plumbing = setOf(`
	Alloc AllocStrided Allocator Private StorageElems NewStorage FromStorage WithDataOf FromSliceOf DataInto DataOf Elems Element
	Autograd AutogradHooks Hooks SetHooks Node Kept Source
	BF16 ToBF16 Half ToHalf NoDtype NoFormat NoInt NoLayout Scalar FloatScalar IntScalar ScalarOf DtypeOf
	BroadcastStrides CatSkips LossReduction NllWeights RandintHigh RandomLimits ReduceDims TriangleRow WrapDim
	Call Kernel Op Variant Functional InPlace OutVariant Write Register RegisterCalling RegisterDevice RegisterFallback
	Errorf BroadcastDetails MatmulDetails ViewDetails IndexDetails DimDetails JoinDetails StaleDetails Interrupted KeywordOf Keywords NewOption Option Operand Number Ints Ix
	MarkWritten IndexPlan PlanIndex Plan PlanInto PlanOperand
	Key KeySet Keys Set Under Excluded Scope InScope CurrentScope WithContext Site CurrentSite
	KeyAutograd KeyBatched KeyDual KeyCPU KeyMeta KeyPrivate KeyProfile KeyTrace
	KernelWatcher LoopWatcher Origin ViewKind MultiView NoGradView NotView PlainView`)

func setOf(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}

// isPlumbing reports whether an object is one of those.
func isPlumbing(o types.Object) bool {
	return o.Pkg() != nil && o.Pkg().Path() == TensorPath && o.Parent() == o.Pkg().Scope() && plumbing[o.Name()]
}

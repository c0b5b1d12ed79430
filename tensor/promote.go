package tensor

// promoteTable[a][b] is the smallest dtype that holds both, with PyTorch's rule that a category beats a size; NoDtype
// where PyTorch has none.
var promoteTable [numDtypes][numDtypes]Dtype

func init() {
	for a := Bool; a < numDtypes; a++ {
		for b := Bool; b < numDtypes; b++ {
			promoteTable[a][b] = promotePair(a, b)
		}
	}
}

func promotePair(a, b Dtype) Dtype {
	ca, cb := dtypeTable[a].cat, dtypeTable[b].cat
	switch {
	case a == b:
		return a
	case a.isFloat8() || b.isFloat8():
		return NoDtype
	case a.isUnsigned() || b.isUnsigned():
		switch {
		case ca == floating:
			return a
		case cb == floating:
			return b
		}
		return NoDtype
	case ca < cb:
		return promotePair(b, a)
	case ca == complexes && cb == complexes:
		if a == Complex128 || b == Complex128 {
			return Complex128
		}
		return Complex64
	case a == Complex32 && (b == Float32 || b == Bfloat16):
		return Complex64
	case ca == complexes && b == Float64:
		return Complex128
	case ca > cb:
		return a
	case ca == floating:
		if a == Float64 || b == Float64 {
			return Float64
		}
		return Float32 // also float16 with bfloat16: neither holds the other
	case a == Uint8 || b == Uint8: // the signed one, if it is wider
		if a == Int8 || b == Int8 {
			return Int16
		}
		return max(a, b)
	}
	return max(a, b) // the integers are in the order of their sizes
}

// PromoteTypes is the dtype of an operation between tensors of a and b. As in PyTorch uint16, uint32 and uint64 have
// none with other integers, bool and complex numbers, nor float8 with anything: an *Error.
func PromoteTypes(a, b Dtype) Dtype { return promoteFor("promote_types", a, b) }

// promoteFor is PromoteTypes for an operator, which its error names.
func promoteFor(op string, a, b Dtype) Dtype {
	switch {
	case a == NoDtype:
		return b
	case b == NoDtype:
		return a
	}
	dt := promoteTable[a][b]
	if dt == NoDtype {
		panic(Errorf(op, "%s and %s have no common dtype: convert one of them", a, b).
			WithHint("x.To(…) converts to any dtype, x.Float() to float32"))
	}
	return dt
}

// CanCast reports whether PyTorch writes results of from into a tensor of to: never down a category.
func CanCast(from, to Dtype) bool {
	cf, ct := dtypeTable[from].cat, dtypeTable[to].cat
	return cf == boolean || cf <= ct && ct != boolean
}

// promoter finds the dtype of a result. Tensors with dimensions decide; those without, and numbers, only when they are
// of a higher category than all that weigh more.
type promoter struct {
	op                 string // for errors
	dims, zero, number Dtype
}

func (p *promoter) tensor(t *Tensor) {
	if len(t.shape) > 0 {
		p.dims = promoteFor(p.op, p.dims, t.dtype)
	} else {
		p.zero = promoteFor(p.op, p.zero, t.dtype)
	}
}

func (p *promoter) scalar(s Scalar) { p.number = promoteFor(p.op, p.number, s.Dtype()) }

func (p *promoter) value(v *value) {
	switch v.kind {
	case tensorValue:
		p.tensor(v.t)
	case numberValue, intValue, floatValue, boolValue:
		p.scalar(v.s)
	}
}

func (p *promoter) result() Dtype { return p.combine(p.dims, p.combine(p.zero, p.number)) }

// combine returns the higher dtype, unless the lower is of a higher category.
func (p *promoter) combine(higher, lower Dtype) Dtype {
	switch {
	case higher == NoDtype:
		return lower
	case higher.isFloat8() && lower.IsComplex():
		return promoteFor(p.op, higher, lower)
	case higher.IsComplex():
		return higher
	case higher.IsFloatingPoint():
		if lower.IsComplex() {
			return higher.ToComplex()
		}
		return higher
	case higher == Bool || lower.IsFloatingPoint() || lower.IsComplex():
		return promoteFor(p.op, higher, lower)
	}
	return higher
}

// ResultType is the dtype of an operation between tensors and Go numbers. Anything else panics with an *Error.
func ResultType(operands ...Operand) Dtype {
	p := promoter{op: "result_type"}
	for _, v := range operands {
		if t, ok := v.(*Tensor); ok && t != nil {
			p.tensor(t)
		} else if s, ok := ScalarOf(v); ok {
			p.scalar(s)
		} else {
			panic(Errorf("result_type", "want tensors and numbers, got %s", describe(v)))
		}
	}
	return p.result()
}

package tensor

import "strings"

// Note: dtype rules. A pointwise operator computes in the promoted dtype of its operands and results in it, unless its
// tags or a rule here say otherwise. Rules also reject what PyTorch rejects by dtype.

type dtypeRule = func(c *Call) (compute, result Dtype)

var (
	slots0   = []int{0}
	slots01  = []int{0, 1}
	slots12  = []int{1, 2}
	slots012 = []int{0, 1, 2}
)

// promoting computes and results in the common dtype of slots, after check.
func promoting(slots []int, check func(c *Call, dt Dtype)) dtypeRule {
	return func(c *Call) (compute, result Dtype) {
		dt := c.promoted(slots)
		check(c, dt)
		return dt, dt
	}
}

// inFloating is promoting where integers and bools become the default dtype.
func inFloating(slots []int, check func(c *Call, dt Dtype)) dtypeRule {
	return func(c *Call) (compute, result Dtype) {
		dt := c.promoted(slots)
		check(c, dt)
		if !dt.IsDifferentiable() {
			dt = DefaultDtype()
		}
		return dt, dt
	}
}

// asking results in bool, after check.
func asking(slots []int, check func(c *Call, dt Dtype)) dtypeRule {
	return func(c *Call) (compute, result Dtype) {
		dt := c.promoted(slots)
		check(c, dt)
		return dt, Bool
	}
}

// toReal results in the dtype of a complex number's parts.
func toReal(rule dtypeRule) dtypeRule {
	return func(c *Call) (compute, result Dtype) {
		compute, result = rule(c)
		return compute, result.ToReal()
	}
}

func anyDtype(*Call, Dtype) {}

func noComplex(c *Call, dt Dtype) {
	if dt.IsComplex() {
		panic(Errorf(c.Name(), "not supported for complex tensors, got %s", dt))
	}
}

func noBool(c *Call, dt Dtype) {
	if dt == Bool {
		panic(Errorf(c.Name(), "not supported for bool tensors"))
	}
}

func onlyFloats(c *Call, dt Dtype) {
	if !dt.IsFloatingPoint() {
		panic(Errorf(c.Name(), "not implemented for %s", dt))
	}
}

// oneTensor rejects two numbers.
func oneTensor(c *Call, _ Dtype) {
	if c.Tensor(0) == nil && c.Tensor(1) == nil {
		panic(Errorf(c.Name(), "both operands are numbers; one must be a tensor"))
	}
}

func onlyIntegers(c *Call, dt Dtype) {
	if dt != Bool && !dt.IsIntegral() {
		hint := ""
		if strings.HasPrefix(c.Name(), "bitwise_xor") {
			hint = "^ is exclusive or; powers are x.Pow(2)"
		}
		panic(Errorf(c.Name(), "not implemented for %s", dt).WithHint(hint))
	}
}

// alphaFits rejects an alpha of a higher category than the result.
func alphaFits(c *Call, dt Dtype) {
	if c.args[2].kind == unset {
		return
	}
	switch s, _ := c.Scalar(2); {
	case s.IsBool() && dt != Bool:
		panic(Errorf(c.Name(), "a bool alpha is only for bool results, and the result is %v", dt).OnArg("alpha"))
	case s.IsComplex() && !dt.IsComplex():
		panic(Errorf(c.Name(), "for non-complex input tensors, argument alpha must not be a complex number").OnArg("alpha"))
	case s.IsFloat() && !dt.IsDifferentiable():
		panic(Errorf(c.Name(), "for integral input tensors, argument alpha must not be a floating point number").
			OnArg("alpha"))
	}
}

// subtracting rejects bools, as tensors or numbers.
func subtracting(c *Call, dt Dtype) {
	for i := range 2 {
		if v := c.arg(i); v.t != nil && v.t.dtype == Bool || v.t == nil && v.s.IsBool() {
			panic(Errorf(c.Name(), "subtraction with a bool tensor is not supported").
				WithHint("use BitwiseXor or LogicalXor; LogicalNot for 1 - x"))
		}
	}
	alphaFits(c, dt)
}

func divRule(c *Call) (compute, result Dtype) {
	switch mode := c.Str(2); {
	case c.IsNone(2):
		return inFloating(slots01, anyDtype)(c)
	case mode != "trunc" && mode != "floor":
		panic(Errorf(c.Name(), `rounding_mode must be nil, "trunc" or "floor", not "%s"`, mode).OnArg("rounding_mode"))
	}
	return promoting(slots01, noComplex)(c)
}

// powers rejects negative exponents of integers where they are one number.
func powers(c *Call, dt Dtype) {
	oneTensor(c, dt)
	if s, ok := c.Scalar(1); ok && dt.IsIntegral() && s.IsInt() && s.Int() < 0 {
		panic(Errorf(c.Name(), "integers to negative integer powers are not allowed").WithHint("Float() the base first"))
	}
}

func sameDtypes(c *Call, dt Dtype) {
	x := c.Tensor(0)
	for i := 1; i < len(c.args); i++ {
		if y := c.Tensor(i); y != nil && y.dtype != x.dtype {
			p := c.Op.Params[i].Name
			panic(Errorf(c.Name(), "expected dtype %v for %s but got dtype %v", x.dtype, p, y.dtype).OnArg(p))
		}
	}
}

func clampRule(c *Call) (compute, result Dtype) {
	if c.IsNone(1) && c.IsNone(2) {
		panic(Errorf(c.Name(), "at least one of min and max must not be nil"))
	}
	return promoting(slots012, func(c *Call, dt Dtype) { noComplex(c, dt); noBool(c, dt) })(c)
}

func whereRule(c *Call) (compute, result Dtype) {
	if cond := c.Tensor(0); cond.dtype != Bool && cond.dtype != Uint8 {
		panic(Errorf(c.Name(), "expected condition to be a bool tensor, but got a tensor with dtype %v", cond.dtype).
			OnArg("condition"))
	}
	return promoting(slots12, anyDtype)(c)
}

func maskedFillRule(c *Call) (compute, result Dtype) {
	x, mask := c.Tensor(0), c.Tensor(1)
	if mask.dtype != Bool && mask.dtype != Uint8 {
		panic(Errorf(c.Name(), "only bool masks are supported, but got a mask with dtype %v", mask.dtype).OnArg("mask"))
	}
	vt := Dtype(NoDtype)
	if v := c.Tensor(2); v != nil {
		if len(v.shape) > 0 {
			panic(Errorf(c.Name(), "only a 0-dimensional value tensor is supported, but got a tensor with %s",
				plural(len(v.shape), "dimension")).OnArg("value"))
		}
		vt = v.dtype
	} else if s, _ := c.Scalar(2); true {
		vt = s.Dtype()
	}
	if vt.IsComplex() && !x.dtype.IsComplex() {
		panic(Errorf(c.Name(), "a complex value cannot be put into a tensor of dtype %v", x.dtype).OnArg("value"))
	}
	c.mustFit(2, x.dtype)
	return x.dtype, x.dtype
}

func heavisideRule(c *Call) (compute, result Dtype) {
	return promoting(slots01, func(c *Call, dt Dtype) {
		noComplex(c, dt)
		if a, b := c.Tensor(0), c.Tensor(1); a.dtype != b.dtype {
			panic(Errorf(c.Name(), "not implemented for tensors with different dtypes, got %s and %s", a.dtype, b.dtype))
		}
	})(c)
}

// complexOf makes complex numbers of two real ones of one dtype.
func complexOf(c *Call) (compute, result Dtype) {
	dt := c.Tensor(0).dtype
	onlyFloats(c, dt)
	sameDtypes(c, dt)
	if dt != Float32 && dt != Float64 {
		panic(Errorf(c.Name(), "expected both inputs to be float32 or float64, got %s", dt).WithHint(dt.ConvertHint()))
	}
	if c.Variant == OutVariant && c.out[0].dtype != dt.ToComplex() {
		panic(Errorf(c.Name(), "expected opt.Out to have dtype %v but got %v", dt.ToComplex(), c.out[0].dtype).OnArg("out"))
	}
	return dt, dt.ToComplex()
}

func addcdivRule(c *Call) (compute, result Dtype) {
	if !c.Tensor(1).dtype.IsDifferentiable() && !c.Tensor(2).dtype.IsDifferentiable() {
		panic(Errorf(c.Name(), "integer division with addcdiv is not supported: tensor1 is %s and tensor2 %s",
			c.Tensor(1).dtype, c.Tensor(2).dtype).
			WithHint("use self + value * tensor1.Div(tensor2, opt.RoundingMode(\"trunc\"))"))
	}
	return promoting(slots012, anyDtype)(c)
}

func init() {
	rules := map[string]dtypeRule{
		"add":          promoting(slots01, alphaFits),
		"sub":          promoting(slots01, subtracting),
		"rsub":         promoting(slots01, subtracting),
		"div":          divRule,
		"floor_divide": promoting(slots01, noComplex),
		"pow":          promoting(slots01, powers),
		"addcdiv":      addcdivRule,
		"lerp":         promoting(slots0, sameDtypes),
		"maximum":      promoting(slots01, noComplex),
		"minimum":      promoting(slots01, noComplex),
		"fmax":         promoting(slots01, noComplex),
		"fmin":         promoting(slots01, noComplex),
		"clamp":        clampRule,
		"clamp_min":    promoting(slots01, noComplex),
		"clamp_max":    promoting(slots01, noComplex),
		"where":        whereRule,
		"masked_fill":  maskedFillRule,
		"heaviside":    heavisideRule,
		"hypot":        promoting(slots01, onlyFloats),
		"logaddexp":    promoting(slots01, onlyFloats),
		"logaddexp2":   promoting(slots01, onlyFloats),
		"nextafter":    promoting(slots01, onlyFloats),
		"gcd":          promoting(slots01, onlyIntegers),
		"lcm":          promoting(slots01, onlyIntegers),
		"bitwise_not":  promoting(slots0, onlyIntegers),
		"copysign":     inFloating(slots01, noComplex),
		"atan2":        inFloating(slots01, noComplex),
		"xlogy":        inFloating(slots01, func(c *Call, dt Dtype) { oneTensor(c, dt); noComplex(c, dt) }),
		"abs":          toReal(promoting(slots0, noBool)),
		"angle":        toReal(inFloating(slots0, anyDtype)),
		"neg": promoting(slots0, func(c *Call, dt Dtype) {
			if dt == Bool {
				panic(Errorf(c.Name(), "negation of a bool tensor is not supported").WithHint("use LogicalNot or BitwiseNot"))
			}
		}),
		"isposinf": asking(slots0, noComplex),
		"isneginf": asking(slots0, noComplex),
		"signbit":  asking(slots0, noComplex),
		"polygamma": inFloating([]int{1}, func(c *Call, _ Dtype) {
			if n := c.Int(0); n < 0 {
				panic(Errorf(c.Name(), "polygamma(n, x) does not support negative n, got %d", n).OnArg("n"))
			}
		}),
		"nn.functional.relu": promoting(slots0, noBool),
	}
	for _, name := range []string{"sign", "floor", "ceil", "trunc", "round", "frac"} {
		rules[name] = promoting(slots0, noComplex)
	}
	for _, name := range []string{"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift",
		"bitwise_right_shift"} {
		rules[name] = promoting(slots01, func(c *Call, dt Dtype) { oneTensor(c, dt); onlyIntegers(c, dt) })
	}
	rules["remainder"] = promoting(slots01, oneTensor)
	for _, name := range []string{"lt", "le", "gt", "ge"} {
		rules[name] = asking(slots01, noComplex)
	}
	rules["complex"], rules["polar"] = complexOf, complexOf
	promotions(rules)
}

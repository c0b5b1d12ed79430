package opdef

// unaryRows: functions of one tensor, element by element.
var unaryRows = []Row{
	// Powers, exponentials, logarithms.
	{"exp(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Exp returns e to the power of each element."},
	{"exp2(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Exp2 returns 2 to the power of each element."},
	{"expm1(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Expm1 returns exp(x) - 1 of each element, exact near zero."},
	{"log(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Log returns the natural logarithm of each element."},
	{"log2(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Log2 returns the logarithm to base 2 of each element."},
	{"log10(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Log10 returns the logarithm to base 10 of each element."},
	{"log1p(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Log1p returns log(1 + x) of each element, exact near zero."},
	{"sqrt(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Sqrt returns the square root of each element."},
	{"rsqrt(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Rsqrt returns one over the square root of each element."},
	{"reciprocal(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Reciprocal returns one over each element."},
	{"square(Tensor self) -> Tensor", Composite | InPlace | Out, "Square returns each element times itself."},

	// Angles.
	{"sin(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Sin returns the sine of each element."},
	{"cos(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Cos returns the cosine of each element."},
	{"tan(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Tan returns the tangent of each element."},
	{"asin(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Asin returns the inverse sine of each element."},
	{"acos(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Acos returns the inverse cosine of each element."},
	{"atan(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Atan returns the inverse tangent of each element."},
	{"sinh(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Sinh returns the hyperbolic sine of each element."},
	{"cosh(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Cosh returns the hyperbolic cosine of each element."},
	{"tanh(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Tanh returns the hyperbolic tangent of each element."},
	{"asinh(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Asinh returns the inverse hyperbolic sine of each element."},
	{"acosh(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Acosh returns the inverse hyperbolic cosine of each element."},
	{"atanh(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Atanh returns the inverse hyperbolic tangent of each element."},
	{"arcsin(Tensor self) -> Tensor", Composite | InPlace | Out, "Arcsin is Asin under another name."},
	{"arccos(Tensor self) -> Tensor", Composite | InPlace | Out, "Arccos is Acos under another name."},
	{"arctan(Tensor self) -> Tensor", Composite | InPlace | Out, "Arctan is Atan under another name."},
	{"arcsinh(Tensor self) -> Tensor", Composite | InPlace | Out, "Arcsinh is Asinh under another name."},
	{"arccosh(Tensor self) -> Tensor", Composite | InPlace | Out, "Arccosh is Acosh under another name."},
	{"arctanh(Tensor self) -> Tensor", Composite | InPlace | Out, "Arctanh is Atanh under another name."},
	{"special.entr(Tensor self) -> Tensor", Pointwise | FloatResult | FunctionOnly | Out, "SpecialEntr returns the entropy -x·ln(x) of each element: 0 at zero, -Inf below."},
	{"sinc(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Sinc returns sin(πx)/(πx) of each element, 1 at zero."},
	{"deg2rad(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Deg2rad returns radians for degrees."},
	{"rad2deg(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Rad2deg returns degrees for radians."},

	// Functions of statistics and analysis.
	{"sigmoid(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Sigmoid returns 1 / (1 + exp(-x)) of each element."},
	{"logit(Tensor self, float? eps=None) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Logit returns log(x / (1 - x)) of each element, after clamping to [eps, 1 - eps] where eps is given."},
	{"erf(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Erf returns the error function of each element."},
	{"erfc(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Erfc returns one less the error function of each element."},
	{"erfinv(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Erfinv returns the inverse of the error function of each element."},
	{"lgamma(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Lgamma returns the logarithm of the absolute value of the gamma function of each element."},
	{"digamma(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Digamma returns the derivative of lgamma at each element."},
	{"polygamma(int n, Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Polygamma returns the n-th derivative of the digamma function at each element."},
	{"mvlgamma(Tensor self, int p) -> Tensor", Composite | InPlace | Out, "Mvlgamma returns the logarithm of the multivariate gamma function of dimension p of each element."},
	{"i0(Tensor self) -> Tensor", Pointwise | FloatResult | InPlace | Out, "I0 returns the modified Bessel function of the first kind and order 0 of each element."},

	{"special.i1(Tensor self) -> Tensor", Pointwise | FloatResult | FunctionOnly | Out, "SpecialI1 returns the modified Bessel function of the first kind and order 1 of each element."},

	// Signs and rounding: the dtype stays.
	{"abs(Tensor self) -> Tensor", Pointwise | InPlace | Out, "Abs returns the absolute value of each element; of complex numbers, as real ones."},
	{"absolute(Tensor self) -> Tensor", Composite | InPlace | Out, "Absolute is Abs under another name."},
	{"neg(Tensor self) -> Tensor", Pointwise | InPlace | Out, "Neg returns the elements with the other sign; refuses bool."},
	{"negative(Tensor self) -> Tensor", Composite | InPlace | Out, "Negative is Neg under another name."},
	{"positive(Tensor(a) self) -> Tensor(a)", Composite, "Positive returns self; refuses bool."},
	{"sign(Tensor self) -> Tensor", Pointwise | InPlace | Out, "Sign returns -1, 0 or 1 for each element."},
	{"sgn(Tensor self) -> Tensor", Pointwise | InPlace | Out, "Sgn returns each element divided by its absolute value, 0 at zero; for real numbers the sign."},
	{"floor(Tensor self) -> Tensor", Pointwise | InPlace | Out, "Floor returns the greatest whole number not above each element."},
	{"ceil(Tensor self) -> Tensor", Pointwise | InPlace | Out, "Ceil returns the least whole number not below each element."},
	{"trunc(Tensor self) -> Tensor", Pointwise | InPlace | Out, "Trunc returns each element without its fractional part."},
	{"fix(Tensor self) -> Tensor", Composite | InPlace | Out, "Fix is Trunc under another name."},
	{"round(Tensor self, *, int decimals=0) -> Tensor", Pointwise | InPlace | Out, "Round returns each element rounded to that many decimals, halves to the even neighbour."},
	{"frac(Tensor self) -> Tensor", Pointwise | InPlace | Out, "Frac returns the fractional part of each element, with its sign."},
	{"nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor", Pointwise | InPlace | Out, "NanToNum replaces NaN by nan (0) and the infinities by posinf and neginf (the largest and smallest finite numbers)."},
	{"bitwise_not(Tensor self) -> Tensor", Pointwise | InPlace | Out | NoGrad, "BitwiseNot returns the complement of the bits of each integer; of bools, logical not.\n" +
		"New([1, 2, 3]).BitwiseNot()"},
	{"frexp(Tensor self) -> (Tensor mantissa, Tensor exponent)", Fixed, "Frexp splits each element into a mantissa in [0.5, 1) and a whole exponent of two."},

	// Complex numbers.
	{"conj(Tensor(a) self) -> Tensor(a)", Composite, "Conj returns the complex conjugate of each element; a real tensor is its own."},
	{"conj_physical(Tensor self) -> Tensor", Pointwise | InPlace | Out, "ConjPhysical returns the complex conjugate of each element, in memory of its own."},
	{"resolve_conj(Tensor(a) self) -> Tensor(a)", Composite, "ResolveConj returns self: conjugation is never put off here."},
	{"resolve_neg(Tensor(a) self) -> Tensor(a)", Composite, "ResolveNeg returns self: negation is never put off here."},
	{"angle(Tensor self) -> Tensor", Pointwise | FloatResult | Out, "Angle returns the angle of each complex element in radians; for real numbers 0, or π where negative."},

	// Questions to each element: the result is bool.
	{"logical_not(Tensor self) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out, "LogicalNot returns whether each element is zero."},
	{"isnan(Tensor self) -> Tensor", Pointwise | BoolResult | NoGrad, "Isnan returns whether each element is NaN."},
	{"isinf(Tensor self) -> Tensor", Pointwise | BoolResult | NoGrad, "Isinf returns whether each element is infinite."},
	{"isfinite(Tensor self) -> Tensor", Pointwise | BoolResult | NoGrad, "Isfinite returns whether each element is neither infinite nor NaN."},
	{"isposinf(Tensor self) -> Tensor", Pointwise | BoolResult | NoGrad | Out, "Isposinf returns whether each element is +∞."},
	{"isneginf(Tensor self) -> Tensor", Pointwise | BoolResult | NoGrad | Out, "Isneginf returns whether each element is -∞."},
	{"isreal(Tensor self) -> Tensor", Composite | BoolResult | NoGrad, "Isreal returns whether the imaginary part of each element is zero."},
	{"signbit(Tensor self) -> Tensor", Pointwise | BoolResult | NoGrad | Out, "Signbit returns whether the sign bit of each element is set."},
}

package opdef

// binaryRows: functions of several tensors or numbers, broadcast and taken element by element.
var binaryRows = []Row{
	// Arithmetic.
	{"add(Tensor|Scalar self, Tensor|Scalar other, *, Scalar alpha=1) -> Tensor", Pointwise | InPlace | Out, "Add returns self + alpha * other."},
	{"sub(Tensor|Scalar self, Tensor|Scalar other, *, Scalar alpha=1) -> Tensor", Pointwise | InPlace | Out, "Sub returns self - alpha * other; refuses bool."},
	{"subtract(Tensor|Scalar self, Tensor|Scalar other, *, Scalar alpha=1) -> Tensor", Composite | InPlace | Out, "Subtract is Sub under another name."},
	{"rsub(Tensor self, Tensor|Scalar other, *, Scalar alpha=1) -> Tensor", Pointwise | FunctionOnly, "Rsub returns other - alpha * self."},
	{"mul(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | InPlace | Out, "Mul returns self * other."},
	{"multiply(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Composite | InPlace | Out, "Multiply is Mul under another name."},
	{"div(Tensor|Scalar self, Tensor|Scalar other, *, str? rounding_mode=None) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Div returns self / other, as floating point; rounding_mode \"trunc\" rounds towards zero and \"floor\" down, and both keep integers."},
	{"divide(Tensor|Scalar self, Tensor|Scalar other, *, str? rounding_mode=None) -> Tensor", Composite | InPlace | Out, "Divide is Div under another name."},
	{"true_divide(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Composite | InPlace | Out, "TrueDivide is Div without rounding."},
	{"floor_divide(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | InPlace | Out | NoGrad, "FloorDivide returns self / other rounded down, in the promoted dtype."},
	{"remainder(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | InPlace | Out, "Remainder returns self modulo other, with the sign of other."},
	{"fmod(Tensor self, Tensor|Scalar other) -> Tensor", Pointwise | InPlace | Out, "Fmod returns the remainder of self / other, with the sign of self."},
	{"pow(Tensor|Scalar self, Tensor|Scalar exponent) -> Tensor", Pointwise | InPlace | Out, "Pow returns self to the power of exponent; integers refuse negative exponents."},
	{"float_power(Tensor|Scalar self, Tensor|Scalar exponent) -> Tensor", Composite | InPlace | Out, "FloatPower returns self to the power of exponent, computed in float64 or complex128."},

	// Limits and choices.
	{"maximum(Tensor self, Tensor other) -> Tensor", Pointwise | Out, "Maximum returns the greater of each pair, NaN where either is."},
	{"minimum(Tensor self, Tensor other) -> Tensor", Pointwise | Out, "Minimum returns the lesser of each pair, NaN where either is."},
	{"fmax(Tensor self, Tensor other) -> Tensor", Pointwise | Out, "Fmax returns the greater of each pair, passing over NaN."},
	{"fmin(Tensor self, Tensor other) -> Tensor", Pointwise | Out, "Fmin returns the lesser of each pair, passing over NaN."},
	{"clamp_min(Tensor self, Tensor|Scalar min) -> Tensor", Pointwise | InPlace | Out, "ClampMin lifts each element to at least min."},
	{"clamp_max(Tensor self, Tensor|Scalar max) -> Tensor", Pointwise | InPlace | Out, "ClampMax lowers each element to at most max."},

	// Functions of two numbers.
	{"atan2(Tensor self, Tensor other) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Atan2 returns the angle of the point (other, self), between -π and π."},
	{"arctan2(Tensor self, Tensor other) -> Tensor", Composite | InPlace | Out, "Arctan2 is Atan2 under another name."},
	{"hypot(Tensor self, Tensor other) -> Tensor", Pointwise | InPlace | Out, "Hypot returns the square root of self² + other² without overflow."},
	{"logaddexp(Tensor self, Tensor other) -> Tensor", Pointwise | Out, "Logaddexp returns log(exp(self) + exp(other)) without overflow."},
	{"logaddexp2(Tensor self, Tensor other) -> Tensor", Pointwise | Out, "Logaddexp2 returns log2(2^self + 2^other) without overflow."},
	{"xlogy(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Xlogy returns self * log(other), 0 where self is 0 and other is not NaN."},
	{"ldexp(Tensor self, Tensor other) -> Tensor", Composite | InPlace | Out, "Ldexp returns self times 2 to the power of other."},
	{"copysign(Tensor self, Tensor|Scalar other) -> Tensor", Pointwise | FloatResult | InPlace | Out, "Copysign returns the magnitude of self with the sign of other."},
	{"nextafter(Tensor self, Tensor other) -> Tensor", Pointwise | InPlace | Out | NoGrad, "Nextafter returns the next floating point number after self towards other."},
	{"heaviside(Tensor self, Tensor values) -> Tensor", Pointwise | InPlace | Out | NoGrad, "Heaviside returns 0 where self is negative, values where it is zero, 1 where it is positive."},
	{"gcd(Tensor self, Tensor other) -> Tensor", Pointwise | InPlace | Out | NoGrad, "Gcd returns the greatest common divisor of integers.\n" +
		"New([12, 18]).Gcd(New([8, 27]))"},
	{"lcm(Tensor self, Tensor other) -> Tensor", Pointwise | InPlace | Out | NoGrad, "Lcm returns the least common multiple of integers.\n" +
		"New([12, 18]).Lcm(New([8, 27]))"},
	{"dist(Tensor self, Tensor other, Scalar p=2) -> Tensor", Composite, "Dist returns the p-norm of self - other."},
}

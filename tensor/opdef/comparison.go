package opdef

// comparisonRows: comparisons, logic and bits.
var comparisonRows = []Row{
	// Comparisons.
	{"eq(Tensor self, Tensor|Scalar other) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out,
		"Eq tells where self equals other."},
	{"ne(Tensor self, Tensor|Scalar other) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out,
		"Ne tells where self differs from other."},
	{"not_equal(Tensor self, Tensor|Scalar other) -> Tensor", Composite | BoolResult | NoGrad | InPlace | Out,
		"NotEqual is Ne under another name."},
	{"lt(Tensor self, Tensor|Scalar other) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out,
		"Lt tells where self is less than other."},
	{"less(Tensor self, Tensor|Scalar other) -> Tensor", Composite | BoolResult | NoGrad | InPlace | Out,
		"Less is Lt under another name."},
	{"le(Tensor self, Tensor|Scalar other) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out,
		"Le tells where self is at most other."},
	{"less_equal(Tensor self, Tensor|Scalar other) -> Tensor", Composite | BoolResult | NoGrad | InPlace | Out,
		"LessEqual is Le under another name."},
	{"gt(Tensor self, Tensor|Scalar other) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out,
		"Gt tells where self is greater than other."},
	{"greater(Tensor self, Tensor|Scalar other) -> Tensor", Composite | BoolResult | NoGrad | InPlace | Out,
		"Greater is Gt under another name."},
	{"ge(Tensor self, Tensor|Scalar other) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out,
		"Ge tells where self is at least other."},
	{"greater_equal(Tensor self, Tensor|Scalar other) -> Tensor", Composite | BoolResult | NoGrad | InPlace | Out,
		"GreaterEqual is Ge under another name."},

	// Logic: anything but zero is true.
	{"logical_and(Tensor self, Tensor other) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out,
		"LogicalAnd tells where both of self and other are not zero."},
	{"logical_or(Tensor self, Tensor other) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out,
		"LogicalOr tells where either of self and other are not zero."},
	{"logical_xor(Tensor self, Tensor other) -> Tensor", Pointwise | BoolResult | NoGrad | InPlace | Out,
		"LogicalXor tells where exactly one of self and other is not zero."},

	// Bits of integers, and bools.
	{"bitwise_and(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | NoGrad | InPlace | Out,
		"BitwiseAnd returns the bitwise and of integers or bools.\n" +
			"New([1, 2, 3]).BitwiseAnd(2)"},
	{"bitwise_or(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | NoGrad | InPlace | Out,
		"BitwiseOr returns the bitwise or of integers or bools.\n" +
			"New([1, 2, 3]).BitwiseOr(2)"},
	{"bitwise_xor(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | NoGrad | InPlace | Out,
		"BitwiseXor returns the bitwise xor of integers or bools.\n" +
			"New([1, 2, 3]).BitwiseXor(2)"},
	{"bitwise_left_shift(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | NoGrad | InPlace | Out,
		"BitwiseLeftShift returns self shifted left by other bits.\n" +
			"New([1, 2, 3]).BitwiseLeftShift(2)"},
	{"bitwise_right_shift(Tensor|Scalar self, Tensor|Scalar other) -> Tensor", Pointwise | NoGrad | InPlace | Out,
		"BitwiseRightShift returns self shifted right by other bits, keeping the sign.\n" +
			"New([8, 9, 16]).BitwiseRightShift(2)"},

	// Nearness, and questions to whole tensors.
	{"isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
		Composite | BoolResult | NoGrad, "Isclose tells where |self - other| <= atol + rtol * |other|."},
	{"allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> bool",
		Composite | NoGrad, "Allclose tells whether Isclose holds for every element."},
	{"equal(Tensor self, Tensor other) -> bool", Fixed | NoGrad | Zeroed,
		"Equal tells whether two tensors have the same size and the same elements."},
	{
		"isin(Tensor|Scalar elements, Tensor|Scalar test_elements, *, bool assume_unique=False, bool invert=False) " +
			"-> Tensor", Fixed | BoolResult | NoGrad | FunctionOnly,
		"Isin tells which of elements occur among test_elements; invert, which do not."},
}

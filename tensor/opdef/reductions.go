package opdef

// reductionRows: operators that take dimensions away.
var reductionRows = []Row{
	// Sums and what is made of them.
	{"sum(Tensor self, int[]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", Reduction | Out,
		"Sum adds the elements, all of them or along dim; integers and bools add up in int64."},
	{"nansum(Tensor self, int[]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", Reduction | Out,
		"Nansum adds the elements that are not NaN."},
	{"mean(Tensor self, int[]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", Reduction | Out,
		"Mean averages the elements, all of them or along dim; refuses integers."},
	{"nanmean(Tensor self, int[]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", Composite | Out,
		"Nanmean averages the elements that are not NaN."},
	{"prod(Tensor self, int? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", Reduction | Out,
		"Prod multiplies the elements, all of them or along dim; integers and bools multiply in int64."},
	{"var(Tensor self, int[]? dim=None, bool unbiased=True, bool keepdim=False, *, int? correction=None) -> Tensor",
		Reduction | Out, "Var returns the variance; the divisor is the count less correction, which is 1, or 0 where not " +
			"unbiased."},
	{"var.unbiased(Tensor self, bool unbiased) -> Tensor", Composite | FunctionOnly | MethodOnly,
		"VarUnbiased is Var with unbiased alone."},
	{"var_mean(Tensor self, int[]? dim=None, bool unbiased=True, bool keepdim=False, *, int? correction=None) -> " +
		"(Tensor var, Tensor mean)", Reduction | FunctionOnly, "VarMean returns the variance and the mean."},
	{"var_mean.unbiased(Tensor self, bool unbiased) -> (Tensor var, Tensor mean)", Composite | FunctionOnly | MethodOnly,
		"VarMeanUnbiased is VarMean with unbiased alone."},
	{"std(Tensor self, int[]? dim=None, bool unbiased=True, bool keepdim=False, *, int? correction=None) -> Tensor",
		Reduction | Out, "Std returns the standard deviation; the divisor is the count less correction, which is 1, or 0 " +
			"where not unbiased."},
	{"std.unbiased(Tensor self, bool unbiased) -> Tensor", Composite | FunctionOnly | MethodOnly,
		"StdUnbiased is Std with unbiased alone."},
	{"std_mean(Tensor self, int[]? dim=None, bool unbiased=True, bool keepdim=False, *, int? correction=None) -> " +
		"(Tensor std, Tensor mean)", Reduction | FunctionOnly, "StdMean returns the standard deviation and the mean."},
	{"std_mean.unbiased(Tensor self, bool unbiased) -> (Tensor std, Tensor mean)", Composite | FunctionOnly | MethodOnly,
		"StdMeanUnbiased is StdMean with unbiased alone."},
	{"logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", Reduction | FloatResult | Out,
		"Logsumexp returns the logarithm of the sum of exponentials along dim, without overflow."},
	{"norm(Tensor self, Scalar|str? p=\"fro\", int[]? dim=None, bool keepdim=False, ScalarType? dtype=None) -> Tensor",
		Reduction | Out | Zeroed, "Norm returns the p-norm of the elements, of all or along dim; \"fro\" is the 2-norm, " +
			"\"nuc\" the sum of a matrix's singular values."},
	{"renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", Composite | InPlace | Out,
		"Renorm scales down every slice along dim whose p-norm is above maxnorm."},
	{"_unitary_factor(Tensor self) -> Tensor", Fixed | FunctionOnly | MethodOnly | Zeroed,
		"UnitaryFactor is U @ Vh of each matrix's singular value decomposition: the derivative of the nuclear norm."},
	{
		"linalg.vector_norm(Tensor self, Scalar ord=2, int[]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) " +
			"-> Tensor", Reduction | FunctionOnly | Out | Zeroed,
		"LinalgVectorNorm returns the ord-norm of the elements taken as vectors along dim."},
	{"sum_to_size(Tensor self, int[] size) -> Tensor", Composite | MethodOnly,
		"SumToSize adds up the dimensions that broadcasting from the given size had repeated.\n" +
			"Ones(2, 3).SumToSize([1, 3])"},
	{"trace(Tensor self) -> Tensor", Fixed | Zeroed, "Trace adds the diagonal of a matrix."},
	{"count_nonzero(Tensor self, int[]? dim=None) -> Tensor", Reduction | NoGrad,
		"CountNonzero counts the elements that are not zero."},
	{"cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor", Composite,
		"Cov returns the covariances of the rows of self, whose columns are observations."},
	{"corrcoef(Tensor self) -> Tensor", Composite, "Corrcoef returns the correlation coefficients of the rows of self."},

	// Extremes and the middle.
	{"max(Tensor self) -> Tensor", Reduction | Out, "Max returns the greatest element, NaN if there is one."},
	{"max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", Reduction,
		"MaxDim returns the greatest elements along dim and where they stand."},
	{"max.other(Tensor self, Tensor other) -> Tensor", Composite | FunctionOnly | MethodOnly, "MaxOther is Maximum."},
	{"amax(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", Reduction | Out,
		"Amax returns the greatest elements along dim; equal ones share the gradient."},
	{"argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", Reduction | NoGrad | Out,
		"Argmax returns where the greatest element stands, in the flattened tensor or along dim."},
	{"min(Tensor self) -> Tensor", Reduction | Out, "Min returns the least element, NaN if there is one."},
	{"min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", Reduction,
		"MinDim returns the least elements along dim and where they stand."},
	{"min.other(Tensor self, Tensor other) -> Tensor", Composite | FunctionOnly | MethodOnly, "MinOther is Minimum."},
	{"amin(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", Reduction | Out,
		"Amin returns the least elements along dim; equal ones share the gradient."},
	{"argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", Reduction | NoGrad | Out,
		"Argmin returns where the least element stands, in the flattened tensor or along dim."},
	{"aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)", Reduction,
		"Aminmax returns the least and the greatest elements, of all or along dim."},
	{"median(Tensor self) -> Tensor", Reduction, "Median returns the middle one of the elements, the lower of two."},
	{"median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", Reduction,
		"MedianDim returns the middle ones of the elements along dim and where they stand."},
	{"nanmedian(Tensor self) -> Tensor", Reduction,
		"Nanmedian returns the middle one of the elements that are not NaN, the lower of two."},
	{"nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", Reduction,
		"NanmedianDim returns the middle ones of the elements that are not NaN along dim and where they stand."},
	{"mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", Reduction,
		"Mode returns the most frequent elements along dim, the least of equals, and where they stand last."},
	{
		"quantile(Tensor self, Tensor|Scalar q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") " +
			"-> Tensor", Composite | Out,
		"Quantile returns the q-quantiles (q from 0 to 1), of all or along dim; several q make a dimension in front.\n" +
			"New([1, 2, 4, 0.5]).Quantile(0.5)"},
	{
		"nanquantile(Tensor self, Tensor|Scalar q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\") " +
			"-> Tensor", Composite | Out, "Nanquantile returns the q-quantiles of the elements that are not NaN.\n" +
			"New([1, 2, 4, 0.5]).Nanquantile(0.5)"},

	// Questions.
	{"all(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", Reduction | NoGrad | BoolResult | Out,
		"All returns whether all elements are true, of all or along dim; uint8 stays uint8."},
	{"any(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", Reduction | NoGrad | BoolResult | Out,
		"Any returns whether any element is true, of all or along dim; uint8 stays uint8."},
}

package opdef

// randomRows: operators that draw from a generator.
var randomRows = []Row{
	// New tensors. The numbers are those of PyTorch for the same seed.
	{"rand(int[] size, *, Generator? generator=None, " + made, Factory | Random | Out,
		"Rand draws from the uniform distribution on [0, 1)."},
	{"randn(int[] size, *, Generator? generator=None, " + made, Factory | Random | Out,
		"Randn draws from the normal distribution of mean 0 and variance 1."},
	{"randint(int low, int high, int[] size, *, Generator? generator=None, " + made, Factory | Random | Out,
		"Randint draws integers from low up to but not including high.\n" +
			"Randint(0, 10, [2, 3])"},
	{"randint.high(int high, int[] size, *, Generator? generator=None, " + made, Factory | Random | FunctionOnly |
		MethodOnly, "RandintHigh is Randint from 0."},
	{"randperm(int n, *, Generator? generator=None, " + made, Factory | Random | Out,
		"Randperm draws a permutation of the numbers from 0 to n - 1."},
	{"rand_like(Tensor self, *, " + like, Fixed | Random | NoGrad | FunctionOnly,
		"RandLike draws from the uniform distribution on [0, 1) in the shape, dtype and device of self."},
	{"randn_like(Tensor self, *, " + like, Fixed | Random | NoGrad | FunctionOnly,
		"RandnLike draws from the normal distribution of mean 0 and variance 1 in the shape, dtype and device of self."},
	{"randint_like(Tensor self, int low, int high, *, " + like, Fixed | Random | NoGrad | FunctionOnly,
		"RandintLike draws integers from low up to but not including high in the shape, dtype and device of self.\n" +
			"RandintLike(Zeros(2, 3), 0, 10)"},
	{"randint_like.high(Tensor self, int high, *, " + like, Fixed | Random | NoGrad | FunctionOnly | MethodOnly,
		"RandintLikeHigh is RandintLike from 0."},
	{"normal(Tensor|Scalar mean, Tensor|Scalar std, int[]? size=None, *, Generator? generator=None, " + made,
		Fixed | Random | Out | FunctionOnly,
		"Normal draws from normal distributions of the given means and standard deviations; two numbers need size."},
	{"bernoulli(Tensor self, float? p=None, *, Generator? generator=None) -> Tensor", Fixed | Random | Out,
		"Bernoulli draws 1 with the probability that each element states, or p, else 0.\n" +
			"New([0.1, 0.5, 0.9]).Bernoulli()"},
	{"multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor",
		Fixed | Random | NoGrad | Out, "Multinomial draws indices with the weights that each row of self states."},
	{"poisson(Tensor self, Generator? generator=None) -> Tensor", Fixed | Random | FunctionOnly,
		"Poisson draws counts with the rates that the elements state."},
	{"binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", Fixed | Random | FunctionOnly,
		"Binomial draws how many of count trials succeed with probability prob; count and prob are of one shape.\n" +
			"Binomial(New([10., 100.]), New([0.5, 0.1]))"},
	{"_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", Fixed | Random | FunctionOnly | MethodOnly,
		"StandardGamma draws from gamma distributions of rate 1 and the given shapes."},
	{"_standard_gamma_grad(Tensor self, Tensor output) -> Tensor", Fixed | NoGrad | FunctionOnly | MethodOnly,
		"StandardGammaGrad returns how a draw of StandardGamma moves with its shape parameter."},
	{"_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", Fixed | Random | FunctionOnly | MethodOnly,
		"SampleDirichlet draws points of a simplex with the concentrations of each row."},
	{"_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor", Fixed | NoGrad | FunctionOnly | MethodOnly,
		"DirichletGrad returns how a draw of SampleDirichlet moves with its concentrations."},

	// In place.
	{"uniform_(Tensor(a!) self, float from=0, float to=1, *, Generator? generator=None) -> Tensor(a!)",
		Fixed | Random | MethodOnly, "Uniform_ draws from the uniform distribution on [from, to)."},
	{"normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)",
		Fixed | Random | MethodOnly, "Normal_ draws from a normal distribution."},
	{"random_(Tensor(a!) self, int from=0, int? to=None, *, Generator? generator=None) -> Tensor(a!)",
		Fixed | Random | MethodOnly, "Random_ draws integers on [from, to); one limit alone is the upper, and none is as " +
			"far as the dtype counts exactly."},
	{"bernoulli_(Tensor(a!) self, Tensor|Scalar p=0.5, *, Generator? generator=None) -> Tensor(a!)",
		Fixed | Random | MethodOnly, "Bernoulli_ draws 1 with probability p, else 0."},
	{"exponential_(Tensor(a!) self, float lambd=1, *, Generator? generator=None) -> Tensor(a!)",
		Fixed | Random | MethodOnly, "Exponential_ draws from the exponential distribution of rate lambd."},
	{"log_normal_(Tensor(a!) self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor(a!)",
		Fixed | Random | MethodOnly, "LogNormal_ draws numbers whose logarithms are normal."},
	{"geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)", Fixed | Random | MethodOnly,
		"Geometric_ draws the number of the first success of trials with probability p."},
	{"cauchy_(Tensor(a!) self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor(a!)",
		Fixed | Random | MethodOnly, "Cauchy_ draws from a Cauchy distribution."},
}

package opdef

// What the transforms take after their input: of one dimension, of two, of n.
const (
	oneDim  = "(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor"
	twoDims = "(Tensor self, int[]? s=None, int[] dim=[-2,-1], str? norm=None) -> Tensor"
	anyDims = "(Tensor self, int[]? s=None, int[]? dim=None, str? norm=None) -> Tensor"
)

// fftRows: Fourier transforms, and what goes with them.
var fftRows = []Row{
	{"fft.fft" + oneDim, Composite | FunctionOnly | Out,
		"FftFft returns the discrete Fourier transform along dim, of n elements: cut there, or padded with zeros."},
	{"fft.ifft" + oneDim, Composite | FunctionOnly | Out, "FftIfft returns the inverse of FftFft."},
	{"fft.rfft" + oneDim, Composite | FunctionOnly | Out,
		"FftRfft returns the first n/2+1 elements of a real tensor's transform; the others are their conjugates."},
	{"fft.irfft" + oneDim, Composite | FunctionOnly | Out,
		"FftIrfft returns the inverse of FftRfft, n real elements: without n, 2(m-1) of m."},
	{"fft.hfft" + oneDim, Composite | FunctionOnly | Out,
		"FftHfft returns the transform, which is real, of a signal whose other half is the conjugate of self."},
	{"fft.ihfft" + oneDim, Composite | FunctionOnly | Out, "FftIhfft returns the inverse of FftHfft."},
	{"fft.fft2" + twoDims, Composite | FunctionOnly | Out,
		"FftFft2 returns the discrete Fourier transform over two dimensions, of sizes s."},
	{"fft.ifft2" + twoDims, Composite | FunctionOnly | Out, "FftIfft2 returns the inverse of FftFft2."},
	{"fft.rfft2" + twoDims, Composite | FunctionOnly | Out,
		"FftRfft2 returns the half of a real tensor's transform over two dimensions that determines it."},
	{"fft.irfft2" + twoDims, Composite | FunctionOnly | Out, "FftIrfft2 returns the inverse of FftRfft2."},
	{"fft.hfft2" + twoDims, Composite | FunctionOnly | Out,
		"FftHfft2 returns the transform, which is real, of a Hermitian signal of two dimensions."},
	{"fft.ihfft2" + twoDims, Composite | FunctionOnly | Out, "FftIhfft2 returns the inverse of FftHfft2."},
	{"fft.fftn" + anyDims, Composite | FunctionOnly | Out,
		"FftFftn returns the discrete Fourier transform over dim: without dim the last ones that s has sizes for, or all."},
	{"fft.ifftn" + anyDims, Composite | FunctionOnly | Out, "FftIfftn returns the inverse of FftFftn."},
	{"fft.rfftn" + anyDims, Composite | FunctionOnly | Out,
		"FftRfftn returns the half of a real tensor's transform over dim that determines it; the last of dim is halved."},
	{"fft.irfftn" + anyDims, Composite | FunctionOnly | Out, "FftIrfftn returns the inverse of FftRfftn."},
	{"fft.hfftn" + anyDims, Composite | FunctionOnly | Out,
		"FftHfftn returns the transform over dim, which is real, of a Hermitian signal."},
	{"fft.ihfftn" + anyDims, Composite | FunctionOnly | Out, "FftIhfftn returns the inverse of FftHfftn."},
	{"_fft_c2c(Tensor self, int[] dim, int normalization, bool forward) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"FftC2c transforms complex numbers over dim; normalization is 0 for none, 1 for one over the root of the number " +
			"of elements, 2 for one over it."},
	{"_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"FftR2c transforms real numbers over dim; onesided halves the last."},
	{"_fft_c2r(Tensor self, int[] dim, int normalization, int last_dim_size) -> Tensor",
		Fixed | FunctionOnly | MethodOnly,
		"FftC2r is the inverse, unnormalized, of FftR2c; the last of dim receives last_dim_size elements."},
	{"fft.fftfreq(int n, float d=1.0, *, " + made, Factory | Out,
		"FftFftfreq returns the frequencies of FftFft's n elements, in cycles per unit of d, the distance of two samples."},
	{"fft.rfftfreq(int n, float d=1.0, *, " + made, Factory | Out,
		"FftRfftfreq returns the frequencies of FftRfft's n/2+1 elements."},
	{"fft.fftshift(Tensor self, int[1]? dim=None) -> Tensor", Composite | FunctionOnly,
		"FftFftshift moves the element of frequency zero to the middle of each dimension."},
	{"fft.ifftshift(Tensor self, int[1]? dim=None) -> Tensor", Composite | FunctionOnly,
		"FftIfftshift is the inverse of FftFftshift."},

	{"stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, " +
		"str pad_mode=\"reflect\", " +
		"bool normalized=False, bool? onesided=None, bool? return_complex=None) -> Tensor", Composite,
		"Stft returns the Fourier transforms of windows of n_fft elements, every hop_length (n_fft/4) elements one: " +
			"frequencies by frames.\n" +
			"Randn(100).Stft(16, return_complex=true)"},
	{"istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool " +
		"center=True, bool normalized=False, " +
		"bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor", Composite,
		"Istft returns the signal whose Stft is nearest to self.\n" +
			"Ones(9, 4, dtype=Complex64).Istft(16)"},
	{"bartlett_window(int window_length, bool periodic=True, *, " + made, Factory,
		"BartlettWindow returns the triangle that is zero at its ends; periodic leaves out the last element."},
	{"blackman_window(int window_length, bool periodic=True, *, " + made, Factory,
		"BlackmanWindow returns the window 0.42 - 0.5·cos(t) + 0.08·cos(2t)."},
	{"hamming_window(int window_length, bool periodic=True, float alpha=0.54, float beta=0.46, *, " + made, Factory,
		"HammingWindow returns the window alpha - beta·cos(t)."},
	{"hann_window(int window_length, bool periodic=True, *, " + made, Factory,
		"HannWindow returns the window 0.5 - 0.5·cos(t)."},
	{"kaiser_window(int window_length, bool periodic=True, float beta=12.0, *, " + made, Factory,
		"KaiserWindow returns the window I0(beta·√(1-x²)) / I0(beta) for x from -1 to 1."},
}

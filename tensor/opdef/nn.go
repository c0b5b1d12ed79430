package opdef

// nnRows: the layers of networks as functions (torch.nn.functional).
var nnRows = []Row{
	// Activations. Those with inplace write into input and return it when it is set.
	{"nn.functional.relu(Tensor input, bool inplace=False) -> Tensor", Pointwise | InPlace,
		"Relu returns each element, or 0 where it is negative."},
	{"nn.functional.relu6(Tensor input, bool inplace=False) -> Tensor", Composite | FunctionOnly,
		"Relu6 limits each element to [0, 6]."},
	{"nn.functional.leaky_relu(Tensor input, float negative_slope=0.01, bool inplace=False) -> Tensor",
		Pointwise | FunctionOnly, "LeakyRelu returns each element, times negative_slope where it is negative."},
	{"nn.functional.prelu(Tensor input, Tensor weight) -> Tensor", Fixed,
		"Prelu is LeakyRelu with slopes from weight, one for all or one for each channel (dimension 1).\n" +
			"Prelu(New([-1.0, 2]), New([0.25]))"},
	{"_elu(Tensor self, float alpha, float scale, float input_scale) -> Tensor", Pointwise | FunctionOnly | MethodOnly,
		"Elu is what Elu, Selu and Celu have in common: scale * x, or alpha * scale * (exp(input_scale * x) - 1) where x " +
			"is negative."},
	{"nn.functional.elu(Tensor input, float alpha=1.0, bool inplace=False) -> Tensor", Composite | FunctionOnly,
		"Elu returns each element, or alpha * (exp(x) - 1) where it is negative."},
	{"nn.functional.selu(Tensor input, bool inplace=False) -> Tensor", Composite | FunctionOnly,
		"Selu is a scaled Elu whose constants keep mean 0 and variance 1."},
	{"nn.functional.celu(Tensor input, float alpha=1.0, bool inplace=False) -> Tensor", Composite | FunctionOnly,
		"Celu returns each element, or alpha * (exp(x / alpha) - 1) where it is negative."},
	{"nn.functional.gelu(Tensor input, str approximate=\"none\") -> Tensor", Pointwise | FunctionOnly,
		"Gelu returns each element times the normal distribution function at it; approximate is \"none\" or \"tanh\"."},
	{"nn.functional.silu(Tensor input, bool inplace=False) -> Tensor", Pointwise | FunctionOnly,
		"Silu returns each element times its sigmoid."},
	{"nn.functional.mish(Tensor input, bool inplace=False) -> Tensor", Pointwise | FunctionOnly,
		"Mish returns each element times tanh(softplus(x))."},
	{"nn.functional.softplus(Tensor input, Scalar beta=1, Scalar threshold=20) -> Tensor", Pointwise | FunctionOnly,
		"Softplus returns log(1 + exp(beta * x)) / beta, and x where beta * x is above threshold."},
	{"nn.functional.softsign(Tensor input) -> Tensor", Composite | FunctionOnly, "Softsign returns x / (1 + |x|)."},
	{"nn.functional.tanhshrink(Tensor input) -> Tensor", Composite | FunctionOnly, "Tanhshrink returns x - tanh(x)."},
	{"nn.functional.softshrink(Tensor input, float lambd=0.5) -> Tensor", Pointwise | FunctionOnly,
		"Softshrink moves each element by lambd towards 0, where it stops."},
	{"nn.functional.hardshrink(Tensor input, float lambd=0.5) -> Tensor", Pointwise,
		"Hardshrink returns each element, or 0 where its absolute value is at most lambd."},
	{"nn.functional.hardtanh(Tensor input, float min_val=-1.0, float max_val=1.0, bool inplace=False) -> Tensor",
		Pointwise | FunctionOnly, "Hardtanh limits each element to [min_val, max_val]."},
	{"nn.functional.hardsigmoid(Tensor input, bool inplace=False) -> Tensor", Pointwise | FunctionOnly,
		"Hardsigmoid returns x / 6 + 1/2, limited to [0, 1]."},
	{"nn.functional.hardswish(Tensor input, bool inplace=False) -> Tensor", Pointwise | FunctionOnly,
		"Hardswish returns each element times its Hardsigmoid."},
	{"nn.functional.logsigmoid(Tensor input) -> Tensor", Pointwise | FunctionOnly,
		"Logsigmoid returns the logarithm of the sigmoid, without underflow."},
	{"nn.functional.threshold(Tensor input, float threshold, float value, bool inplace=False) -> Tensor",
		Pointwise | FunctionOnly, "Threshold returns each element above threshold, and value for the others."},
	{"nn.functional.glu(Tensor input, int dim=-1) -> Tensor", Fixed | FunctionOnly,
		"Glu returns the first half of dim times the sigmoid of the second.\n" +
			"Glu(New([1.0, 2, 3, 4]))"},
	{"nn.functional.softmax(Tensor input, int? dim=None, ScalarType? dtype=None) -> Tensor", Fixed,
		"Softmax returns exponentials that add up to 1 along dim."},
	{"nn.functional.softmin(Tensor input, int? dim=None, ScalarType? dtype=None) -> Tensor", Composite | FunctionOnly,
		"Softmin is Softmax of -input."},
	{"nn.functional.log_softmax(Tensor input, int? dim=None, ScalarType? dtype=None) -> Tensor", Fixed,
		"LogSoftmax returns the logarithm of Softmax, without underflow."},

	// Layers.
	{"nn.functional.linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", Composite | FunctionOnly,
		"Linear returns input @ weight.T() + bias."},
	{"nn.functional.embedding(Tensor input, Tensor weight, int? padding_idx=None, float? max_norm=None, float " +
		"norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor", Fixed | FunctionOnly,
		"Embedding returns the row of weight for each index in input; the row padding_idx gets no gradient.\n" +
			"Embedding(New([0, 2]), Randn(3, 4))"},
	{"nn.functional.one_hot(Tensor tensor, int num_classes=-1) -> Tensor", Composite | NoGrad | FunctionOnly,
		"OneHot returns, for each class index, a row of zeros with a one at its place; -1 takes the greatest index as the " +
			"last class.\n" +
			"OneHot(New([0, 2, 1]))"},
	{"nn.functional.dropout(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor",
		Composite | Random | FunctionOnly, "Dropout sets elements to zero with probability p and scales the others by " +
			"1/(1-p); with training false it returns input."},
	{"nn.functional.dropout1d(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor",
		Composite | Random | FunctionOnly, "Dropout1d drops whole channels of a batch (N, C, L)."},
	{"nn.functional.dropout2d(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor",
		Composite | Random | FunctionOnly, "Dropout2d drops whole channels of a batch (N, C, ...)."},
	{"nn.functional.dropout3d(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor",
		Composite | Random | FunctionOnly, "Dropout3d drops whole channels of a batch (N, C, D, H, W).\n" +
			"Dropout3d(Ones(1, 2, 2, 2, 2))"},
	{"nn.functional.alpha_dropout(Tensor input, float p=0.5, bool training=False, bool inplace=False) -> Tensor",
		Composite | Random | FunctionOnly, "AlphaDropout is Dropout that keeps the mean and variance that Selu gives."},
	{"nn.functional.feature_alpha_dropout(Tensor input, float p=0.5, bool training=False, bool inplace=False) -> Tensor",
		Composite | Random | FunctionOnly, "FeatureAlphaDropout is AlphaDropout of whole channels (N, C, ...)."},
	{"nn.functional.rrelu(Tensor input, float lower=0.125, float upper=0.3333333333333333, bool training=False, bool " +
		"inplace=False) -> Tensor", Composite | Random | FunctionOnly,
		"Rrelu is LeakyRelu with, when training, a slope drawn for each element, else their mean."},
	{"nn.functional.bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
		Composite | FunctionOnly, "Bilinear returns input1 @ weight[o] @ input2 for each o, plus bias.\n" +
			"Bilinear(Ones(2, 3), Ones(2, 4), Ones(5, 3, 4))"},
	{
		"nn.functional.local_response_norm(Tensor input, int size, float alpha=0.0001, float beta=0.75, float k=1.0) " +
			"-> Tensor", Composite | FunctionOnly,
		"LocalResponseNorm divides by (k + alpha * the mean square of size channels around)^beta.\n" +
			"LocalResponseNorm(Ones(1, 4, 3), 2)"},
	{"nn.functional.pad(Tensor input, int[] pad, str mode=\"constant\", Scalar? value=None) -> Tensor",
		Composite | FunctionOnly, "Pad widens the last dimensions by pairs (before, after), the last dimension first; " +
			"mode is \"constant\", \"reflect\", \"replicate\" or \"circular\".\n" +
			"Pad(Ones(2, 2), [1, 1], value=7)"},
	{"constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor", Fixed | FunctionOnly,
		"ConstantPadNd widens the last dimensions by pairs (before, after), the last dimension first, filled with value.\n" +
			"ConstantPadNd(Ones(2, 2), [1, 1])"},
	{"nn.functional.pixel_shuffle(Tensor input, int upscale_factor) -> Tensor", Composite | FunctionOnly,
		"PixelShuffle makes a picture larger by upscale_factor out of its channels.\n" +
			"PixelShuffle(Ones(1, 4, 2, 2), 2)"},
	{"nn.functional.pixel_unshuffle(Tensor input, int downscale_factor) -> Tensor", Composite | FunctionOnly,
		"PixelUnshuffle makes a picture smaller by downscale_factor, with more channels.\n" +
			"PixelUnshuffle(Ones(1, 1, 4, 4), 2)"},

	// Convolution and pooling.
	{"nn.functional.conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1]|str padding=0, " +
		"int[1] dilation=1, int groups=1) -> Tensor", Composite | FunctionOnly,
		"Conv1d correlates input (N, C, L) or (C, L) with weight (K, C / groups, l); padding may be \"same\" or " +
			"\"valid\".\n" +
			"Conv1d(Ones(1, 1, 5), Ones(1, 1, 3))"},
	{"nn.functional.conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2]|str padding=0, " +
		"int[2] dilation=1, int groups=1) -> Tensor", Composite | FunctionOnly,
		"Conv2d correlates input (N, C, H, W) or (C, H, W) with weight (K, C / groups, h, w); padding may be \"same\" or " +
			"\"valid\".\n" +
			"Conv2d(Ones(1, 1, 5, 5), Ones(1, 1, 3, 3))"},
	{"nn.functional.conv_transpose2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] " +
		"padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor", Composite | FunctionOnly,
		"ConvTranspose2d is the gradient of Conv2d by its input: it spreads input (N, C, H, W) with weight (C, K / " +
			"groups, h, w).\n" +
			"ConvTranspose2d(Ones(1, 1, 3, 3), Ones(1, 1, 2, 2))"},
	{"nn.functional.conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3]|str padding=0, " +
		"int[3] dilation=1, int groups=1) -> Tensor", Composite | FunctionOnly,
		"Conv3d correlates input (N, C, D, H, W) or (C, D, H, W) with weight (K, C / groups, d, h, w); padding may be " +
			"\"same\" or \"valid\".\n" +
			"Conv3d(Ones(1, 1, 3, 3, 3), Ones(1, 1, 2, 2, 2))"},
	{"nn.functional.conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] " +
		"padding=0, int[1] output_padding=0, int groups=1, int[1] dilation=1) -> Tensor", Composite | FunctionOnly,
		"ConvTranspose1d is the gradient of Conv1d by its input: it spreads input (N, C, L) with weight (C, K / " +
			"groups, l).\n" +
			"ConvTranspose1d(Ones(1, 1, 5), Ones(1, 1, 3))"},
	{"nn.functional.conv_transpose3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] " +
		"padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor", Composite | FunctionOnly,
		"ConvTranspose3d is the gradient of Conv3d by its input: it spreads input (N, C, D, H, W) with weight (C, K / " +
			"groups, d, h, w).\n" +
			"ConvTranspose3d(Ones(1, 1, 2, 2, 2), Ones(1, 1, 2, 2, 2))"},
	{"convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool " +
		"transposed, int[] output_padding, int groups) -> Tensor", Fixed | FunctionOnly,
		"Convolution is what all convolutions are made of: one number for each dimension of space in every list."},
	{"_convolution_weight(Tensor input, Tensor grad_output, int[] weight_size, int[] stride, int[] padding, int[] " +
		"dilation, int groups) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"ConvolutionWeight is the gradient of a Convolution, not transposed, by its weight."},
	{"nn.functional.max_pool1d(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, int[1] " +
		"dilation=1, bool ceil_mode=False) -> Tensor", Composite | FunctionOnly,
		"MaxPool1d returns the greatest element of each window of a sequence (N, C, L); stride is kernel_size if " +
			"left out.\n" +
			"MaxPool1d(Randn(1, 6), 2)"},
	{"nn.functional.max_pool1d_with_indices(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, " +
		"int[1] dilation=1, bool ceil_mode=False) -> (Tensor out, Tensor indices)", Composite | FunctionOnly,
		"MaxPool1dWithIndices returns the greatest element of each window and its place in the flattened plane."},
	{"nn.functional.avg_pool1d(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, bool " +
		"ceil_mode=False, bool count_include_pad=True) -> Tensor", Composite | FunctionOnly,
		"AvgPool1d returns the mean of each window of a sequence (N, C, L); stride is kernel_size if left out.\n" +
			"AvgPool1d(Randn(1, 6), 2)"},
	{"nn.functional.max_pool2d(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, int[2] " +
		"dilation=1, bool ceil_mode=False) -> Tensor", Composite | FunctionOnly,
		"MaxPool2d returns the greatest element of each window of a picture (N, C, H, W); stride is kernel_size if " +
			"left out.\n" +
			"MaxPool2d(Randn(1, 4, 4), 2)"},
	{"nn.functional.max_pool2d_with_indices(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, " +
		"int[2] dilation=1, bool ceil_mode=False) -> (Tensor out, Tensor indices)", Fixed | FunctionOnly,
		"MaxPool2dWithIndices returns the greatest element of each window and its place in the flattened plane."},
	{"nn.functional.avg_pool2d(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, bool " +
		"ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", Fixed | FunctionOnly,
		"AvgPool2d returns the mean of each window of a picture (N, C, H, W); stride is kernel_size if left out.\n" +
			"AvgPool2d(Randn(1, 4, 4), 2)"},
	{"nn.functional.adaptive_avg_pool2d(Tensor input, int?[2] output_size) -> Tensor", Fixed | FunctionOnly,
		"AdaptiveAvgPool2d averages a picture down to output_size; nil keeps the input's.\n" +
			"AdaptiveAvgPool2d(Randn(1, 4, 4), 1)"},
	{"nn.functional.max_pool3d(Tensor input, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, int[3] " +
		"dilation=1, bool ceil_mode=False) -> Tensor", Composite | FunctionOnly,
		"MaxPool3d returns the greatest element of each window of a volume (N, C, D, H, W); stride is kernel_size if " +
			"left out."},
	{"nn.functional.max_pool3d_with_indices(Tensor input, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, " +
		"int[3] dilation=1, bool ceil_mode=False) -> (Tensor out, Tensor indices)", Fixed | FunctionOnly,
		"MaxPool3dWithIndices returns the greatest element of each window and its place in the flattened volume."},
	{"nn.functional.avg_pool3d(Tensor input, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, bool " +
		"ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", Fixed | FunctionOnly,
		"AvgPool3d returns the mean of each window of a volume (N, C, D, H, W); stride is kernel_size if left out."},
	{"nn.functional.adaptive_avg_pool3d(Tensor input, int?[3] output_size) -> Tensor", Fixed | FunctionOnly,
		"AdaptiveAvgPool3d averages a volume down to output_size; nil keeps the input's."},
	{"nn.functional.adaptive_max_pool1d(Tensor input, int[1] output_size) -> Tensor", Composite | FunctionOnly,
		"AdaptiveMaxPool1d returns the greatest elements of the output_size parts of a sequence."},
	{"nn.functional.adaptive_max_pool1d_with_indices(Tensor input, int[1] output_size) -> (Tensor out, Tensor indices)",
		Composite | FunctionOnly, "AdaptiveMaxPool1dWithIndices returns the greatest elements of the output_size parts of " +
			"a sequence, and their places in it, flattened."},
	{"nn.functional.max_unpool1d(Tensor input, Tensor indices, int[1] kernel_size, int[1]? stride=None, int[1] " +
		"padding=0, int[]? output_size=None) -> Tensor", Composite | FunctionOnly,
		"MaxUnpool1d puts elements back where a max pool of a sequence found them, among zeros."},
	{"nn.functional.adaptive_max_pool2d(Tensor input, int?[2] output_size) -> Tensor", Composite | FunctionOnly,
		"AdaptiveMaxPool2d returns the greatest elements of the output_size parts of a picture.\n" +
			"AdaptiveMaxPool2d(Randn(1, 4, 4), 1)"},
	{"nn.functional.adaptive_max_pool2d_with_indices(Tensor input, int?[2] output_size) -> (Tensor out, Tensor indices)",
		Fixed | FunctionOnly, "AdaptiveMaxPool2dWithIndices returns the greatest elements of the output_size parts of a " +
			"picture, and their places in it, flattened."},
	{"nn.functional.max_unpool2d(Tensor input, Tensor indices, int[2] kernel_size, int[2]? stride=None, int[2] " +
		"padding=0, int[]? output_size=None) -> Tensor", Composite | FunctionOnly,
		"MaxUnpool2d puts elements back where a max pool of a picture found them, among zeros."},
	{"nn.functional.adaptive_max_pool3d(Tensor input, int?[3] output_size) -> Tensor", Composite | FunctionOnly,
		"AdaptiveMaxPool3d returns the greatest elements of the output_size parts of a volume."},
	{"nn.functional.adaptive_max_pool3d_with_indices(Tensor input, int?[3] output_size) -> (Tensor out, Tensor indices)",
		Fixed | FunctionOnly, "AdaptiveMaxPool3dWithIndices returns the greatest elements of the output_size parts of a " +
			"volume, and their places in it, flattened."},
	{"nn.functional.max_unpool3d(Tensor input, Tensor indices, int[3] kernel_size, int[3]? stride=None, int[3] " +
		"padding=0, int[]? output_size=None) -> Tensor", Composite | FunctionOnly,
		"MaxUnpool3d puts elements back where a max pool of a volume found them, among zeros."},
	{"nn.functional.interpolate(Tensor input, int|int[]? size=None, float|float[]? scale_factor=None, " +
		"str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None) -> Tensor",
		Composite | FunctionOnly,
		"Interpolate resizes the dimensions after the channels to size, or by scale_factor; mode is \"nearest\", " +
			"\"nearest-exact\", \"linear\", \"bilinear\", \"bicubic\", \"trilinear\" or \"area\".\n" +
			"Interpolate(Ones(1, 1, 2, 2), size=[4, 4])"},
	{"nn.functional.upsample(Tensor input, int|int[]? size=None, float|float[]? scale_factor=None, " +
		"str mode=\"nearest\", bool? align_corners=None) -> Tensor", Composite | FunctionOnly,
		"Upsample is an older name of Interpolate.\n" +
			"Upsample(Ones(1, 1, 2, 2), size=[4, 4])"},
	{"nn.functional.upsample_nearest(Tensor input, int|int[]? size=None, float|float[]? scale_factor=None) -> Tensor",
		Composite | FunctionOnly, "UpsampleNearest is Interpolate by the nearest element.\n" +
			"UpsampleNearest(Ones(1, 1, 2, 2), size=[4, 4])"},
	{"nn.functional.upsample_bilinear(Tensor input, int|int[]? size=None, float|float[]? scale_factor=None) -> Tensor",
		Composite | FunctionOnly, "UpsampleBilinear is Interpolate between four neighbours, with the corners aligned.\n" +
			"UpsampleBilinear(Ones(1, 1, 2, 2), size=[4, 4])"},
	{
		"nn.functional.unfold(Tensor input, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1) " +
			"-> Tensor", Fixed | FunctionOnly,
		"Unfold returns the elements of every window of a picture (N, C, H, W) as columns (N, C * h * w, windows).\n" +
			"Unfold(Randn(1, 1, 4, 4), 2)"},
	{"nn.functional.fold(Tensor input, int[2] output_size, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, " +
		"int[2] stride=1) -> Tensor", Fixed | FunctionOnly,
		"Fold adds up windows, the columns (N, C * h * w, windows) that Unfold gives, to pictures (N, C, H, W) of " +
			"output_size.\n" +
			"Fold(Ones(1, 4, 9), [4, 4], 2)"},
	{"_avg_pool2d_backward(Tensor grad_output, int[] input_size, int[2] kernel_size, int[2]? stride=None, int[2] " +
		"padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
		Fixed | FunctionOnly | MethodOnly, "AvgPool2dBackward is the gradient of AvgPool2d."},
	{"nn.functional.adaptive_avg_pool1d(Tensor input, int[1] output_size) -> Tensor", Composite | FunctionOnly,
		"AdaptiveAvgPool1d averages a sequence (N, C, L) down to output_size."},
	{"_adaptive_avg_pool2d_backward(Tensor grad_output, int[] input_size) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"AdaptiveAvgPool2dBackward is the gradient of AdaptiveAvgPool2d."},
	{"_avg_pool3d_backward(Tensor grad_output, int[] input_size, int[3] kernel_size, int[3]? stride=None, int[3] " +
		"padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
		Fixed | FunctionOnly | MethodOnly, "AvgPool3dBackward is the gradient of AvgPool3d."},
	{"_adaptive_avg_pool3d_backward(Tensor grad_output, int[] input_size) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"AdaptiveAvgPool3dBackward is the gradient of AdaptiveAvgPool3d."},
	{"_max_pool2d(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, int[2] dilation=1, bool " +
		"ceil_mode=False) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"MaxPool2d is the max pool of pictures where nobody asks for indices."},
	{"_adaptive_max_pool2d(Tensor input, int?[2] output_size) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"AdaptiveMaxPool2d is the adaptive max pool of pictures where nobody asks for indices."},
	{"_max_pool3d(Tensor input, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, int[3] dilation=1, bool " +
		"ceil_mode=False) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"MaxPool3d is the max pool of volumes where nobody asks for indices."},
	{"_adaptive_max_pool3d(Tensor input, int?[3] output_size) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"AdaptiveMaxPool3d is the adaptive max pool of volumes where nobody asks for indices."},
	{"_max_pool_backward(Tensor grad_output, Tensor indices, int[] input_size, int dims) -> Tensor",
		Fixed | FunctionOnly | MethodOnly, "MaxPoolBackward is the gradient of a max pool over the last dims dimensions: " +
			"it adds each gradient to the element that was the greatest."},
	{"_interpolate(Tensor input, int[] size, str mode, bool align_corners, float[]? scale) -> Tensor",
		Fixed | FunctionOnly | MethodOnly, "Interpolate is nn.functional.interpolate with its arguments resolved."},
	{"_interpolate_backward(Tensor grad_output, int[] input_size, str mode, " +
		"bool align_corners, float[]? scale) -> Tensor",
		Fixed | FunctionOnly | MethodOnly, "InterpolateBackward is the gradient of Interpolate."},
	{"_pad(Tensor input, int[] pad, str mode) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"Pad widens the last dimensions by pairs (before, after) with elements of the input."},
	{"_pad_backward(Tensor grad_output, int[] pad, str mode) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"PadBackward is the gradient of such a Pad."},
	{"_unfold_backward(Tensor grad_output, int[] input_size, int[2] kernel_size, int[2] dilation, int[2] padding, " +
		"int[2] stride) -> Tensor", Fixed | FunctionOnly | MethodOnly,
		"UnfoldBackward is the gradient of Unfold: it adds up the elements of all windows."},

	// Normalization.
	{"nn.functional.layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float " +
		"eps=1e-05) -> Tensor", Composite | FunctionOnly, "LayerNorm shifts and scales the last dimensions, whose sizes " +
		"are normalized_shape, to mean 0 and variance 1, then applies weight and bias.\n" +
		"LayerNorm(Randn(2, 3), [3])"},
	{"nn.functional.batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, Tensor? weight=None, Tensor? " +
		"bias=None, bool training=False, float momentum=0.1, float eps=1e-05) -> Tensor", Composite | FunctionOnly,
		"BatchNorm normalizes each channel (dimension 1) by its own statistics when training, which also moves the " +
			"running ones, else by the running ones.\n" +
			"BatchNorm(Randn(4, 3), Zeros(3), Ones(3))"},
	{"nn.functional.group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) " +
		"-> Tensor", Composite | FunctionOnly, "GroupNorm normalizes the channels (dimension 1) in num_groups groups.\n" +
		"GroupNorm(Randn(2, 4, 3), 2)"},
	{"nn.functional.instance_norm(Tensor input, Tensor? running_mean=None, Tensor? running_var=None, Tensor? " +
		"weight=None, Tensor? bias=None, bool use_input_stats=True, float momentum=0.1, float eps=1e-05) -> Tensor",
		Composite | FunctionOnly, "InstanceNorm normalizes each channel (dimension 1) of each sample by its own " +
			"statistics, or by the running ones where use_input_stats is false.\n" +
			"InstanceNorm(Randn(2, 3, 5))"},
	{"native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor out, " +
		"Tensor mean, Tensor rstd)", Composite | FunctionOnly,
		"NativeLayerNorm is LayerNorm that also gives the means and the reciprocals of the standard deviations."},
	{"native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool " +
		"training, float momentum, float eps) -> (Tensor out, Tensor mean, Tensor rstd)", Composite | FunctionOnly,
		"NativeBatchNorm is BatchNorm that also gives, when training, the means and the reciprocals of the standard " +
			"deviations.\n" +
			"NativeBatchNorm(Randn(4, 3), Ones(3), Zeros(3), Zeros(3), Ones(3), true, 0.1, 1e-5)"},
	{"_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor out, " +
		"Tensor mean, Tensor rstd)", Fixed | FunctionOnly | MethodOnly,
		"LayerNorm is NativeLayerNorm whose every result has a derivative."},
	{"_standardized(Tensor self, Tensor mean, Tensor rstd) -> Tensor", Pointwise | FunctionOnly | MethodOnly,
		"Standardized returns (self - mean) * rstd, rounded as PyTorch's LayerNorm rounds it: self * rstd + (-rstd * " +
			"mean) in one step."},
	{"_batch_norm(Tensor input, Tensor? weight, Tensor? bias, float eps) -> (Tensor out, Tensor mean, Tensor var)",
		Fixed | FunctionOnly | MethodOnly,
		"BatchNorm normalizes by the statistics of input, which it gives too; every result has a derivative."},
	{"_batch_norm_eval(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps) -> Tensor",
		Fixed | FunctionOnly | MethodOnly, "BatchNormEval normalizes by the given statistics."},
	{"_softmax_backward(Tensor grad, Tensor output, int dim) -> Tensor", Fixed | NoGrad | FunctionOnly | MethodOnly,
		"SoftmaxBackward is the gradient of Softmax along dim, of which output is the result."},
	{"_log_softmax_backward(Tensor grad, Tensor output, int dim) -> Tensor", Fixed | NoGrad | FunctionOnly | MethodOnly,
		"LogSoftmaxBackward is the gradient of LogSoftmax along dim, of which output is the result."},
	{"_layer_norm_backward(Tensor grad, Tensor input, int[] normalized_shape, Tensor? weight, Tensor mean, Tensor " +
		"rstd) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)", Fixed | NoGrad | FunctionOnly | MethodOnly,
		"LayerNormBackward returns the gradients of LayerNorm's input, weight and bias."},
	{"_batch_norm_backward(Tensor grad, Tensor input, Tensor? weight, Tensor mean, Tensor rstd) -> (Tensor grad_input, " +
		"Tensor grad_weight, Tensor grad_bias)", Fixed | NoGrad | FunctionOnly | MethodOnly,
		"BatchNormBackward returns the gradients of BatchNorm's input, weight and bias when training."},
	{"nn.functional.normalize(Tensor input, float p=2.0, int dim=1, float eps=1e-12) -> Tensor",
		Composite | FunctionOnly | Out, "Normalize divides by the p-norm along dim, or by eps where that is greater."},

	// Attention.
	{"nn.functional.scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float " +
		"dropout_p=0.0, bool is_causal=False) -> Tensor", Composite | Random | FunctionOnly,
		"ScaledDotProductAttention returns softmax(query @ key.mT() / sqrt(E) + mask) @ value; a bool mask says what " +
			"takes part."},
	{"nn.functional._scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, " +
		"float dropout_p=0.0, bool need_attn_weights=False, bool is_causal=False) -> (Tensor output, Tensor attn)",
		Composite | Random | FunctionOnly | MethodOnly,
		"ScaledDotProductAttention returns the attention and, where asked for, its weights (else an empty tensor)."},
}

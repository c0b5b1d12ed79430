package opdef

// nnRows: the layers of networks as functions (torch.nn.functional).
var nnRows = []Row{
	// Activations. Those with inplace write into input and return it when it is set.
	{"nn.functional.relu(Tensor input, bool inplace=False) -> Tensor", Pointwise | InPlace, "Relu returns each element, or 0 where it is negative."},
	{"nn.functional.relu6(Tensor input, bool inplace=False) -> Tensor", Composite | FunctionOnly, "Relu6 limits each element to [0, 6]."},
	{"nn.functional.leaky_relu(Tensor input, float negative_slope=0.01, bool inplace=False) -> Tensor", Pointwise | FunctionOnly, "LeakyRelu returns each element, times negative_slope where it is negative."},
	{"nn.functional.prelu(Tensor input, Tensor weight) -> Tensor", Fixed, "Prelu is LeakyRelu with slopes from weight, one for all or one for each channel (dimension 1)."},
	{"_elu(Tensor self, float alpha, float scale, float input_scale) -> Tensor", Pointwise | FunctionOnly | MethodOnly, "Elu is what Elu, Selu and Celu have in common: scale * x, or alpha * scale * (exp(input_scale * x) - 1) where x is negative."},
	{"nn.functional.elu(Tensor input, float alpha=1.0, bool inplace=False) -> Tensor", Composite | FunctionOnly, "Elu returns each element, or alpha * (exp(x) - 1) where it is negative."},
	{"nn.functional.selu(Tensor input, bool inplace=False) -> Tensor", Composite | FunctionOnly, "Selu is a scaled Elu whose constants keep mean 0 and variance 1."},
	{"nn.functional.celu(Tensor input, float alpha=1.0, bool inplace=False) -> Tensor", Composite | FunctionOnly, "Celu returns each element, or alpha * (exp(x / alpha) - 1) where it is negative."},
	{"nn.functional.gelu(Tensor input, str approximate=\"none\") -> Tensor", Pointwise | FunctionOnly, "Gelu returns each element times the normal distribution function at it; approximate is \"none\" or \"tanh\"."},
	{"nn.functional.silu(Tensor input, bool inplace=False) -> Tensor", Pointwise | FunctionOnly, "Silu returns each element times its sigmoid."},
	{"nn.functional.mish(Tensor input, bool inplace=False) -> Tensor", Pointwise | FunctionOnly, "Mish returns each element times tanh(softplus(x))."},
	{"nn.functional.softplus(Tensor input, Scalar beta=1, Scalar threshold=20) -> Tensor", Pointwise | FunctionOnly, "Softplus returns log(1 + exp(beta * x)) / beta, and x where beta * x is above threshold."},
	{"nn.functional.softsign(Tensor input) -> Tensor", Composite | FunctionOnly, "Softsign returns x / (1 + |x|)."},
	{"nn.functional.tanhshrink(Tensor input) -> Tensor", Composite | FunctionOnly, "Tanhshrink returns x - tanh(x)."},
	{"nn.functional.softshrink(Tensor input, float lambd=0.5) -> Tensor", Pointwise | FunctionOnly, "Softshrink moves each element by lambd towards 0, where it stops."},
	{"nn.functional.hardshrink(Tensor input, float lambd=0.5) -> Tensor", Pointwise, "Hardshrink returns each element, or 0 where its absolute value is at most lambd."},
	{"nn.functional.hardtanh(Tensor input, float min_val=-1.0, float max_val=1.0, bool inplace=False) -> Tensor", Pointwise | FunctionOnly, "Hardtanh limits each element to [min_val, max_val]."},
	{"nn.functional.hardsigmoid(Tensor input, bool inplace=False) -> Tensor", Pointwise | FunctionOnly, "Hardsigmoid returns x / 6 + 1/2, limited to [0, 1]."},
	{"nn.functional.hardswish(Tensor input, bool inplace=False) -> Tensor", Pointwise | FunctionOnly, "Hardswish returns each element times its Hardsigmoid."},
	{"nn.functional.logsigmoid(Tensor input) -> Tensor", Pointwise | FunctionOnly, "Logsigmoid returns the logarithm of the sigmoid, without underflow."},
	{"nn.functional.threshold(Tensor input, float threshold, float value, bool inplace=False) -> Tensor", Pointwise | FunctionOnly, "Threshold returns each element above threshold, and value for the others."},
	{"nn.functional.glu(Tensor input, int dim=-1) -> Tensor", Fixed | FunctionOnly, "Glu returns the first half of dim times the sigmoid of the second."},
	{"nn.functional.softmax(Tensor input, int? dim=None, ScalarType? dtype=None) -> Tensor", Fixed, "Softmax returns exponentials that add up to 1 along dim."},
	{"nn.functional.softmin(Tensor input, int? dim=None, ScalarType? dtype=None) -> Tensor", Composite | FunctionOnly, "Softmin is Softmax of -input."},
	{"nn.functional.log_softmax(Tensor input, int? dim=None, ScalarType? dtype=None) -> Tensor", Fixed, "LogSoftmax returns the logarithm of Softmax, without underflow."},

	// Layers.
	{"nn.functional.linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", Composite | FunctionOnly, "Linear returns input @ weight.T() + bias."},
	{"nn.functional.embedding(Tensor input, Tensor weight, int? padding_idx=None, float? max_norm=None, float norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor", Fixed | FunctionOnly, "Embedding returns the row of weight for each index in input; the row padding_idx gets no gradient."},
	{"nn.functional.one_hot(Tensor tensor, int num_classes=-1) -> Tensor", Composite | NoGrad | FunctionOnly, "OneHot returns, for each class index, a row of zeros with a one at its place; -1 takes the greatest index as the last class."},
	{"nn.functional.dropout(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor", Composite | Random | FunctionOnly, "Dropout sets elements to zero with probability p and scales the others by 1/(1-p); with training false it returns input."},
	{"nn.functional.pad(Tensor input, int[] pad, str mode=\"constant\", Scalar? value=None) -> Tensor", Composite | FunctionOnly, "Pad widens the last dimensions by pairs (before, after), the last dimension first; mode is \"constant\", \"reflect\", \"replicate\" or \"circular\"."},
	{"constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor", Fixed | FunctionOnly, "ConstantPadNd widens the last dimensions by pairs (before, after), the last dimension first, filled with value."},
	{"nn.functional.pixel_shuffle(Tensor input, int upscale_factor) -> Tensor", Composite | FunctionOnly, "PixelShuffle makes a picture larger by upscale_factor out of its channels."},
	{"nn.functional.pixel_unshuffle(Tensor input, int downscale_factor) -> Tensor", Composite | FunctionOnly, "PixelUnshuffle makes a picture smaller by downscale_factor, with more channels."},

	// Convolution and pooling.
	{"nn.functional.conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1]|str padding=0, int[1] dilation=1, int groups=1) -> Tensor", Fixed | FunctionOnly, "Conv1d correlates input (N, C, L) or (C, L) with weight (K, C / groups, l); padding may be \"same\" or \"valid\"."},
	{"nn.functional.conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2]|str padding=0, int[2] dilation=1, int groups=1) -> Tensor", Fixed | FunctionOnly, "Conv2d correlates input (N, C, H, W) or (C, H, W) with weight (K, C / groups, h, w); padding may be \"same\" or \"valid\"."},
	{"nn.functional.conv_transpose2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor", Fixed | FunctionOnly, "ConvTranspose2d is the gradient of Conv2d by its input: it spreads input (N, C, H, W) with weight (C, K / groups, h, w)."},
	{"nn.functional.max_pool1d(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor", Composite | FunctionOnly, "MaxPool1d returns the greatest element of each window of a sequence (N, C, L); stride is kernel_size if left out."},
	{"nn.functional.max_pool1d_with_indices(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor out, Tensor indices)", Composite | FunctionOnly, "MaxPool1dWithIndices returns the greatest element of each window and its place in the flattened plane."},
	{"nn.functional.avg_pool1d(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor", Composite | FunctionOnly, "AvgPool1d returns the mean of each window of a sequence (N, C, L); stride is kernel_size if left out."},
	{"nn.functional.max_pool2d(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor", Composite | FunctionOnly, "MaxPool2d returns the greatest element of each window of a picture (N, C, H, W); stride is kernel_size if left out."},
	{"nn.functional.max_pool2d_with_indices(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor out, Tensor indices)", Fixed | FunctionOnly, "MaxPool2dWithIndices returns the greatest element of each window and its place in the flattened plane."},
	{"nn.functional.avg_pool2d(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", Fixed | FunctionOnly, "AvgPool2d returns the mean of each window of a picture (N, C, H, W); stride is kernel_size if left out."},
	{"nn.functional.adaptive_avg_pool2d(Tensor input, int[2] output_size) -> Tensor", Fixed | FunctionOnly, "AdaptiveAvgPool2d averages a picture down to output_size."},

	// Normalization.
	{"nn.functional.layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor", Fixed | FunctionOnly, "LayerNorm shifts and scales the last dimensions, whose sizes are normalized_shape, to mean 0 and variance 1, then applies weight and bias."},
	{"nn.functional.batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, Tensor? weight=None, Tensor? bias=None, bool training=False, float momentum=0.1, float eps=1e-05) -> Tensor", Fixed | FunctionOnly, "BatchNorm normalizes each channel (dimension 1) by its own statistics when training, which also moves the running ones, else by the running ones."},
	{"nn.functional.group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor", Composite | FunctionOnly, "GroupNorm normalizes the channels (dimension 1) in num_groups groups."},
	{"nn.functional.normalize(Tensor input, float p=2.0, int dim=1, float eps=1e-12) -> Tensor", Composite | FunctionOnly | Out, "Normalize divides by the p-norm along dim, or by eps where that is greater."},

	// Attention.
	{"nn.functional.scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False) -> Tensor", Composite | Random | FunctionOnly, "ScaledDotProductAttention returns softmax(query @ key.mT() / sqrt(E) + mask) @ value; a bool mask says what takes part."},
	{"nn.functional._scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool need_attn_weights=False, bool is_causal=False) -> (Tensor output, Tensor attn)", Composite | Random | FunctionOnly | MethodOnly, "ScaledDotProductAttention returns the attention and, where asked for, its weights (else an empty tensor)."},
}

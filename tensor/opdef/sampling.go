package opdef

// samplingRows: layers that look at places which data or chance choose.
var samplingRows = []Row{
	{"nn.functional.grid_sample(Tensor input, Tensor grid, str mode=\"bilinear\", str padding_mode=\"zeros\", bool? " +
		"align_corners=None) -> Tensor",
		Composite | FunctionOnly,
		"GridSample reads pictures (N, C, H, W) or volumes at the places of grid (N, …, 2 or 3), x first, from -1 to 1.\n" +
			"GridSample(Randn(1, 1, 4, 4), Zeros(1, 2, 2, 2))"},
	{"nn.functional.embedding_bag(Tensor input, Tensor weight, Tensor? offsets=None, float? max_norm=None, float " +
		"norm_type=2, " +
		"bool scale_grad_by_freq=False, str mode=\"mean\", bool sparse=False, Tensor? per_sample_weights=None, " +
		"bool include_last_offset=False, int? padding_idx=None) -> Tensor", Composite | FunctionOnly,
		"EmbeddingBag sums, averages or maximizes the rows of weight that each bag of indices names: a row of input, or " +
			"what lies between offsets.\n" +
			"EmbeddingBag(New([[0, 2], [1, 1]]), Randn(3, 4))"},
	{"nn.functional.fractional_max_pool2d(Tensor input, int[2] kernel_size, int[2]? output_size=None, float[2]? " +
		"output_ratio=None, " +
		"*, Tensor? _random_samples=None) -> Tensor", Composite | FunctionOnly,
		"FractionalMaxPool2d returns the greatest element of windows of kernel_size whose distances vary by chance."},
	{"nn.functional.fractional_max_pool2d_with_indices(Tensor input, int[2] kernel_size, int[2]? output_size=None, " +
		"float[2]? output_ratio=None, " +
		"*, Tensor? _random_samples=None) -> (Tensor out, Tensor indices)", Composite | FunctionOnly,
		"FractionalMaxPool2dWithIndices returns those of FractionalMaxPool2d and where they stand in their plane."},
	{"nn.functional.fractional_max_pool3d(Tensor input, int[3] kernel_size, int[3]? output_size=None, float[3]? " +
		"output_ratio=None, " +
		"*, Tensor? _random_samples=None) -> Tensor", Composite | FunctionOnly,
		"FractionalMaxPool3d returns the greatest element of windows of kernel_size whose distances vary by chance."},
	{"nn.functional.fractional_max_pool3d_with_indices(Tensor input, int[3] kernel_size, int[3]? output_size=None, " +
		"float[3]? output_ratio=None, " +
		"*, Tensor? _random_samples=None) -> (Tensor out, Tensor indices)", Composite | FunctionOnly,
		"FractionalMaxPool3dWithIndices returns those of FractionalMaxPool3d and where they stand in their volume."},
}

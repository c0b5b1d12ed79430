package opdef

// lossRows: losses and distances. Their reduction is "mean", "sum" or "none".
var lossRows = []Row{
	{"nn.functional.mse_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str " +
		"reduction=\"mean\") -> Tensor", Fixed | FunctionOnly, "MseLoss returns the squared differences."},
	{"nn.functional.l1_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str " +
		"reduction=\"mean\") -> Tensor", Composite | FunctionOnly, "L1Loss returns the absolute differences."},
	{"nn.functional.smooth_l1_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str " +
		"reduction=\"mean\", float beta=1.0) -> Tensor", Fixed | FunctionOnly,
		"SmoothL1Loss returns half the squared differences over beta where below beta, else the absolute differences less " +
			"beta/2."},
	{"nn.functional.huber_loss(Tensor input, Tensor target, str reduction=\"mean\", float delta=1.0) -> Tensor",
		Fixed | FunctionOnly, "HuberLoss returns half the squared differences where below delta, else delta * (the " +
			"absolute differences less delta/2)."},
	{"nn.functional.nll_loss(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, int " +
		"ignore_index=-100, bool? reduce=None, str reduction=\"mean\") -> Tensor", Fixed | FunctionOnly,
		"NllLoss returns minus the log probability, in input (N, C, ...), of each class in target (N, ...), times the " +
			"weight of the class.\n" +
			"NllLoss(LogSoftmax(Randn(2, 3), 1), New([0, 2]))"},
	{"nn.functional.cross_entropy(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, int " +
		"ignore_index=-100, bool? reduce=None, str reduction=\"mean\", float label_smoothing=0.0) -> Tensor",
		Composite | FunctionOnly,
		"CrossEntropy is NllLoss of LogSoftmax; target holds class indices, or probabilities in the shape of input."},
	{"nn.functional.binary_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, " +
		"bool? reduce=None, str reduction=\"mean\") -> Tensor", Fixed | FunctionOnly,
		"BinaryCrossEntropy returns -(target * log(input) + (1 - target) * log(1 - input)), the logarithms no less than " +
			"-100.\n" +
			"BinaryCrossEntropy(New([0.9, 0.2]), New([1.0, 0.0]))"},
	{"nn.functional.binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight=None, bool? " +
		"size_average=None, bool? reduce=None, str reduction=\"mean\", Tensor? pos_weight=None) -> Tensor",
		Fixed | FunctionOnly, "BinaryCrossEntropyWithLogits is BinaryCrossEntropy of the sigmoid of input, without " +
			"overflow; pos_weight weighs the positive part."},
	{"nn.functional.kl_div(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str " +
		"reduction=\"mean\", bool log_target=False) -> Tensor", Composite | FunctionOnly,
		"KlDiv returns target * (log(target) - input), input being log probabilities; reduction may be \"batchmean\"."},
	{"nn.functional.hinge_embedding_loss(Tensor input, Tensor target, float margin=1.0, bool? size_average=None, bool? " +
		"reduce=None, str reduction=\"mean\") -> Tensor", Composite | FunctionOnly,
		"HingeEmbeddingLoss returns input where target is 1, and max(0, margin - input) where it is -1."},
	{"nn.functional.margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0, bool? " +
		"size_average=None, bool? reduce=None, str reduction=\"mean\") -> Tensor", Composite | FunctionOnly,
		"MarginRankingLoss returns max(0, -target * (input1 - input2) + margin)."},
	{"nn.functional.poisson_nll_loss(Tensor input, Tensor target, bool log_input=True, bool full=False, bool? " +
		"size_average=None, float eps=1e-08, bool? reduce=None, str reduction=\"mean\") -> Tensor", Composite | FunctionOnly,
		"PoissonNllLoss returns minus the log likelihood of counts under Poisson distributions."},
	{"nn.functional.gaussian_nll_loss(Tensor input, Tensor target, Tensor var, bool full=False, float eps=1e-06, str " +
		"reduction=\"mean\") -> Tensor", Composite | FunctionOnly,
		"GaussianNllLoss returns minus the log likelihood of target under normal distributions of mean input and " +
			"variance var."},
	{"nn.functional.cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-8) -> Tensor",
		Composite | FunctionOnly, "CosineSimilarity returns the cosine of the angle between vectors along dim."},
	{"nn.functional.pairwise_distance(Tensor x1, Tensor x2, float p=2.0, float eps=1e-6, bool keepdim=False) -> Tensor",
		Composite | FunctionOnly, "PairwiseDistance returns the p-norm of x1 - x2 + eps along the last dimension."},
	{"nn.functional.soft_margin_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str " +
		"reduction=\"mean\") -> Tensor", Composite | FunctionOnly,
		"SoftMarginLoss returns log(1 + exp(-target * input)), target being 1 or -1."},
	{"nn.functional.multilabel_soft_margin_loss(Tensor input, Tensor target, Tensor? weight=None, bool? " +
		"size_average=None, bool? reduce=None, str reduction=\"mean\") -> Tensor", Composite | FunctionOnly,
		"MultilabelSoftMarginLoss is BinaryCrossEntropyWithLogits, averaged over the classes (the last dimension)."},
	{"nn.functional.multi_margin_loss(Tensor input, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, " +
		"bool? size_average=None, bool? reduce=None, str reduction=\"mean\") -> Tensor", Composite | FunctionOnly,
		"MultiMarginLoss returns the mean over classes of max(0, margin - input[target] + input)^p, for input (N, C) and " +
			"target (N).\n" +
			"MultiMarginLoss(Randn(2, 3), New([0, 2]))"},
	{"nn.functional.multilabel_margin_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, " +
		"str reduction=\"mean\") -> Tensor", Composite | FunctionOnly,
		"MultilabelMarginLoss returns the hinge of every label in target, which end at the first -1, against every other " +
			"class.\n" +
			"MultilabelMarginLoss(Randn(1, 3), New([[2, 0, -1]]))"},
	{"nn.functional.triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, " +
		"float eps=1e-06, bool swap=False, bool? size_average=None, bool? reduce=None, str reduction=\"mean\") -> Tensor",
		Composite | FunctionOnly,
		"TripletMarginLoss returns max(0, margin + the distance of anchor and positive - that of anchor and negative)."},
	{"nn.functional.cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0, bool? " +
		"size_average=None, bool? reduce=None, str reduction=\"mean\") -> Tensor", Composite | FunctionOnly,
		"CosineEmbeddingLoss returns 1 - the cosine where target is 1, and max(0, cosine - margin) where it is -1.\n" +
			"CosineEmbeddingLoss(Randn(2, 3), Randn(2, 3), New([1, -1]))"},
	{"nn.functional.ctc_loss(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int " +
		"blank=0, str reduction=\"mean\", bool zero_infinity=False) -> Tensor", Composite | FunctionOnly,
		"CtcLoss returns minus the log probability of label sequences, summed over all their alignments with log_probs " +
			"(T, N, C) or (T, C); targets are (N, S), or the sequences one behind the other, and \"mean\" divides each " +
			"loss by the length of its target first.\n" +
			"CtcLoss(LogSoftmax(Randn(5, 2, 4), 2), New([[1, 2], [3, 3]]), New([5, 4]), New([2, 1]))"},
	{"nn.functional.pdist(Tensor input, float p=2) -> Tensor", Composite | FunctionOnly,
		"Pdist returns the p-norm distance of every two rows, (0, 1), (0, 2), ..., (1, 2), ...."},
	{"_ctc_loss(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, " +
		"bool zero_infinity=False) -> (Tensor loss, Tensor log_alpha)", Fixed | FunctionOnly | MethodOnly,
		"CtcLoss returns the losses of a batch, and the log probabilities (N, T, 2S+1) of every beginning of the " +
			"sequences."},
	{"_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, " +
		"Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor",
		Fixed | Zeroed | FunctionOnly | MethodOnly,
		"CtcLossBackward returns the gradient of log_probs, which it takes to be a log softmax."},
	{"_nll(Tensor input, Tensor target, Tensor? weight, int ignore_index, float smoothing, bool softmax) -> (Tensor " +
		"loss, Tensor weights, Tensor stats)", Fixed | FunctionOnly | MethodOnly,
		"Nll returns the loss of each target and the weights of their classes; with softmax, of the softmax of input, " +
			"whose statistics (the greatest input, and the reciprocal sum of exponentials) it gives too."},
	{"_nll_backward(Tensor grad, Tensor target, Tensor? weight, Tensor? input, Tensor? stats, int[] sizes, int " +
		"ignore_index, float smoothing) -> Tensor", Fixed | NoGrad | FunctionOnly | MethodOnly,
		"NllBackward returns the gradient of the input of Nll, of shape sizes, from that of its losses; without input and " +
			"stats, of an Nll without softmax."},
}

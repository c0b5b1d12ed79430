package shell

import (
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// examples are the calls of operators that the rule of Example does not make; "" for those that have none.
var examples = map[string]string{
	"view.dtype":                           "New([1.0, 2.0]).ViewDtype(Int32)",
	"as_strided":                           "Arange(6).AsStrided([2, 2], [3, 1])",
	"split_with_sizes":                     "Arange(6).SplitWithSizes([1, 5])",
	"unflatten":                            "Arange(6).Unflatten(0, [2, 3])",
	"movedim":                              "Zeros(2, 3, 4).Movedim(0, 2)",
	"moveaxis":                             "Zeros(2, 3, 4).Moveaxis(0, 2)",
	"repeat":                               "New([1, 2]).Repeat(3, 2)",
	"roll":                                 "Arange(5).Roll(2)",
	"scatter_reduce":                       `Zeros(3).ScatterReduce(0, New([0, 0, 2]), New([1.0, 2, 3]), "sum")`,
	"index_reduce":                         `Ones(3).IndexReduce(0, New([0, 0, 2]), New([1.0, 2, 3]), "prod")`,
	"nn.functional.pad":                    "Pad(Ones(2, 2), [1, 1], value=7)",
	"constant_pad_nd":                      "ConstantPadNd(Ones(2, 2), [1, 1])",
	"nn.functional.max_pool1d":             "MaxPool1d(Randn(1, 6), 2)",
	"nn.functional.avg_pool1d":             "AvgPool1d(Randn(1, 6), 2)",
	"nn.functional.max_pool2d":             "MaxPool2d(Randn(1, 4, 4), 2)",
	"nn.functional.avg_pool2d":             "AvgPool2d(Randn(1, 4, 4), 2)",
	"nn.functional.adaptive_avg_pool2d":    "AdaptiveAvgPool2d(Randn(1, 4, 4), 1)",
	"nn.functional.adaptive_max_pool2d":    "AdaptiveMaxPool2d(Randn(1, 4, 4), 1)",
	"nn.functional.unfold":                 "Unfold(Randn(1, 1, 4, 4), 2)",
	"nn.functional.layer_norm":             "LayerNorm(Randn(2, 3), [3])",
	"addbmm":                               "Ones(3, 2).Addbmm(Ones(4, 3, 5), Ones(4, 5, 2))",
	"baddbmm":                              "Ones(4, 3, 2).Baddbmm(Ones(4, 3, 5), Ones(4, 5, 2))",
	"addmm":                                "Ones(2, 2).Addmm(New([[1, 2, 4], [3, 0.5, 2]]), Ones(3, 2))",
	"addmv":                                "Ones(2).Addmv(New([[1, 2, 4], [3, 0.5, 2]]), Ones(3))",
	"addr":                                 "Zeros(2, 3).Addr(New([1, 2]), New([1, 2, 3]))",
	"bernoulli":                            "New([0.1, 0.5, 0.9]).Bernoulli()",
	"bincount":                             "New([1, 2, 2, 5]).Bincount()",
	"bitwise_and":                          "New([1, 2, 3]).BitwiseAnd(2)",
	"bitwise_or":                           "New([1, 2, 3]).BitwiseOr(2)",
	"bitwise_xor":                          "New([1, 2, 3]).BitwiseXor(2)",
	"bitwise_not":                          "New([1, 2, 3]).BitwiseNot()",
	"bitwise_left_shift":                   "New([1, 2, 3]).BitwiseLeftShift(2)",
	"bitwise_right_shift":                  "New([8, 9, 16]).BitwiseRightShift(2)",
	"block_diag":                           "BlockDiag(Ones(2, 2), Ones(1, 3))",
	"bmm":                                  "Ones(4, 2, 3).Bmm(Ones(4, 3, 5))",
	"broadcast_tensors":                    "BroadcastTensors(New([1, 2, 3]), New([[1], [2]]))",
	"broadcast_to":                         "New([1, 2, 3]).BroadcastTo([2, 3])",
	"bucketize":                            "Bucketize(New([0.5, 2, 9]), New([1.0, 2.0, 3.0]))",
	"cartesian_prod":                       "CartesianProd(New([1, 2]), New([4, 5, 6]))",
	"chain_matmul":                         "ChainMatmul(Ones(2, 3), Ones(3, 4), Ones(4, 1))",
	"clamp":                                "New([-3, 0.5, 7]).Clamp(min=0, max=1)",
	"clip":                                 "New([-3, 0.5, 7]).Clip(min=0, max=1)",
	"combinations":                         "Combinations(New([1, 2, 3]))",
	"diagonal_scatter":                     "Zeros(3, 3).DiagonalScatter(New([1.0, 2, 3]))",
	"dot":                                  "New([1, 2, 3]).Dot(New([4, 5, 6]))",
	"vdot":                                 "New([1, 2, 3]).Vdot(New([4, 5, 6]))",
	"dsplit":                               "Zeros(2, 2, 4).Dsplit(2)",
	"hsplit":                               "Zeros(2, 4).Hsplit(2)",
	"expand":                               "New([1, 2, 3]).Expand([2, 3])",
	"gather":                               "New([[1, 2], [3, 4]]).Gather(1, New([[0, 0], [1, 0]]))",
	"gcd":                                  "New([12, 18]).Gcd(New([8, 27]))",
	"lcm":                                  "New([12, 18]).Lcm(New([8, 27]))",
	"ger":                                  "Ger(New([1, 2]), New([1, 2, 3]))",
	"outer":                                "New([1, 2]).Outer(New([1, 2, 3]))",
	"imag":                                 "Imag(Complex(New([1.0, 2.0]), New([3.0, 4.0])))",
	"index_add":                            "Zeros(3, 2).IndexAdd(0, New([0, 2]), Ones(2, 2))",
	"index_copy":                           "Zeros(3, 2).IndexCopy(0, New([0, 2]), Ones(2, 2))",
	"index_fill":                           "Zeros(3, 2).IndexFill(0, New([0, 2]), 1)",
	"index_select":                         "New([[1, 2], [3, 4], [5, 6]]).IndexSelect(0, New([2, 0]))",
	"masked_fill":                          "New([1, 2, 3]).MaskedFill(New([true, false, true]), 0)",
	"masked_scatter":                       "Zeros(3).MaskedScatter(New([true, false, true]), New([7.0, 8.0]))",
	"masked_select":                        "New([1, 2, 3]).MaskedSelect(New([true, false, true]))",
	"matmul":                               "New([[1, 2, 4], [3, 0.5, 2]]).Matmul(Ones(3, 2))",
	"mm":                                   "New([[1, 2, 4], [3, 0.5, 2]]).Mm(Ones(3, 2))",
	"mv":                                   "New([[1, 2, 4], [3, 0.5, 2]]).Mv(Ones(3))",
	"quantile":                             "New([1, 2, 4, 0.5]).Quantile(0.5)",
	"nanquantile":                          "New([1, 2, 4, 0.5]).Nanquantile(0.5)",
	"narrow":                               "Arange(6).Narrow(0, 2, 3)",
	"narrow_copy":                          "NarrowCopy(Arange(6), 0, 2, 3)",
	"native_batch_norm":                    "",
	"nn.functional.batch_norm":             "BatchNorm(Randn(4, 3), Zeros(3), Ones(3))",
	"nn.functional.bilinear":               "Bilinear(Ones(2, 3), Ones(2, 4), Ones(5, 3, 4))",
	"nn.functional.binary_cross_entropy":   "BinaryCrossEntropy(New([0.9, 0.2]), New([1.0, 0.0]))",
	"nn.functional.conv1d":                 "Conv1d(Ones(1, 1, 5), Ones(1, 1, 3))",
	"nn.functional.conv2d":                 "Conv2d(Ones(1, 1, 5, 5), Ones(1, 1, 3, 3))",
	"nn.functional.conv3d":                 "Conv3d(Ones(1, 1, 3, 3, 3), Ones(1, 1, 2, 2, 2))",
	"nn.functional.conv_transpose1d":       "ConvTranspose1d(Ones(1, 1, 5), Ones(1, 1, 3))",
	"nn.functional.conv_transpose2d":       "ConvTranspose2d(Ones(1, 1, 3, 3), Ones(1, 1, 2, 2))",
	"nn.functional.conv_transpose3d":       "ConvTranspose3d(Ones(1, 1, 2, 2, 2), Ones(1, 1, 2, 2, 2))",
	"nn.functional.cosine_embedding_loss":  "CosineEmbeddingLoss(Randn(2, 3), Randn(2, 3), New([1, -1]))",
	"nn.functional.dropout3d":              "Dropout3d(Ones(1, 2, 2, 2, 2))",
	"nn.functional.embedding":              "Embedding(New([0, 2]), Randn(3, 4))",
	"nn.functional.glu":                    "Glu(New([1.0, 2, 3, 4]))",
	"nn.functional.group_norm":             "GroupNorm(Randn(2, 4, 3), 2)",
	"nn.functional.instance_norm":          "InstanceNorm(Randn(2, 3, 5))",
	"nn.functional.interpolate":            "Interpolate(Ones(1, 1, 2, 2), size=[4, 4])",
	"nn.functional.upsample":               "Upsample(Ones(1, 1, 2, 2), size=[4, 4])",
	"nn.functional.upsample_bilinear":      "UpsampleBilinear(Ones(1, 1, 2, 2), size=[4, 4])",
	"nn.functional.upsample_nearest":       "UpsampleNearest(Ones(1, 1, 2, 2), size=[4, 4])",
	"nn.functional.local_response_norm":    "LocalResponseNorm(Ones(1, 4, 3), 2)",
	"nn.functional.multi_margin_loss":      "MultiMarginLoss(Randn(2, 3), New([0, 2]))",
	"nn.functional.multilabel_margin_loss": "MultilabelMarginLoss(Randn(1, 3), New([[2, 0, -1]]))",
	"nn.functional.nll_loss":               "NllLoss(LogSoftmax(Randn(2, 3), 1), New([0, 2]))",
	"nn.functional.one_hot":                "OneHot(New([0, 2, 1]))",
	"nn.functional.pixel_shuffle":          "PixelShuffle(Ones(1, 4, 2, 2), 2)",
	"nn.functional.pixel_unshuffle":        "PixelUnshuffle(Ones(1, 1, 4, 4), 2)",
	"nn.functional.prelu":                  "Prelu(New([-1.0, 2]), New([0.25]))",
	"put":                                  "Zeros(3).Put(New([0, 2]), New([7.0, 8.0]))",
	"take":                                 "New([5, 6, 7]).Take(New([2, 0]))",
	"take_along_dim":                       "New([[3, 1], [2, 4]]).TakeAlongDim(New([[1, 0], [0, 1]]), dim=1)",
	"randint":                              "Randint(0, 10, [2, 3])",
	"randint_like":                         "RandintLike(Zeros(2, 3), 0, 10)",
	"repeat_interleave":                    "New([1, 2, 3]).RepeatInterleave(2)",
	"scatter":                              "Zeros(2, 3).Scatter(1, New([[0], [2]]), 5)",
	"scatter_add":                          "Zeros(2, 3).ScatterAdd(1, New([[0], [2]]), Ones(2, 1))",
	"searchsorted":                         "Searchsorted(New([1.0, 3, 5]), New([2.0, 5]))",
	"select":                               "New([[1, 2], [3, 4]]).Select(0, 1)",
	"select_scatter":                       "Zeros(2, 3).SelectScatter(Ones(3), 0, 1)",
	"sum_to_size":                          "Ones(2, 3).SumToSize([1, 3])",
	"swapaxes":                             "Zeros(2, 3).Swapaxes(0, 1)",
	"swapaxes_":                            "Zeros(2, 3).Swapaxes_(0, 1)",
	"tensor_split":                         "Arange(7).TensorSplit(3)",
	"unfold":                               "Arange(6).Unfold(0, 3, 2)",
	"vander":                               "Vander(New([1, 2, 3]))",
	"view_as_complex":                      "ViewAsComplex(New([[1.0, 2], [3, 4]]))",
	"view_as_real":                         "ViewAsReal(Complex(New([1.0, 2.0]), New([3.0, 4.0])))",
	"where":                                "Where(New([true, false]), New([1, 2]), New([3, 4]))",
	"histogram":                            "Histogram(New([1.0, 2, 1, 4]), 3)",
	"histogramdd":                          "Histogramdd(Randn(10, 2), [2, 3])",
	"nn.functional.grid_sample":            "GridSample(Randn(1, 1, 4, 4), Zeros(1, 2, 2, 2))",
	"nn.functional.embedding_bag":          "EmbeddingBag(New([[0, 2], [1, 1]]), Randn(3, 4))",
	"stft":                                 "Randn(100).Stft(16, return_complex=true)",
	"istft":                                "Ones(9, 4, dtype=Complex64).Istft(16)",
	"full":                                 "Full([2, 3], 7)",
	"einsum":                               `Einsum("ij,jk->ik", Ones(2, 3), Ones(3, 4))`,
	"permute":                              "Zeros(2, 3, 4).Permute(2, 0, 1)",
	"arange":                               "Arange(0, 10, 2)",
	"linspace":                             "Linspace(0, 1, 5)",
}

// Example is a call of an operator that can be typed: of the method, or of the function.
func Example(o *tensor.Op, method bool) string {
	if text, ok := examples[o.Full]; ok {
		return text
	}
	method = (method || !o.HasFunction()) && o.HasMethod()
	var args []string
	receiver := ""
	for i := range o.Params {
		p := &o.Params[i]
		if p.HasDef || p.KwOnly {
			break
		}
		text := exampleArg(o, i)
		if text == "" {
			return ""
		}
		if method && i == o.Self() {
			receiver = text
			continue
		}
		args = append(args, text)
	}
	if o.Tags.Class() == opdef.Reduction && o.Param("dim") >= 0 && o.Params[o.Param("dim")].HasDef {
		args = append(args, "dim=0")
	}
	call := o.GoName() + "(" + strings.Join(args, ", ") + ")"
	if receiver != "" {
		return receiver + "." + call
	}
	return call
}

// exampleArg is an argument for a parameter, "" where the rule knows none.
func exampleArg(o *tensor.Op, i int) string {
	p := &o.Params[i]
	first := i == 0 || i == o.Self()
	switch {
	case p.Is("Tensor") && first:
		return "New([[1, 2, 4], [3, 0.5, 2]])"
	case p.Is("Scalar"):
		return "2"
	case p.Is("Tensor"):
		return "New([[2, 1, 1], [0.5, 3, 1]])"
	case p.IsList("Tensor"):
		return "[New([1, 2, 3]), New([4, 5, 6])]"
	case p.Name == "size" || p.Name == "shape":
		return "[3, 2]"
	case p.Is("int") && strings.HasPrefix(p.Name, "dim") || p.IsList("int") && strings.HasPrefix(p.Name, "dim"):
		if p.IsList("int") && p.Types[0].N == 0 {
			return "[0, 1]"
		}
		return "0"
	case p.Is("int"):
		return "2"
	case p.Is("float"):
		return "0.5"
	case p.Is("bool"):
		return "true"
	}
	return ""
}

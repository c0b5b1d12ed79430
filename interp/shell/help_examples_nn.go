package shell

import "maps"

// networkExamples are calls of layers, whose inputs have channels, and of operators on raw memory.
var networkExamples = map[string]string{
	"empty":              "Empty(3, 2).Shape()",
	"empty_like":         "EmptyLike(Ones(3, 2)).Shape()",
	"empty_strided":      "EmptyStrided([2, 3], [1, 2]).Stride()",
	"new_empty":          "Ones(2).NewEmpty([3, 2]).Shape()",
	"new_empty_strided":  "Ones(2).NewEmptyStrided([2, 3], [1, 2]).Stride()",
	"index":              "Arange(6).View(2, 3).Index(1)",
	"index_put":          "Zeros(3).IndexPut([New([0, 2])], 5)",
	"index_put_":         "Zeros(3).IndexPut_([New([0, 2])], 5)",
	"as_strided_scatter": "AsStridedScatter(Zeros(3, 3), Ones(3), [3], [4])",
	"segment_reduce":     "SegmentReduce(New([1.0, 2, 3, 4]), \"sum\", lengths=New([1, 3]))",
	"convolution":        "Convolution(Arange(5.0).View(1, 1, 5), Ones(1, 1, 2), nil, [1], [0], [1], false, [0], 1)",
	"native_layer_norm":  "NativeLayerNorm(New([[1.0, 2, 6]]), [3], nil, nil, 1e-5)",

	"nn.functional.max_pool1d_with_indices":            "MaxPool1dWithIndices(New([[1.0, 3, 2, 5]]), 2)",
	"nn.functional.max_pool2d_with_indices":            "MaxPool2dWithIndices(Arange(16.0).View(1, 4, 4), 2)",
	"nn.functional.max_pool3d":                         "MaxPool3d(Arange(8.0).View(1, 2, 2, 2), 2)",
	"nn.functional.max_pool3d_with_indices":            "MaxPool3dWithIndices(Arange(8.0).View(1, 2, 2, 2), 2)",
	"nn.functional.avg_pool3d":                         "AvgPool3d(Arange(8.0).View(1, 2, 2, 2), 2)",
	"nn.functional.adaptive_avg_pool1d":                "AdaptiveAvgPool1d(Arange(6.0).View(1, 6), 2)",
	"nn.functional.adaptive_avg_pool3d":                "AdaptiveAvgPool3d(Arange(8.0).View(1, 2, 2, 2), 1)",
	"nn.functional.adaptive_max_pool1d":                "AdaptiveMaxPool1d(Arange(6.0).View(1, 6), 2)",
	"nn.functional.adaptive_max_pool1d_with_indices":   "AdaptiveMaxPool1dWithIndices(Arange(6.0).View(1, 6), 2)",
	"nn.functional.adaptive_max_pool2d_with_indices":   "AdaptiveMaxPool2dWithIndices(Arange(16.0).View(1, 4, 4), 2)",
	"nn.functional.adaptive_max_pool3d":                "AdaptiveMaxPool3d(Arange(8.0).View(1, 2, 2, 2), 1)",
	"nn.functional.adaptive_max_pool3d_with_indices":   "AdaptiveMaxPool3dWithIndices(Arange(8.0).View(1, 2, 2, 2), 1)",
	"nn.functional.max_unpool1d":                       "MaxUnpool1d(New([[3.0, 5]]), New([[1, 3]]), 2)",
	"nn.functional.max_unpool2d":                       "MaxUnpool2d(New([[[7.0]]]), New([[[3]]]), 2)",
	"nn.functional.max_unpool3d":                       "MaxUnpool3d(New([[[[7.0]]]]), New([[[[7]]]]), 2)",
	"nn.functional.fractional_max_pool2d":              "FractionalMaxPool2d(Rand(1, 4, 4), 2, output_size=2)",
	"nn.functional.fractional_max_pool2d_with_indices": "FractionalMaxPool2dWithIndices(Rand(1, 4, 4), 2, output_size=2)",
	"nn.functional.fractional_max_pool3d":              "FractionalMaxPool3d(Rand(1, 3, 3, 3), 2, output_size=1)",
	"nn.functional.fractional_max_pool3d_with_indices": "FractionalMaxPool3dWithIndices(Rand(1, 3, 3, 3), 2, " +
		"output_size=1)",
}

func init() { maps.Copy(examples, networkExamples) }

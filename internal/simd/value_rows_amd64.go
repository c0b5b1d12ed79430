package simd

func init() {
	register(func(l Level) {
		valueRows = pick(l, nil, &map[string]ValueRows{
			"scale float32":     scaleRowsFloat32AVX2,
			"add_value float32": addValueRowsFloat32AVX2,
			"sub_value float32": subValueRowsFloat32AVX2,
			"value_sub float32": valueSubRowsFloat32AVX2,
			"div_value float32": divValueRowsFloat32AVX2,
			"value_div float32": valueDivRowsFloat32AVX2,
			"scale float64":     scaleRowsFloat64AVX2,
			"add_value float64": addValueRowsFloat64AVX2,
			"sub_value float64": subValueRowsFloat64AVX2,
			"value_sub float64": valueSubRowsFloat64AVX2,
			"div_value float64": divValueRowsFloat64AVX2,
			"value_div float64": valueDivRowsFloat64AVX2,
		}, &map[string]ValueRows{
			"scale float32":     scaleRowsFloat32AVX512,
			"add_value float32": addValueRowsFloat32AVX512,
			"sub_value float32": subValueRowsFloat32AVX512,
			"value_sub float32": valueSubRowsFloat32AVX512,
			"div_value float32": divValueRowsFloat32AVX512,
			"value_div float32": valueDivRowsFloat32AVX512,
			"scale float64":     scaleRowsFloat64AVX512,
			"add_value float64": addValueRowsFloat64AVX512,
			"sub_value float64": subValueRowsFloat64AVX512,
			"value_sub float64": valueSubRowsFloat64AVX512,
			"div_value float64": divValueRowsFloat64AVX512,
			"value_div float64": valueDivRowsFloat64AVX512,
		})
	})
}

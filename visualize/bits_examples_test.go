package visualize

import (
	"math"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"bits", func(s *viewtest.Session) View { return Bits("0.1") }},
		exampleView{"bits_ints", func(s *viewtest.Session) View {
			return Bits("-3", tensor.Int8, tensor.Uint8, tensor.Int32, tensor.Int64, tensor.Bool)
		}},
		exampleView{"bits_edges", func(s *viewtest.Session) View {
			return Bits("1e-45", tensor.Float32, tensor.Float16, tensor.Bfloat16, tensor.Float64)
		}},
		exampleView{"bits_overflow", func(s *viewtest.Session) View {
			return Bits("65520", tensor.Float16, tensor.Float32)
		}},
		exampleView{"bits_complex", func(s *viewtest.Session) View {
			return Bits(tensor.FromSlice([]complex64{1.5 - 0.1i}, 1).Select(0, 0))
		}},
		exampleView{"bits_nan", func(s *viewtest.Session) View {
			return Bits(tensor.FromSlice([]float64{math.Float64frombits(0xfff0000000000007)}, 1))
		}},
		exampleView{"bits_zero", func(s *viewtest.Session) View { return Bits("-0", tensor.Float16) }},
		exampleView{"bits_inf", func(s *viewtest.Session) View { return Bits(math.Inf(-1), tensor.Float32) }},
	)
}

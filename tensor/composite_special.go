package tensor

// Bodies and dtype rules of special functions.

func init() {
	composites(map[string]Kernel{
		"special.polygamma": func(c *Call) { c.Return(c.Tensor(1).Polygamma(c.Int(0), c.toOut()...)) },
	})
	pair := inFloating(slots01, func(c *Call, dt Dtype) { oneTensor(c, dt); noComplex(c, dt) })
	rules := map[string]dtypeRule{
		"special.xlog1py": pair, "special.zeta": pair,
		"igamma": promoting(slots01, onlyFloats), "igammac": promoting(slots01, onlyFloats),
	}
	for _, name := range []string{"chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v",
		"chebyshev_polynomial_w", "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u",
		"shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w", "hermite_polynomial_h",
		"hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"} {
		rules["special."+name] = pair
	}
	promotions(rules)
}

package tensor

// Note: flags that change the number of results. In PyTorch unique(x, return_counts=True) gives two results and
// unique(x) one; in Go these are functions of different names. Invoke takes PyTorch's flags: it calls the row with all
// results and picks.

type flagRule struct {
	flags []string // in the order of the results after the first
	names []string // the flags by position, "" for parameters that are passed on
	full  string   // the row with all results
	order []int    // which result of the full row each flag asks for
}

var flagRules = map[string]flagRule{
	"unique": {[]string{"return_inverse", "return_counts"},
		[]string{"", "", "return_inverse", "return_counts", "dim"}, "unique.all", []int{1, 2}},
	"unique_consecutive": {[]string{"return_inverse", "return_counts"},
		[]string{"", "return_inverse", "return_counts", "dim"}, "unique_consecutive.all", []int{1, 2}},
}

var withIndices = map[string]int{ // the position of return_indices
	"nn.functional.fractional_max_pool2d": 4, "nn.functional.fractional_max_pool3d": 4,
	"nn.functional.max_pool1d": 6, "nn.functional.max_pool2d": 6, "nn.functional.max_pool3d": 6,
	"nn.functional.adaptive_max_pool1d": 2, "nn.functional.adaptive_max_pool2d": 2,
	"nn.functional.adaptive_max_pool3d": 2,
}

// pythonic turns a call with such a flag into the call of the row that has these results; pick chooses among them.
func pythonic(name string, args []any, kwargs map[string]any) (string, []any, map[string]any, func([]any) []any) {
	isTrue := func(v any) bool { b, _ := v.(bool); return b }
	without := func(keys ...string) map[string]any {
		out := map[string]any{}
		for k, v := range kwargs {
			out[k] = v
		}
		for _, k := range keys {
			delete(out, k)
		}
		return out
	}
	if r, ok := flagRules[name]; ok {
		kw := without(r.flags...)
		for i := len(r.names) - 1; i >= 0; i-- {
			if i < len(args) && r.names[i] != "" {
				if r.names[i] == "dim" {
					kw["dim"] = args[i]
				} else if kwargs == nil || kwargs[r.names[i]] == nil {
					kwargs = withKey(kwargs, r.names[i], args[i])
				}
				args = args[:i]
			}
		}
		var want []int
		for i, f := range r.flags {
			if isTrue(kwargs[f]) {
				want = append(want, r.order[i])
			}
		}
		if len(want) == 0 {
			return name, args, kw, nil
		}
		return r.full, args, kw, func(all []any) []any {
			out := all[:1:1]
			for _, i := range want {
				out = append(out, all[i])
			}
			return out
		}
	}
	if i, ok := withIndices[name]; ok {
		flag := kwargs["return_indices"]
		if len(args) > i {
			flag, args = args[i], args[:i]
		}
		kw := without("return_indices")
		if isTrue(flag) {
			return name + "_with_indices", args, kw, nil
		}
		return name, args, kw, nil
	}
	if name == "where" && len(args)+len(kwargs) == 1 { // the places where a condition holds
		return "nonzero.as_tuple", args, rename(kwargs, "condition", "self"), nil
	}
	if name == "nonzero" && isTrue(kwargs["as_tuple"]) {
		return "nonzero.as_tuple", args, without("as_tuple"), nil
	} else if name == "nonzero" {
		return name, args, without("as_tuple"), nil
	}
	return name, args, kwargs, nil
}

func withKey(m map[string]any, k string, v any) map[string]any {
	out := map[string]any{k: v}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// rename returns m with the key from called to.
func rename(m map[string]any, from, to string) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		if k == from {
			k = to
		}
		out[k] = v
	}
	return out
}

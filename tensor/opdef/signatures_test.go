package opdef

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/signatures.txt
var signatureText string

// A pySig is one of PyTorch's signatures of an operator.
type pySig struct {
	source string // torch, functional, method or aten
	params []pyParam
}

type pyParam struct {
	name, def string
	hasDef    bool
}

// readSignatures returns PyTorch's signatures by operator.
func readSignatures(t *testing.T) map[string][]pySig {
	t.Helper()
	sigs := map[string][]pySig{}
	for line := range strings.Lines(signatureText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		source, rest, _ := strings.Cut(line, " ")
		name, list, ok := strings.Cut(strings.TrimSuffix(rest, ")"), "(")
		parts, err := splitList(list)
		if !ok || err != nil {
			t.Fatalf("testdata: malformed line %q: %v", line, err)
		}
		p := pySig{source: source}
		for _, part := range parts {
			if part == "*" {
				continue
			}
			var q pyParam
			q.name, q.def, q.hasDef = strings.Cut(part, "=")
			q.name, q.def = plainName(q.name), plainDefault(q.def)
			p.params = append(p.params, q)
		}
		if source == "method" && !slices.ContainsFunc(p.params, func(q pyParam) bool { return q.name == "self" }) {
			p.params = slices.Insert(p.params, 0, pyParam{name: "self"})
		}
		sigs[name] = append(sigs[name], p)
	}
	return sigs
}

func plainName(s string) string {
	if s == "input" {
		return "self"
	}
	return s
}

// plainDefault makes spellings of one value alike.
func plainDefault(s string) string {
	s = strings.ReplaceAll(s, " ", "")
	switch s {
	case "torch.preserve_format", "torch.contiguous_format", "torch.strided":
		return "None"
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return s
}

// leftOut are parameters of PyTorch's that no row has: out is opt.Out, flags that change the number of results choose
// another row, and the rest is private or of no use in Go.
var leftOut = []string{"out", "pin_memory", "return_inverse", "return_counts", "return_indices", "as_tuple",
	"_stacklevel", "implicit", "names"}

// extended are the rows that differ on purpose, with the reason.
var extended = map[string]string{
	"arange":                        "start, end and step are the variadic limits ",
	"tril_indices":                  "takes what every factory takes",
	"triu_indices":                  "takes what every factory takes",
	"randperm":                      "its dtype is None for int64, as every factory's",
	"H":                             "an attribute in Python",
	"_fft_c2c":                      "normalization is a number, as in aten",
	"_fft_r2c":                      "as _fft_c2c",
	"_fft_c2r":                      "as _fft_c2c",
	"_elu":                          "aten::elu, whose name nn.functional.elu takes",
	"_adjugate":                     "a part of det's formula",
	"lu":                            "torch.lu is written in Python and gives two results or three",
	"svd_lowrank":                   "written in Python",
	"pca_lowrank":                   "written in Python",
	"norm":                          "p is \"fro\" in torch.norm, which is written in Python",
	"tensordot":                     "written in Python: tensordot(a, b, dims=2)",
	"tensordot.dims":                "Python's dims as a pair of lists",
	"cdist":                         "written in Python, where compute_mode is a string",
	"_reshape_alias":                "a signature of derivatives alone",
	"_fused":                        "private: what Fuse records",
	"_with_values":                  "a sparse tensor of the same pattern, as a part of formulas",
	"_values_at":                    "as _with_values",
	"_unsafe_view":                  "private, as _reshape_alias",
	"_unitary_factor":               "a part of norm's formula",
	"nn.functional.interpolate":     "antialias is missing, which smooths when a picture becomes smaller",
	"_convolution_weight":           "a part of convolution_backward",
	"_avg_pool2d_backward":          "avg_pool2d_backward, as a part of a formula",
	"_adaptive_avg_pool2d_backward": "as _avg_pool2d_backward",
	"_avg_pool3d_backward":          "as _avg_pool2d_backward",
	"_adaptive_avg_pool3d_backward": "as _avg_pool2d_backward",
	"_max_pool_backward":            "max_pool2d_with_indices_backward and its like, as a part of a formula",
	"_max_pool2d":                   "max_pool2d_with_indices without them",
	"_max_pool3d":                   "as _max_pool2d",
	"_adaptive_max_pool2d":          "as _max_pool2d",
	"_adaptive_max_pool3d":          "as _max_pool2d",
	"_interpolate":                  "the kernel of interpolate, whatever the mode",
	"_interpolate_backward":         "as _interpolate",
	"_pad":                          "the kernel of reflection_pad2d and its like",
	"_pad_backward":                 "as _pad",
	"_unfold_backward":              "im2col_backward, as a part of a formula",
	"_layer_norm":                   "the kernel of native_layer_norm",
	"_standardized":                 "a part of native_layer_norm_backward",
	"_batch_norm":                   "the kernel of native_batch_norm that trains",
	"_batch_norm_eval":              "the kernel of native_batch_norm that does not",
	"_standard_gamma":               "private in PyTorch: what Gamma draws from",
	"_standard_gamma_grad":          "a part of the formula of _standard_gamma",
	"_sample_dirichlet":             "private in PyTorch: what Dirichlet draws from",
	"_dirichlet_grad":               "a part of the formula of _sample_dirichlet",
	"_softmax_backward":             "_softmax_backward_data, as a part of a formula",
	"_log_softmax_backward":         "as _softmax_backward",
	"_layer_norm_backward":          "a part of native_layer_norm_backward",
	"_batch_norm_backward":          "a part of native_batch_norm_backward",
	"_nll":                          "cross_entropy in one pass",
	"_nll_backward":                 "its gradient, and that of nll_loss",
	"_index":                        "the kernel of index, where only tensors are left",
	"_index_put_impl_":              "the kernel of index_put_, without unsafe",
	"nn.functional.scaled_dot_product_attention": "of PyTorch 2.0",
	"normal": "normal(mean, std, size) takes what every factory takes",
}

// TestRowsAgreeWithPyTorch: every parameter has PyTorch's name and default, and there is a signature that has the same
// ones in the same order. Where a row stands for several overloads, a parameter that one of them lacks is optional.
func TestRowsAgreeWithPyTorch(t *testing.T) {
	pytorch := readSignatures(t)
	compared := 0
	for _, s := range parsed(t) {
		if extended[s.FullName()] != "" {
			continue
		}
		sigs := pytorch[s.Name]
		if len(sigs) == 0 {
			t.Errorf("%s: PyTorch has no such operator (or testdata lacks it)", s.FullName())
			continue
		}
		compared++
		for i := range s.Params {
			if why := disagrees(&s.Params[i], sigs); why != "" {
				t.Errorf("%s: parameter %s %s", s.FullName(), s.Params[i].Name, why)
			}
		}
		if !slices.ContainsFunc(sigs, func(p pySig) bool { return sameOrder(s, p) }) {
			t.Errorf("%s: no signature of PyTorch's has these parameters in this order: %s", s.FullName(), s.Schema)
		}
	}
	if compared < 400 {
		t.Errorf("compared %d rows only", compared)
	}
}

// disagrees says what is wrong with a parameter, or "".
func disagrees(p *Param, sigs []pySig) string {
	found, lacking := false, false
	for _, sig := range sigs {
		i := slices.IndexFunc(sig.params, func(q pyParam) bool { return q.name == plainName(p.Name) })
		if i < 0 {
			lacking = true
			continue
		}
		found = true
		if q := sig.params[i]; q.hasDef == p.HasDef && q.def == plainDefault(p.Default) {
			return ""
		}
	}
	switch {
	case !found:
		return "is none of PyTorch's"
	case lacking && p.Optional && p.Default == "None":
		return ""
	}
	return "has another default than PyTorch's"
}

// sameOrder reports whether all that p requires stands in s, and what they share stands in one order.
func sameOrder(s *Sig, p pySig) bool {
	at, last := 0, -1
	for _, q := range p.params {
		if slices.Contains(leftOut, q.name) {
			continue
		}
		at = slices.IndexFunc(s.Params, func(r Param) bool { return plainName(r.Name) == q.name })
		if at < 0 {
			return false
		}
		if s.Params[at].KwOnly {
			continue
		}
		if at < last {
			return false
		}
		last = at
	}
	return true
}

// TestFormsAreThoseOfPyTorch: forms in place exist exactly where PyTorch has them, and out wherever it documents it.
// Rows under a module's name are left aside: there, forms in place are functions.
func TestFormsAreThoseOfPyTorch(t *testing.T) {
	pytorch := readSignatures(t)
	rows := map[string]bool{}
	for _, s := range parsed(t) {
		rows[s.Name] = true
	}
	for _, s := range parsed(t) {
		if s.Overload != "" || strings.HasSuffix(s.Name, "_") || strings.Contains(s.Name, ".") {
			continue
		}
		if want := len(pytorch[s.Name+"_"]) > 0; want != (s.Tags.Has(InPlace) || rows[s.Name+"_"]) {
			t.Errorf("%s: PyTorch has a form in place: %v", s.Name, want)
		}
		out := slices.ContainsFunc(pytorch[s.Name], func(p pySig) bool {
			return slices.ContainsFunc(p.params, func(q pyParam) bool { return q.name == "out" })
		})
		if one := len(s.Rets) == 1; one && out && !s.Tags.Has(Out) {
			t.Errorf("%s: PyTorch has out=", s.Name)
		}
	}
}

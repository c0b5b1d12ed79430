package opdef

import (
	"math/bits"
	"reflect"
	"strings"
	"testing"
)

// parsed returns the whole table, parsed.
func parsed(t *testing.T) []*Sig {
	t.Helper()
	var sigs []*Sig
	for _, r := range Table() {
		s, err := Parse(r)
		if err != nil {
			t.Fatal(err)
		}
		sigs = append(sigs, s)
	}
	return sigs
}

// TestSignatures: the generated table is the rows, parsed.
func TestSignatures(t *testing.T) {
	want, got := parsed(t), Signatures()
	if len(got) != len(want) {
		t.Fatalf("%d generated rows for %d rows of the table: run go generate ./...", len(got), len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(&got[i], want[i]) {
			t.Errorf("row %d: generated\n%+v\nparsed\n%+v\nrun go generate ./...", i, got[i], *want[i])
		}
	}
}

func TestRowsHaveOneClass(t *testing.T) {
	for _, s := range parsed(t) {
		if n := bits.OnesCount32(uint32(s.Tags.Class())); n != 1 {
			t.Errorf("%s has %d shape classes, want one", s.FullName(), n)
		}
	}
}

func TestDocBeginsWithGoName(t *testing.T) {
	for _, s := range parsed(t) {
		if !strings.HasPrefix(s.Doc, s.GoName()+" ") || !strings.HasSuffix(s.Doc, ".") {
			t.Errorf("%s: %q should be a sentence that begins with %s", s.FullName(), s.Doc, s.GoName())
		}
	}
}

// TestGoNamesAreUnique: no two functions and no two methods, those in place included, share a name.
func TestGoNamesAreUnique(t *testing.T) {
	functions, methods, full := map[string]string{}, map[string]string{}, map[string]bool{}
	note := func(in map[string]string, goName, row string) {
		if other, ok := in[goName]; ok {
			t.Errorf("%s and %s are both %s", other, row, goName)
		}
		in[goName] = row
	}
	for _, s := range parsed(t) {
		if full[s.FullName()] {
			t.Errorf("%s stands in the table twice", s.FullName())
		}
		full[s.FullName()] = true
		if s.HasFunction() {
			note(functions, s.GoName(), s.FullName())
		}
		if s.HasMethod() {
			note(methods, s.GoName(), s.FullName())
		}
		if s.Tags.Has(InPlace) {
			note(methods, s.GoName()+"_", s.FullName()+" in place")
		}
	}
}

// TestAliases: a view looks into its first argument, a name with an underscore writes into it, and no kernel's result
// does either unasked.
func TestAliases(t *testing.T) {
	for _, s := range parsed(t) {
		looks, writes := false, false
		for _, r := range s.Rets {
			for _, typ := range r.Types {
				looks = looks || typ.Alias != "" && !typ.Write
				writes = writes || typ.Write
				if typ.Alias != "" && (len(s.Params) == 0 || s.Params[0].Types[0].Alias != typ.Alias ||
					s.Params[0].Types[0].Write != typ.Write) {
					t.Errorf("%s: result %s(%s) has no such argument", s.FullName(), typ.Base, typ.Alias)
				}
			}
		}
		class := s.Tags.Class()
		if class == View && !looks {
			t.Errorf("%s is a view without Tensor(a)", s.FullName())
		}
		if looks && class != View && class != Composite {
			t.Errorf("%s has Tensor(a) and is no view", s.FullName())
		}
		if under := strings.HasSuffix(s.Name, "_"); under != writes {
			t.Errorf("%s: an underscore and Tensor(a!) go together", s.FullName())
		} else if under && (!s.Tags.Has(MethodOnly) || s.Tags.Has(InPlace)) {
			t.Errorf("%s is written in place already: MethodOnly, not InPlace", s.FullName())
		}
	}
}

// TestForms: what has a form in place has a method, and out takes one result.
func TestForms(t *testing.T) {
	for _, s := range parsed(t) {
		if s.Tags.Has(InPlace) && s.Self() < 0 {
			t.Errorf("%s has a form in place and no receiver", s.FullName())
		}
		if s.Tags.Has(Out) && (len(s.Rets) != 1 || s.Rets[0].Types[0].List) {
			t.Errorf("%s has a form with out and not one result", s.FullName())
		}
		if s.Tags.Class() == Factory && s.Param("requires_grad") < 0 && !s.Tags.Has(NoGrad) {
			t.Errorf("%s is a factory without requires_grad", s.FullName())
		}
	}
}

// wanted is the least that the table holds, by PyTorch's names.
const wanted = `
empty zeros ones full empty_like zeros_like ones_like full_like arange linspace eye clone to contiguous detach
view reshape flatten transpose t permute movedim squeeze unsqueeze expand broadcast_to narrow slice
select as_strided split chunk unbind
diagonal unfold unflatten cat stack repeat flip roll
exp log sqrt rsqrt sin cos tan tanh sigmoid abs neg sign floor ceil round trunc reciprocal square erf
nn.functional.relu nn.functional.leaky_relu nn.functional.gelu nn.functional.silu
nn.functional.softplus nn.functional.elu
add sub mul div pow remainder floor_divide maximum minimum where masked_fill lerp
eq ne lt le gt ge logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor
bitwise_not isnan isinf isfinite
sum mean prod amax amin max max.dim min min.dim argmax argmin all any var std logsumexp norm
mm bmm mv dot outer matmul addmm einsum
index index_put_ index_select index_add gather scatter scatter_add masked_select nonzero
nonzero.as_tuple nn.functional.embedding
nn.functional.one_hot sort argsort topk unique unique.all cumsum cumprod tril triu
nn.functional.linear nn.functional.conv2d nn.functional.max_pool2d nn.functional.avg_pool2d
nn.functional.softmax nn.functional.log_softmax
nn.functional.layer_norm nn.functional.batch_norm nn.functional.dropout nn.functional.mse_loss nn.functional.nll_loss
nn.functional.cross_entropy nn.functional.binary_cross_entropy_with_logits nn.functional.scaled_dot_product_attention
rand randn randint randperm rand_like randn_like normal bernoulli multinomial poisson
uniform_ normal_ random_ bernoulli_ exponential_ log_normal_ geometric_ cauchy_ fill_ zero_ copy_ detach_
swapaxes expand_as float double half bfloat16 int long bool`

func TestTableHoldsWhatIsWanted(t *testing.T) {
	have := map[string]bool{}
	for _, s := range parsed(t) {
		have[s.FullName()] = true
	}
	for _, name := range strings.Fields(wanted) {
		if !have[name] {
			t.Errorf("no row for %s", name)
		}
	}
}

func TestGoName(t *testing.T) {
	for schema, want := range map[string]string{
		"index_select(Tensor self) -> Tensor":              "IndexSelect",
		"max.dim(Tensor self, int dim) -> Tensor":          "MaxDim",
		"linalg.vector_norm(Tensor self) -> Tensor":        "LinalgVectorNorm",
		"nn.functional.conv2d(Tensor input) -> Tensor":     "Conv2d",
		"index_put_(Tensor(a!) self) -> Tensor(a!)":        "IndexPut_",
		"mT(Tensor(a) self) -> Tensor(a)":                  "MT",
		"_to_copy(Tensor self) -> Tensor":                  "ToCopy",
		"atleast_1d(Tensor(a) self) -> Tensor(a)":          "Atleast1d",
		"nonzero.as_tuple(Tensor self) -> Tensor[]":        "NonzeroAsTuple",
		"nn.functional.smooth_l1_loss(Tensor i) -> Tensor": "SmoothL1Loss",
	} {
		s, err := Parse(Row{Schema: schema})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.GoName(); got != want {
			t.Errorf("%s is %s in Go, want %s", s.FullName(), got, want)
		}
	}
}

package main

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"gotorch/tensor/opdef"
)

// keyword is one option: its name, its Go type, and who takes it.
type keyword struct {
	name   string
	goType string // in package tensor
	takers []string
}

// beyond the table: keywords of methods that are no operators, and out.
var extraKeywords = []keyword{
	{"out", "...*Tensor", []string{"the operators with an out form"}},
	{"gradient", "*Tensor", []string{"Backward"}},
	{"retain_graph", "bool", []string{"Backward", "autograd.Grad"}},
	{"create_graph", "bool", []string{"Backward", "autograd.Grad"}},
	{"inputs", "...*Tensor", []string{"Backward"}},
	{"grad_outputs", "...*Tensor", []string{"autograd.Grad"}},
	{"allow_unused", "bool", []string{"autograd.Grad"}},
	{"eps", "float64", []string{"autograd.Gradcheck"}},
	{"atol", "float64", []string{"autograd.Gradcheck"}},
	{"rtol", "float64", []string{"autograd.Gradcheck"}},
	{"requires_grad", "bool", []string{"RequiresGrad_"}},
	{"memory_format", "MemoryFormat", []string{"IsContiguous"}},
	{"in_dims", "...any", []string{"autograd.Vmap"}},
	{"out_dims", "...int", []string{"autograd.Vmap"}},
	{"randomness", "string", []string{"autograd.Vmap"}},
	{"argnums", "...int", []string{"autograd.GradOf", "autograd.Jacrev", "autograd.Hessian"}},
	{"chunk_size", "int", []string{"autograd.Vmap", "autograd.Jacrev", "autograd.Hessian"}},
	{"fast_mode", "bool", []string{"autograd.Gradcheck"}},

	{"affine", "bool", []string{"nn.NewBatchNorm", "nn.NewGroupNorm", "nn.NewInstanceNorm"}},
	{"elementwise_affine", "bool", []string{"nn.NewLayerNorm", "nn.NewRMSNorm"}},
	{"track_running_stats", "bool", []string{"nn.NewBatchNorm", "nn.NewInstanceNorm"}},
	{"padding_mode", "string", []string{"nn.NewConv"}},
	{"batch_first", "bool", []string{"recurrent layers, attention and transformers"}},
	{"bidirectional", "bool", []string{"nn.NewRNN and its relatives"}},
	{"num_layers", "int", []string{"nn.NewRNN and its relatives"}},
	{"nonlinearity", "string", []string{"nn.NewRNN and its relatives", "inits.KaimingUniform_", "inits.KaimingNormal_"}},
	{"dropout", "float64", []string{"recurrent layers, attention and transformers"}},
	{"init", "float64", []string{"nn.NewPReLU"}},
	{"num_parameters", "int", []string{"nn.NewPReLU"}},
	{"proj_size", "int", []string{"nn.NewLSTM"}},
	{"average_attn_weights", "bool", []string{"nn.MultiheadAttention.Attend"}},
	{"need_weights", "bool", []string{"nn.MultiheadAttention.Attend"}},
	{"include_last_offset", "bool", []string{"nn.NewEmbeddingBag"}},
	{"add_bias_kv", "bool", []string{"nn.NewMultiheadAttention"}},
	{"add_zero_attn", "bool", []string{"nn.NewMultiheadAttention"}},
	{"kdim", "int", []string{"nn.NewMultiheadAttention"}},
	{"vdim", "int", []string{"nn.NewMultiheadAttention"}},
	{"key_padding_mask", "*Tensor", []string{"nn.MultiheadAttention.Attend"}},
	{"norm_first", "bool", []string{"nn.NewTransformerEncoderLayer", "nn.NewTransformerDecoderLayer"}},
	{"activation", "string", []string{"nn.NewTransformerEncoderLayer", "nn.NewTransformerDecoderLayer"}},
	{"layer_norm_eps", "float64", []string{"nn.NewTransformerEncoderLayer", "nn.NewTransformerDecoderLayer"}},
	{"epochs", "int", []string{"train.Progress"}},
	{"title", "string", []string{"train.Progress"}},
	{"plot", "any", []string{"train.Progress"}},
	{"watch", "any", []string{"train.Progress"}},
	{"dim_feedforward", "int", []string{"nn.NewTransformerEncoderLayer", "nn.NewTransformerDecoderLayer"}},
	{"a", "float64", []string{"inits.KaimingUniform_", "inits.KaimingNormal_", "inits.TruncNormal_"}},
	{"b", "float64", []string{"inits.TruncNormal_"}},
	{"gain", "float64", []string{"inits.XavierUniform_", "inits.XavierNormal_", "inits.Orthogonal_"}},

	{"lr", "any", []string{"the optimizers"}},
	{"betas", "...float64", []string{"optim.NewAdam and its relatives"}},
	{"weight_decay", "float64", []string{"the optimizers"}},
	{"maximize", "bool", []string{"the optimizers"}},
	{"momentum", "float64", []string{"optim.NewSGD", "optim.NewRMSprop"}},
	{"dampening", "float64", []string{"optim.NewSGD"}},
	{"nesterov", "bool", []string{"optim.NewSGD"}},
	{"amsgrad", "bool", []string{"optim.NewAdam", "optim.NewAdamW"}},
	{"momentum_decay", "float64", []string{"optim.NewNAdam"}},
	{"lr_decay", "float64", []string{"optim.NewAdagrad"}},
	{"initial_accumulator_value", "float64", []string{"optim.NewAdagrad"}},
	{"rho", "float64", []string{"optim.NewAdadelta"}},
	{"centered", "bool", []string{"optim.NewRMSprop"}},
	{"etas", "...float64", []string{"optim.NewRprop"}},
	{"step_sizes", "...float64", []string{"optim.NewRprop"}},
	{"t0", "float64", []string{"optim.NewASGD"}},
	{"max_iter", "int", []string{"optim.NewLBFGS"}},
	{"max_eval", "int", []string{"optim.NewLBFGS"}},
	{"tolerance_grad", "float64", []string{"optim.NewLBFGS"}},
	{"tolerance_change", "float64", []string{"optim.NewLBFGS"}},
	{"history_size", "int", []string{"optim.NewLBFGS"}},
	{"line_search_fn", "string", []string{"optim.NewLBFGS"}},

	{"batch", "int", []string{"data.Loader"}},
	{"shuffle", "bool", []string{"data.Loader"}},
	{"workers", "int", []string{"data.Loader"}},
	{"prefetch", "int", []string{"data.Loader"}},
	{"sampler", "any", []string{"data.Loader"}},
	{"collate", "any", []string{"data.Loader"}},
	{"target", "string", []string{"data.CSV"}},
	{"drop_last", "bool", []string{"data.Loader"}},
	{"seed", "int", []string{"data.Loader", "data.RandomSplit"}},
	{"noise", "float64", []string{"data.Spirals", "data.Moons"}},
	{"header", "bool", []string{"data.CSV"}},
	{"strict", "bool", []string{"nn.Load"}},
}

// collectOptions returns every keyword of the table once, with a Go type that fits all its rows.
func collectOptions(sigs []*opdef.Sig) []keyword {
	types := map[string]map[string]bool{}
	takers := map[string][]string{}
	seen := map[string]string{} // N and n are one function in Go
	add := func(name, goType, taker string) {
		if first, ok := seen[opdef.Camel(name)]; ok {
			name = first
		} else {
			seen[opdef.Camel(name)] = name
		}
		if types[name] == nil {
			types[name] = map[string]bool{}
		}
		types[name][goType] = true
		if l := takers[name]; len(l) == 0 || l[len(l)-1] != taker {
			takers[name] = append(l, taker)
		}
	}
	for _, s := range sigs {
		for i := range s.Params {
			if p := &s.Params[i]; p.HasDef || p.KwOnly {
				add(p.Name, optionType(p), s.GoName())
			}
		}
	}
	for _, k := range extraKeywords {
		for _, t := range k.takers {
			add(k.name, k.goType, t)
		}
	}
	var out []keyword
	for name, ts := range types {
		out = append(out, keyword{name, join(ts), takers[name]})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

func optionType(p *opdef.Param) string {
	if p.Name == "size" { // a number stands for all dimensions, a list of one does not
		return "Ints"
	}
	if len(p.Types) > 1 {
		if p.Is("Tensor") && p.Is("Scalar") && len(p.Types) == 2 {
			return "Operand"
		}
		if p.Is("int") && p.IsList("int") && len(p.Types) == 2 {
			return "...int"
		}
		return "any"
	}
	t := p.Types[0]
	names := map[string]string{"Tensor": "*Tensor", "Scalar": "Number", "int": "int", "float": "float64", "bool": "bool",
		"str":        "string",
		"ScalarType": "Dtype", "Device": "Device", "Layout": "Layout", "MemoryFormat": "MemoryFormat",
		"Generator": "*Generator", "Index": "any"}
	if !t.List {
		return names[t.Base]
	}
	switch t.Base {
	case "int", "Tensor":
		return "..." + names[t.Base]
	}
	return "any"
}

// join finds one Go type for all of ts.
func join(ts map[string]bool) string {
	var list []string
	for t := range ts {
		list = append(list, t)
	}
	sort.Strings(list)
	if len(list) == 1 {
		return list[0]
	}
	text := strings.Join(list, " ")
	switch text {
	case "...int int":
		return "...int"
	case "Number float64", "Number int", "Number float64 int", "float64 int":
		return "Number"
	case "*Tensor Operand", "Number Operand", "*Tensor Number", "*Tensor float64", "Operand float64",
		"Operand float64 int", "*Tensor Number Operand", "Number Operand float64":
		return "Operand"
	}
	return "any"
}

// call is how the parameter is passed on: a variadic list as a slice.
func param(k keyword, in string) (decl, pass string) {
	n := opdef.GoParam(k.name)
	if strings.HasPrefix(k.goType, "...") {
		return n + " " + qualify(k.goType, in), n
	}
	return n + " " + qualify(k.goType, in), n
}

// qualify writes the types of package tensor as package opt must.
func qualify(t, in string) string {
	if in != "opt" {
		return t
	}
	bare := strings.TrimLeft(t, ".*[]")
	switch bare {
	case "Tensor", "Dtype", "Device", "Layout", "MemoryFormat", "Generator", "Operand", "Number", "Ints":
		return strings.TrimSuffix(t, bare) + "tensor." + bare
	}
	return t
}

func internalOptions(opts []keyword) *bytes.Buffer {
	b := new(bytes.Buffer)
	b.WriteString("package tensor\n\n// The options of package opt, for the bodies of composite operators, which " +
		"cannot import it.\n\n")
	for _, k := range opts {
		decl, pass := param(k, "")
		fmt.Fprintf(b, "func opt%s(%s) Option { return NewOption(%q, %s) }\n", opdef.Camel(k.name), decl, k.name, pass)
	}
	return b
}

func publicOptions(opts []keyword) *bytes.Buffer {
	b := new(bytes.Buffer)
	b.WriteString("// Package opt has the keyword arguments of gotorch's operators: opt.Dim(1) is dim=1.\npackage opt\n" +
		"\nimport \"gotorch/tensor\"\n\n")
	for _, k := range opts {
		decl, pass := param(k, "opt")
		by := k.takers
		if len(by) > 12 {
			by = append(append([]string{}, by[:12]...), fmt.Sprintf("and %d more", len(k.takers)-12))
		}
		fmt.Fprintf(b, "// %s is the keyword %s of %s.\nfunc %s(%s) tensor.Option { return tensor.NewOption(%q, %s) }\n\n",
			opdef.Camel(k.name), k.name,
			strings.Join(by, ", "), opdef.Camel(k.name), decl, k.name, pass)
	}
	return b
}

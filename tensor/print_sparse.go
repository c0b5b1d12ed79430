package tensor

import "strings"

// Sparse tensors are written as PyTorch writes them: their parts, then the size, the number of values and the layout.

// sparseText is the text of a sparse tensor.
func (x *Tensor) sparseText(o *PrintOptions) string {
	s := x.sparse()
	type part struct {
		name string
		x    *Tensor
	}
	parts := []part{{"indices", s.indices}, {"values", s.values}}
	if k := compressedAs(x.layout); k != nil {
		parts = []part{{k.starts, s.starts}, {k.indices, s.indices}, {"values", s.values}}
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		prefix := p.name + "=tensor("
		texts[i] = prefix + p.x.elementsText(o, printIndent+len(prefix)) + ")"
	}
	suffixes := []string{"size=" + tuple(x.shape), "nnz=" + itoa(x.Nnz())}
	if def := DefaultDtype(); x.dtype != def && x.dtype != def.ToComplex() && x.dtype != Int64 && x.dtype != Bool {
		suffixes = append(suffixes, "dtype=torch."+x.dtype.String())
	}
	suffixes = append(suffixes, "layout=torch."+x.layout.String())
	if fn := x.gradFnName(); fn != "" {
		suffixes = append(suffixes, "grad_fn=<"+fn+">")
	} else if x.RequiresGrad() {
		suffixes = append(suffixes, "requires_grad=True")
	}
	text := "tensor(" + strings.Join(texts, ",\n"+strings.Repeat(" ", printIndent))
	return suffixed(text, suffixes, o, s.starts == nil)
}

// elementsText is the brackets of x where they stand behind indent columns, and the size of an empty tensor.
func (x *Tensor) elementsText(o *PrintOptions, indent int) string {
	if x.numel == 0 {
		return "[], size=" + tuple(x.shape)
	}
	p := newPrinter(x, o)
	p.write(x, x.offset, 0, indent)
	return p.b.String()
}

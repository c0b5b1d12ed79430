package tensor

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Note: text. A tensor is written as PyTorch writes it, character for character: the width of the widest element, four
// digits, scientific notation when the values span too much, ... where there are too many, and what is not the default
// behind it (dtype, device, grad_fn).

// printIndent is the length of "tensor(".
const printIndent = 7

// String is PyTorch's text: tensor([[1., 2.]], grad_fn=<MulBackward0>).
func (x *Tensor) String() string {
	if x == nil {
		return "nil"
	}
	if l := x.Layer(); l != nil {
		return l.text()
	}
	if x.wrapping() != nil {
		return x.wrapperText()
	}
	o := printOptions.Load()
	if x.sparse() != nil {
		return x.sparseText(o)
	}
	body, suffixes := x.body(o)
	return withSuffixes("tensor("+body, suffixes, o)
}

// body returns the brackets, and what follows them.
func (x *Tensor) body(o *PrintOptions) (text string, suffixes []string) {
	if x.st.device != CPU {
		suffixes = append(suffixes, "device='"+x.st.device.String()+"'")
	}
	def := DefaultDtype()
	dtype := func(show bool) {
		if show {
			suffixes = append(suffixes, "dtype=torch."+x.dtype.String())
		}
	}
	switch {
	case x.st.device.Virtual():
		text = "..."
		suffixes = append(suffixes, "size="+tuple(x.shape))
		dtype(x.dtype != def)
	case x.numel == 0:
		text = "[]"
		if len(x.shape) != 1 {
			suffixes = append(suffixes, "size="+tuple(x.shape))
		}
		dtype(x.dtype != def)
	default:
		dtype(x.dtype != def && x.dtype != def.ToComplex() && x.dtype != Int64 && x.dtype != Bool)
		p := newPrinter(x, o)
		p.write(x, x.offset, 0, printIndent)
		text = p.b.String()
	}
	if fn := x.gradFnName(); fn != "" {
		suffixes = append(suffixes, "grad_fn=<"+fn+">")
	} else if x.RequiresGrad() {
		suffixes = append(suffixes, "requires_grad=True")
	}
	return text, suffixes
}

// gradFnName is the name of the node that made x. Asking for it can be an error (a view whose history is forbidden),
// which the text survives.
func (x *Tensor) gradFnName() (name string) {
	if Try(func() {
		if fn := x.GradFn(); fn != nil {
			name = fn.Name()
		}
	}) != nil {
		return "Invalid"
	}
	return name
}

// tuple is a shape as Python writes it: (2, 0), (3,).
func tuple(shape []int) string {
	parts := make([]string, len(shape))
	for i, s := range shape {
		parts[i] = itoa(s)
	}
	if len(shape) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// withSuffixes adds what follows the brackets, on a new line where it would be too long.
func withSuffixes(text string, suffixes []string, o *PrintOptions) string {
	return suffixed(text, suffixes, o, false)
}

// suffixed is withSuffixes; broken begins a new line with the first.
func suffixed(text string, suffixes []string, o *PrintOptions, broken bool) string {
	var b strings.Builder
	b.WriteString(text)
	line := len(text) - strings.LastIndexByte(text, '\n') + 1
	for i, s := range suffixes {
		if broken && i == 0 || line+len(s)+2 > o.Linewidth {
			b.WriteString(",\n" + strings.Repeat(" ", printIndent) + s)
			line = printIndent + len(s)
		} else {
			b.WriteString(", " + s)
			line += len(s) + 2
		}
	}
	b.WriteByte(')')
	return b.String()
}

// printer writes the elements of one tensor.
type printer struct {
	b         strings.Builder
	o         *PrintOptions
	summarize bool
	re, im    *formatter // im for complex numbers
}

func newPrinter(x *Tensor, o *PrintOptions) *printer {
	p := &printer{o: o, summarize: x.numel > o.Threshold}
	var shown []Scalar
	p.each(x, x.offset, 0, func(s Scalar) { shown = append(shown, s) })
	if x.dtype.IsComplex() {
		im := make([]Scalar, len(shown))
		for i := range shown {
			im[i] = FloatScalar(shown[i].im)
			shown[i] = FloatScalar(shown[i].f)
		}
		p.re, p.im = newFormatter(shown, true, o), newFormatter(im, true, o)
	} else {
		p.re = newFormatter(shown, x.dtype.IsFloatingPoint(), o)
	}
	return p
}

// cut reports whether a dimension of size n is shown by its ends alone.
func (p *printer) cut(n int) bool { return p.summarize && n > 2*p.o.Edgeitems }

// shownIndices are those of a dimension of size n whose elements are shown, in order.
func (p *printer) shownIndices(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if i == p.o.Edgeitems && p.cut(n) {
				i = n - p.o.Edgeitems
			}
			if i < n && !yield(i) {
				return
			}
		}
	}
}

// each calls f with the elements that are shown.
func (p *printer) each(x *Tensor, at, d int, f func(Scalar)) {
	if d == len(x.shape) {
		f(x.read("print", at))
		return
	}
	for i := range p.shownIndices(x.shape[d]) {
		p.each(x, at+i*x.stride[d], d+1, f)
	}
}

// write writes the part of x from dimension d on that begins at element at of the storage.
func (p *printer) write(x *Tensor, at, d, indent int) {
	switch len(x.shape) - d {
	case 0:
		p.b.WriteString(p.element(x.read("print", at)))
		return
	case 1:
		p.vector(x, at, d, indent)
		return
	}
	n := x.shape[d]
	sep := func() string { // made where it is needed: of many dimensions of size 1 none is
		return "," + strings.Repeat("\n", len(x.shape)-d-1) + strings.Repeat(" ", indent+1)
	}
	p.b.WriteByte('[')
	k := 0
	for i := range p.shownIndices(n) {
		if k > 0 {
			p.b.WriteString(sep())
		}
		if k == p.o.Edgeitems && p.cut(n) {
			p.b.WriteString("..." + sep())
		}
		p.write(x, at+i*x.stride[d], d+1, indent+1)
		k++
	}
	if p.cut(n) && p.o.Edgeitems == 0 {
		p.b.WriteString("...")
	}
	p.b.WriteByte(']')
}

// vector writes the last dimension, in as many lines as it needs.
func (p *printer) vector(x *Tensor, at, d, indent int) {
	width := p.re.width + 2
	if p.im != nil {
		width += p.im.width + 1
	}
	perLine := max(1, (p.o.Linewidth-indent)/width)
	n := x.shape[d]
	var items []string
	for i := range p.shownIndices(n) {
		items = append(items, p.element(x.read("print", at+i*x.stride[d])))
	}
	if p.cut(n) {
		items = slices.Insert(items, p.o.Edgeitems, " ...")
	}
	var lines []string
	for line := range slices.Chunk(items, perLine) {
		lines = append(lines, strings.Join(line, ", "))
	}
	p.b.WriteString("[" + strings.Join(lines, ",\n"+strings.Repeat(" ", indent+1)) + "]")
}

func (p *printer) element(s Scalar) string {
	if p.im == nil {
		return p.re.format(s)
	}
	im := strings.TrimLeft(p.im.format(FloatScalar(s.im))+"j", " ")
	if im[0] != '+' && im[0] != '-' {
		im = "+" + im
	}
	return p.re.format(FloatScalar(s.f)) + im
}

// Format makes %v, %s and plain printing the text, and %.2f and the like that precision; %d shows shape and dtype
// alone.
func (x *Tensor) Format(f fmt.State, verb rune) {
	if prec, ok := f.Precision(); ok && x != nil && (verb == 'f' || verb == 'g' || verb == 'v') {
		o := GetPrintOptions()
		o.Precision = prec
		if x.sparse() != nil {
			fmt.Fprint(f, x.sparseText(&o))
			return
		}
		body, suffixes := x.body(&o)
		fmt.Fprint(f, withSuffixes("tensor("+body, suffixes, &o))
		return
	}
	if verb == 'd' && x != nil {
		fmt.Fprintf(f, "%s%v", x.dtype, x.shape)
		return
	}
	fmt.Fprint(f, x.String())
}

package nn

import (
	"fmt"
	"strings"

	"gotorch/tensor"
)

// What modules look like where they are printed, as PyTorch prints them: their sizes, not their weights.

// maxNested is how many sequences one in the other are printed.
const maxNested = 100

// String lists the modules with their names, one a line.
func (s Sequential) String() string {
	var b strings.Builder
	s.write(&b, "\n", 0)
	return b.String()
}

// write writes the text of a sequence that stands in depth others; each of its lines begins with newline.
func (s Sequential) write(b *strings.Builder, newline string, depth int) {
	switch {
	case len(s) == 0:
		b.WriteString("Sequential()")
		return
	case depth == maxNested:
		b.WriteString("Sequential(…)")
		return
	}
	b.WriteString("Sequential(")
	for i, m := range s {
		fmt.Fprintf(b, "%s  (%d): ", newline, i)
		if inner, ok := m.(Sequential); ok {
			inner.write(b, newline+"  ", depth+1)
			continue
		}
		b.WriteString(strings.ReplaceAll(shortText(m), "\n", newline+"  "))
	}
	b.WriteString(newline + ")")
}

// shortText is a module's own text, or the name of its type.
func shortText(m any) string {
	if s, ok := m.(fmt.Stringer); ok {
		return s.String()
	}
	if m == nil {
		return "nil"
	}
	return kindOf(m)
}

// named is a module that has another name than its Go type, as PyTorch's Conv2d has, which is a [Conv].
type named interface{ moduleName() string }

func (c *Conv) moduleName() string {
	name := "Conv"
	if c.transposed {
		name = "ConvTranspose"
	}
	if c.Weight == nil {
		return name
	}
	return fmt.Sprintf("%s%dd", name, c.Weight.Dim()-2)
}

func (b *BatchNorm) moduleName() string { return strings.TrimPrefix(b.name, "nn.") }

func (r *recurrent) moduleName() string { return strings.TrimPrefix(r.op, "nn.") }

func (d Dropout) moduleName() string {
	name := "Dropout"
	if d.alpha {
		name = "AlphaDropout"
	}
	if d.Whole > 0 {
		name += fmt.Sprintf("%dd", d.Whole)
	}
	return name
}

// size is that of a dimension of a weight, 0 where there is none.
func size(w *tensor.Tensor, dim int) int {
	if w == nil || dim >= w.Dim() {
		return 0
	}
	return w.Size(dim)
}

// tuple writes sizes as PyTorch does.
func tuple(sizes []int) string {
	s := strings.ReplaceAll(strings.Trim(fmt.Sprint(sizes), "[]"), " ", ", ")
	if len(sizes) == 1 {
		s += ","
	}
	return "(" + s + ")"
}

func (l *Linear) String() string {
	return fmt.Sprintf("Linear(in_features=%d, out_features=%d, bias=%t)",
		size(l.Weight, 1), size(l.Weight, 0), l.Bias != nil)
}

func (b *Bilinear) String() string {
	return fmt.Sprintf("Bilinear(in1_features=%d, in2_features=%d, out_features=%d, bias=%t)",
		size(b.Weight, 1), size(b.Weight, 2), size(b.Weight, 0), b.Bias != nil)
}

func (c *Conv) String() string {
	if c.Weight == nil {
		return "Conv()"
	}
	kernel := c.Weight.Shape()[2:]
	in, out := c.Weight.Size(1)*c.Groups, c.Weight.Size(0)
	if c.transposed {
		in, out = c.Weight.Size(0), c.Weight.Size(1)*c.Groups
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s(%d, %d, kernel_size=%s, stride=%s", c.moduleName(), in, out, tuple(kernel), tuple(c.Stride))
	if p, ok := c.Padding.([]int); !ok {
		fmt.Fprintf(&b, ", padding=%v", c.Padding)
	} else if anyOther(p, 0) {
		b.WriteString(", padding=" + tuple(p))
	}
	if anyOther(c.Dilation, 1) {
		b.WriteString(", dilation=" + tuple(c.Dilation))
	}
	if anyOther(c.outputPadding, 0) {
		b.WriteString(", output_padding=" + tuple(c.outputPadding))
	}
	if c.Groups != 1 {
		fmt.Fprintf(&b, ", groups=%d", c.Groups)
	}
	if c.Bias == nil {
		b.WriteString(", bias=false")
	}
	if c.PaddingMode != "" && c.PaddingMode != "zeros" {
		b.WriteString(", padding_mode=" + c.PaddingMode)
	}
	return b.String() + ")"
}

// anyOther reports whether a number is another than n.
func anyOther(list []int, n int) bool {
	for _, x := range list {
		if x != n {
			return true
		}
	}
	return false
}

func (b *BatchNorm) String() string {
	return fmt.Sprintf("%s(%d, eps=%g, momentum=%g, affine=%t, track_running_stats=%t)",
		b.moduleName(), b.features, b.Eps, b.Momentum, b.Weight != nil, b.RunningMean.Tensor != nil)
}

func (l *LayerNorm) String() string {
	return fmt.Sprintf("LayerNorm(%s, eps=%g, elementwise_affine=%t)", tuple(l.NormalizedShape), l.Eps, l.Weight != nil)
}

func (r *RMSNorm) String() string {
	return fmt.Sprintf("RMSNorm(%s, elementwise_affine=%t)", tuple(r.NormalizedShape), r.Weight != nil)
}

func (g *GroupNorm) String() string {
	return fmt.Sprintf("GroupNorm(%d, %d, eps=%g, affine=%t)", g.Groups, size(g.Weight, 0), g.Eps, g.Weight != nil)
}

func (e *Embedding) String() string {
	s := fmt.Sprintf("Embedding(%d, %d", size(e.Weight, 0), size(e.Weight, 1))
	if e.PaddingIdx >= 0 {
		s += fmt.Sprintf(", padding_idx=%d", e.PaddingIdx)
	}
	return s + ")"
}

func (e *EmbeddingBag) String() string {
	return fmt.Sprintf("EmbeddingBag(%d, %d, mode=%s)", size(e.Weight, 0), size(e.Weight, 1), e.Mode)
}

func (d Dropout) String() string {
	return fmt.Sprintf("%s(p=%g)", d.moduleName(), d.P)
}

func (r *recurrent) String() string {
	s := fmt.Sprintf("%s(%d, %d", r.moduleName(), r.InputSize, r.HiddenSize)
	if r.NumLayers != 1 {
		s += fmt.Sprintf(", num_layers=%d", r.NumLayers)
	}
	if r.BatchFirst {
		s += ", batch_first=true"
	}
	if r.Dropout > 0 {
		s += fmt.Sprintf(", dropout=%g", r.Dropout)
	}
	if r.Bidirectional {
		s += ", bidirectional=true"
	}
	return s + ")"
}

func (m *MultiheadAttention) String() string {
	embed := 0
	if m.OutProj != nil {
		embed = size(m.OutProj.Weight, 0)
	}
	return fmt.Sprintf("MultiheadAttention(%d, %d, batch_first=%t)", embed, m.Heads, m.BatchFirst)
}

package programs

import (
	"fmt"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// TensorLayers is a tensor as transforms see it: what it stands for, and what lies beneath, layer by layer.
type TensorLayers struct {
	Name  string
	Layer LayerNode
}

// LayerNode is one tensor of the layers, and what lies beneath it.
type LayerNode struct {
	Role    string // x's own, value, primal, tangent
	Kind    string // plain, batched, dual
	Level   int    `json:",omitempty"`
	Type    string // float32[3] × batch 8
	Meaning string
	Values  string      `json:",omitempty"` // of a plain tensor of few elements
	Beneath []LayerNode `json:",omitempty"`
}

// maxLayerValues is how many elements a plain tensor may have for its values to be shown.
const maxLayerValues = 64

// Layers shows what a tensor is inside of a transform: inside of a vmap a tensor has the shape of one example and
// holds the whole batch; inside of a JVP a dual number has its primal and its tangent; layers lie in each other as
// the transforms do, the innermost transform's outermost. Outside of transforms it shows that there is none.
func Layers(x *tensor.Tensor) *TensorLayers {
	if x == nil {
		panic(tensor.Errorf("layers", "the tensor is nil"))
	}
	v := &TensorLayers{Name: draw.LabelOf("Layers", x)}
	aside(func() { v.Layer = layerNode("", x) })
	return v
}

// layerType is the type of a tensor that may have layers: float32[3]×8@L1.
func layerType(x *tensor.Tensor) string {
	s := draw.DtypeShape(x)
	for l := x.Layer(); l != nil; l = l.Value.Layer() {
		if l.Key == tensor.KeyBatched {
			s += fmt.Sprintf("×%d@L%d", l.Value.Size(0), l.Level)
		} else {
			s += fmt.Sprintf("+tangent@L%d", l.Level)
		}
	}
	return s
}

func layerNode(role string, x *tensor.Tensor) LayerNode {
	n := LayerNode{Role: role, Kind: "plain", Type: draw.DtypeShape(x)}
	l := x.Layer()
	switch {
	case l == nil:
		if x.Numel() <= maxLayerValues && !x.Device().Virtual() {
			n.Values = x.Detach().String()
		}
		return n
	case l.Key == tensor.KeyBatched:
		n.Kind, n.Level = "batched", l.Level
		n.Type += fmt.Sprintf(" × batch %d @L%d", l.Value.Size(0), l.Level)
		n.Meaning = "code sees one example; the value holds all, counted by its dimension 0"
		n.Beneath = []LayerNode{layerNode("value", l.Value)}
	default:
		n.Kind, n.Level = "dual", l.Level
		n.Type += fmt.Sprintf(" dual @L%d", l.Level)
		n.Meaning = "primal | tangent: the number, and how it moves when the inputs move"
		n.Beneath = []LayerNode{layerNode("primal", l.Value), layerNode("tangent", l.Tangent)}
	}
	if x.Recorded() {
		n.Meaning += "; autograd records at this level"
	}
	return n
}

// String is the text without colour.
func (v *TensorLayers) String() string { return v.Text(false) }

// MIMEBundle is the view in all forms.
func (v *TensorLayers) MIMEBundle() map[string]any { return draw.Bundle(v) }

// Text draws the layers as a tree.
func (v *TensorLayers) Text(color bool) string {
	var b strings.Builder
	var walk func(n *LayerNode, name, first, rest string)
	walk = func(n *LayerNode, name, first, rest string) {
		fmt.Fprintf(&b, "%s%s  %s", first, name, draw.Paint(color, n.Level, draw.Bold(color, n.Type)))
		if n.Meaning != "" {
			b.WriteString("   " + draw.Dim(color, n.Meaning))
		}
		b.WriteByte('\n')
		if n.Values != "" {
			for _, line := range strings.Split(n.Values, "\n") {
				b.WriteString(rest + "    " + draw.Clip(line, 110) + "\n")
			}
		}
		for i := range n.Beneath {
			if i < len(n.Beneath)-1 {
				walk(&n.Beneath[i], n.Beneath[i].Role, rest+"├─ ", rest+"│  ")
			} else {
				walk(&n.Beneath[i], n.Beneath[i].Role, rest+"└─ ", rest+"   ")
			}
		}
	}
	walk(&v.Layer, draw.Clip(v.Name, draw.MaxName), "", "")
	if v.Layer.Kind == "plain" {
		b.WriteString("  no layers: no transform made it\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// SVG draws boxes in boxes.
func (v *TensorLayers) SVG() string { return v.draw().Alone(v.label()) }

// HTML is the picture, with the text beneath it.
func (v *TensorLayers) HTML() string { return draw.Pictured(v.draw(), v.label(), v.Text(false)) }

func (v *TensorLayers) label() string {
	return fmt.Sprintf("the layers of %s, %s", draw.Clip(v.Name, draw.MaxName), v.Layer.Type)
}

func (v *TensorLayers) draw() *draw.Canvas {
	c := new(draw.Canvas)
	v.Layer.draw(c, draw.Clip(v.Name, draw.MaxName), 8, 8)
	return c
}

// draw draws the box of a node, with those beneath it inside, and gives its size.
func (n *LayerNode) draw(c *draw.Canvas, name string, x, y float64) (w, h float64) {
	inner := new(draw.Canvas) // the frame lies beneath what it holds
	title := strings.TrimSpace(name + "  " + n.Type)
	w, h = float64(draw.Width(title))*draw.CharWidth+20, 26
	inner.Text(x+10, y+18, "start", title, draw.Strong)
	if n.Meaning != "" {
		inner.Text(x+10, y+h+12, "start", n.Meaning, draw.Faint)
		w, h = max(w, float64(draw.Width(n.Meaning))*draw.CharWidth+20), h+20
	}
	if n.Values != "" {
		for _, line := range strings.Split(n.Values, "\n") {
			line = draw.Clip(line, 90)
			inner.Text(x+10, y+h+12, "start", line, "")
			w, h = max(w, float64(draw.Width(line))*draw.CharWidth+20), h+18
		}
		h += 6
	}
	at := y + h
	for i := range n.Beneath {
		b := &n.Beneath[i]
		bw, bh := b.draw(inner, b.Role, x+12, at)
		w, at = max(w, bw+24), at+bh+8
	}
	if len(n.Beneath) > 0 {
		h = at - y + 2
	}
	fill, dash := "none", ""
	switch n.Kind {
	case "batched":
		fill = draw.Hue(n.Level)
	case "dual":
		fill, dash = draw.Hue(n.Level), ` stroke-dasharray="5 3"`
	}
	c.Box(x, y, w, h, draw.Filled(fill, 0.12)+dash, "")
	if n.Kind == "batched" { // a pile of examples
		c.Path(fmt.Sprintf("M%s %sv%sh-%s", draw.Num(x+w+4), draw.Num(y+5), draw.Num(h), draw.Num(w-2)), fill, "")
		c.Grow(x+w+6, y+h+6)
	}
	c.Elements.WriteString(inner.Elements.String())
	c.Grow(inner.W, inner.H)
	return w + 4, h + 4
}

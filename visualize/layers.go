package visualize

import (
	"fmt"
	"strings"

	"gotorch/tensor"
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

// Layers shows what a tensor is inside of a transform: inside of a vmap a tensor has the shape of one example and holds the whole batch; inside of a
// JVP a dual number has its primal and its tangent; layers lie in each other as the transforms do, the innermost transform's outermost. Outside of
// transforms it shows that there is none.
func Layers(x *tensor.Tensor) *TensorLayers {
	if x == nil {
		tensor.Errorf("layers", "the tensor is nil")
	}
	v := &TensorLayers{Name: labelOf("Layers", x)}
	aside(func() { v.Layer = layerNode("", x) })
	return v
}

// layerType is the type of a tensor that may have layers: float32[3]×8@L1.
func layerType(x *tensor.Tensor) string {
	s := tensorShape(x)
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
	n := LayerNode{Role: role, Kind: "plain", Type: tensorShape(x)}
	l := x.Layer()
	switch {
	case l == nil:
		if x.Numel() <= maxLayerValues && x.Device() != tensor.Meta {
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
func (v *TensorLayers) MIMEBundle() map[string]any { return bundle(v) }

// Text draws the layers as a tree.
func (v *TensorLayers) Text(color bool) string {
	var b strings.Builder
	var walk func(n *LayerNode, name, first, rest string)
	walk = func(n *LayerNode, name, first, rest string) {
		fmt.Fprintf(&b, "%s%s  %s", first, name, paint(color, n.Level, bold(color, n.Type)))
		if n.Meaning != "" {
			b.WriteString("   " + dim(color, n.Meaning))
		}
		b.WriteByte('\n')
		if n.Values != "" {
			for _, line := range strings.Split(n.Values, "\n") {
				b.WriteString(rest + "    " + clip(line, 110) + "\n")
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
	walk(&v.Layer, clip(v.Name, maxName), "", "")
	if v.Layer.Kind == "plain" {
		b.WriteString("  no layers: no transform made it\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// SVG draws boxes in boxes.
func (v *TensorLayers) SVG() string { return v.draw().alone(v.label()) }

// HTML is the picture, with the text beneath it.
func (v *TensorLayers) HTML() string { return pictured(v.draw(), v.label(), v.Text(false)) }

func (v *TensorLayers) label() string {
	return fmt.Sprintf("the layers of %s, %s", clip(v.Name, maxName), v.Layer.Type)
}

func (v *TensorLayers) draw() *canvas {
	c := new(canvas)
	v.Layer.draw(c, clip(v.Name, maxName), 8, 8)
	return c
}

// draw draws the box of a node, with those beneath it inside, and gives its size.
func (n *LayerNode) draw(c *canvas, name string, x, y float64) (w, h float64) {
	inner := new(canvas) // the frame lies beneath what it holds
	title := strings.TrimSpace(name + "  " + n.Type)
	w, h = float64(width(title))*charWidth+20, 26
	inner.text(x+10, y+18, "start", title, bar)
	if n.Meaning != "" {
		inner.text(x+10, y+h+12, "start", n.Meaning, faint)
		w, h = max(w, float64(width(n.Meaning))*charWidth+20), h+20
	}
	if n.Values != "" {
		for _, line := range strings.Split(n.Values, "\n") {
			line = clip(line, 90)
			inner.text(x+10, y+h+12, "start", line, "")
			w, h = max(w, float64(width(line))*charWidth+20), h+18
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
		fill = hue(n.Level)
	case "dual":
		fill, dash = hue(n.Level), ` stroke-dasharray="5 3"`
	}
	c.box(x, y, w, h, filled(fill, 0.12)+dash, "")
	if n.Kind == "batched" { // a pile of examples
		c.path(fmt.Sprintf("M%s %sv%sh-%s", num(x+w+4), num(y+5), num(h), num(w-2)), fill, "")
		c.grow(x+w+6, y+h+6)
	}
	c.b.WriteString(inner.b.String())
	c.grow(inner.w, inner.h)
	return w + 4, h + 4
}

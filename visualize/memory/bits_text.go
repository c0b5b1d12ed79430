package memory

import (
	"fmt"
	"math"
	"strings"

	"gotorch/visualize/draw"
)

// hueOf is the colour of a field; the label says the same.
func hueOf(field string) int {
	switch field {
	case "sign":
		return 5
	case "exponent":
		return 1
	}
	return 0
}

// String is the text without colour.
func (n *NumberBits) String() string { return n.Text(false) }

// MIMEBundle is the view in all forms.
func (n *NumberBits) MIMEBundle() map[string]any { return draw.Bundle(n) }

// title is "0.1 as float32".
func (n *NumberBits) title(w *BitsWord) string {
	s := draw.Clip(n.Typed, 60) + " as " + w.Dtype
	if w.Part != "" {
		s += ", " + w.Part + " part"
	}
	return s
}

// rows are the lines beneath the bits, with what they are called.
func (w *BitsWord) rows() [][2]string {
	rows := [][2]string{{"value", w.Value}}
	if w.Sum != w.Value {
		rows = append(rows, [2]string{"", "= " + w.Sum})
	}
	next := func(name, v, gap string) {
		if v == "" {
			return
		}
		if gap != "" {
			v += "   " + gap + " away"
		}
		rows = append(rows, [2]string{name, v})
	}
	next("below", w.Below, w.Down)
	next("above", w.Above, w.Up)
	if w.Error != "" {
		rows = append(rows, [2]string{"error", w.Error})
	}
	for _, s := range w.Notes {
		rows = append(rows, [2]string{"note", s})
	}
	return rows
}

// Text draws each dtype's bits, what each field means beneath it, and the neighbours.
func (n *NumberBits) Text(color bool) string {
	var b strings.Builder
	for i := range n.Words {
		w := &n.Words[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s   %s, %s\n", draw.Bold(color, n.title(w)), w.Kind, w.Hex)
		b.WriteString("  bits   ")
		for k, f := range w.Fields {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(draw.Paint(color, hueOf(f.Name), f.Bits))
		}
		b.WriteByte('\n')
		w.legend(&b, color)
		for _, r := range w.rows() {
			fmt.Fprintf(&b, "  %s  %s\n", draw.Dim(color, draw.PadRight(r[0], 5)), r[1])
		}
		if line := w.line(); line != "" {
			fmt.Fprintf(&b, "  %s  %s\n", draw.Dim(color, "line "), line)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// legend hangs each field's meaning under it, the last one first.
func (w *BitsWord) legend(b *strings.Builder, color bool) {
	for k := len(w.Fields) - 1; k >= 0; k-- {
		b.WriteString("         ")
		for j := range k {
			b.WriteString(draw.Paint(color, hueOf(w.Fields[j].Name), "│") + strings.Repeat(" ", len(w.Fields[j].Bits)))
		}
		f := w.Fields[k]
		b.WriteString(draw.Paint(color, hueOf(f.Name), "└ "+f.Name) + " " + f.Means + "\n")
	}
}

// line is the number line in text: the number below, this one, the one above, and ▲ where what was typed lies.
func (w *BitsWord) line() string {
	if w.At == nil || w.Below == "" || w.Above == "" {
		return ""
	}
	const half = 20
	line := []rune("├" + strings.Repeat("─", half-1) + "┼" + strings.Repeat("─", half-1) + "┤")
	at := int(math.Round(*w.At * half))
	where := "▲ typed"
	switch {
	case *w.At == 0:
		where += ": exactly the value"
	case at == 0 && *w.At > 0:
		where += ": a little above the value"
	case at == 0:
		where += ": a little below the value"
	}
	return "below " + string(line) + " above\n" + strings.Repeat(" ", 9+6+half+at) + where
}

// Caption says what was stored instead of what was typed.
func (n *NumberBits) Caption() string {
	if len(n.Words) == 0 {
		return ""
	}
	w := n.Words[0]
	of, name := w.Dtype, n.Typed
	if w.Part != "" {
		name = fmt.Sprintf("the %s part of %s", w.Part, n.Typed)
	}
	off, _, _ := strings.Cut(w.Error, ",")
	switch {
	case w.Kind == "integer" || w.Fields[0].Name == "unused": // true and false lie in the last bit
		return fmt.Sprintf("%s as %s is stored exactly: its bits are %s.", name, of, w.Hex)
	case off == "" && w.Up != "":
		return fmt.Sprintf("%s is exactly %s in %s; the next number above that is %s away.", draw.Capital(name), w.Value,
			of, w.Up)
	case off == "none: exact" && w.Up != "":
		return fmt.Sprintf("%s as %s is stored exactly; the next number above it is %s away.", name, of, w.Up)
	case off != "" && w.At != nil:
		return fmt.Sprintf("There is no %s that is %s: what is stored is the nearest one, %s, which is off by %s.", of, name,
			w.Value, off)
	}
	return fmt.Sprintf("%s as %s is stored as %s: its bits are %s.", name, of, w.Value, w.Hex)
}

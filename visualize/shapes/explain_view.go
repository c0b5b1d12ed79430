package shapes

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Regrouping shows why a tensor cannot be seen under another shape: which of its dimensions do not lie one after the
// other in memory, or how the elements do not come out even.
type Regrouping struct {
	Name   string `json:"name"`
	Shape  []int  `json:"shape"`
	Stride []int  `json:"stride"`
	To     []int  `json:"to"`
	// between neighbouring dimensions; none where the number of elements is wrong
	Joints []Joint  `json:"joints,omitempty"`
	Runs   *Runs    `json:"runs,omitempty"`
	Wrong  string   `json:"wrong"`
	Pairs  string   `json:"pairs,omitempty"` // two sizes that fit
	Hints  []string `json:"hints,omitempty"`
}

// Joint is between dimension Dim and the next: whether the two can be walked as one, which is when stride[Dim] is
// Need.
type Joint struct {
	Dim    int  `json:"dim"`
	Have   int  `json:"have"`
	Need   int  `json:"need"` // stride[Dim+1]·shape[Dim+1]
	Merges bool `json:"merges"`
	Across int  `json:"across"` // the dimension of To that would run across, -1 for none
}

// Runs are the places of the elements along a dimension of To, in elements of the storage, and the steps between them.
type Runs struct {
	Dim    int   `json:"dim"`
	Places []int `json:"places"`
	More   int   `json:"more,omitempty"`
}

func init() {
	Explains(func(e *tensor.Error, f tensor.ViewDetails) draw.View {
		name := "x"
		if x := f.Operand.Value(); x != nil && draw.LiveNames()[x] != "" {
			name = draw.LiveNames()[x]
		} else if found := operandTexts(e.Op); len(found) == 1 && len(found[0]) > 0 {
			name = found[0][0]
		}
		return regrouping(name, f.Shape, f.Stride, f.To)
	})
}

// regrouping is nil where a view is possible.
func regrouping(name string, shape, stride, to []int) draw.View {
	r := &Regrouping{Name: draw.Clip(name, draw.MaxName), Shape: shape, Stride: stride, To: to}
	numel, asked, free := 1, 1, 0
	for _, s := range shape {
		numel *= s
	}
	for _, s := range to {
		switch {
		case s == -1:
			free++
		case s < 0:
			return nil
		case s > 0 && asked > MaxCount/s:
			return nil
		default:
			asked *= s
		}
	}
	if free > 1 || free == 1 && asked == 0 {
		return nil
	}
	if free == 0 && asked != numel || free == 1 && numel%asked != 0 {
		r.miscounted(numel, asked, free)
		return r
	}
	if free == 1 {
		r.To = slices.Clone(to)
		r.To[slices.Index(to, -1)] = numel / asked
	}
	if !r.joints() {
		return nil
	}
	return r
}

// miscounted says how the numbers of elements differ, and which shapes would do.
func (r *Regrouping) miscounted(numel, asked, free int) {
	have := productText(r.Shape, numel)
	if free == 1 {
		r.Wrong = fmt.Sprintf("%s has %s elements, and %s leaves no whole number for -1: %d / %d = %d remainder %d", r.Name,
			have, fmt.Sprint(r.To), numel, asked, numel/asked, numel%asked)
	} else {
		r.Wrong = fmt.Sprintf("%s has %s elements, %v takes %s", r.Name, have, r.To, productText(r.To, asked))
	}
	name := called(r.Name)
	for i, s := range r.To {
		rest := asked
		if s > 0 {
			rest = asked / s
		}
		if s != -1 && free == 0 && rest > 0 && numel%rest == 0 && len(r.Hints) < 3 {
			to := slices.Clone(r.To)
			to[i] = numel / rest
			r.Hints = append(r.Hints, fmt.Sprintf("%s.View(%s)", name, draw.Join(to, ", ")))
		}
	}
	if len(r.To) == 2 && numel > 0 && len(r.Hints) == 0 || free == 1 {
		var pairs []string
		for a := 1; a*a <= numel && a <= 1<<16 && len(pairs) < 8; a++ {
			if numel%a == 0 {
				pairs = append(pairs, fmt.Sprintf("%d·%d", a, numel/a))
			}
		}
		r.Pairs = strings.Join(pairs, ", ")
	}
}

// productText is 2·3·4 = 24.
func productText(shape []int, n int) string {
	if len(shape) < 2 {
		return fmt.Sprint(n)
	}
	return draw.Join(shape, "·") + fmt.Sprintf(" = %d", n)
}

// joints finds the neighbouring dimensions that cannot be walked as one, and which dimension of To would run across.
// It reports whether one does.
func (r *Regrouping) joints() bool {
	wrong := false
	right := 1 // elements to the right of the joint
	for d := len(r.Shape) - 2; d >= 0; d-- {
		right *= r.Shape[d+1]
		j := Joint{Dim: d, Have: r.Stride[d], Need: r.Stride[d+1] * r.Shape[d+1], Across: -1}
		j.Merges = j.Have == j.Need || r.Shape[d] == 1
		if r.Shape[d+1] == 1 { // what counts is the next dimension that has more than one element
			for k := d + 1; k < len(r.Shape); k++ {
				if r.Shape[k] > 1 {
					j.Need = r.Stride[k] * r.Shape[k]
					break
				}
				j.Need = j.Have
			}
			j.Merges = j.Have == j.Need || r.Shape[d] == 1
		}
		if !j.Merges {
			n := 1 // elements to the right of dimension k of To
			for k := len(r.To) - 1; k >= 0; k-- {
				if n < right && n*r.To[k] > right {
					j.Across = k
				}
				n *= r.To[k]
			}
			if j.Across >= 0 {
				wrong = true
			}
		}
		r.Joints = append(r.Joints, j)
	}
	slices.Reverse(r.Joints)
	if !wrong {
		return false
	}
	for _, j := range r.Joints {
		if j.Across < 0 {
			continue
		}
		r.Wrong = fmt.Sprintf("dims %d and %d of %s do not merge: stride[%d] is %d, not stride[%d]·shape[%d] = %d", j.Dim,
			j.Dim+1, r.Name, j.Dim, j.Have, j.Dim+1, j.Dim+1, j.Need)
		r.Runs = r.runs(j.Across)
		break
	}
	args := draw.Join(r.To, ", ")
	r.Hints = []string{called(r.Name) + ".Reshape(" + args + ")   copies where it must, as here",
		called(r.Name) + ".Contiguous().View(" + args + ")   says that it copies"}
	return true
}

// runs are the places of the first elements along dimension k of To.
func (r *Regrouping) runs(k int) *Runs {
	const most = 10
	step := 1
	for _, s := range r.To[k+1:] {
		step *= s
	}
	out := &Runs{Dim: k, More: max(0, r.To[k]-most)}
	for i := range min(r.To[k], most) {
		at, n := 0, i*step
		for d := len(r.Shape) - 1; d >= 0; d-- {
			at += n % r.Shape[d] * r.Stride[d]
			n /= r.Shape[d]
		}
		out.Places = append(out.Places, at)
	}
	return out
}

// says is the line above the places.
func (r *Regrouping) says() string {
	return fmt.Sprintf("along dim %d of %v the elements would lie at these places of the storage; a view has one step "+
		"for all of them:", r.Runs.Dim, r.To)
}

// steps are the steps between the places, and whether each is like the first.
func (u *Runs) steps() (steps []string, even []bool) {
	for i := 1; i < len(u.Places); i++ {
		s := u.Places[i] - u.Places[i-1]
		steps, even = append(steps, fmt.Sprintf("%+d", s)), append(even, s == u.Places[1]-u.Places[0])
	}
	return steps, even
}

// Text has the dimensions with the joints between them, and the places.
func (r *Regrouping) Text(color bool) string {
	head := fmt.Sprintf("%s as %v", r.Name, r.To)
	lines := []string{head}
	if len(r.Joints) > 0 {
		rows := [4]string{draw.PadRight("", 7), draw.PadRight("shape", 7), draw.PadRight("stride", 7), draw.PadRight("", 7)}
		for d, n := range r.Shape {
			w := max(draw.Width(fmt.Sprintf("dim %d", d)), draw.Width(fmt.Sprint(r.Stride[d])))
			rows[0] += draw.Dim(color, draw.PadLeft(fmt.Sprintf("dim %d", d), w))
			rows[1] += draw.PadLeft(fmt.Sprint(n), w)
			rows[2] += draw.PadLeft(fmt.Sprint(r.Stride[d]), w)
			rows[3] += draw.PadLeft("", w)
			if d < len(r.Joints) {
				link, under := "  ══  ", "      "
				switch j := r.Joints[d]; {
				case !j.Merges && j.Across >= 0:
					link, under = "  "+draw.Bold(color, draw.Paint(color, 5, "✗"))+"   ",
						"  "+draw.Bold(color, draw.Paint(color, 5, "^"))+"   "
				case !j.Merges:
					link = "  |   "
				}
				rows[0] += "      "
				rows[1] += link
				rows[2] += "      "
				rows[3] += under
			}
		}
		for _, row := range rows {
			lines = append(lines, strings.TrimRight(row, " "))
		}
	}
	lines = append(lines, draw.Paint(color, 5, "✗ "+r.Wrong))
	if r.Runs != nil {
		lines = append(lines, r.says())
		var at, step strings.Builder
		steps, even := r.Runs.steps()
		for i, p := range r.Runs.Places {
			word := fmt.Sprint(p)
			if i == 0 {
				at.WriteString(word)
				step.WriteString(draw.PadLeft("", draw.Width(word)))
				continue
			}
			w := max(draw.Width(steps[i-1]), draw.Width(word)) + 2
			at.WriteString(draw.PadLeft(word, w))
			if s := draw.PadLeft(steps[i-1], w); even[i-1] {
				step.WriteString(draw.Dim(color, s))
			} else {
				step.WriteString(draw.Bold(color, draw.Paint(color, 5, s)))
			}
		}
		if r.Runs.More > 0 {
			at.WriteString(fmt.Sprintf("  … %d more", r.Runs.More))
		}
		lines = append(lines, "  "+at.String(), "  "+step.String())
	}
	if r.Pairs != "" {
		lines = append(lines, "two sizes that fit: "+r.Pairs)
	}
	for _, h := range r.Hints {
		lines = append(lines, "would do: "+h)
	}
	return "  " + strings.Join(lines, "\n  ")
}

// String is the text without colour.
func (r *Regrouping) String() string { return r.Text(false) }

// SVG is the dimensions as boxes, those that merge tied together.
func (r *Regrouping) SVG() string { return r.draw().Alone(r.label()) }

// HTML is the picture with the text beneath.
func (r *Regrouping) HTML() string { return draw.Pictured(r.draw(), r.label(), r.Text(false)) }

// MIMEBundle is the view in all forms.
func (r *Regrouping) MIMEBundle() map[string]any { return draw.Bundle(r) }

func (r *Regrouping) label() string {
	return draw.Clip(fmt.Sprintf("%s %v cannot be seen as %v: %s", r.Name, r.Shape, r.To, r.Wrong), 300)
}

func (r *Regrouping) draw() *draw.Canvas {
	c := new(draw.Canvas)
	c.Text(8, 18, "start", fmt.Sprintf("%s %v as %v", r.Name, r.Shape, r.To), draw.Strong)
	y := 30.0
	if len(r.Joints) > 0 {
		x := 70.0
		y += 14
		c.Text(8, y+19, "start", "shape", draw.Faint)
		c.Text(8, y+46, "start", "stride", draw.Faint)
		for d, n := range r.Shape {
			w := max(float64(max(draw.Width(fmt.Sprint(n)), draw.Width(fmt.Sprint(r.Stride[d]))))*draw.CharWidth+16, 44)
			c.Rect(x, y, w, 28, draw.Hue(0), 0.25, "")
			c.Text(x+w/2, y-6, "middle", fmt.Sprintf("dim %d", d), draw.Small)
			c.Text(x+w/2, y+19, "middle", fmt.Sprint(n), "")
			c.Text(x+w/2, y+46, "middle", fmt.Sprint(r.Stride[d]), "")
			x += w
			if d == len(r.Joints) {
				continue
			}
			switch j := r.Joints[d]; {
			case j.Merges:
				c.Path(fmt.Sprintf("M%s %sh36m-36 6h36", draw.Num(x), draw.Num(y+11)), "currentColor", draw.Thin)
			case j.Across >= 0:
				c.Text(x+18, y+19, "middle", "✗", `font-weight="bold" `+draw.RedText)
				c.Path(fmt.Sprintf("M%s %sv44", draw.Num(x+18), draw.Num(y+24)), draw.Red, `stroke-dasharray="4 3"`)
			default:
				c.Path(fmt.Sprintf("M%s %sv28", draw.Num(x+18), draw.Num(y)), "currentColor", draw.Thin)
			}
			x += 36
		}
		y += 66
	}
	y += draw.LineHeight
	y = c.Warn(8, y, "✗ "+r.Wrong)
	if r.Runs != nil {
		y += draw.LineHeight
		y = c.Sentence(8, y, r.says(), draw.Small)
		y += 12
		x := 12.0
		steps, even := r.Runs.steps()
		for i, p := range r.Runs.Places {
			if i > 0 {
				extra := draw.Small
				if !even[i-1] {
					extra = `font-weight="bold" ` + draw.RedText
				}
				w := max(float64(draw.Width(steps[i-1]))*draw.CharWidth+10, 34)
				c.Text(x+w/2-2, y+17, "middle", steps[i-1], extra)
				x += w
			}
			w := max(float64(draw.Width(fmt.Sprint(p)))*draw.CharWidth+10, 26)
			c.Rect(x, y, w, 26, draw.Hue(0), 0.25, "")
			c.Text(x+w/2, y+17, "middle", fmt.Sprint(p), "")
			x += w + 4
		}
		if r.Runs.More > 0 {
			c.Text(x+6, y+17, "start", fmt.Sprintf("… %d more", r.Runs.More), draw.Faint)
		}
		y += 32
	}
	if r.Pairs != "" {
		y += draw.LineHeight
		y = c.Sentence(8, y, "two sizes that fit: "+r.Pairs, "")
	}
	for _, h := range r.Hints {
		y += draw.LineHeight
		y = c.Sentence(8, y, "would do: "+h, "")
	}
	return c
}

package operators

import (
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// SupportGrid shows for which devices and dtypes operators work.
type SupportGrid struct {
	Dtypes []string     `json:"dtypes"`
	Rows   []SupportRow `json:"rows"`
	More   int          `json:"more,omitempty"` // operators that are left out
}

// SupportRow is an operator on a device.
type SupportRow struct {
	Op     string        `json:"op"`
	Device string        `json:"device"`
	How    string        `json:"how"` // kernel, body, shapes, view, fallback, none
	Grad   bool          `json:"grad,omitempty"`
	Cells  []SupportCell `json:"cells"`            // in the order of Dtypes
	Sample string        `json:"sample,omitempty"` // the arguments that it was tried with
}

// SupportCell is what came of a dtype.
type SupportCell struct {
	Mark   string `json:"mark"`
	Result string `json:"result,omitempty"` // the result's dtype
	Why    string `json:"why,omitempty"`    // the error
}

// The marks of the grid.
const (
	markWorks    = "●"
	markOther    = "◐" // works, in another dtype
	markFallback = "◇" // by a fallback of the device's key
	markRefused  = "·"
	markUnknown  = "?"
)

const maxSupport = 24

// Support shows for which dtypes, on which devices, operators work. Nothing is looked up: each dtype is tried, on
// tiny arguments that are made from the operator's schema (its required ones alone), so that a cell is filled where a
// kernel, a body or a shape function really took it. Of one operator every device has a row; of several each has one,
// on the CPU. An operator goes by PyTorch's name or by Go's.
//
//	visualize.Support("add")
//	visualize.Support("add", "bitwise_and", "x.Sigmoid_")
func Support(names ...string) *SupportGrid {
	g := new(SupportGrid)
	for _, d := range tensor.Dtypes() {
		g.Dtypes = append(g.Dtypes, d.String())
	}
	var found []named
	for _, name := range names {
		found = append(found, operatorsNamed("support", name))
	}
	devices := tensor.Devices()
	if len(found) > 1 {
		devices = []tensor.Device{tensor.CPU}
	}
	undisturbed(func() {
		for _, n := range found {
			for _, o := range n.ops {
				for _, d := range devices {
					if len(g.Rows) == maxSupport {
						g.More++
						continue
					}
					g.Rows = append(g.Rows, supportOf(o, n.inPlace, d))
				}
			}
		}
	})
	return g
}

// supportOf tries every dtype.
func supportOf(o *tensor.Op, inPlace bool, d tensor.Device) SupportRow {
	row := SupportRow{Op: o.Full, Device: d.String(), How: kindAt(o, d.Key()), Grad: autograd.HasFormula(o),
		Cells: make([]SupportCell, 0, 12)}
	name := o.Full
	if inPlace {
		row.Op += "_"
		name += "_"
	}
	r := recipeOf(o)
	if r != nil {
		row.Sample = r.describe(o)
	}
	for _, dt := range tensor.Dtypes() {
		cell := SupportCell{Mark: markUnknown, Why: "no sample was found with which it can be tried"}
		if r != nil {
			result, err := r.call(o, name, dt, d)
			switch {
			case err != nil:
				cell = SupportCell{Mark: markRefused, Why: reason(err, dt)}
			case row.How == "fallback":
				cell = SupportCell{Mark: markFallback, Result: result.String()}
			case result == dt || result == tensor.NoDtype:
				cell = SupportCell{Mark: markWorks, Result: dt.String()}
			default:
				cell = SupportCell{Mark: markOther, Result: result.String()}
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// reason is an error in one line, without the operator's name, and with … for the dtype, so that errors of several
// dtypes are one.
func reason(err error, dt tensor.Dtype) string {
	text := err.Error()
	if e, ok := err.(*tensor.Error); ok {
		text = e.Msg
	}
	text, _, _ = strings.Cut(text, "; enqueued at ") // of a device that answers later
	return strings.ReplaceAll(draw.OneLine(text, 110), dt.String(), "…")
}

// describe writes the arguments of a recipe: input [1 2 4 4], weight [2 2 1 1].
func (r *recipe) describe(o *tensor.Op) string {
	var out []string
	kwargs, _ := r.arguments(o, tensor.Float32, tensor.CPU)
	for i := range o.Params {
		switch v := kwargs[o.Params[i].Name].(type) {
		case nil, tensor.Device, *tensor.Generator:
		case *tensor.Tensor:
			text := o.Params[i].Name + " " + shapeText(v)
			if v.Dtype() != tensor.Float32 {
				text += " " + v.Dtype().String()
			}
			out = append(out, text)
		case []*tensor.Tensor:
			out = append(out, o.Params[i].Name+" 2 × "+shapeText(v[0]))
		case tensor.Dtype:
			out = append(out, o.Params[i].Name+" as tried")
		case string:
			out = append(out, o.Params[i].Name+"=\""+v+"\"")
		default:
			out = append(out, o.Params[i].Name+"="+listText(v))
		}
	}
	return strings.Join(out, ", ")
}

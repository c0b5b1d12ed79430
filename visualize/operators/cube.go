package operators

import (
	"slices"

	"gotorch/tensor"
)

// SupportCube shows for which devices, layouts and dtypes an operator has a kernel, and which of them a call took.
type SupportCube struct {
	Dtypes  []string   `json:"dtypes"`
	Devices []string   `json:"devices"`
	Layouts []string   `json:"layouts"`
	Rows    []CubeRow  `json:"rows"`            // for each layout every device
	Taken   *CubeTaken `json:"taken,omitempty"` // nil where the call is in none of the cells
	Works   int        `json:"works"`
	Cells   int        `json:"cells"`
}

// CubeRow is a layout on a device.
type CubeRow struct {
	Layout string        `json:"layout"`
	Device string        `json:"device"`
	How    string        `json:"how"`   // kernel, body, shapes, view, fallback, none
	Cells  []SupportCell `json:"cells"` // in the order of Dtypes
}

// CubeTaken is the cell of a call, by the number of its row and of its dtype.
type CubeTaken struct {
	Row   int `json:"row"`
	Dtype int `json:"dtype"`
}

// cubeLayouts are the layouts of the cube; a wrapper has that of what it holds. Compressed columns are what rows are:
// a call of such a tensor has them as well.
var cubeLayouts = []tensor.Layout{tensor.Strided, tensor.SparseCOO, tensor.SparseCSR}

// cubeOf tries the operator of a call in every dtype, on one device of each kind, in every layout. Like Support it
// looks nothing up: a cell is filled where the call of a small sample succeeds.
func cubeOf(t *taken) *SupportCube {
	o, cube := t.op, new(SupportCube)
	dtypes := tensor.Dtypes()
	dtype := t.argumentDtype()
	if dtype != tensor.NoDtype && !slices.Contains(dtypes, dtype) {
		dtypes = append(dtypes, dtype)
	}
	for _, d := range dtypes {
		cube.Dtypes = append(cube.Dtypes, d.String())
	}
	devices, layouts := t.devices(), slices.Clone(cubeLayouts)
	switch {
	case makes(o):
		layouts = layouts[:1] // no argument has a layout
	case t.layout == tensor.SparseCSC:
		layouts = append(layouts, t.layout)
	}
	for _, d := range devices {
		cube.Devices = append(cube.Devices, d.String())
	}
	for _, l := range layouts {
		cube.Layouts = append(cube.Layouts, l.String())
		for _, d := range devices {
			if l == t.layout && d == t.device && dtype != tensor.NoDtype {
				cube.Taken = &CubeTaken{len(cube.Rows), slices.Index(dtypes, dtype)}
			}
			cube.Rows = append(cube.Rows, cubeRow(t, l, d, dtypes))
		}
	}
	if at := cube.Taken; at != nil && t.ran() && !cube.cell(at).works() { // what ran works, whatever the sample is
		*cube.cell(at) = SupportCell{Mark: markWorks, Result: dtype.String()}
	}
	for i := range cube.Rows {
		for k := range cube.Rows[i].Cells {
			cube.Cells++
			if cube.Rows[i].Cells[k].works() {
				cube.Works++
			}
		}
	}
	return cube
}

func (c *SupportCube) cell(at *CubeTaken) *SupportCell { return &c.Rows[at.Row].Cells[at.Dtype] }

func (c *SupportCell) works() bool {
	return c.Mark == markWorks || c.Mark == markOther || c.Mark == markFallback
}

// devices are one of each kind, the call's own where it runs on one of them.
func (t *taken) devices() (out []tensor.Device) {
	for _, d := range tensor.Devices() {
		i := slices.IndexFunc(out, func(o tensor.Device) bool { return o.Type() == d.Type() })
		switch {
		case i < 0:
			out = append(out, d)
		case d == t.device:
			out[i] = d
		}
	}
	return out
}

// argumentDtype is the dtype that the call's tensors have; of several that to which they are promoted.
func (t *taken) argumentDtype() tensor.Dtype {
	if len(t.given) == 1 {
		return t.given[0]
	}
	return t.dtype
}

func cubeRow(t *taken, l tensor.Layout, d tensor.Device, dtypes []tensor.Dtype) CubeRow {
	row := CubeRow{Layout: l.String(), Device: d.String(), How: kindOn(t.op, d),
		Cells: make([]SupportCell, 0, len(dtypes))}
	r := recipeOf(t.op)
	if l != tensor.Strided {
		row.How = kindAt(t.op, tensor.KeySparse)
		if row.How == "falls through" {
			row.How = "none"
		}
		r = recipeIn(t.op, l)
	}
	for _, dt := range dtypes {
		row.Cells = append(row.Cells, tryCell(t, r, dt, d, row.How == "fallback"))
	}
	return row
}

// tryCell calls the operator with a sample.
func tryCell(t *taken, r *recipe, dt tensor.Dtype, d tensor.Device, fallback bool) SupportCell {
	if r == nil {
		return SupportCell{Mark: markUnknown, Why: "no sample was found with which it can be tried"}
	}
	result, err := r.call(t.op, t.name(), dt, d)
	switch {
	case err != nil:
		return SupportCell{Mark: markRefused, Why: reason(err, dt)}
	case fallback:
		return SupportCell{Mark: markFallback, Result: result.String()}
	case result == dt || result == tensor.NoDtype:
		return SupportCell{Mark: markWorks, Result: dt.String()}
	}
	return SupportCell{Mark: markOther, Result: result.String()}
}

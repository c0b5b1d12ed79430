package operators

import (
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/draw"
)

// DispatchTable shows what the dispatcher has for operators at each of its keys.
type DispatchTable struct {
	Ops  []OpTable `json:"operators"`
	More int       `json:"more,omitempty"` // overloads that are left out
}

// OpTable is one operator.
type OpTable struct {
	Name    string   `json:"name"`
	Class   string   `json:"class"`
	Schema  string   `json:"schema"`
	Doc     string   `json:"doc"`
	Forms   []string `json:"forms"`  // the columns: the operator, its in-place form, out=
	Usages  []string `json:"usages"` // how each form is typed
	Keys    []KeyRow `json:"keys"`   // highest first
	Formula string   `json:"formula,omitempty"`
	At      string   `json:"at,omitempty"` // the file and line of the formula
}

// KeyRow is what the operator does at one key.
type KeyRow struct {
	Key   string   `json:"key"`
	Kinds []string `json:"kinds"` // by form: kernel, body, shapes, view, fallback, falls through, none
	What  string   `json:"what"`
}

const maxTables = 6

// Table shows the dispatch table of operators, as torch._C._dispatch_dump_table does: for every key, highest first,
// whether the operator has a kernel of its own there, is a body of other operators, is left to the key's one kernel
// for all operators (a fallback), or falls through to the next key; for the plain form, the in-place form and
// opt.Out. Schema and derivative stand beside it. An operator goes by PyTorch's name or by Go's: add, Add, x.Add_,
// max.dim.
//
//	fmt.Println(visualize.Table("add"))
func Table(names ...string) *DispatchTable {
	t := new(DispatchTable)
	for _, name := range names {
		for _, o := range operatorsNamed("table", name).ops {
			if len(t.Ops) == maxTables {
				t.More++
				continue
			}
			t.Ops = append(t.Ops, tableOf(o))
		}
	}
	return t
}

// classNames are the shape classes in words.
var classNames = map[opdef.Tag]string{
	opdef.Pointwise: "pointwise", opdef.Reduction: "a reduction", opdef.View: "a view",
	opdef.Fixed:   "with a shape rule of its own",
	opdef.Factory: "a factory", opdef.Dynamic: "of a shape that depends on values",
	opdef.Composite: "made of other operators",
}

func tableOf(o *tensor.Op) OpTable {
	t := OpTable{Name: o.Full, Class: classNames[o.Tags.Class()], Schema: o.Schema, Doc: o.Doc}
	t.Forms, t.Usages = forms(o)
	for _, k := range tensor.Keys() {
		if k.IsDevice() && !present(k) || k == tensor.KeySparse && !o.HasSparse() {
			continue
		}
		r := KeyRow{Key: k.String(), What: whatAt(o, k)}
		for i := range t.Forms {
			kind := kindAt(o, k)
			if i > 0 && kind == "fallback" && t.Forms[i] == "out=" && k == tensor.KeyAutograd {
				kind = "refuses grad"
			}
			r.Kinds = append(r.Kinds, kind)
		}
		t.Keys = append(t.Keys, r)
	}
	if text, file, line := autograd.FormulaSource(o); text != "" {
		t.Formula, t.At = clipLines(text, 40), "autograd/"+file+":"+itoa(line)
	} else if o.IsDefined() && autograd.HasFormula(o) {
		t.Formula, t.At = "given by the definition", o.Site.String()
	}
	return t
}

func itoa(n int) string { return draw.Join([]int{n}, "") }

// clipLines cuts a text to at most n lines of at most 160 columns.
func clipLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > n {
		lines = append(lines[:n-1], "… "+draw.Counted(len(lines)-n+1, "more line"))
	}
	for i, l := range lines {
		lines[i] = draw.Clip(l, 160)
	}
	return strings.Join(lines, "\n")
}

// forms are the forms of an operator and how they are typed.
func forms(o *tensor.Op) (names, usages []string) {
	var args, others []string
	for i := range o.Params {
		p := &o.Params[i]
		if p.HasDef || p.KwOnly {
			break
		}
		args = append(args, opdef.GoParam(p.Name))
		if i != o.Self() {
			others = append(others, opdef.GoParam(p.Name))
		}
	}
	method := func(name string) string { return "x." + name + "(" + strings.Join(others, ", ") + ")" }
	plain := method(o.GoName())
	switch {
	case o.IsPrivate():
		plain = "of no name in Go: tensor.Invoke(\"" + o.Full + "\", …)"
	case o.IsDefined():
		plain = o.GoName() + "(" + strings.Join(args, ", ") + ")"
	case !o.HasMethod():
		plain = "tensor." + o.GoName() + "(" + strings.Join(args, ", ") + ")"
	}
	names, usages = []string{o.Name}, []string{plain}
	if o.Tags.Has(opdef.InPlace) {
		names = append(names, o.Name+"_")
		usage := method(o.GoName() + "_")
		if !o.HasMethod() {
			usage = "tensor." + o.GoName() + "_(" + strings.Join(args, ", ") + ")"
		}
		usages = append(usages, usage)
	}
	if o.Tags.Has(opdef.Out) {
		names = append(names, "out=")
		if o.IsPrivate() {
			usages = append(usages, "out=z")
		} else {
			usages = append(usages, strings.Replace(strings.TrimSuffix(plain, ")")+", opt.Out(z))", "(, ", "(", 1))
		}
	}
	return names, usages
}

// kindAt is what an operator does at a key, in a word or two.
func kindAt(o *tensor.Op, k tensor.Key) string {
	device := k.IsDevice()
	switch e := o.Entry(k); {
	case e == "composite":
		return "body"
	case e == "kernel" && o.Tags.Class() == opdef.View && device:
		return "view"
	case e == "kernel" && k == tensor.KeyMeta:
		return "shapes"
	case e == "fallthrough" && device:
		return "none"
	case e == "fallthrough":
		return "falls through"
	default:
		return e
	}
}

// present reports whether this program has a device of a key.
func present(k tensor.Key) bool {
	for _, d := range tensor.Devices() {
		if d.Key() == k {
			return true
		}
	}
	return false
}

// whatAt says in a sentence what that means.
func whatAt(o *tensor.Op, k tensor.Key) string {
	kind := kindAt(o, k)
	switch {
	case kind == "body" && k == tensor.KeySparse:
		return "for sparse arguments: other operators on their values, which Autograd records"
	case kind == "body":
		return "made of other operators, each dispatched anew from the top"
	case kind == "view":
		return "the shape function alone: a new header on the same storage"
	case kind == "shapes":
		return "the shape function alone: no data"
	case kind == "none" && o.Tags.Class() == opdef.Dynamic && k == tensor.KeyMeta:
		return "the shape of the result depends on values: a call is an error"
	case kind == "none":
		return "no kernel: a call on this device is an error"
	case kind == "falls through":
		return "on to the next key"
	case kind == "fallback" && k == tensor.KeyAutograd:
		switch {
		case autograd.HasFormula(o):
			return "one kernel for all operators: records a node, with the formula below"
		case o.Tags.Has(opdef.NoGrad):
			return "one kernel for all operators: results never require grad"
		}
		return "one kernel for all operators; there is no formula"
	case kind == "fallback" && k == tensor.KeyTrace:
		return "one kernel for all operators: records the call, while a view watches"
	case kind == "fallback" && k == tensor.KeyMode:
		return "one kernel for all operators: the handler of a user's mode, inside of WithMode"
	case kind == "fallback" && k == tensor.KeyWrapper:
		return "one kernel for all operators: the handler of a wrapper, where an argument is one"
	case kind == "fallback" && k == tensor.KeyBatched:
		return "one kernel for all operators: takes the mapped dimension along (vmap)"
	case kind == "fallback" && k == tensor.KeyDual:
		return "one kernel for all operators: computes the tangent beside the value (forward mode)"
	case kind == "fallback" && k == tensor.KeyPrivate:
		return "one kernel for all operators: asks a stream of the device to run the CPU's kernel later"
	case kind == "fallback":
		return "one kernel for all operators"
	case !k.IsDevice():
		return "a kernel of its own"
	}
	return "a kernel of its own; the shape function runs before it"
}

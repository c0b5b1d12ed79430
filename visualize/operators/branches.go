package operators

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// DispatchBranches shows the two choices of a call, by key and then by dtype, and what else there is to choose from.
type DispatchBranches struct {
	Op      string        `json:"operator"`
	Call    string        `json:"call"`
	Site    string        `json:"site,omitempty"`
	Before  int           `json:"before,omitempty"` // calls that the function made before
	Keys    string        `json:"keys"`             // the key set
	First   []KeyBranch   `json:"first"`
	By      string        `json:"by,omitempty"`    // the dtype that the switch of the kernel goes by
	Why     string        `json:"why,omitempty"`   // how that comes of the arguments' dtypes
	Where   string        `json:"where,omitempty"` // whose switch it is; or why there is none
	Second  []DtypeBranch `json:"second,omitempty"`
	Kernel  string        `json:"kernel,omitempty"` // that ran, in its own words
	Later   bool          `json:"later,omitempty"`  // the device answers later: it will run
	Inner   []InnerCall   `json:"inner,omitempty"`  // what the body called, in place of a switch
	More    int           `json:"more,omitempty"`
	Cube    *SupportCube  `json:"cube"`
	Results []string      `json:"results,omitempty"`
	Error   string        `json:"error,omitempty"`
}

// KeyBranch is what the operator has at a key.
type KeyBranch struct {
	Key   string `json:"key"`
	Kind  string `json:"kind"` // as in a DispatchTable
	What  string `json:"what"`
	State string `json:"state"` // taken; passed, by one that called on or fell through; failed; "" for not in the set
}

// DtypeBranch is what the kernel does for a dtype.
type DtypeBranch struct {
	Dtype    string `json:"dtype"`
	Kernel   string `json:"kernel,omitempty"` // in its own words
	Promoted string `json:"promoted,omitempty"`
	Why      string `json:"why,omitempty"` // the error
	Taken    bool   `json:"taken,omitempty"`
}

// Branches runs f and shows the two choices that its last call took: by key, which the dispatcher makes, then by
// dtype, which the kernel makes; with the kernel that ran, and what there was to choose from. Beneath it is the cube
// of devices, layouts and dtypes, with the cell of this call: each other cell was tried on a small sample, as
// [Support] does. A panic of f goes on; where f calls no operator it panics with an *Error.
//
//	visualize.Branches(func() { a.Add(b) })
func Branches(f func()) *DispatchBranches {
	v, panicked := RecordBranches(f)
	if panicked != nil {
		panic(panicked)
	}
	return v
}

// RecordBranches runs f like [Branches] and returns the view also when f panics, with the panic's value, with which
// the caller should panic again. The view is nil where there is no call to show.
func RecordBranches(f func()) (v *DispatchBranches, panicked any) {
	t, panicked := recordLast(f)
	if t == nil {
		if panicked == nil {
			panicked = noCall("branches")
		}
		return nil, panicked
	}
	undisturbed(func() { v = branchesOf(t) })
	return v, panicked
}

func branchesOf(t *taken) *DispatchBranches {
	v := &DispatchBranches{Op: t.name(), Call: draw.Clip(t.text(), 150), Site: t.site.String(), Before: t.before,
		Keys: t.keys.String(), Results: t.results, Error: t.err, Cube: cubeOf(t)}
	for _, k := range tensor.Keys() {
		if b, shown := t.keyBranch(k); shown {
			v.First = append(v.First, b)
		}
	}
	v.second(t)
	return v
}

// keyBranch is what the operator has at a key, for those of the call, of devices and of layouts.
func (t *taken) keyBranch(k tensor.Key) (b KeyBranch, shown bool) {
	in := t.keys.Has(k)
	if !in && (!k.IsDevice() && k != tensor.KeySparse || k.IsDevice() && !present(k)) {
		return b, false
	}
	b = KeyBranch{Key: k.String(), Kind: kindAt(t.op, k)}
	if k == tensor.KeyPrivate {
		if i := slices.IndexFunc(t.devices(), func(d tensor.Device) bool { return d.Key() == k }); t.device.Key() == k {
			b.Kind = kindOn(t.op, t.device)
		} else if i >= 0 {
			b.Kind = kindOn(t.op, t.devices()[i])
		}
	}
	if b.Kind == "falls through" && k == tensor.KeySparse {
		b.Kind = "none"
	}
	last, failed := t.lastKey()
	switch {
	case in && k == last && failed:
		b.State = "failed"
	case in && k == last:
		b.State = "taken"
	case in && k > last:
		b.State = "passed"
	}
	switch {
	case b.State == "taken" && k > tensor.KeySparse && t.keys.Has(tensor.KeySparse) && t.op.HasSparse():
		b.Kind, b.What = "body", "that for sparse arguments, which stands in for all keys beneath"
	case k == tensor.KeyAutograd && b.State == "passed" && b.Kind == "fallback":
		b.What = "records nothing, and calls on"
		if t.node != "" {
			b.What = "records " + t.node + ", and calls on"
		}
	case k == tensor.KeySparse && b.Kind == "body":
		b.What = "other operators, on indices and values"
	case k == tensor.KeyPrivate && b.Kind == "fallback" && t.device.Key() == k && !t.device.AnswersLater():
		b.What = "the CPU's kernel, on copies"
	default:
		b.What = branchWords[b.Kind]
		if w, ok := branchWords[b.Kind+" "+b.Key]; ok {
			b.What = w
		}
	}
	return b, true
}

// branchWords say in few words what it means that an operator has something at a key.
var branchWords = map[string]string{
	"kernel": "the kernel, after the shape function", "kernel Sparse": "a kernel for sparse arguments",
	"body": "other operators, each dispatched anew", "view": "a new header on the same storage",
	"shapes": "the shape function alone, no data", "none": "nothing: an error",
	"falls through": "nothing: on to the next key", "fallback Private": "a stream runs the CPU's kernel later",
	"fallback Autograd": "records for the backward pass", "fallback Mode": "the handler of a mode",
	"fallback Wrapper": "the handler of the wrapper", "fallback Batched": "takes the mapped dimension along",
	"fallback Dual": "computes the tangent beside the value", "fallback": "one kernel for all operators",
}

// kindOn is what an operator does on a device: kernels that were registered for the device alone count.
func kindOn(o *tensor.Op, d tensor.Device) string {
	switch {
	case d.Key() != tensor.KeyPrivate:
		return kindAt(o, d.Key())
	case slices.Contains(d.Kernels(), o.Full) || o.HasKernel(tensor.KeyPrivate):
		return "kernel"
	case o.IsComposite():
		return "body"
	case d.AnswersLater() || d.FallsBack():
		return "fallback"
	}
	return "none"
}

// lastKey is the key at which the call ended; failed, where it has no entry there.
func (t *taken) lastKey() (k tensor.Key, failed bool) {
	o, device := t.op, t.device.Key()
	switch {
	case t.err == "":
	case t.keys.Has(tensor.KeySparse) && !o.HasSparse() && !o.IsComposite():
		return tensor.KeySparse, true
	case kindOn(o, t.device) == "none":
		return device, true
	}
	return t.last, false
}

// second is the switch of the kernel that ran.
func (v *DispatchBranches) second(t *taken) {
	o := t.op
	k, failed := t.lastKey()
	kind := kindAt(o, k)
	if k == t.device.Key() {
		kind = kindOn(o, t.device)
	}
	on, whose := t.device, "the kernel for "+k.String()
	switch {
	case failed || k == tensor.KeyTrace:
		v.Where = "no kernel ran"
		return
	case t.keys.Has(tensor.KeySparse) && k >= tensor.KeySparse || kind == "body":
		v.Where = "a body of other operators, each dispatched anew: no switch"
		if len(t.inner) == 0 {
			v.Where = "a body that works on indices and values: no switch"
		}
		v.Inner, v.More = t.inner, t.more
		return
	case !k.IsDevice():
		v.Where = k.String() + " answered: no kernel ran"
		v.Inner, v.More = t.inner, t.more
		return
	case k == tensor.KeyMeta:
		v.Where = "shapes alone: no element, so no kernel and no switch"
		return
	case kind == "view":
		v.Where = "a view: only the header is new, and no switch looks at the elements"
		return
	case k == tensor.KeyPrivate && kindOn(o, t.device) == "fallback":
		on, whose = tensor.CPU, "the CPU's kernel, which the device runs"
		if t.device.AnswersLater() {
			whose += " later"
		}
	}
	v.Where = whose
	v.By = t.dtype.String()
	if len(t.given) > 1 || len(t.given) == 1 && t.given[0] != t.dtype {
		var from []string
		for _, d := range t.given {
			from = append(from, d.String())
		}
		v.Why = draw.And(from, 4) + " promoted to " + v.By
	}
	if v.Kernel = t.kernel(); v.Kernel == "" && t.err == "" {
		v.Kernel = o.Name + " " + v.By
	}
	v.Second = t.dtypeBranches(on)
	if b := v.taken(); b != nil && t.err == "" && t.device.AnswersLater() {
		v.Kernel, v.Later = b.Kernel, true
	}
}

// kernel is what ran, in its own words: add float32 avx512, 6 elements, contiguous.
func (t *taken) kernel() string {
	if t.note == "" || t.err != "" {
		return ""
	}
	return t.op.Name + " " + t.note
}

// dtypeBranches tries every dtype, with a recorder that reads what the kernel says.
func (t *taken) dtypeBranches(on tensor.Device) (out []DtypeBranch) {
	dtypes := tensor.Dtypes()
	if t.dtype != tensor.NoDtype && !slices.Contains(dtypes, t.dtype) {
		dtypes = append(dtypes, t.dtype)
	}
	r := recipeOf(t.op)
	for _, dt := range dtypes {
		b := DtypeBranch{Dtype: dt.String(), Taken: dt == t.dtype}
		if r == nil {
			b.Why = "no sample was found with which it can be tried"
			if b.Taken && t.ran() {
				b.Why, b.Kernel = "", kernelName(t.op.Name, t.note, t.dtype)
			}
			out = append(out, b)
			continue
		}
		words := &kernelWords{op: t.op}
		var err error
		tensor.WithRecorder(words, func() { _, err = r.call(t.op, t.name(), dt, on) })
		switch {
		case err != nil:
			b.Why = strings.ReplaceAll(reason(err, dt), "…", b.Dtype)
		case words.dtype != tensor.NoDtype && words.dtype != dt:
			b.Promoted = words.dtype.String()
		default:
			b.Kernel = kernelName(t.op.Name, words.note, dt)
		}
		if b.Taken && t.ran() { // what ran is known, whatever the sample is
			b.Why, b.Promoted, b.Kernel = "", "", kernelName(t.op.Name, t.note, t.dtype)
		}
		out = append(out, b)
	}
	return out
}

// kernelWords is a recorder that keeps what the kernel of an operator says it runs.
type kernelWords struct {
	op    *tensor.Op
	note  string
	dtype tensor.Dtype // of its plan
	depth int
}

// Watch lets a call go on and reads the kernel's note.
func (r *kernelWords) Watch(c *tensor.Call) {
	r.depth++
	defer func() { r.depth-- }()
	c.Next()
	if c.Op == r.op && r.depth == 1 {
		r.note = c.Note
		if r.dtype = tensor.NoDtype; c.Plan() != nil {
			r.dtype = c.Plan().Dtype
		}
	}
}

// taken is the branch that the call took, nil where there is no switch.
func (v *DispatchBranches) taken() *DtypeBranch {
	for i := range v.Second {
		if v.Second[i].Taken {
			return &v.Second[i]
		}
	}
	return nil
}

// at is the key that answered, "" where none did.
func (v *DispatchBranches) at() *KeyBranch {
	for i := range v.First {
		if v.First[i].State == "taken" {
			return &v.First[i]
		}
	}
	return nil
}

// label stands before the kernel that ran.
func (v *DispatchBranches) label() string {
	if v.Later {
		return "runs later: "
	}
	return "ran: "
}

// counts says how much of the cube is filled.
func (c *SupportCube) counts() string {
	return fmt.Sprintf("%d of %d combinations work", c.Works, c.Cells)
}

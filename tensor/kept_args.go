package tensor

import "unsafe"

// Kept is what a call was given beside its tensors, kept after the call: numbers, sizes, names. Autograd keeps it for
// the formula that will read it, and nothing else of the call.
//
//gotorch:internal
type Kept struct {
	op   *Op
	vals *value // the first of one for each parameter; nil where every such argument was left to its default
}

// Keep copies the call's arguments that are no tensors. Tensors inside a list of indices are left out, with their
// places held by nil.
func (c *Call) Keep() Kept {
	k := Kept{op: c.Op}
	for i := range c.args {
		v := &c.args[i]
		if v.kind == unset || v.kind == tensorValue {
			continue
		}
		x := v.x
		switch l := x.(type) {
		case []*Tensor:
			continue
		case []any:
			held := make([]any, len(l))
			for j, e := range l {
				if _, ok := e.(*Tensor); !ok {
					held[j] = e
				}
			}
			x = held
		}
		if k.vals == nil {
			k.vals = &make([]value, len(c.args))[0]
		}
		*k.at(i) = value{kind: v.kind, s: v.s, x: x}
	}
	return k
}

// Op is the operator that was called.
func (k *Kept) Op() *Op { return k.op }

func (k *Kept) at(i int) *value { return &unsafe.Slice(k.vals, len(k.op.Params))[i] }

func (k *Kept) arg(i int) *value {
	if !k.Given(i) {
		return k.op.missing(i)
	}
	return k.at(i)
}

// Given reports whether argument i was given and is no tensor.
func (k *Kept) Given(i int) bool { return k.vals != nil && k.at(i).kind != unset }

// Arg, IsNone, Scalar, Int, Float, Bool, Str, Ints, Scalars, Indices and Dtype read argument i as the methods of
// [Call] do.
func (k *Kept) Arg(i int) any     { return k.arg(i).any() }
func (k *Kept) IsNone(i int) bool { return k.arg(i).kind == noneValue }
func (k *Kept) Scalar(i int) (s Scalar, ok bool) {
	v := k.arg(i)
	return v.s, v.kind >= numberValue && v.kind <= floatValue
}
func (k *Kept) Int(i int) int       { return int(k.arg(i).s.Int()) }
func (k *Kept) Float(i int) float64 { return k.arg(i).s.Float() }
func (k *Kept) Bool(i int) bool     { return k.arg(i).s.Bool() }
func (k *Kept) Str(i int) string    { s, _ := k.arg(i).x.(string); return s }
func (k *Kept) Ints(i int) []int {
	v := k.arg(i)
	if v.kind == intValue || v.kind == numberValue {
		return []int{int(v.s.Int())}
	}
	l, _ := v.x.([]int)
	return l
}
func (k *Kept) Scalars(i int) []Scalar { l, _ := k.arg(i).x.([]Scalar); return l }
func (k *Kept) Indices(i int) []any    { l, _ := k.arg(i).x.([]any); return l }
func (k *Kept) Dtype(i int) Dtype      { d, _ := k.arg(i).x.(Dtype); return d }

package autograd

import (
	"fmt"
	"weak"

	"gotorch/tensor"
)

// saved is a tensor that a formula will read, with the version that its storage had.
type saved struct {
	t       *tensor.Tensor
	version uint32
	item    uint16 // which of a list
	which   uint8  // the slot of an argument, 32 and up for results
	inner   bool   // it was made by a recorded operator
}

func (n *Node) save(which uint8, item int, x *tensor.Tensor) {
	a := x.AutogradMeta()
	n.saved = append(n.saved, saved{x, x.Version(), uint16(item), which, a != nil && a.Fn != nil})
	if m := currentModes(); m.pack != nil {
		n.pack(len(n.saved)-1, m)
	}
}

func (n *Node) find(which uint8, item int) *saved {
	for i := range n.saved {
		if s := &n.saved[i]; s.which == which && int(s.item) == item {
			return s
		}
	}
	return nil
}

// unpack returns a saved tensor, nil where the argument was none.
func (n *Node) unpack(which uint8, item int) *tensor.Tensor {
	if s := n.find(which, item); s != nil {
		return n.open(s)
	}
	if m := n.in(int(which)); which < 32 && (m == nil || m.none) {
		return nil
	}
	panic(fmt.Sprintf("autograd: the formula of %s reads %s, which it did not save", n.op.Full, n.savedName(which)))
}

// open checks that a saved tensor is as it was.
func (n *Node) open(s *saved) *tensor.Tensor {
	if p := n.packedAt(s); p != nil {
		return p.open(n)
	}
	if s.t == nil {
		panic(tensor.Errorf("backward", "trying to go backward through the graph a second time: what %s saved was freed "+
			"by the first backward", n.describe()).WithHint("give opt.RetainGraph(true) to the first one"))
	}
	if s.t.Version() != s.version {
		n.stale(s)
	}
	a := s.t.AutogradMeta()
	if !s.inner || a != nil && a.Fn != nil {
		return s.t
	}
	if s.which < 32 {
		panic(tensor.Errorf("backward", "%s, which %s saved, was cut off from its graph by detach_ afterwards",
			n.savedName(s.which), n.describe()).WithHint("use Detach, which leaves the tensor itself as it is"))
	}
	// A result that was detached in place: the same elements, with the history that they had.
	y := s.t.Detach()
	y.SetAutogradMeta(&tensor.Autograd{Fn: n, Output: int32(s.which - 32)})
	return y
}

// stale panics with the error of a saved tensor that was written to.
func (n *Node) stale(s *saved) {
	now := s.t.Version()
	msg := fmt.Sprintf("%s (%s %v), which %s saved for its gradient, has been modified in place", n.savedName(s.which),
		s.t.Dtype(), s.t.Sizes(), n.describe())
	hint := "write out of place, or into a Clone()"
	if w := s.t.Storage().LastWrite(); w != nil {
		msg += " by " + w.Op
		if at := place(w.Site); at != "" {
			msg += at
		}
		if base, ok := cutUnderscore(w.Op); ok {
			hint = fmt.Sprintf("use %s, which makes a new tensor, instead of %s, or write into a Clone()", goMethod(base),
				goMethod(w.Op))
		}
	}
	st := s.t.Storage()
	panic(tensor.Errorf("backward", "%s: it is at version %d, but version %d was saved", msg, now, s.version).
		WithHint(hint).
		WithDetails(tensor.StaleDetails{What: n.savedName(s.which), Saver: n.OpName(), Node: n.Name(), Site: n.Site(),
			Dtype: s.t.Dtype(), Shape: s.t.Shape(), Storage: st.ID(), Bytes: st.Nbytes(), Saved: s.version, Current: now,
			Writes: st.Writes(), Operand: weak.Make(s.t)}))
}

// describe names a node for messages: exp (ExpBackward0 at In[3]:1).
func (n *Node) describe() string {
	return fmt.Sprintf("%s (%s%s)", n.OpName(), n.Name(), place(n.Site()))
}

func place(s tensor.Site) string {
	if at := s.String(); at != "" {
		return " at " + at
	}
	return ""
}

func (n *Node) savedName(which uint8) string {
	if n.op == nil {
		return "a tensor"
	}
	if which < 32 {
		return "the argument " + n.op.Params[which].Name
	}
	if len(n.outs()) > 1 {
		return fmt.Sprintf("result %d", which-32)
	}
	return "the result"
}

// free drops what the node saved; a later use of it is an error.
func (n *Node) free() {
	for i := range n.saved {
		n.saved[i].t = nil
	}
	if n.more != nil {
		for _, p := range n.more.packed {
			if p.drop != nil {
				p.drop(p.value)
			}
		}
		n.more.packed = nil
	}
}

// SavedNames lists the names of what the node keeps, as Saved has them.
func (n *Node) SavedNames() []string {
	if len(n.saved) == 0 {
		return nil
	}
	out := make([]string, len(n.saved))
	for i := range n.saved {
		out[i] = n.nameOf(&n.saved[i])
	}
	return out
}

// nameOf is what a user calls a saved tensor: self, other, tensors[1], result.
func (n *Node) nameOf(s *saved) string {
	switch {
	case n.op == nil:
		return savedNumber(s.item)
	case s.which < 32:
		name := n.op.Params[s.which].Name
		if n.op.Params[s.which].IsList("Tensor") || n.op.Params[s.which].IsList("Index") {
			name = fmt.Sprintf("%s[%d]", name, s.item)
		}
		return name
	case len(n.outs()) > 1:
		return fmt.Sprintf("result%d", s.which-32)
	}
	return "result"
}

// Saved describes a tensor that a node keeps for its formula.
type Saved struct {
	Name    string // "self", "other", "result"
	Shape   []int
	Dtype   tensor.Dtype
	Bytes   int    // of the elements
	Version uint32 // when it was saved
	Current uint32 // now
	Freed   bool   // a backward pass has used and dropped it; only Name and Version are known
	Tensor  *tensor.Tensor
}

// Saved lists what the node keeps.
func (n *Node) Saved() []Saved {
	out := make([]Saved, 0, len(n.saved))
	for i := range n.saved {
		s := &n.saved[i]
		e := Saved{Name: n.nameOf(s), Version: s.version, Freed: s.t == nil, Tensor: s.t}
		if s.t != nil {
			e.Shape, e.Dtype, e.Current = s.t.Shape(), s.t.Dtype(), s.t.Version()
			e.Bytes = s.t.Numel() * s.t.ElementSize()
		}
		out = append(out, e)
	}
	return out
}

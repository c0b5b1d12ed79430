package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

func (s *sample) draws() bool { return s.op.Tags.Has(opdef.Random) }

// unwritten reports whether the results are whatever the memory held.
func (s *sample) unwritten() bool { return uninitialized[s.op.Full] }

// layoutsAgree holds strided, transposed and reversed tensors against contiguous ones, and the meta device against
// each.
func (s *sample) layoutsAgree(want reply) error {
	if err := s.metaAgrees(plain); err != nil {
		return fmt.Errorf("contiguous: %w", err)
	}
	for _, l := range layouts {
		if err := s.metaAgrees(l.make); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		if s.draws() || s.unwritten() {
			continue
		}
		if err := s.ask(s.op.Full, l.make, nil).differs(want); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return nil
}

// metaAgrees holds the meta device against the CPU.
func (s *sample) metaAgrees(change func(*tensor.Tensor) *tensor.Tensor) error {
	args := eachTensor(s.args, change).([]any)
	kwargs := map[string]any{}
	for k, v := range s.kwargs {
		kwargs[k] = eachTensor(v, change)
	}
	return onMeta(s.op.Full, args, kwargs, func(args []any, kwargs map[string]any) ([]any, error) {
		tensor.ManualSeed(0)
		return tensor.Invoke(s.op.Full, args, kwargs)
	})
}

// expandedAgree holds an expanded tensor against its copy, each tensor in turn.
func (s *sample) expandedAgree(reply) error {
	if s.draws() || s.unwritten() {
		return nil
	}
	n := len(tensorsOf(s.args, nil))
	written := -1
	if strings.HasSuffix(s.op.Name, "_") {
		written = 0
	}
	for i := range n {
		if i == written {
			continue
		}
		at := func(then func(*tensor.Tensor) *tensor.Tensor) func(*tensor.Tensor) *tensor.Tensor {
			k := -1
			return func(x *tensor.Tensor) *tensor.Tensor {
				if k++; k != i || x.Dim() == 0 || x.Numel() == 0 {
					return plain(x)
				}
				return then(plain(x.Narrow(0, 0, 1)).Expand(x.Shape()...))
			}
		}
		same := func(x *tensor.Tensor) *tensor.Tensor { return x }
		want := s.ask(s.op.Full, at(plain), nil)
		if err := s.ask(s.op.Full, at(same), nil).differs(want); err != nil {
			if isOverlap(err) { // it is written to: running statistics
				continue
			}
			return fmt.Errorf("tensor %d expanded: %w", i, err)
		}
		if want.err == nil {
			if err := s.metaAgrees(at(same)); err != nil {
				return fmt.Errorf("tensor %d expanded: %w", i, err)
			}
		}
	}
	return nil
}

// emptyAgree holds tensors of no elements, contiguous and not, against each other and against the meta device: those
// of all tensors whose first, or last, dimension is that of the first tensor. Private operators rely on their callers,
// which hold the sizes of arguments to each other.
func (s *sample) emptyAgree(reply) error {
	if s.draws() || s.unwritten() || strings.HasPrefix(s.op.Name, "_") {
		return nil
	}
	ts := tensorsOf(s.args, nil)
	if len(ts) == 0 || ts[0].Dim() == 0 {
		return nil
	}
	for _, dim := range []int{0, -1} {
		n := ts[0].Size(dim)
		cut := func(then func(*tensor.Tensor) *tensor.Tensor) func(*tensor.Tensor) *tensor.Tensor {
			return func(x *tensor.Tensor) *tensor.Tensor {
				if x.Dim() == 0 || x.Size(dim) != n {
					return then(x)
				}
				return then(x.Narrow(dim, 0, 0))
			}
		}
		want := s.ask(s.op.Full, cut(plain), nil)
		var fault bug
		if errors.As(want.err, &fault) {
			return fmt.Errorf("dimension %d of no elements: %w", dim, want.err)
		}
		for _, l := range layouts {
			if err := s.ask(s.op.Full, cut(l.make), nil).differs(want); err != nil {
				return fmt.Errorf("dimension %d of no elements, %s: %w", dim, l.name, err)
			}
		}
		if want.err == nil {
			if err := s.metaAgrees(cut(plain)); err != nil {
				return fmt.Errorf("dimension %d of no elements: %w", dim, err)
			}
		}
	}
	return nil
}

// outAgrees holds out= against the functional form: into new tensors, into empty ones that it gives another shape,
// into every second element of larger ones, into tensors of a wider dtype where the operator takes it, and into an
// argument. A dtype that cannot hold the results is an error.
func (s *sample) outAgrees(want reply) error {
	if !s.op.Tags.Has(opdef.Out) || s.op.Param("out") >= 0 || s.kwargs["requires_grad"] == true {
		return nil
	}
kinds:
	for _, kind := range []string{"new", "empty", "strided", "wider", "narrower", "argument"} {
		var outs, arounds, views []*tensor.Tensor
		change := plain
		for _, v := range want.results {
			w, ok := v.(*tensor.Tensor)
			if !ok {
				return nil
			}
			y := tensor.With(w.Dtype()).Zeros(w.Shape()...)
			switch kind {
			case "empty":
				y = tensor.With(w.Dtype()).Empty(0)
			case "strided":
				var around *tensor.Tensor
				y, around = withGaps(y)
				arounds, views = append(arounds, around), append(views, y.Detach())
			case "wider", "narrower":
				if s.op.Tags.Class() == opdef.Factory || takesDtypeOfOut[s.op.Full] {
					continue kinds
				}
				dt, ok := map[string]map[tensor.Dtype]tensor.Dtype{"wider": widerOut, "narrower": narrowerOut}[kind][w.Dtype()]
				if !ok {
					continue kinds
				}
				y = tensor.With(dt).Zeros(w.Shape()...)
			case "argument":
				if len(want.results) > 1 || s.op.Rets[0].IsList("Tensor") {
					continue kinds
				}
				var x *tensor.Tensor
				change = func(t *tensor.Tensor) *tensor.Tensor {
					if t = plain(t); x == nil && t.Dtype() == w.Dtype() && slices.Equal(t.Shape(), w.Shape()) {
						x = t
					}
					return t
				}
				args := eachTensor(s.args, change)
				if x == nil {
					continue kinds
				}
				change = func(t *tensor.Tensor) *tensor.Tensor { return t }
				s, y = &sample{op: s.op, args: args.([]any), kwargs: s.kwargs}, x
			}
			outs = append(outs, y)
		}
		var out any = outs
		if len(outs) == 1 && !s.op.Rets[0].IsList("Tensor") {
			out = outs[0]
		}
		r := s.ask(s.op.Full, change, map[string]any{"out": out})
		switch {
		case kind == "narrower" && r.err == nil:
			return fmt.Errorf("out= of %s: an answer, though the result needs more", outs[0].Dtype())
		case kind == "narrower", kind == "wider" && r.err != nil,
			kind == "argument" && isOverlap(r.err):
			continue
		case r.err != nil:
			return fmt.Errorf("out= of a %s tensor: %w", kind, r.err)
		}
		for i, y := range outs {
			if r.results[i] != any(y) {
				return fmt.Errorf("out= of a %s tensor: result %d is another tensor", kind, i)
			}
		}
		if s.draws() && kind == "strided" || s.unwritten() {
			continue
		}
		if kind == "wider" {
			for i, y := range outs {
				r.results[i] = y.To(want.results[i].(*tensor.Tensor).Dtype())
			}
		}
		if err := r.differs(want); err != nil {
			return fmt.Errorf("out= of a %s tensor: %w", kind, err)
		}
		for i := range arounds {
			if views[i].Fill_(1); arounds[i].Ne(1).Any().ItemBool() {
				return fmt.Errorf("out= of a strided tensor: elements beside it were written")
			}
		}
	}
	return nil
}

// isOverlap reports whether err rejects a tensor that is written to for sharing memory.
func isOverlap(err error) bool {
	return err != nil && strings.Contains(err.Error(), "refer to a single memory location") ||
		err != nil && strings.Contains(err.Error(), "refers to a single memory location")
}

// takesDtypeOfOut are operators that compute in the dtype of out=, beside factories.
var takesDtypeOfOut = map[string]bool{"cumsum": true, "cumprod": true, "normal": true}

// What can hold any result of a dtype, and what cannot.
var (
	widerOut = map[tensor.Dtype]tensor.Dtype{tensor.Bool: tensor.Uint8, tensor.Int64: tensor.Float64,
		tensor.Float32: tensor.Float64, tensor.Float64: tensor.Complex128, tensor.Complex64: tensor.Complex128}
	narrowerOut = map[tensor.Dtype]tensor.Dtype{tensor.Int64: tensor.Bool, tensor.Float32: tensor.Int64,
		tensor.Float64: tensor.Int32, tensor.Complex64: tensor.Float32, tensor.Complex128: tensor.Float64}
)

// inplaceAgrees holds the form in place against the functional one, in contiguous memory and in every second element.
func (s *sample) inplaceAgrees(want reply) error {
	if !s.op.Tags.Has(opdef.InPlace) || len(want.results) != 1 || len(s.args) == 0 {
		return nil
	}
	self, ok := s.args[0].(*tensor.Tensor)
	w, ok2 := want.results[0].(*tensor.Tensor)
	if !ok || !ok2 || s.op.Self() != 0 {
		return nil
	}
	view := s.op.Tags.Class() == opdef.View
	fits := view || tensor.CanCast(w.Dtype(), self.Dtype()) && slices.Equal(w.Shape(), self.Shape())
	if takesDtypeOfOut[s.op.Full] {
		fits = self.Dtype() != tensor.Bool
	}
	if fits && !view && w.Dtype() != self.Dtype() {
		want = reply{results: []any{w.To(self.Dtype())}}
	}
	for _, kind := range []string{"contiguous", "strided"} {
		var x, around, viewed *tensor.Tensor
		change := func(y *tensor.Tensor) *tensor.Tensor {
			if x != nil {
				return plain(y)
			}
			if x = plain(y); kind == "strided" {
				x, around = withGaps(y)
				viewed = x.Detach()
			}
			return x
		}
		r := s.ask(s.op.Name+"_", change, nil)
		switch {
		case !fits && r.err == nil:
			return fmt.Errorf("in place: an answer, though a result of %s %v does not fit", w.Dtype(), w.Shape())
		case !fits:
			continue
		case r.err != nil:
			return fmt.Errorf("in place, %s: %w", kind, r.err)
		case r.results[0] != any(x):
			return fmt.Errorf("in place, %s: the result is another tensor", kind)
		}
		if s.draws() && kind == "strided" {
			continue
		}
		if err := r.differs(want); err != nil {
			return fmt.Errorf("in place, %s: %w", kind, err)
		}
		if around != nil {
			if viewed.Fill_(1); around.Ne(1).Any().ItemBool() {
				return fmt.Errorf("in place, strided: elements beside it were written")
			}
		}
	}
	return nil
}

package conformance

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"gotorch/tensor"
)

// TestErrorsNameTheOperator makes wrong calls of every operator, of which composites call others: a shape, a dtype, a
// dimension, a number or an option that does not fit. Where the call is rejected, the error is of the operator called.
func TestErrorsNameTheOperator(t *testing.T) {
	each := 2
	if os.Getenv("GOTORCH_ALL") != "" {
		each = 20
	}
	all := allSamples(t, each)
	calls, rejected := 0, 0
	told := map[string]bool{}
	for _, o := range tensor.Ops() {
		if strings.HasPrefix(o.Name, "_") { // nobody's call, but that of another operator
			continue
		}
		for i := range all[o.Full] {
			all[o.Full][i].mistakes(func(what string, args []any, kwargs map[string]any) {
				calls++
				err := attempt(func() (err error) {
					_, err = tensor.Invoke(o.Full, args, kwargs)
					return err
				})
				var e *tensor.Error
				switch {
				case err == nil:
					return
				case !errors.As(err, &e):
					t.Errorf("%s with %s: %v", o.Full, what, err)
				case e.Op != o.Name:
					if key := o.Full + e.Op; !told[key] {
						told[key] = true
						t.Errorf("%s with %s: the error is of %s: %v", o.Full, what, e.Op, e)
					}
				case e.Arg != "" && e.Arg != "out" && o.Param(e.Arg) < 0:
					if key := o.Full + e.Arg; !told[key] {
						told[key] = true
						t.Errorf("%s with %s: the error is on %s, which is no argument of it: %v", o.Full, what, e.Arg, e)
					}
				}
				rejected++
			})
		}
	}
	if t.Logf("%d calls, %d rejected", calls, rejected); rejected < calls/10 {
		t.Error("too few calls were wrong")
	}
}

// mistakes makes one argument of the sample wrong after another.
func (s *sample) mistakes(try func(what string, args []any, kwargs map[string]any)) {
	replaced := func(name string, v any) {
		args, kwargs := eachTensor(s.args, plain).([]any), map[string]any{}
		for k, v := range s.kwargs {
			kwargs[k] = eachTensor(v, plain)
		}
		if at := s.op.Param(name); at < len(args) {
			args[at] = v
		} else {
			kwargs[name] = v
		}
		try(fmt.Sprintf("%s = %v", name, short(v)), args, kwargs)
	}
	for i := range s.op.Params {
		p := &s.op.Params[i]
		switch {
		case p.Is("Tensor"), p.IsList("Tensor"):
			var x *tensor.Tensor
			if i < len(s.args) {
				if ts := tensorsOf(s.args[i], nil); len(ts) > 0 {
					x = ts[0]
				}
			}
			if x == nil {
				continue
			}
			list := func(x *tensor.Tensor) any {
				if p.IsList("Tensor") {
					return []*tensor.Tensor{x, x.Unsqueeze(0)}
				}
				return x
			}
			odd := tensor.With(x.Dtype())
			replaced(p.Name, list(odd.Ones(append([]int{7}, x.Sizes()...)...)))
			replaced(p.Name, list(odd.Ones(13)))
			replaced(p.Name, list(odd.Ones()))
			for _, dt := range []tensor.Dtype{tensor.Bool, tensor.Int64, tensor.Float32, tensor.Complex64} {
				replaced(p.Name, list(x.To(dt)))
			}
		case p.Is("int") && !p.Is("Tensor"):
			replaced(p.Name, 99)
			replaced(p.Name, -7)
		case p.IsList("int"):
			replaced(p.Name, []int{99, 98})
			replaced(p.Name, []int{-3})
		case p.Is("float"):
			replaced(p.Name, -3.5)
		case p.Is("str"):
			replaced(p.Name, "nonsense")
		}
	}
}

func short(v any) string {
	if x, ok := v.(*tensor.Tensor); ok {
		return fmt.Sprintf("%s %v", x.Dtype(), x.Shape())
	}
	return fmt.Sprintf("%.40v", v)
}

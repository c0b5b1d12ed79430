package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	"gotorch/tensor"
)

// programCase is a straight-line program over named tensors, and a backward pass.
type programCase struct {
	Inputs map[string]*encoded `json:"inputs"`
	Lines  []struct {
		Out    string            `json:"out"`
		Self   string            `json:"self"`
		Method string            `json:"method"`
		Args   []json.RawMessage `json:"args"`
	} `json:"lines"`
	BackwardOf   string              `json:"backward_of"`
	Values       map[string]*encoded `json:"values"`
	RequiresGrad map[string]bool     `json:"requires_grad"`
	IsLeaf       map[string]bool     `json:"is_leaf"`
	Version      map[string]uint32   `json:"version"`
	GradFn       map[string]*string  `json:"grad_fn"`
	Grads        map[string]*encoded `json:"grads"`
	Error        *recordedError      `json:"error"`
}

func (c *programCase) run() error {
	vars := map[string]*tensor.Tensor{}
	for name, e := range c.Inputs {
		e.RequiresGrad = true
		x, err := e.input()
		if err != nil {
			return err
		}
		vars[name] = x
	}
	fails := func(where string, err error) error { // an error where PyTorch had one too?
		var te *tensor.Error
		if c.Error == nil || fmt.Sprint(c.Error.Line) != where || !errors.As(err, &te) {
			return fmt.Errorf("line %s: %w", where, err)
		}
		return c.check(vars)
	}
	for i, l := range c.Lines {
		args := make([]any, len(l.Args))
		for j, raw := range l.Args {
			var ref struct{ Name string }
			if json.Unmarshal(raw, &ref) == nil && ref.Name != "" {
				args[j] = vars[ref.Name]
				continue
			}
			var none []*tensor.Tensor
			v, err := value(raw, &none)
			if err != nil {
				return err
			}
			args[j] = v
		}
		x, err := method(vars[l.Self], l.Method, args)
		if err != nil {
			return fails(fmt.Sprint(i), fmt.Errorf("%s.%s: %w", l.Self, l.Method, err))
		}
		if l.Out == l.Self {
			x = vars[l.Self]
		}
		vars[l.Out] = x
	}
	if c.BackwardOf != "" {
		err := attempt(func() error { vars[c.BackwardOf].Sum().Backward(); return nil })
		if err != nil {
			return fails("backward", err)
		}
	}
	if c.Error != nil {
		return fmt.Errorf("no error, want %q in line %v", c.Error.Message, c.Error.Line)
	}
	return c.check(vars)
}

// check holds every variable against the recording.
func (c *programCase) check(vars map[string]*tensor.Tensor) error {
	for _, name := range sorted(c.Version) {
		if got := vars[name].Version(); got != c.Version[name] {
			return fmt.Errorf("%s: version %d, want %d", name, got, c.Version[name])
		}
	}
	for _, name := range sorted(c.GradFn) {
		got, want := "none", "none"
		err := attempt(func() error {
			if f := vars[name].GradFn(); f != nil {
				got = f.Name()
			}
			return nil
		})
		if err != nil {
			return err
		}
		if c.GradFn[name] != nil {
			want = *c.GradFn[name]
		}
		if got != want {
			return fmt.Errorf("%s: grad_fn %s, want %s", name, got, want)
		}
	}
	for _, name := range sorted(c.RequiresGrad) {
		if got := vars[name].RequiresGrad(); got != c.RequiresGrad[name] {
			return fmt.Errorf("%s: requires_grad %v, want %v", name, got, c.RequiresGrad[name])
		}
		if got := vars[name].IsLeaf(); got != c.IsLeaf[name] {
			return fmt.Errorf("%s: is_leaf %v, want %v", name, got, c.IsLeaf[name])
		}
	}
	for _, name := range sorted(c.Values) {
		if err := same(name, vars[name], c.Values[name]); err != nil {
			return err
		}
	}
	for _, name := range sorted(c.Grads) {
		g, want := vars[name].Grad(), c.Grads[name]
		if want == nil {
			if g != nil {
				return fmt.Errorf("%s: a gradient, want none", name)
			}
			continue
		}
		if err := same(name+".grad", g, want); err != nil {
			return err
		}
	}
	return nil
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

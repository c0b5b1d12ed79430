package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// toMeta moves the tensors of an argument to the meta device, strides and all.
func toMeta(v any) any {
	switch v := v.(type) {
	case *tensor.Tensor:
		st := tensor.NewStorage(tensor.Meta, nil, v.Storage().Nbytes(), nil)
		return tensor.FromStorage("decode", st, v.Sizes(), v.Strides(), v.StorageOffset(), v.Dtype())
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = toMeta(v[i])
		}
		return out
	case []*tensor.Tensor:
		out := make([]*tensor.Tensor, len(v))
		for i := range v {
			out[i] = toMeta(v[i]).(*tensor.Tensor)
		}
		return out
	case tensor.Device:
		return tensor.Meta
	case string:
		if v == "cpu" {
			return tensor.Meta
		}
	}
	return v
}

// needValues are operators whose result follows from elements, though not all of them are of the class Dynamic; on the
// meta device they must fail.
var needValues = map[string]bool{"allclose": true, "equal": true, "argwhere": true, "nn.functional.one_hot": true}

// mayRefuse is what some calls of an operator must say on the meta device: those with a mask, with indices in a
// tensor.
var mayRefuse = map[string]string{"__getitem__": "the shape of the result depends on the values",
	"index": "the shape of the result depends on the values", "nonzero.as_tuple": "the shape of the result depends on",
	"tensor_split": "tensor on the CPU", "narrow.Tensor": "a meta tensor cannot be read",
	"cpu": "cannot copy out of a meta tensor"}

// onMeta runs the recorded call on the CPU and on the meta device.
func (c *opinfoCase) onMeta() error {
	var inputs []*tensor.Tensor
	var args []any
	for _, raw := range c.Args {
		v, err := value(raw, &inputs)
		if err != nil {
			return err
		}
		args = append(args, v)
	}
	kwargs := map[string]any{}
	for _, f := range c.Kwargs {
		v, err := value(f.raw, &inputs)
		if err != nil {
			return err
		}
		kwargs[f.name] = v
	}
	return onMeta(c.Op, args, kwargs, func(args []any, kwargs map[string]any) ([]any, error) {
		return call(c.Op, args, kwargs)
	})
}

// onMeta makes a call on the CPU and on the meta device: what has no elements must have the same shape, strides and
// dtype. What the CPU rejects is passed over.
func onMeta(op string, args []any, kwargs map[string]any,
	call func(args []any, kwargs map[string]any) ([]any, error)) error {
	metaArgs, metaKwargs := toMeta(args).([]any), map[string]any{}
	for name, v := range kwargs {
		if metaKwargs[name] = toMeta(v); name == "device" {
			metaKwargs[name] = tensor.Meta
		}
	}
	var want, got []any
	if attempt(func() (err error) { want, err = call(args, kwargs); return err }) != nil {
		return nil
	}
	err := attempt(func() (err error) {
		tensor.OnDevice(tensor.Meta, func() { got, err = call(metaArgs, metaKwargs) })
		return err
	})
	switch o := tensor.Lookup(op); {
	case needValues[op] || o != nil && o.Tags.Class() == opdef.Dynamic:
		if err == nil {
			return fmt.Errorf("no error on the meta device, though the result follows from elements")
		}
		return nil
	case err != nil:
		if says := mayRefuse[op]; says != "" && strings.Contains(err.Error(), says) {
			return nil
		}
		return fmt.Errorf("on the meta device: %w", err)
	}
	for i := range want {
		w, ok := want[i].(*tensor.Tensor)
		if !ok {
			continue
		}
		x := got[i].(*tensor.Tensor)
		if x.Device() != tensor.Meta || x.Dtype() != w.Dtype() || !slices.Equal(x.Shape(), w.Shape()) ||
			!slices.Equal(x.Stride(), w.Stride()) {
			return fmt.Errorf("%s of shape %v and stride %v on %s, on the CPU %s of %v and %v", x.Dtype(), x.Shape(),
				x.Stride(), x.Device(), w.Dtype(), w.Shape(), w.Stride())
		}
	}
	return nil
}

// TestMeta holds every operator's shape function against its kernel.
func TestMeta(t *testing.T) {
	dir := os.Getenv("GOTORCH_VECTORS")
	if dir == "" {
		dir = compact
	}
	files, err := filepath.Glob(filepath.Join(dir, "opinfo", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s (%v)", dir, err)
	}
	for _, f := range files {
		op := operatorOf(f)
		t.Run(op, func(t *testing.T) {
			rows, err := readLines[opinfoCase](f)
			if err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				if err := attempt(rows[i].onMeta); err != nil {
					t.Errorf("case %d: %v", i, err)
				}
			}
		})
	}
}

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
	"gotorch/tensor/opt"
)

// toMeta moves the tensors of an argument to the meta device, strides and all.
func toMeta(v any) any {
	switch v := v.(type) {
	case *tensor.Tensor:
		y := tensor.With(tensor.Meta, v.Dtype()).Empty(v.Storage().Nbytes() / v.ElementSize())
		return y.AsStrided(v.Shape(), v.Stride(), opt.StorageOffset(v.StorageOffset()))
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
var mayRefuse = map[string]string{"__getitem__": "the shape of the result depends on the values", "tensor_split": "tensor on the CPU"}

// onMeta runs the case on the CPU and on the meta device: what has no elements must have the same shape, strides and
// dtype. What the CPU refuses is passed over.
func (c *opinfoCase) onMeta() error {
	var inputs []*tensor.Tensor
	var args, metaArgs []any
	for _, raw := range c.Args {
		v, err := value(raw, &inputs)
		if err != nil {
			return err
		}
		args, metaArgs = append(args, v), append(metaArgs, toMeta(v))
	}
	kwargs, metaKwargs := map[string]any{}, map[string]any{}
	for _, f := range c.Kwargs {
		v, err := value(f.raw, &inputs)
		if err != nil {
			return err
		}
		kwargs[f.name], metaKwargs[f.name] = v, toMeta(v)
		if f.name == "device" {
			metaKwargs[f.name] = tensor.Meta
		}
	}
	var want, got []any
	if attempt(func() (err error) { want, err = call(c.Op, args, kwargs); return err }) != nil {
		return nil
	}
	err := attempt(func() (err error) {
		tensor.OnDevice(tensor.Meta, func() { got, err = call(c.Op, metaArgs, metaKwargs) })
		return err
	})
	switch o := tensor.Lookup(c.Op); {
	case needValues[c.Op] || o != nil && o.Tags.Class() == opdef.Dynamic:
		if err == nil {
			return fmt.Errorf("no error, though the result follows from elements")
		}
		return nil
	case err != nil:
		if says := mayRefuse[c.Op]; says != "" && strings.Contains(err.Error(), says) {
			return nil
		}
		return err
	}
	for i := range want {
		w, ok := want[i].(*tensor.Tensor)
		if !ok {
			continue
		}
		x := got[i].(*tensor.Tensor)
		if x.Device() != tensor.Meta || x.Dtype() != w.Dtype() || !slices.Equal(x.Shape(), w.Shape()) || !slices.Equal(x.Stride(), w.Stride()) {
			return fmt.Errorf("%s of shape %v and stride %v on %s, on the CPU %s of %v and %v", x.Dtype(), x.Shape(), x.Stride(), x.Device(), w.Dtype(), w.Shape(), w.Stride())
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

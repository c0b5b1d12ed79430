package conformance

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/shapes"
)

// lettered is a recorded call whose tensors have letters for sizes: the same for equal ones, none for 0 and 1.
type lettered struct {
	c       *opinfoCase
	args    []any
	kwargs  map[string]any
	tensors []*tensor.Tensor
	names   map[int]string // by the size that was recorded
}

func (c *opinfoCase) lettered() (*lettered, error) {
	l := &lettered{c: c, kwargs: map[string]any{}, names: map[int]string{}}
	var inputs []*tensor.Tensor
	read := func(raw []byte) (any, error) {
		v, err := value(raw, &inputs)
		if err == nil {
			l.collect(v)
		}
		return v, err
	}
	for _, raw := range c.Args {
		v, err := read(raw)
		if err != nil {
			return nil, err
		}
		l.args = append(l.args, v)
	}
	for _, f := range c.Kwargs {
		v, err := read(f.raw)
		if err != nil {
			return nil, err
		}
		l.kwargs[f.name] = v
	}
	return l, nil
}

func (l *lettered) collect(v any) {
	switch v := v.(type) {
	case *tensor.Tensor:
		l.tensors = append(l.tensors, v)
		for _, n := range v.Shape() {
			if n > 1 && l.names[n] == "" && len(l.names) < 6 {
				l.names[n] = string(rune('A' + len(l.names)))
			}
		}
	case []any:
		for _, x := range v {
			l.collect(x)
		}
	case []*tensor.Tensor:
		for _, x := range v {
			l.collect(x)
		}
	}
}

// specs are the shapes of the tensors, as SymbolicShapes takes them.
func (l *lettered) specs() (out []any) {
	for _, x := range l.tensors {
		var dims []string
		for _, n := range x.Shape() {
			if name := l.names[n]; name != "" {
				dims = append(dims, name)
			} else {
				dims = append(dims, fmt.Sprint(n))
			}
		}
		out = append(out, x.Dtype().String()+"["+strings.Join(dims, ", ")+"]")
	}
	return out
}

// with makes the call with other tensors.
func (l *lettered) with(xs []*tensor.Tensor) []*tensor.Tensor {
	k := 0
	var swap func(v any) any
	swap = func(v any) any {
		switch v := v.(type) {
		case *tensor.Tensor:
			k++
			return xs[k-1]
		case []any:
			out := make([]any, len(v))
			for i := range v {
				out[i] = swap(v[i])
			}
			return out
		case []*tensor.Tensor:
			out := make([]*tensor.Tensor, len(v))
			for i := range v {
				out[i] = swap(v[i]).(*tensor.Tensor)
			}
			return out
		}
		return v
	}
	args := swap(l.args).([]any)
	kwargs := map[string]any{}
	for _, f := range l.c.Kwargs {
		if kwargs[f.name] = swap(l.kwargs[f.name]); f.name == "device" {
			kwargs[f.name] = tensor.Meta
		}
	}
	out, err := call(l.c.Op, args, kwargs)
	if err != nil {
		panic(err)
	}
	var ys []*tensor.Tensor
	for _, v := range out {
		switch v := v.(type) {
		case *tensor.Tensor:
			ys = append(ys, v)
		case []*tensor.Tensor:
			ys = append(ys, v...)
		}
	}
	return ys
}

// at makes the call on the meta device with sizes for the letters.
func (l *lettered) at(sizes map[string]int) (shapes [][]int, err error) {
	err = attempt(func() error {
		tensor.OnDevice(tensor.Meta, func() {
			var xs []*tensor.Tensor
			for _, x := range l.tensors {
				shape := x.Shape()
				for d, n := range shape {
					if name := l.names[n]; name != "" {
						shape[d] = sizes[name]
					}
				}
				xs = append(xs, tensor.Empty(shape...).To(x.Dtype()))
			}
			for _, y := range l.with(xs) {
				shapes = append(shapes, y.Shape())
			}
		})
		return nil
	})
	return shapes, err
}

// TestSymbolic holds the expressions of visualize.SymbolicShapes against the meta device: the recorded calls of all
// operators, with letters for the sizes of their tensors, must give the shapes that the expressions say for sizes that
// these were not found from, wherever the guards hold.
func TestSymbolic(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectorsDir(), "opinfo", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors (%v)", err)
	}
	r := rand.New(rand.NewPCG(1, 13))
	strict := map[string]string{}
	programs, checked, refused, unknown, inexact := 0, 0, 0, 0, 0
	for _, file := range files {
		op := operatorOf(file)
		if testing.Short() && r.IntN(4) > 0 {
			continue
		}
		rows, err := readLines[opinfoCase](file)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range r.Perm(len(rows))[:min(2, len(rows))] {
			l, err := rows[i].lettered()
			if err != nil || rows[i].Error != nil || len(l.names) == 0 {
				continue
			}
			was := map[string]int{}
			for n, name := range l.names {
				was[name] = n
			}
			if _, err := l.at(was); err != nil { // it wants data, or is no call on the meta device
				continue
			}
			programs++
			v := shapes.SymbolicShapes(func(xs ...*tensor.Tensor) []*tensor.Tensor { return l.with(xs) }, l.specs()...)
			if v.Error != "" {
				refused++
				if _, err := l.at(was); err == nil {
					t.Logf("%s %v: %s", op, l.specs(), v.Error)
				}
				continue
			}
			text := v.Text(false)
			if !v.Exact {
				inexact++
				t.Logf("%s %v\n%s", op, l.specs(), text)
				continue
			}
			if strings.Contains(text, "?") {
				unknown++
				t.Logf("%s %v\n%s", op, l.specs(), text)
			}
			for range 400 {
				sizes := map[string]int{}
				for _, name := range slices.Sorted(maps.Keys(was)) {
					n := was[name]
					sizes[name] = []int{n, 1 + r.IntN(6), 1 + r.IntN(40), 100 + r.IntN(200)}[r.IntN(4)]
				}
				got, err := l.at(sizes)
				want, ok := v.ShapesAt(sizes)
				if ok {
					checked++
				}
				switch same := err == nil && slices.EqualFunc(got, want, agrees); {
				case ok && !same:
					t.Errorf("%s %v at %v gives %v (%v), the expressions say %v\n%s", op, l.specs(), sizes, got, err,
						want, text)
				case !ok && same: // a guard asks for more than it must: true of what was tried, and not of this
					strict[op] = fmt.Sprintf("%v at %v gives %v\n%s", l.specs(), sizes, got, text)
				}
			}
		}
	}
	t.Logf("%d calls, %d checks; %d were refused, %d have unknown sizes, %d have no rule", programs, checked, refused,
		unknown, inexact)
	for op, text := range strict {
		t.Logf("a guard of %s does not hold, and the expressions do: %s", op, text)
	}
	if 50*len(strict) > programs {
		t.Errorf("guards of %d calls ask for more than they must", len(strict))
	}
	if programs < 100 || 20*(refused+unknown+inexact) > programs {
		t.Errorf("of %d calls too many have no rule", programs)
	}
}

// agrees reports whether a shape is what expressions say, where they say anything.
func agrees(got, want []int) bool {
	return slices.EqualFunc(got, want, func(a, b int) bool { return b < 0 || a == b })
}

func vectorsDir() string {
	if dir := os.Getenv("GOTORCH_VECTORS"); dir != "" {
		return dir
	}
	return compact
}

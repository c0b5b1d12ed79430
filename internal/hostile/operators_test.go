package hostile

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	_ "gotorch"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// endless are shapes of tensors of one element, expanded, that nothing can walk through to its end.
var endless = [][]int{
	{1 << 50}, {1 << 25, 1 << 25}, {2, 1 << 45}, {1 << 45, 2}, {1 << 30, 3, 3}, {1, 1, 1 << 45},
	{1, 1, 1 << 22, 1 << 22}, {1 << 40, 1, 3, 3}, {1, 1, 1 << 15, 1 << 15, 1 << 15},
}

// shapesOf are shapes that the tensors of a call have together: what is small stands for weights and indices.
func shapesOf(n int) (out [][][]int) {
	for _, big := range endless {
		all := make([][]int, n)
		for i := range all {
			all[i] = big
		}
		out = append(out, all)
		for _, small := range [][]int{{1}, {1, 1}, {1, 1, 1}, {1, 1, 1, 1}} {
			if n < 2 {
				break
			}
			first, last := make([][]int, n), make([][]int, n)
			for i := range n {
				first[i], last[i] = small, small
			}
			first[0], last[n-1] = big, big
			out = append(out, first, last)
		}
	}
	return out
}

// arguments are those that a row needs, with the tensors given; false where it needs others than these.
func arguments(o *tensor.Op, shapes [][]int, dt, indices tensor.Dtype, number int) (args []any, ok bool) {
	next := 0
	make := func() *tensor.Tensor {
		d := dt
		if next > 0 {
			d = indices
		}
		shape := shapes[min(next, len(shapes)-1)]
		next++
		return tensor.With(d).Zeros(1).Expand(shape...)
	}
	for i := range o.Params {
		p := &o.Params[i]
		switch {
		case p.Is("Tensor"):
			if p.Optional && p.HasDef {
				return args, true
			}
			args = append(args, make())
		case p.KwOnly || p.HasDef:
			return args, true
		case p.IsList("Tensor"):
			args = append(args, []*tensor.Tensor{make(), make()})
		case p.IsList("int"):
			args = append(args, []int{number})
		case p.Is("int"):
			args = append(args, number)
		case p.Is("float"), p.Is("Scalar"):
			args = append(args, 0.5)
		case p.Is("bool"):
			args = append(args, true)
		case p.Is("ScalarType"):
			args = append(args, tensor.Float64)
		default:
			return nil, false
		}
	}
	return args, true
}

// TestOperatorsStop calls every operator with tensors of one element that are expanded to more than anything walks
// through. It rejects them, answers, or ends when it is interrupted. Without GOTORCH_ALL it is a part of the calls.
func TestOperatorsStop(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	only, each := os.Getenv("HOSTILE"), 29
	if os.Getenv("GOTORCH_ALL") != "" || only != "" {
		each = 1
	}
	before := tensor.MemoryBudget()
	tensor.SetMemoryBudget(256 << 20)
	defer tensor.SetMemoryBudget(before)
	calls, long, n := 0, 0, 0
	for _, o := range tensor.Ops() {
		if o.Tags.Class() == opdef.Factory || only != "" && o.Full != only {
			continue
		}
		tensors := 0
		for i := range o.Params {
			if o.Params[i].Is("Tensor") && !o.Params[i].HasDef {
				tensors++
			} else if o.Params[i].IsList("Tensor") {
				tensors += 2
			}
		}
		if tensors == 0 {
			continue
		}
		stuck := false
		for _, shapes := range shapesOf(tensors) {
			for _, dt := range [][2]tensor.Dtype{{tensor.Float32, tensor.Float32}, {tensor.Float32, tensor.Int64},
				{tensor.Int64, tensor.Int64}, {tensor.Bool, tensor.Bool}, {tensor.Complex64, tensor.Complex64},
				{tensor.Bfloat16, tensor.Bfloat16}, {tensor.Int64, tensor.Float32}} {
				for number := range 2 {
					if n++; n%each != 0 || stuck {
						continue
					}
					args, ok := arguments(o, shapes, dt[0], dt[1], number)
					if !ok {
						continue
					}
					calls++
					took, ended := call(o, args)
					if !ended {
						t.Errorf("%s goes on after its interrupt: shapes %v, dtypes %v, number %d\n%s",
							o.Full, shapes, dt, number, stacks())
						stuck = true
					} else if took {
						long++
					}
				}
			}
		}
	}
	if t.Logf("%d calls, of which %d were interrupted", calls, long); long == 0 && only == "" {
		t.Error("no call was long enough to be interrupted")
	}
}

// call calls an operator, and interrupts it soon. ended is false where it goes on all the same.
func call(o *tensor.Op, args []any) (interrupted, ended bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	done := make(chan bool, 1)
	go tensor.WithContext(ctx, func() {
		defer func() {
			v := recover()
			done <- v != nil && strings.Contains(fmt.Sprint(v), "interrupted")
		}()
		if _, err := tensor.Invoke(o.Full, args, nil); err != nil {
			panic(err)
		}
	})
	select {
	case interrupted = <-done:
		return interrupted, true
	case <-time.After(limit):
		return false, false
	}
}

const limit = 10 * time.Second

// stacks are those of the goroutines that work for calls.
func stacks() string {
	buf := make([]byte, 1<<20)
	var out []string
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, "tensor.") && !strings.Contains(g, "TestOperatorsStop") {
			out = append(out, g[:min(len(g), 2000)])
		}
	}
	return strings.Join(out, "\n\n")
}

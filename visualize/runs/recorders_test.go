package runs

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
	"gotorch/visualize/memory"
	"gotorch/visualize/programs"
	"gotorch/visualize/shapes"
)

// recorders are the views of what a function did.
var recorders = map[string]func(f func()) (draw.View, any){
	"trace":   func(f func()) (draw.View, any) { return boxed(Record(f)) },
	"flame":   func(f func()) (draw.View, any) { return boxed(RecordFlame(f)) },
	"memory":  func(f func()) (draw.View, any) { return boxed(RecordMemory(f)) },
	"plan":    func(f func()) (draw.View, any) { return boxed(memory.RecordPlans(f)) },
	"shapes":  func(f func()) (draw.View, any) { return boxed(shapes.RecordShapes(f)) },
	"program": func(f func()) (draw.View, any) { return boxed(programs.RecordProgram(f)) },
}

func boxed[V draw.View](v V, panicked any) (draw.View, any) {
	if draw.View(v) == nil || viewtest.IsNil(v) {
		return nil, panicked
	}
	return v, panicked
}

// nest calls f beneath n functions of transforms and composites.
func nest(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	tensor.InScope(func(*tensor.Scope) {}, func() { nest(n-1, f) })
}

// TestRecorders: functions that call without end, panic, start goroutines or record themselves end in views of
// bounded size, made in bounded time, and leave nothing behind.
func TestRecorders(t *testing.T) {
	viewtest.NewSession(t)
	Peak()
	x := tensor.Ones(2)
	functions := map[string]struct {
		f     func()
		panic string
	}{
		"many calls": {f: func() {
			y := x
			for range 100_000 {
				y = y.Neg()
			}
		}},
		"many kinds of calls": {f: func() {
			for i := range 20_000 {
				tensor.Ones(i%3000, 1).Add(i)
			}
		}},
		"deep": {f: func() { nest(3000, func() { x.Add(1) }) }},
		"panic": {f: func() {
			x.Neg()
			panic("mine")
		}, panic: "mine"},
		"error": {f: func() { x.Neg(); x.Add(tensor.Ones(3)) }, panic: "broadcast"},
		"nil":   {f: func() { var y *tensor.Tensor; x.Neg(); y.Add(1) }, panic: "nil"},
		"huge panic": {f: func() {
			x.Neg()
			panic(strings.Repeat("<b>\x1b[31m", 200_000))
		}, panic: "<b>"},
		"panic that panics": {f: func() { x.Neg(); panic(rude{}) }, panic: "PANIC"},
		"goroutines": {f: func() {
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					for range 100 {
						x.Neg()
					}
				})
			}
			wg.Wait()
			x.Exp()
		}},
		"recover": {f: func() {
			for range 100 {
				tensor.Try(func() { x.Add(tensor.Ones(3)) })
			}
		}},
	}
	for name, record := range recorders {
		functions["in "+name] = struct {
			f     func()
			panic string
		}{f: func() { x.Neg(); record(func() { x.Exp() }); x.Neg() }}
		functions["panic in "+name] = struct {
			f     func()
			panic string
		}{f: func() {
			x.Neg()
			if _, p := record(func() { x.Exp(); panic("inner") }); p != nil {
				panic(p)
			}
		}, panic: "inner"}
	}
	for what, c := range functions {
		for name, record := range recorders {
			t.Run(what+"/"+name, func(t *testing.T) {
				start := time.Now()
				v, panicked := record(c.f)
				if r, ok := v.(*shapes.ShapeRun); ok && panicked == nil && c.panic != "" {
					panicked = r.Error // which belongs to the view: no shape is known beyond it
				}
				if got := fmt.Sprint(panicked); (panicked != nil) != (c.panic != "") || !strings.Contains(got, c.panic) {
					t.Errorf("panicked with %.100s, want %q", got, c.panic)
				}
				if viewtest.IsNil(v) {
					if panicked == nil {
						t.Fatal("no view")
					}
					return
				}
				ran := time.Since(start)
				start = time.Now()
				v.Text(false)
				v.HTML()
				if d := time.Since(start); d > 5*time.Second || ran > 20*time.Second {
					t.Errorf("ran for %v, was drawn in %v", ran, d)
				} else if d > 50*time.Millisecond || ran > time.Second {
					t.Logf("ran for %v, was drawn in %v", ran, d)
				}
				viewtest.CheckForms(t, v)
				if d, err := json.Marshal(v); err != nil || len(d) > 64<<20 {
					t.Errorf("%d bytes of JSON, %v", len(d), err)
				}
				viewtest.CheckText(t, v)
				if s := tensor.CurrentScope(); s != nil && s.Trace != nil {
					t.Fatal("still recording")
				}
			})
		}
	}
	if watchers.Load() != 0 {
		t.Errorf("%d watch memory", watchers.Load())
	}
}

// rude is a value whose text cannot be had.
type rude struct{}

func (rude) String() string { panic("no text") }

package std

import (
	"container/ring"
	"reflect"
	"testing"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Package testing runs benchmarks on goroutines of its own, where a panic would end the process: it is kept until the
// benchmark has ended, and is the cell's then.

func patchTesting(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Benchmark": func(f func(*testing.B)) (r testing.BenchmarkResult) {
			guests(e, "testing.Benchmark", f != nil, func(g *guest) {
				r = testing.Benchmark(func(b *testing.B) { g.measure(b, f) })
			})
			return r
		},
	})
}

var testingMethods = map[string]func(*env.Env) any{
	"B.Run": func(e *env.Env) any {
		return func(b *testing.B, name string, f func(*testing.B)) (ok bool) {
			guests(e, "testing.B.Run", f != nil, func(g *guest) {
				ok = b.Run(name, func(b *testing.B) { g.measure(b, f) })
			})
			return ok
		}
	},
	"B.RunParallel": func(e *env.Env) any {
		return func(b *testing.B, f func(*testing.PB)) {
			guests(e, "testing.B.RunParallel", f != nil, func(g *guest) {
				b.RunParallel(func(p *testing.PB) { g.call(func() { f(p) }) })
			})
		}
	},
}

// measure calls the function of a benchmark. Package testing would report one that leaves a loop over b.Loop, by a
// return, a panic or the stop of its cell, on its own goroutine, where it has no log: one that has failed it does not
// report.
func (g *guest) measure(b *testing.B, f func(*testing.B)) {
	defer func() { // also where the goroutine ends
		loop := reflect.ValueOf(b).Elem().FieldByName("loop")
		n, done := loop.FieldByName("n"), loop.FieldByName("done")
		if n.Uint() > 0 && !done.Bool() && !b.Failed() {
			b.Fail()
			g.call(func() { panic(rt.Fault("testing: a benchmark's function left its loop before b.Loop was false")) })
		}
	}()
	if !g.call(func() { f(b) }) {
		b.Fail()
	}
}

// guests runs host code that calls functions on goroutines of its own, and panics as the first of them did.
func guests(e *env.Env, name string, given bool, run func(g *guest)) {
	if !given {
		panic(rt.Fault(name + ": the function is nil"))
	}
	g := &guest{env: e}
	defer func() { // also where package testing ends the goroutine
		if g.panicked {
			panic(g.fault)
		}
	}()
	run(g)
}

// ringMethods are those of container/ring that an interrupt ends, or that end by themselves: a function may change the
// ring that it goes round, and nobody goes round 2^62 times.
var ringMethods = map[string]func(*env.Env) any{
	"Ring.Move":   func(*env.Env) any { return func(r *ring.Ring, n int) *ring.Ring { return r.Move(steps(r, n)) } },
	"Ring.Unlink": func(*env.Env) any { return func(r *ring.Ring, n int) *ring.Ring { return r.Unlink(steps(r, n)) } },
	"Ring.Do": func(*env.Env) any {
		return func(r *ring.Ring, f func(any)) {
			task.Stoppable(func(stop func()) { r.Do(func(x any) { stop(); f(x) }) })
		}
	},
}

// steps is n steps around a ring, without whole rounds where these are many.
func steps(r *ring.Ring, n int) int {
	if n < 1<<20 && n > -1<<20 || r == nil {
		return n
	}
	return n % r.Len()
}

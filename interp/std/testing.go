package std

import (
	"container/ring"
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
			guests("testing.Benchmark", f != nil, func(g *guest) {
				r = testing.Benchmark(func(b *testing.B) { g.call(func() { f(b) }) })
			})
			return r
		},
	})
}

var testingMethods = map[string]func(*env.Env) any{
	"B.Run": func(*env.Env) any {
		return func(b *testing.B, name string, f func(*testing.B)) (ok bool) {
			guests("testing.B.Run", f != nil, func(g *guest) {
				ok = b.Run(name, func(b *testing.B) { g.call(func() { f(b) }) })
			})
			return ok
		}
	},
	"B.RunParallel": func(*env.Env) any {
		return func(b *testing.B, f func(*testing.PB)) {
			guests("testing.B.RunParallel", f != nil, func(g *guest) {
				b.RunParallel(func(p *testing.PB) { g.call(func() { f(p) }) })
			})
		}
	},
}

// guests runs host code that calls functions on goroutines of its own, and panics as the first of them did.
func guests(name string, given bool, run func(g *guest)) {
	if !given {
		panic(rt.Fault(name + ": the function is nil"))
	}
	g := &guest{}
	defer func() { // also where package testing ends the goroutine
		if g.panicked {
			panic(g.fault)
		}
	}()
	run(g)
}

// ringMethods are those of container/ring that an interrupt ends: a function may change the ring that it goes round.
var ringMethods = map[string]func(*env.Env) any{
	"Ring.Do": func(*env.Env) any {
		return func(r *ring.Ring, f func(any)) {
			task.Stoppable(func(stop func()) { r.Do(func(x any) { stop(); f(x) }) })
		}
	},
}

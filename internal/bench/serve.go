package main

import (
	"bufio"
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	_ "gotorch"
	"gotorch/tensor"
)

// question asks a process for a sample. Name is for gotorch's processes, setup and expr for PyTorch's.
type question struct {
	Info   bool    `json:"info,omitempty"`
	Name   string  `json:"name,omitempty"`
	Setup  string  `json:"setup"`
	Expr   string  `json:"expr"`
	Target float64 `json:"target"` // seconds that a batch should take
}

// answer is what a process says.
type answer struct {
	Seconds float64 `json:"seconds,omitempty"`
	Error   string  `json:"error,omitempty"`
	Version string  `json:"version,omitempty"`
}

// serveRows answers questions from standard input until it ends. It collects as often as the REPL does.
func serveRows(rows []row) {
	debug.SetGCPercent(400)
	byName := map[string]row{}
	for _, r := range rows {
		byName[r.name] = r
	}
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	in.Buffer(nil, 1<<20)
	var name string
	var run func()
	for in.Scan() {
		var q question
		var a answer
		switch err := json.Unmarshal(in.Bytes(), &q); {
		case err != nil:
			a.Error = err.Error()
		case q.Info:
			a.Version = runtime.Version()
		default:
			if err := tensor.Try(func() {
				if name != q.Name {
					run = nil
					runtime.GC()
					tensor.ManualSeed(0)
					run, name = byName[q.Name].make(), q.Name
				}
				a.Seconds = sample(run, q.Target)
			}); err != nil {
				a.Error = err.Error()
			}
		}
		out.Encode(a)
	}
}

// sample is the least time of a call in two batches of about target seconds.
func sample(run func(), target float64) float64 {
	run()
	begin := time.Now()
	run()
	once := time.Since(begin).Seconds()
	n := max(1, min(1_000_000, int(target/max(once, 1e-8))))
	best := 1e9
	for range 2 {
		begin := time.Now()
		for range n {
			run()
		}
		best = min(best, time.Since(begin).Seconds()/float64(n))
	}
	return best
}

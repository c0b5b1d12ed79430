package main

import (
	"bufio"
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	_ "gotorch"
	"gotorch/internal/parallel"
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

// serveRows answers questions from standard input until it ends. With collected results wait for Go's collector. With
// several threads the one that calls is pinned, as PyTorch's is.
func serveRows(rows []row, collected bool) {
	if parallel.Threads() > 1 {
		parallel.Settle()
	}
	byName := map[string]row{}
	for _, r := range rows {
		byName[r.name] = r
		if r.gonum != nil {
			byName["gonum "+r.name] = row{make: r.gonum}
		}
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
					body := byName[q.Name].make()
					run, name = func() { tensor.Tidy(body) }, q.Name
					if collected {
						run = body
					}
					pace()
				}
				a.Seconds = sample(run, q.Target)
			}); err != nil {
				a.Error = err.Error()
			}
		}
		out.Encode(a)
	}
}

// pace sets how often the collector runs as the REPL does: it may leave 64 MB of dead memory, 100 to 400 percent of
// what lives.
func pace() {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	debug.SetGCPercent(int(min(max(64<<20*100/max(m.HeapAlloc, 1), 100), 400)))
}

// sample is the least time of a call in two batches of about target seconds, after as long again twice to warm up:
// caches fill, and memory that is new to the process is mapped page by page.
func sample(run func(), target float64) float64 {
	begin := time.Now()
	for calls := 0; calls < 2 || calls < 1000 && time.Since(begin).Seconds() < 2*target; calls++ {
		run()
	}
	begin = time.Now()
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

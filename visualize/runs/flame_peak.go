package runs

import (
	"fmt"
	"sync"
	"time"

	"github.com/klauspost/cpuid/v2"

	"gotorch/internal/bytesize"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/visualize/draw"
)

// Machine is what this machine was measured to do.
type Machine struct {
	// of memory that no cache holds: the faster of reading it and of copying it
	BytesPerSecond float64 `json:"bytes_per_second"`
	FlopsPerSecond float64 `json:"flops_per_second"` // float32 multiplications and additions in registers
	Instructions   string  `json:"instructions"`     // go, avx2 or avx512: what did both
	Workers        int     `json:"workers"`          // goroutines that worked together
	Streamed       int     `json:"streamed"`         // bytes that were read
	Nanos          int64   `json:"ns"`               // that measuring took
}

// String tells what was measured and how.
func (m *Machine) String() string {
	return fmt.Sprintf("memory, in runs of %s: %s   float32 products in registers (%s): %s   %s, measured in %s",
		bytesize.Text(m.Streamed),
		rateText(m.BytesPerSecond, 1e9, "B"), m.Instructions, rateText(m.FlopsPerSecond, 1e9, "flop"),
		draw.Counted(m.Workers, "worker"), nanosText(m.Nanos))
}

// peak holds what was measured.
var peak measured

type measured struct {
	mu sync.Mutex
	m  *Machine
}

func (p *measured) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m = nil
}

// SetMachine sets what [Peak] returns, until the clock is set: texts that are compared then tell about the same
// machine everywhere.
func SetMachine(m *Machine) {
	peak.mu.Lock()
	defer peak.mu.Unlock()
	peak.m = m
}

// Peak is what the machine can do, measured when it is first asked for, in less than a tenth of a second: how fast
// all workers together stream through memory that no cache holds, and how many multiplications and additions of
// float32 they do in registers, where nothing is waited for. No kernel of float32 computes faster; one whose tensors
// lie in a cache can be faster than memory.
func Peak() *Machine {
	peak.mu.Lock()
	defer peak.mu.Unlock()
	if peak.m == nil {
		peak.m = measure()
	}
	return peak.m
}

const (
	peakLeast, peakMost = 24 << 20, 64 << 20 // bytes to stream through: two last caches, if the CPU says how large

	peakTime  = 12 * time.Millisecond // for each of the two measurements, once the memory is there
	peakTries = 6
)

func measure() *Machine {
	begin := clock()
	m := &Machine{Workers: parallel.Threads(), Streamed: min(max(peakLeast, 2*cpuid.CPU.Cache.L3), peakMost),
		Instructions: simd.Current().String()}
	m.BytesPerSecond = measureMemory(m.Streamed)
	m.FlopsPerSecond = measureProducts()
	m.Nanos = (clock() - begin).Nanoseconds()
	return m
}

// bestRate is the best of some passes in units a second, each of so many units.
func bestRate(units float64, pass func()) (best float64) {
	begin := clock()
	for range peakTries {
		start := clock()
		pass()
		end := clock()
		best = max(best, units/max(1e-9, (end-start).Seconds()))
		if end-begin > peakTime {
			break
		}
	}
	return best
}

// measureMemory is the better of the rates of sums, which only read, and of copies from one half to the other, whose
// reads and writes both count.
func measureMemory(bytes int) float64 {
	const grain = 1 << 18
	all := make([]float32, bytes/4)
	for i := 0; i < len(all); i += 1024 {
		all[i] = 1 // memory that was never written is all one page
	}
	half := len(all) / 2
	reading := func() { parallel.For(len(all), grain, func(lo, hi int) { simd.SumFloat32(all[lo:hi]) }) }
	copying := func() { parallel.For(half, grain, func(lo, hi int) { copy(all[lo:hi], all[half+lo:half+hi]) }) }
	return max(bestRate(float64(bytes), reading), bestRate(float64(bytes), copying))
}

// measureProducts is the rate of multiplications and additions of all workers.
func measureProducts() float64 {
	const rounds, chunks = 1 << 14, 8
	flops := float64(simd.FMAFloat32(1)) * rounds * chunks
	return bestRate(flops, func() {
		parallel.For(chunks, 1, func(lo, hi int) {
			for range hi - lo {
				simd.FMAFloat32(rounds)
			}
		})
	})
}

package visualize

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"gotorch/internal/parallel"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Machine is what this machine was measured to do.
type Machine struct {
	BytesPerSecond float64 `json:"bytes_per_second"` // read and written by copying
	FlopsPerSecond float64 `json:"flops_per_second"` // multiplications and additions; 0 where they could not be measured
	Workers        int     `json:"workers"`          // goroutines that worked together
	Copied         int     `json:"copied"`           // bytes of each of the two stretches
	Product        int     `json:"product"`          // rows and columns of the matrices
	Nanos          int64   `json:"ns"`               // that measuring took
}

// String tells what was measured and how.
func (m *Machine) String() string {
	s := fmt.Sprintf("copying %s to %s: %s", draw.BytesText(m.Copied), draw.BytesText(m.Copied), rateText(m.BytesPerSecond, 1e9, "B"))
	if m.FlopsPerSecond > 0 {
		s += fmt.Sprintf("   float32 matmul of %d×%d: %s", m.Product, m.Product, rateText(m.FlopsPerSecond, 1e9, "flop"))
	}
	return s + "   " + draw.Counted(m.Workers, "worker") + ", measured in " + nanosText(m.Nanos)
}

// machine holds what was measured.
var machine measured

type measured struct {
	mu sync.Mutex
	m  *Machine
}

func (p *measured) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m = nil
}

// Peak is what the machine can do, measured when it is first asked for, in less than a tenth of a second: how fast all workers together copy
// memory that no cache holds, and how fast this library's float32 matrix product, the densest arithmetic that it has, multiplies and adds.
// Kernels whose tensors lie in a cache can be faster than memory.
func Peak() *Machine {
	machine.mu.Lock()
	defer machine.mu.Unlock()
	if machine.m == nil {
		machine.m = measure()
	}
	return machine.m
}

const (
	peakCopy  = 24 << 20
	peakTime  = 12 * time.Millisecond // for each of the two measurements, once the memory is there
	peakTries = 4
)

func measure() *Machine {
	begin := clock()
	m := &Machine{Workers: parallel.Threads(), Copied: peakCopy}
	m.BytesPerSecond = measureCopy()
	tensor.InScope(func(s *tensor.Scope) {
		s.Trace, s.Context = nil, nil
		s.Exclude(tensor.Set(tensor.KeyTrace, tensor.KeyAutograd, tensor.KeyBatched, tensor.KeyProfile))
	}, func() {
		tensor.Try(func() { m.Product, m.FlopsPerSecond = measureProduct() }) // no backend: no rate
	})
	m.Nanos = (clock() - begin).Nanoseconds()
	return m
}

// measureCopy is the best rate of some copies, reads and writes counted.
func measureCopy() float64 {
	from, to := make([]byte, peakCopy), make([]byte, peakCopy)
	pass := func() { parallel.For(peakCopy, 1<<20, func(lo, hi int) { copy(to[lo:hi], from[lo:hi]) }) }
	for i := 0; i < peakCopy; i += 4096 {
		from[i] = 1 // memory that was never written has no place of its own
	}
	pass()
	best := 0.0
	begin := clock()
	for range peakTries {
		start := clock()
		pass()
		end := clock()
		best = max(best, 2*peakCopy/max(1e-9, (end-start).Seconds()))
		if end-begin > peakTime {
			break
		}
	}
	runtime.KeepAlive(to)
	return best
}

// measureProduct is the best rate of matrix products that grow as long as there is time. The fastest of three of a size counts: the others may have
// had to wait for the processor.
func measureProduct() (size int, best float64) {
	begin := clock()
	for n := 64; n <= 512; n *= 2 {
		a, b := tensor.Ones(n, n), tensor.Ones(n, n)
		fastest := time.Hour
		for range 3 {
			start := clock()
			a.Matmul(b)
			end := clock()
			fastest = min(fastest, end-start)
			if rate := 2 * float64(n) * float64(n) * float64(n) / max(1e-9, (end-start).Seconds()); rate > best {
				size, best = n, rate
			}
			if end-begin > 3*peakTime {
				return size, best
			}
		}
		if 8*fastest > peakTime { // the next is eight times as much work
			break
		}
	}
	return size, best
}

package programs

import (
	"math/rand"
	"testing"
)

// TestFlowIsTheCut: the flow through random networks is as large as the cut that is found, and no other cut is
// narrower: all are tried.
func TestFlowIsTheCut(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 300 {
		nodes := 2 + rng.Intn(7)
		type pipe struct {
			from, to int
			width    int64
		}
		var pipes []pipe
		n := newFlowNetwork(nodes)
		for range rng.Intn(20) {
			p := pipe{rng.Intn(nodes), rng.Intn(nodes), int64(rng.Intn(9))}
			if p.from != p.to {
				pipes = append(pipes, p)
				n.pipe(p.from, p.to, p.width)
			}
		}
		width := func(behind func(int) bool) (sum int64) {
			for _, p := range pipes {
				if !behind(p.from) && behind(p.to) {
					sum += p.width
				}
			}
			return sum
		}
		flow, behind := n.cut(0, 1)
		if behind[0] || !behind[1] {
			t.Fatal("the source lies behind the cut, or the sink before it")
		}
		if got := width(func(i int) bool { return behind[i] }); got != flow {
			t.Fatalf("the flow is %d and the cut is %d wide", flow, got)
		}
		for set := range 1 << nodes {
			if set&1 != 0 || set&2 == 0 {
				continue
			}
			if w := width(func(i int) bool { return set>>i&1 == 1 }); w < flow {
				t.Fatalf("a cut is %d wide, and %d was found", w, flow)
			}
		}
	}
}

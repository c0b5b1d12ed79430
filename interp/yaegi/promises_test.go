package yaegi

import (
	"runtime"
	"testing"
)

// TestPromises: what one goroutine was told that it may allocate is not there for others until it has been allocated,
// or the goroutine asks for something else, or ends.
func TestPromises(t *testing.T) {
	const mb = 1 << 20
	var p promises
	a, b := new(member), new(member)
	limit := live() + 1000*mb
	ask := func(m *member, want int) bool { return p.ask(m, want, limit) >= want }
	if !ask(a, 600*mb) {
		t.Fatal("600 MB of 1000 are not there")
	}
	if ask(b, 600*mb) || !p.others(b) || p.others(a) {
		t.Error("600 MB of 1000 are there twice")
	}
	if !ask(a, 300*mb) || !ask(b, 600*mb) {
		t.Error("another promise to a goroutine does not take the place of the first")
	}
	c := new(member)
	p.hand(b, c)
	p.drop(b)
	if ask(a, 900*mb) {
		t.Error("what a goroutine handed on ends with it")
	}
	if p.drop(c); !ask(a, 900*mb) || p.sum != 900*mb {
		t.Error("what an ended goroutine was promised is kept")
	}
	if p.drop(a); p.sum != 0 || len(p.of) != 0 {
		t.Errorf("%d bytes are promised to nobody", p.sum)
	}
	if !ask(a, 100*mb) {
		t.Fatal("100 MB of 1000 are not there")
	}
	x := make([]byte, 100*mb)
	if !ask(b, 1) || p.owed > 2*mb {
		t.Errorf("%d bytes count as promised that have been allocated", p.owed)
	}
	runtime.KeepAlive(x)
}

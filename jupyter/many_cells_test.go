package jupyter_test

import (
	"fmt"
	"net"
	"runtime"
	"slices"
	"testing"
	"time"

	"gotorch/jupyter"
)

// heap is what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A cell takes as long in a kernel that ran ten thousand as in a new one, and little is kept of them.
func TestTenThousandCells(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1_000
	}
	begin := func() *running {
		return start(t, newInfo(t, "ipc"), jupyter.Options{NoSignals: true, HistoryFile: t.TempDir() + "/h"})
	}
	some := func(n int, ks ...*running) []time.Duration {
		took := make([][]time.Duration, len(ks))
		for i := range n {
			for j, k := range ks { // in turn, so that a busy machine is so for all
				took[j] = append(took[j], k.run(fmt.Sprintf("set x %d\nprint hello\nresult %d", i, i), nil).Took)
			}
		}
		var typical []time.Duration
		for _, t := range took {
			slices.Sort(t)
			typical = append(typical, t[len(t)/4]) // the quiet quarter
		}
		return typical
	}
	k := begin()
	some(n/10, k)
	before := heap()
	some(n*8/10, k)
	after := heap()
	fresh := begin()
	some(n/100, fresh)
	took := some(n/10, fresh, k)
	t.Logf("a cell takes %v in a new kernel, %v in an old one; %d KB, then %d KB", took[0], took[1],
		before>>10, after>>10)
	if took[1] > 2*took[0]+200*time.Microsecond {
		t.Errorf("a cell takes %v in a new kernel, %v in an old one", took[0], took[1])
	}
	if after > before+uint64(n)*500+(1<<20) {
		t.Errorf("%d KB after the first cells, %d KB after all", before>>10, after>>10)
	}
}

// A day's worth of output, with a reader that takes a little at a time: the kernel neither keeps it nor
// waits for anybody.
func TestAGigabyteOfOutput(t *testing.T) {
	lines := 1_000_000 // of 1,000 bytes
	if testing.Short() {
		lines = 100_000
	}
	k := tcp(t)
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", k.info.IOPubPort))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.(*net.TCPConn).SetReadBuffer(4096)
	c.Write(append(ready("SUB"), 0, 1, 1))
	go func() {
		var p [1000]byte
		for {
			if _, err := c.Read(p[:]); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	before := heap()
	most := make(chan uint64)
	stop := make(chan struct{})
	go func() {
		top := uint64(0)
		for {
			select {
			case <-stop:
				most <- top
				return
			case <-time.After(20 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				top = max(top, m.HeapAlloc)
			}
		}
	}()
	for range 10 {
		r := k.run(fmt.Sprintf("flood %d", lines/10), nil)
		equal(t, "status", r.Reply.Status(), "ok")
		if n := len(r.Text("stdout")); n < 200_000 || n > 20_000_000 {
			t.Errorf("%d bytes came of one cell", n)
		}
	}
	close(stop)
	if top := <-most; top > before+(150<<20) {
		t.Errorf("%d MB while printing", top>>20)
	}
	if after := heap(); after > before+(20<<20) {
		t.Errorf("%d MB before, %d MB after", before>>20, after>>20)
	}
	k.alive()
}

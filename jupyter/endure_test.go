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

// Ten thousand cells take as long each at the end as at the beginning, and little is kept of them.
func TestTenThousandCells(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1_000
	}
	k := start(t, newInfo(t, "ipc"), jupyter.Options{NoSignals: true, HistoryFile: t.TempDir() + "/h"})
	some := func(n int) time.Duration {
		var took []time.Duration
		for i := range n {
			took = append(took, k.run(fmt.Sprintf("set x %d\nprint hello\nresult %d", i, i), nil).Took)
		}
		slices.Sort(took)
		return took[len(took)/4] // others use the machine too: the quiet quarter
	}
	some(n / 10)
	before, first := heap(), some(n/10)
	some(n * 7 / 10)
	last, after := some(n/10), heap()
	t.Logf("a cell took %v, then %v; %d KB, then %d KB", first, last, before>>10, after>>10)
	if last > 2*first+200*time.Microsecond {
		t.Errorf("a cell took %v at first, %v at last", first, last)
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

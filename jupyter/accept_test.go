package jupyter

import (
	"io"
	"log"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// starved is a listener that has no descriptors for a while.
type starved struct {
	net.Listener
	until time.Time
	tries atomic.Int64
}

func (s *starved) Accept() (net.Conn, error) {
	if time.Now().Before(s.until) {
		s.tries.Add(1)
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return s.Listener.Accept()
}

// Without descriptors the kernel tries again, at longer intervals, and serves whoever waited.
func TestAcceptBacksOff(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &starved{Listener: l, until: time.Now().Add(300 * time.Millisecond)}
	p := &port{name: "shell", kind: "ROUTER", bounds: requestBounds, lim: defaultLimits, log: log.New(io.Discard, "", 0),
		queued: new(atomic.Int64), conns: map[*conn]struct{}{}}
	p.listener = &listener{Listener: s, port: p, ready: make(chan net.Conn), done: make(chan struct{})}
	go p.listener.run()
	defer p.listener.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	got := make([]byte, len(greeting))
	if _, err := io.ReadFull(c, got); err != nil {
		t.Fatalf("whoever waited is not served: %v", err)
	}
	if n := s.tries.Load(); n < 3 || n > 20 {
		t.Errorf("%d tries in 300 ms", n)
	}
}

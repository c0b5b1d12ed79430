package env

import (
	"bytes"
	"sync"
	"testing"
	"time"
)

// slow is a terminal that takes its time.
type slow struct {
	sync.Mutex
	got []byte
}

func (s *slow) Write(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	s.Lock()
	defer s.Unlock()
	s.got = append(s.got, p...)
	return len(p), nil
}

// TestStoppedWrite: after an interrupt, most of what a write still writes is left out; what comes later is shown.
func TestStoppedWrite(t *testing.T) {
	var to slow
	p := newPipe(&to)
	defer p.w.Close()
	p.w.WriteString("before\n")
	p.flush(false)
	const many = 64 << 20
	begun := make(chan bool)
	go func() {
		close(begun)
		p.w.Write(bytes.Repeat([]byte{0}, many))
	}()
	<-begun
	for start := time.Now(); to.size() < 1<<17 && time.Since(start) < time.Minute; {
		time.Sleep(time.Millisecond) // so that the write has its turn first
	}
	p.flush(true)
	p.w.WriteString("after\n")
	p.flush(false)
	b := to.all()
	if n := len(b); n > many/2 || !bytes.HasPrefix(b, []byte("before\n")) || !bytes.HasSuffix(b, []byte("after\n")) {
		t.Errorf("%d bytes came, %q … %q", n, b[:min(10, n)], b[max(0, n-10):])
	}
	if bytes.Contains(b, []byte("gotorch flush")) {
		t.Error("a mark was shown")
	}
}

// TestLastMark: a mark is found whole, and where only its beginning has come it is not lost.
func TestLastMark(t *testing.T) {
	zeros := make([]byte, 100)
	for n := range flushMark {
		b := append(bytes.Clone(zeros), flushMark[:n+1]...)
		if kept := b[lastMark(b):]; !bytes.HasSuffix(kept, flushMark[:n+1]) || len(kept) > len(flushMark) {
			t.Errorf("of a mark's first %d bytes %q is kept", n+1, kept)
		}
	}
	b := append(append(bytes.Clone(zeros), flushMark...), "next"...)
	if kept := b[lastMark(b):]; !bytes.HasPrefix(kept, flushMark) {
		t.Errorf("%q is kept", kept)
	}
}

func (s *slow) all() []byte {
	s.Lock()
	defer s.Unlock()
	return bytes.Clone(s.got)
}

func (s *slow) size() int { return len(s.all()) }

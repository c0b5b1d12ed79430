package jupyter

import (
	"bytes"
	"io"
	"log"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// listening makes a publishing socket on the transport with limits of its own.
func listening(t *testing.T, lim limits, welcome func([]byte) [][]byte) (zmq4.Socket, *port, *lockedBuffer) {
	t.Helper()
	text := &lockedBuffer{}
	p := &port{name: "test", kind: zmq4.XPub, network: "tcp", address: "127.0.0.1:0", bounds: subscribeBounds, lim: lim, log: log.New(text, "", 0), welcome: welcome, queued: &atomic.Int64{}}
	s := zmq4.NewXPub(t.Context(), zmq4.WithLogger(p.log))
	if err := s.Listen(p.endpoint()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); p.closeConns() })
	return s, p, text
}

// subscriber connects as a peer that subscribes to everything.
func subscriber(t *testing.T, p *port) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", p.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.Write(newDrainPeer(nil).pre)
	return c
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

func (p *port) peers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.conns)
}

func TestGreetingHasADeadline(t *testing.T) {
	lim := defaultLimits
	lim.greeting = 50 * time.Millisecond
	_, p, text := listening(t, lim, nil)
	for _, say := range []string{"", "\xff", string(greeting), string(greeting) + "\x04\x20\x05READY"} {
		c, err := net.Dial("tcp", p.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, say)
		c.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Errorf("%q: %v", say, err)
		}
		c.Close()
	}
	if n := strings.Count(text.String(), "did not greet"); n != 4 || p.peers() != 0 {
		t.Errorf("%d refused, %d peers left", n, p.peers())
	}
}

func TestPeersAreCounted(t *testing.T) {
	lim := defaultLimits
	lim.peers = 3
	_, p, text := listening(t, lim, nil)
	for range 5 {
		subscriber(t, p)
	}
	eventually(t, "nobody is refused", func() bool { return strings.Count(text.String(), "refused") == 2 })
	if p.peers() != 3 {
		t.Errorf("%d peers", p.peers())
	}
}

// A peer that does not read is dropped when it holds too much; another gets every message.
func TestFullQueueDropsThePeer(t *testing.T) {
	for name, lim := range map[string]limits{
		"of one": {greeting: time.Second, peers: 9, peerQueue: 1 << 20, allQueues: 1 << 40},
		"of all": {greeting: time.Second, peers: 9, peerQueue: 1 << 40, allQueues: 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			s, p, text := listening(t, lim, sayWelcome)
			readUntil(t, subscriber(t, p), "welcome")
			good := subscriber(t, p)
			readUntil(t, good, "welcome")
			var got atomic.Int64
			go func() {
				b := make([]byte, 1<<16)
				for {
					n, err := good.Read(b)
					got.Add(int64(n))
					if err != nil {
						return
					}
				}
			}()
			const n, size = 400, 100_000
			for i := range n {
				s.SendMulti(zmq4.NewMsgFrom(make([]byte, size)))
				eventually(t, "the good one does not keep up", func() bool { return got.Load() >= int64(i-3)*size })
			}
			eventually(t, "the good one lacks something", func() bool { return got.Load() >= n*size })
			eventually(t, "the bad one is still there", func() bool { return p.peers() == 1 })
			if !strings.Contains(text.String(), "it does not read") {
				t.Errorf("the log says %q", text)
			}
			eventually(t, "bytes are counted that nobody holds", func() bool { return p.queued.Load() == 0 })
		})
	}
}

func sayWelcome(topic []byte) [][]byte { return [][]byte{topic, []byte("welcome")} }

// readUntil reads until text has come, and gives all that came.
func readUntil(t *testing.T, c net.Conn, text string) string {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	var seen []byte
	for b := make([]byte, 1000); !strings.Contains(string(seen), text); {
		n, err := c.Read(b)
		if err != nil {
			t.Fatalf("%v before %q", err, text)
		}
		seen = append(seen, b[:n]...)
	}
	c.SetReadDeadline(time.Time{})
	return string(seen)
}

// A welcome reaches a peer only when what is published after it does too.
func TestWelcomeIsTrue(t *testing.T) {
	s, p, _ := listening(t, defaultLimits, sayWelcome)
	for range 50 {
		c := subscriber(t, p)
		want := appendFrame(appendFrame(nil, flagMore, nil), 0, []byte("welcome"))
		readUntil(t, c, string(want))
		s.SendMulti(zmq4.NewMsgFrom([]byte("news")))
		readUntil(t, c, "\x00\x04news")
		c.Close()
	}
}

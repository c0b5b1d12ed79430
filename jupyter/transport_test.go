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
	p := &port{name: "test", kind: zmq4.XPub, network: "tcp", address: "127.0.0.1:0", bounds: subscribeBounds, lim: lim,
		log: log.New(text, "", 0), welcome: welcome, queued: &atomic.Int64{}}
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
		"too slow": {greeting: time.Second, peers: 9, stalled: time.Hour, peerQueue: 1 << 40, allQueues: 1 << 40,
			peerMost: 1 << 20},
		"of one": {greeting: time.Second, peers: 9, peerQueue: 1 << 20, allQueues: 1 << 40, peerMost: 1 << 40},
		"of all": {greeting: time.Second, peers: 9, peerQueue: 1 << 40, allQueues: 1 << 20, peerMost: 1 << 40},
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
			if why := map[bool]string{false: "it does not read", true: "it is too slow"}[lim.stalled > 0]; !strings.Contains(text.String(), why) {
				t.Errorf("the log says %q", text)
			}
			eventually(t, "bytes are counted that nobody holds", func() bool { return p.queued.Load() == 0 })
		})
	}
}

// A peer that reads keeps its place, however large a message is and however slow the peer.
func TestSlowPeerStays(t *testing.T) {
	lim := limits{greeting: time.Second, peers: 9, stalled: 5 * time.Second, peerQueue: 1 << 20, allQueues: 1 << 20,
		peerMost: 1 << 40}
	s, p, text := listening(t, lim, sayWelcome)
	c := subscriber(t, p)
	readUntil(t, c, "welcome")
	s.SendMulti(zmq4.NewMsgFrom(make([]byte, 64<<20)))
	for range 20 {
		s.SendMulti(zmq4.NewMsgFrom([]byte("small")))
	}
	s.SendMulti(zmq4.NewMsgFrom([]byte("the end")))
	c.SetReadDeadline(time.Now().Add(time.Minute))
	var last []byte
	for b, n := make([]byte, 1<<20), 0; !strings.Contains(string(last), "the end"); n++ {
		k, err := c.Read(b)
		if err != nil {
			t.Fatalf("%v; the log says %q", err, text)
		}
		if last = append(last, b[:k]...); len(last) > 1000 {
			last = bytes.Clone(last[len(last)-1000:])
		}
		if n < 50 {
			time.Sleep(2 * time.Millisecond)
		}
	}
	eventually(t, "bytes are counted that nobody holds", func() bool { return p.queued.Load() == 0 })
}

// What waits for more goes out with it, or after a moment by itself; order is kept.
func TestGather(t *testing.T) {
	s, p, _ := listening(t, defaultLimits, sayWelcome)
	c := subscriber(t, p)
	readUntil(t, c, "welcome")
	for range 50 {
		p.gather(true)
		s.SendMulti(zmq4.NewMsgFrom([]byte("alone")))
		readUntil(t, c, "alone")
		p.gather(true)
		s.SendMulti(zmq4.NewMsgFrom([]byte("first")))
		p.gather(false)
		s.SendMulti(zmq4.NewMsgFrom([]byte("second")))
		readUntil(t, c, "\x00\x05first\x00\x06second")
	}
}

func sayWelcome(topic []byte) [][]byte { return [][]byte{topic, []byte("welcome")} }

// readUntil reads until text has come, and returns all that came.
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

// Large frames are queued without a copy, and several peers may share them: nobody writes into them,
// nor into the room behind them.
func TestLargeFramesAreNotWrittenTo(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	peer, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	raw, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c := newConn(raw, &port{name: "test", lim: defaultLimits, log: log.New(io.Discard, "", 0), queued: &atomic.Int64{}})
	defer c.Close()
	c.skip = 0
	if c.raw, err = raw.(*net.TCPConn).SyscallConn(); err != nil {
		t.Fatal(err)
	}
	var want []byte
	var all [][]byte
	write := func(size, room int) {
		f := appendFrame(make([]byte, 0, size+room+9), 0, bytes.Repeat([]byte{byte(len(all))}, size))
		all = append(all, f)
		want = append(want, f...)
		if _, err := c.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	// Nobody reads and send is not there: in the end only a part of a frame fits.
	for len(c.queue) == 0 {
		write(66_000, 50_000)
	}
	for i := range 300 {
		write((i+10)*(i+10)%1000, 0)
		write(70_000+i, 1000)
	}
	for i, f := range all {
		if rest := f[len(f):cap(f)]; !bytes.Equal(rest, make([]byte, len(rest))) {
			t.Fatalf("frame %d was written to, %d bytes behind it", i,
				bytes.IndexFunc(rest, func(r rune) bool { return r != 0 }))
		}
	}
	go c.send()
	got := make([]byte, len(want))
	peer.SetReadDeadline(time.Now().Add(20 * time.Second))
	for n := 0; n < len(got); { // some more writes while it is read
		k, err := peer.Read(got[n:min(len(got), n+300_000)])
		if err != nil {
			t.Fatal(err)
		}
		n += k
		if len(all) < 2000 {
			write(len(all)%500, 0)
			got = append(got, make([]byte, len(want)-len(got))...)
		}
	}
	if !bytes.Equal(got, want) {
		t.Error("what came is not what was sent")
	}
	eventually(t, "bytes are counted that nobody holds", func() bool { return c.port.queued.Load() == 0 })
}

package jupyter

import (
	"errors"
	"fmt"
	"log"
	"maps"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Note: the transport
//
// A kernel's five sockets are two kinds of ZeroMQ's, ROUTER and XPUB, that only listen, and this is
// all of the protocol (ZMTP 3.0) that they need. A library would have to be watched: a peer that does
// not read must not stop whoever writes to it, one that does not greet must not stop the next, the
// length in a frame's header must not be believed, and what is written must go out in one piece, by
// the goroutine that has it. What is written to a peer is queued, bounded in bytes; past the bound the
// peer is dropped, never a message.

// limits of one kernel's connections.
type limits struct {
	greeting  time.Duration // a peer that has not greeted by then is dropped
	peers     int           // connections on one port
	peerQueue int           // bytes waiting for one peer
	allQueues int           // bytes waiting for all peers
	write     time.Duration // the longest that closing waits for the queues
}

var defaultLimits = limits{greeting: 10 * time.Second, peers: 256, peerQueue: 128 << 20, allQueues: 256 << 20, write: 2 * time.Second}

// port is one listening socket of a kernel.
type port struct {
	name    string // shell, iopub, …
	kind    string // socketRouter or socketXPub
	network string // tcp or unix
	address string
	bounds  bounds
	lim     limits
	log     *log.Logger

	// handle takes the messages that come to a router, behind the name of the peer that each is from.
	// It may be called from several goroutines.
	handle func(frames [][]byte)

	// welcome makes what is sent to a peer that has just subscribed to topic; may be nil.
	welcome func(topic []byte) [][]byte

	queued *atomic.Int64 // bytes waiting for all peers of the kernel

	listener net.Listener

	mu     sync.Mutex
	conns  map[*conn]struct{}
	closed bool
}

// listen takes the address. Peers are served by run.
func (p *port) listen() error {
	if p.network == "unix" {
		if err := removeStale(p.address); err != nil {
			return err
		}
	}
	l, err := net.Listen(p.network, p.address)
	if err != nil {
		return err
	}
	if p.network == "unix" {
		if err := os.Chmod(p.address, 0o600); err != nil {
			l.Close()
			return err
		}
	}
	p.listener = l
	return nil
}

// removeStale removes a socket that nobody listens on any more.
func removeStale(path string) error {
	st, err := os.Lstat(path)
	if err != nil || st.Mode()&os.ModeSocket == 0 {
		return nil // nothing there, or something that binding will complain of
	}
	if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
		c.Close()
		return fmt.Errorf("%s is in use", path)
	}
	return os.Remove(path)
}

// run serves whoever connects, until the port is closed.
func (p *port) run() {
	wait := time.Millisecond
	for {
		raw, err := p.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // out of descriptors, most likely: some may be free soon
			time.Sleep(wait)
			wait = min(2*wait, time.Second)
			continue
		}
		wait = time.Millisecond
		c := newConn(raw, p)
		if !p.add(c) {
			raw.Close()
			continue
		}
		go c.serve()
	}
}

func (p *port) add(c *conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.conns) >= p.lim.peers {
		p.log.Printf("%s: more than %d connections, one refused", p.name, p.lim.peers)
		return false
	}
	if p.conns == nil {
		p.conns = map[*conn]struct{}{}
	}
	p.conns[c] = struct{}{}
	return !p.closed
}

// send sends a message to the peers that it is for: of a router, those with the name that is the first
// frame, which is not sent; of a publisher, those who have subscribed to what the first frame begins
// with. If more follows soon, the message may wait for that.
func (p *port) send(frames [][]byte, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var pieces [][]byte
	for c := range p.conns {
		if !c.wants(frames[0]) {
			continue
		}
		if pieces == nil {
			rest := frames
			if p.kind == socketRouter {
				rest = frames[1:]
			}
			pieces = layout(rest)
		}
		c.write(pieces, more)
	}
}

// flush sends what waits for more.
func (p *port) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.mu.Lock()
		c.flush()
		c.mu.Unlock()
	}
}

func (p *port) remove(c *conn) {
	p.mu.Lock()
	delete(p.conns, c)
	p.mu.Unlock()
}

// close stops listening and ends all connections.
func (p *port) close() {
	if p.listener != nil {
		p.listener.Close()
	}
	p.mu.Lock()
	p.closed = true
	all := slices.Collect(maps.Keys(p.conns))
	p.mu.Unlock()
	for _, c := range all {
		c.Close()
	}
}

// pending counts the bytes that wait for this port's peers.
func (p *port) pending() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for c := range p.conns {
		n += c.pending()
	}
	return n
}

// flushed waits until all that waits for the peers of ports has gone out, and says whether it has.
func flushed(ports []*port, wait time.Duration) bool {
	for end := time.Now().Add(wait); ; time.Sleep(time.Millisecond) {
		n := 0
		for _, p := range ports {
			n += p.pending()
		}
		if n == 0 {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

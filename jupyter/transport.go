package jupyter

import (
	"context"
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

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/transport"
)

// Note: the transport
//
// zmq4 reads and writes its connections directly: a peer that does not read blocks the goroutine that writes to it,
// one that does not greet stops the accept loop, and the length in a frame's header is believed. So the sockets of a
// kernel listen on a transport of this package, whose connections queue what is written (bounded in bytes; past the
// bound the peer is dropped, never a message; the bound is wide for one that reads), greet in their own goroutine
// under a deadline, and check every header that passes.

// transportName is the scheme of the endpoints: kernel://N, N being the number of a port.
const transportName = "kernel"

// limits of one kernel's connections.
type limits struct {
	greeting  time.Duration // a peer that has not greeted by then is dropped
	peers     int           // connections on one port
	stalled   time.Duration // a peer that has taken nothing for so long does not read; it may hold less:
	peerQueue int           // bytes waiting for one peer
	allQueues int           // bytes waiting for all peers
	peerMost  int           // bytes waiting for one peer that reads
	write     time.Duration // the longest that closing waits for the queues
}

var defaultLimits = limits{greeting: 10 * time.Second, peers: 256, stalled: 2 * time.Second, peerQueue: 128 << 20,
	allQueues: 256 << 20, peerMost: 1 << 30, write: 2 * time.Second}

// port is one listening socket of a kernel.
type port struct {
	name    string // shell, iopub, …
	kind    zmq4.SocketType
	network string // tcp or unix
	address string
	bounds  bounds
	lim     limits
	log     *log.Logger

	// welcome makes what is sent to a peer that has just subscribed to topic; may be nil.
	welcome func(topic []byte) [][]byte

	queued *atomic.Int64 // bytes waiting for all peers of the kernel

	gathers   atomic.Bool // what is written waits for more: see gather
	gathering *time.Timer

	listener *listener

	mu    sync.Mutex
	conns map[*conn]struct{}
}

var ports struct {
	register sync.Once
	mu       sync.Mutex
	next     int
	byID     map[string]*port
}

// endpoint makes p known to the transport, and gives what Socket.Listen wants.
func (p *port) endpoint() string {
	ports.register.Do(func() {
		ports.byID = map[string]*port{}
		if err := zmq4.RegisterTransport(transportName, portTransport{}); err != nil {
			panic(err) // the name is ours alone
		}
	})
	ports.mu.Lock()
	defer ports.mu.Unlock()
	ports.next++
	id := fmt.Sprint(ports.next)
	ports.byID[id] = p
	return transportName + "://" + id
}

type portTransport struct{}

func (portTransport) Addr(ep string) (string, error) { return ep, nil }

func (portTransport) Dial(context.Context, transport.Dialer, string) (net.Conn, error) {
	return nil, errors.New("a kernel's transport only listens")
}

func (portTransport) Listen(_ context.Context, id string) (net.Listener, error) {
	ports.mu.Lock()
	p := ports.byID[id]
	delete(ports.byID, id)
	ports.mu.Unlock()
	if p == nil {
		return nil, fmt.Errorf("no port %s", id)
	}
	return p.listen()
}

func (p *port) listen() (net.Listener, error) {
	if p.network == "unix" {
		if err := removeStale(p.address); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen(p.network, p.address)
	if err != nil {
		return nil, err
	}
	if p.network == "unix" {
		if err := os.Chmod(p.address, 0o600); err != nil {
			l.Close()
			return nil, err
		}
	}
	p.conns = map[*conn]struct{}{}
	p.listener = &listener{Listener: l, port: p, ready: make(chan net.Conn), done: make(chan struct{})}
	go p.listener.run()
	return p.listener, nil
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

// listener hands zmq4 the connections that have greeted.
type listener struct {
	net.Listener
	port  *port
	ready chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (l *listener) run() {
	wait := time.Millisecond
	for {
		raw, err := l.Listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // out of descriptors, most likely: some may be free soon
			time.Sleep(wait)
			wait = min(2*wait, time.Second)
			continue
		}
		wait = time.Millisecond
		c := newConn(raw, l.port)
		if !l.port.add(c) {
			raw.Close()
			l.port.log.Printf("%s: more than %d connections, one refused", l.port.name, l.port.lim.peers)
			continue
		}
		go func() {
			if err := c.greet(); err != nil {
				l.port.log.Printf("%s: a peer did not greet: %v", l.port.name, err)
				c.Close()
				return
			}
			go c.send()
			l.hand(c)
		}()
	}
}

func (l *listener) hand(c net.Conn) {
	select {
	case l.ready <- c:
	case <-l.done:
		c.Close()
	}
}

// Accept returns the next peer that has greeted.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.ready:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close stops listening.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

func (p *port) add(c *conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.conns) >= p.lim.peers {
		return false
	}
	p.conns[c] = struct{}{}
	return true
}

func (p *port) remove(c *conn) {
	p.mu.Lock()
	delete(p.conns, c)
	p.mu.Unlock()
}

// closeConns ends all connections. zmq4 ends those it knows; some may still be greeting.
func (p *port) closeConns() {
	p.mu.Lock()
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

// flushed waits until all that waits for the peers of ports has gone out, and reports whether it has.
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

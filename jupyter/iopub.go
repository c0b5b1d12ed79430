package jupyter

import (
	"slices"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// publisher is the one way to IOPub. Everything goes through its lock, so that every subscriber sees
// one order; nothing waits under it, because the transport queues.
type publisher struct {
	k    *kernel
	sock zmq4.Socket
	port *port

	mu      sync.Mutex
	streams streams
	over    bool // nothing more is published

	working []*message // the cells that are busy, in the order in which they began
}

func newPublisher(k *kernel, s zmq4.Socket, p *port) *publisher {
	pub := &publisher{k: k, sock: s, port: p}
	pub.streams.init(pub)
	return pub
}

// send publishes a message after all stream output before it.
func (p *publisher) send(parent *message, kind string, content, metadata any) {
	p.sendBuffers(parent, kind, content, metadata, nil)
}

// sendBuffers is send for a message that carries buffers.
func (p *publisher) sendBuffers(parent *message, kind string, content, metadata any, buffers [][]byte) {
	m, err := p.k.make(parent, kind, content, metadata)
	if err != nil {
		p.k.log.Printf("iopub: a %s was dropped: %v", kind, err)
		return
	}
	m.buffers = buffers
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams.flush(false)
	p.put(m, kind, kind == "execute_input")
}

// cell begins a cell.
func (p *publisher) cell() {
	p.flush()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams.cell()
}

// flush publishes all stream output that waits.
func (p *publisher) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams.flush(true)
}

// put sends m; if it is soon followed by more, as a rule, it may go out with that. The caller holds the lock.
func (p *publisher) put(m *message, kind string, soonMore bool) {
	if p.over {
		return
	}
	p.port.gather(soonMore)
	m.identities = [][]byte{[]byte("kernel." + p.k.id + "." + kind)}
	if err := p.sock.SendMulti(zmq4.NewMsgFrom(m.frames(p.k.signer)...)); err != nil {
		p.k.log.Printf("iopub: %v", err)
	}
}

// discard takes what subscribers send beside subscriptions: nothing that means anything, but it
// must not pile up.
func (p *publisher) discard() {
	for p.k.ctx.Err() == nil {
		if _, err := p.sock.Recv(); err != nil {
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// finish publishes all that is left, and shutdown_reply last of all, and waits until that is on its
// way to the subscribers.
func (p *publisher) finish(wait time.Duration) {
	last, err := p.k.make(p.k.cells.shutdown.Load(), "shutdown_reply",
		map[string]any{"status": "ok", "restart": p.k.cells.restart.Load()}, nil)
	if err != nil {
		return
	}
	p.port.drain(last.rawHeader, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.streams.flush(true)
		p.put(last, "shutdown_reply", false)
		p.over = true
	}, wait)
}

// busy and idle frame the work on a request. Front ends show the state that came last, whatever it
// belongs to: after the idle of one request the kernel says again that a cell keeps it busy.
func (p *publisher) status(parent *message, state string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams.flush(false)
	p.state(parent, state)
	if state == "busy" {
		if parent.header.Type == "execute_request" {
			p.working = append(p.working, parent)
		}
		return
	}
	p.working = slices.DeleteFunc(p.working, func(m *message) bool { return m == parent })
	if len(p.working) > 0 {
		p.state(p.working[0], "busy")
	}
}

// running is the request for the cell that runs, nil when none does.
func (p *publisher) running() *message {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.working) == 0 {
		return nil
	}
	return p.working[0]
}

// state publishes one status. The caller holds the lock.
func (p *publisher) state(parent *message, state string) {
	m, err := p.k.make(parent, "status", map[string]string{"execution_state": state}, nil)
	if err != nil {
		p.k.log.Printf("iopub: a status was dropped: %v", err)
		return
	}
	p.put(m, "status", state == "busy" && parent.header.Type == "execute_request")
}

package jupyter

import (
	"encoding/json"
	"slices"
	"sync"
)

// publisher is the one way to IOPub. Everything goes through its lock, so that every subscriber sees
// one order; nothing waits under it, because the transport queues.
type publisher struct {
	k   *kernel
	out outlet

	mu      sync.Mutex
	streams streams
	over    bool // nothing more is published

	working []*message // the cells that are busy, in the order in which they began
}

func newPublisher(k *kernel, out outlet) *publisher {
	pub := &publisher{k: k, out: out}
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
	p.put(m, kind, false)
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

// put sends m; if more follows soon, it may wait for that. The caller holds the lock.
func (p *publisher) put(m *message, kind string, more bool) {
	if p.over {
		return
	}
	m.identities = [][]byte{[]byte("kernel." + p.k.id + "." + kind)}
	p.out.send(m.frames(p.k.signer), more)
}

// finish publishes all that is left, and shutdown_reply last of all.
func (p *publisher) finish() {
	last, err := p.k.make(p.k.cells.shutdown.Load(), "shutdown_reply", map[string]any{"status": "ok", "restart": p.k.cells.restart.Load()}, nil)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams.flush(true)
	p.put(last, "shutdown_reply", false)
	p.over = true
}

// busy and idle frame the work on a request. Front ends show the state that came last, whatever it
// belongs to: after the idle of one request the kernel says again that a cell keeps it busy.
func (p *publisher) status(parent *message, state string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams.flush(false)
	if state == "busy" {
		cell := parent.header.Type == "execute_request"
		if cell {
			p.working = append(p.working, parent)
		}
		p.state(parent, state, cell) // its execute_input follows, or uncork
		return
	}
	p.working = slices.DeleteFunc(p.working, func(m *message) bool { return m == parent })
	p.state(parent, state, len(p.working) > 0)
	if len(p.working) > 0 {
		p.state(p.working[0], "busy", false)
	}
}

// uncork sends the busy that waits for what follows it, when nothing may follow for a while.
func (p *publisher) uncork() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out.flush()
}

// state publishes one status, which may wait for what follows if more does. The caller holds the lock.
func (p *publisher) state(parent *message, state string, more bool) {
	m, err := p.k.make(parent, "status", nil, nil)
	if err != nil {
		p.k.log.Printf("iopub: a status was dropped: %v", err)
		return
	}
	m.content = json.RawMessage(`{"execution_state":"` + state + `"}`)
	p.put(m, "status", more)
}

package jupyter

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"
)

// A CommMessage opens a comm, says something over it, or closes it, in either direction.
type CommMessage struct {
	Type     string // "comm_open", "comm_msg" or "comm_close"
	ID       string
	Target   string // of comm_open
	Data     any    // what encoding/json takes; a json.RawMessage in what a front end sends
	Metadata any    // nil means none; a json.RawMessage in what a front end sends
	Buffers  [][]byte
}

// A CommSession is a [Session] that takes comms, which is what widgets speak through.
//
// What a front end sends waits for its turn among the cells, as with ipykernel: it is never handled while a
// cell runs, and in the order in which it came.
type CommSession interface {
	// Comm takes one message. For a comm_open it reports whether the target is known: the comm is closed at once if it is
	// not. When ctx is cancelled (the user interrupted the kernel) it returns soon. What it sends to out is an answer to
	// the message; it calls no other method of out that belongs to a cell.
	Comm(ctx context.Context, m CommMessage, out Output) (known bool)
}

// A session with the method CommsAsked is told of what target a front end asks which comms are open: that is how one
// that draws widgets begins.
type commsAsked interface{ CommsAsked(target string) }

// comms are the open ones: their targets by ID.
type comms struct {
	mu   sync.Mutex
	open map[string]string
}

// note follows a message either way. It reports whether the comm is open, or was until now.
func (c *comms) note(m CommMessage) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, open := c.open[m.ID]
	switch m.Type {
	case "comm_open":
		if c.open == nil {
			c.open = map[string]string{}
		}
		c.open[m.ID] = m.Target
		return true
	case "comm_close":
		delete(c.open, m.ID)
	}
	return open
}

// commInfo lists the open comms, or those of one target.
func (k *kernel) commInfo(r *request) (map[string]any, error) {
	var q struct {
		Target *string `json:"target_name"`
	}
	if err := r.read(&q); err != nil {
		return nil, err
	}
	if s, ok := k.session.(commsAsked); ok && q.Target != nil {
		s.CommsAsked(*q.Target)
	}
	list := map[string]any{}
	k.comms.mu.Lock()
	defer k.comms.mu.Unlock()
	for id, target := range k.comms.open {
		if q.Target == nil || *q.Target == target {
			list[id] = map[string]string{"target_name": target}
		}
	}
	return map[string]any{"comms": list}, nil
}

// comm takes comm_open, comm_msg and comm_close, none of which is answered by a reply.
func (k *kernel) comm(r *request) {
	var q struct {
		ID     string          `json:"comm_id"`
		Target string          `json:"target_name"`
		Data   json.RawMessage `json:"data"`
	}
	if err := r.read(&q); err != nil {
		k.log.Printf("%s: %v", r.from.name, err)
		return
	}
	m := CommMessage{Type: r.header.Type, ID: q.ID, Target: q.Target, Data: q.Data, Metadata: r.metadata,
		Buffers: r.buffers}
	if len(q.Data) == 0 {
		m.Data = emptyObject
	}
	session, ok := k.session.(CommSession)
	switch m.Type {
	case "comm_open":
		if !ok || !k.commRun(session, r, m) {
			k.log.Printf("comm target %q is not known", q.Target)
			k.comms.note(CommMessage{Type: "comm_close", ID: m.ID})
			k.sendComm(r.message, CommMessage{Type: "comm_close", ID: q.ID})
		}
	case "comm_msg", "comm_close":
		if !k.comms.note(m) || !ok {
			k.log.Printf("%s for a comm that is not open", m.Type)
			return
		}
		k.commRun(session, r, m)
	default:
		k.log.Printf("%s: %s is not known", r.from.name, m.Type)
	}
}

// commRun returns a message to the session. An interrupt stops what handles it, as it stops a cell.
func (k *kernel) commRun(session CommSession, r *request, m CommMessage) (known bool) {
	defer func() {
		if p := recover(); p != nil {
			k.log.Printf("a comm panicked the session: %v\n%s", p, debug.Stack())
		}
	}()
	if m.Type == "comm_open" {
		k.comms.note(m)
	}
	ctx, done := k.begin(r)
	defer done()
	if !k.cells.take(ctx) {
		return false
	}
	defer k.cells.give()
	out := &output{k: k, r: r, ctx: ctx, cell: Cell{Count: k.cells.count(), Silent: true}}
	defer out.end()
	defer k.pub.flush()
	return session.Comm(ctx, m, out)
}

// sendComm publishes a message of a comm.
func (k *kernel) sendComm(parent *message, m CommMessage) {
	content := map[string]any{"comm_id": m.ID, "data": m.Data}
	if m.Data == nil {
		content["data"] = emptyObject
	}
	if m.Type == "comm_open" {
		content["target_name"] = m.Target
	}
	k.pub.sendBuffers(parent, m.Type, content, m.Metadata, m.Buffers)
}

// Comm sends a message of a comm to the front ends.
func (o *output) Comm(m CommMessage) error {
	switch m.Type {
	case "comm_open", "comm_msg", "comm_close":
	default:
		return fmt.Errorf("jupyter: %q is no message of comms", m.Type)
	}
	o.paced()
	if !o.k.comms.note(m) {
		return fmt.Errorf("jupyter: comm %s is not open", m.ID)
	}
	o.k.sendComm(o.r.message, m)
	return nil
}

// Fail shows an error where the cell's output goes, also after the cell ended.
func (o *output) Fail(f *Failure) {
	content := failed(f)
	o.k.pub.send(o.r.message, "error",
		map[string]any{"ename": f.Name, "evalue": f.Value, "traceback": content["traceback"]}, nil)
}

package jupyter

import (
	"strings"
	"sync"
	"time"
)

// queue holds the requests of a shell until their turn. The kernel has one; it is a type of its own
// so that a subshell may have one too.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond
	waiting []*request
	size    int
	closed  bool
	grace   time.Time // of the last abort
}

// Bounds of a queue: past them the socket is not read until there is room again.
const (
	queueCount = 10000
	queueSize  = 256 << 20
)

// abortGrace is how long after an abort a cell still counts as queued before it, if its own date
// says that it was sent before. A fast kernel has failed before "run all" has sent the next cell.
const abortGrace = 100 * time.Millisecond

func newQueue() *queue {
	q := &queue{}
	q.changed.L = &q.mu
	return q
}

func (r *request) size() int {
	n := len(r.content) + len(r.metadata) + len(r.rawHeader) + len(r.parent)
	for _, b := range r.buffers {
		n += len(b)
	}
	return n
}

// sentBefore says that r was surely made before t. Dates are cut to milliseconds by some clients; one
// in whole seconds says nothing here.
func (r *request) sentBefore(t time.Time) bool {
	sent, err := time.Parse(time.RFC3339Nano, r.header.Date)
	return err == nil && strings.Contains(r.header.Date, ".") && sent.Add(time.Millisecond).Before(t)
}

// push puts r at the end. It waits while the queue is full.
func (q *queue) push(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && (len(q.waiting) >= queueCount || q.size > queueSize) {
		q.changed.Wait()
	}
	if r.arrived.Sub(q.grace) < abortGrace && r.sentBefore(q.grace) {
		r.aborted = true
	}
	q.waiting = append(q.waiting, r)
	q.size += r.size()
	q.changed.Broadcast()
}

// pop takes the first, and waits for one. It returns nil when the queue is closed.
func (q *queue) pop() *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && len(q.waiting) == 0 {
		q.changed.Wait()
	}
	if q.closed {
		return nil
	}
	r := q.waiting[0]
	q.waiting[0] = nil
	q.waiting = q.waiting[1:]
	q.size -= r.size()
	q.changed.Broadcast()
	return r
}

// abort marks the cells that wait: they are answered, not run.
func (q *queue) abort() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.grace = time.Now()
	for _, r := range q.waiting {
		r.aborted = true
	}
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}

// work does the requests of a queue, one after the other.
func (k *kernel) work(q *queue) {
	for r := q.pop(); r != nil; r = q.pop() {
		k.handle(r)
	}
}

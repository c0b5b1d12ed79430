package jupyter

import (
	"sync"
	"time"
)

// queue holds the requests of a shell until their turn: of the main one, of a subshell.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond
	waiting []*request
	size    int
	closed  bool
	pushed  time.Time // when the last one came
	aborted abortion  // the last one

	busy  bool      // a request of this queue is being done
	since time.Time // when the queue last had something to do after having had nothing
}

// Bounds of a queue: past them the socket is not read until there is room again.
const (
	queueCount = 10000
	queueSize  = 256 << 20
)

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

// push puts r at the end. It waits while the queue is full.
func (q *queue) push(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && (len(q.waiting) >= queueCount || q.size > queueSize) {
		q.changed.Wait()
	}
	q.pushed = time.Now()
	r.aborted = q.aborted.covers(r)
	if len(q.waiting) == 0 && !q.busy {
		q.since = r.arrived
	}
	q.waiting = append(q.waiting, r)
	q.size += r.size()
	q.changed.Broadcast()
}

// pop takes the first, and waits for one. When the queue is closed it gives what was left, then nil.
func (q *queue) pop() *request {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy {
		q.busy = false
		q.changed.Broadcast()
	}
	for !q.closed && len(q.waiting) == 0 {
		q.changed.Wait()
	}
	if len(q.waiting) == 0 {
		return nil
	}
	q.busy = true
	r := q.waiting[0]
	q.waiting[0] = nil
	q.waiting = q.waiting[1:]
	q.size -= r.size()
	q.changed.Broadcast()
	return r
}

// close lets nothing more in. Cells that wait are answered, not run.
func (q *queue) close() {
	q.abort(nil)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}

// settle waits until the queue has nothing to do, or has been at it for so long.
func (q *queue) settle(long time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	left := func() time.Duration { return long - time.Since(q.since) }
	idle := func() bool { return q.closed || !q.busy && len(q.waiting) == 0 }
	if idle() || left() <= 0 {
		return
	}
	timer := time.AfterFunc(left(), func() {
		q.mu.Lock()
		q.changed.Broadcast()
		q.mu.Unlock()
	})
	defer timer.Stop()
	for !idle() && left() > 0 {
		q.changed.Wait()
	}
}

// work does the requests of a queue, one after the other.
func (k *kernel) work(q *queue) {
	for r := q.pop(); r != nil; r = q.pop() {
		r.queue = q
		k.handle(r)
	}
}

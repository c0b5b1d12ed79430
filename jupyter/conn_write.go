package jupyter

import (
	"errors"
	"fmt"
	"time"
)

// blockSize: smaller writes are gathered in blocks, larger ones are queued as they are, and go out in pieces, by which
// a slow peer is told from one that does not read.
const (
	blockSize = 64 << 10
	minBlock  = 4 << 10
	pieceSize = 1 << 20
)

// enqueue queues b, which is whole frames, where it does not break a message in two.
func (c *conn) enqueue(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	if len(c.between) > 100 {
		c.fail(errors.New("too many commands"))
		return
	}
	c.between = append(c.between, b)
	c.flushBetween()
}

// Write queues p. A peer whose queue is full is dropped.
func (c *conn) Write(p []byte) (int, error) {
	n := len(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := min(c.skip, n); k > 0 {
		c.skip -= k
		p = p[k:]
	}
	if c.err != nil {
		return 0, errGone
	}
	if len(p) == 0 {
		return n, nil
	}
	if err := c.room(); err != nil {
		c.fail(err)
		return 0, errGone
	}
	c.out.feed(p, nil)
	c.push(p)
	c.flushBetween()
	return n, nil
}

// room reports whether more may wait for this peer. One that reads may be behind by a lot: a picture is a hundred
// megabytes. One that has taken nothing for a while goes when too much waits for it: past a bound of its own, or a
// large part of what all peers together hold.
func (c *conn) room() error {
	all, lim := int(c.port.queued.Load()), c.port.lim
	if c.held > lim.peerMost {
		return fmt.Errorf("it is too slow: %d bytes wait", c.held)
	}
	if (c.held > lim.peerQueue || all > lim.allQueues && 4*c.held > all) && time.Since(c.moved) >= lim.stalled {
		return fmt.Errorf("it does not read: %d bytes wait", c.held)
	}
	return nil
}

// gatherFor is how long messages wait, at most, for more that goes out with them.
const gatherFor = time.Millisecond

// gather says that more will follow the next messages at once, so that they need not go out by themselves: busy,
// execute_input and the result of a short cell are one write, and wake the peer once. Whatever comes after
// gather(false) takes all with it. One goroutine at a time calls it.
func (p *port) gather(soonMore bool) {
	was := p.gathers.Swap(soonMore)
	switch {
	case soonMore && p.gathering == nil:
		p.gathering = time.AfterFunc(gatherFor, p.ungather)
	case soonMore && !was:
		p.gathering.Reset(gatherFor)
	case was && !soonMore:
		p.gathering.Stop()
	}
}

// ungather sends what waits for more that has not come.
func (p *port) ungather() {
	p.gathers.Store(false)
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.mu.Lock()
		if c.err == nil {
			c.flushBetween()
		}
		c.mu.Unlock()
	}
}

// segment is a piece of the queue: a block of this connection's own, or a large frame as it was
// given, which others may be reading too.
type segment struct {
	bytes []byte
	own   bool
}

func (c *conn) push(p []byte) {
	if c.held == 0 {
		c.moved = time.Now()
	}
	c.held += len(p)
	c.port.queued.Add(int64(len(p)))
	// Frames are made once and never changed after, so a large one need not be copied.
	if len(p) >= blockSize {
		c.queue = append(c.queue, segment{bytes: p})
		return
	}
	if k := len(c.queue) - 1; k >= 0 && c.queue[k].own && len(c.queue[k].bytes)+len(p) <= cap(c.queue[k].bytes) {
		c.queue[k].bytes = append(c.queue[k].bytes, p...)
		return
	}
	block := c.spare
	c.spare = nil
	if cap(block) < len(p) {
		block = make([]byte, 0, max(minBlock, len(p)))
	}
	c.queue = append(c.queue, segment{append(block, p...), true})
}

// flushBetween lets commands out, and sends what waits, when no message is under way.
func (c *conn) flushBetween() {
	if !c.out.between() || c.skip > 0 {
		return
	}
	for _, b := range c.between {
		c.push(b)
	}
	c.between = c.between[:0]
	if c.sending {
		return // send comes back for it
	}
	if c.port.gathers.Load() && c.held < blockSize {
		return // more comes at once, or ungather
	}
	c.sendNow()
	if len(c.queue) > 0 {
		c.sending = true
		c.wake <- struct{}{}
	}
}

// sendNow writes what the system takes without waiting: as a rule all of it, and no other goroutine
// has to be woken.
func (c *conn) sendNow() {
	for c.raw != nil && len(c.queue) > 0 {
		first := &c.queue[0]
		n := tryWrite(c.raw, first.bytes)
		c.release(n)
		if n < len(first.bytes) {
			first.bytes = first.bytes[n:]
			return
		}
		if first.own && cap(first.bytes) >= minBlock {
			c.spare = first.bytes[:0]
		}
		if c.queue = c.queue[1:]; len(c.queue) == 0 {
			c.queue = nil
		}
	}
}

func (c *conn) fail(err error) {
	if c.err == nil {
		c.err = err
		c.port.log.Printf("%s: a peer was dropped: %v", c.port.name, err)
		go c.Close()
	}
}

// send writes out what sendNow could not.
func (c *conn) send() {
	for {
		select {
		case <-c.wake:
		case <-c.closed:
			return
		}
		for b := c.next(); len(b) > 0; b = c.next() {
			for len(b) > 0 {
				n, err := c.Conn.Write(b[:min(len(b), pieceSize)])
				c.mu.Lock()
				c.release(min(n, c.held))
				c.mu.Unlock()
				if err != nil {
					c.Close()
					return
				}
				b = b[n:]
			}
		}
	}
}

// next takes the first piece off the queue.
func (c *conn) next() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		c.queue, c.sending = nil, false
		return nil
	}
	b := c.queue[0].bytes
	c.queue = c.queue[1:]
	return b
}

// release notes that n bytes have gone out.
func (c *conn) release(n int) {
	if n > 0 {
		c.moved = time.Now()
	}
	c.held -= n
	c.port.queued.Add(-int64(n))
}

func (c *conn) pending() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0
	}
	return c.held
}

package jupyter

import (
	"bytes"
	"fmt"
	"net"
)

// write sends the pieces of a message, or queues what the system does not take at once. A peer whose
// queue is full is dropped. If more comes soon, the message waits to go out with that.
func (c *conn) write(pieces [][]byte, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	if err := c.room(); err != nil {
		c.err = err
		c.port.log.Printf("%s: a peer was dropped: %v", c.port.name, err)
		go c.Close()
		return
	}
	for _, p := range pieces {
		c.queue = append(c.queue, p)
		c.held += len(p)
		c.port.queued.Add(int64(len(p)))
	}
	if !more {
		c.flush()
	}
}

// room says whether more may wait for this peer. Past a bound it is the peer that goes: if all peers
// together hold too much, one that holds a large part of it.
func (c *conn) room() error {
	all := int(c.port.queued.Load())
	if c.held > c.port.lim.peerQueue || all > c.port.lim.allQueues && 4*c.held > all {
		return fmt.Errorf("it does not read: %d bytes wait", c.held)
	}
	return nil
}

// flush sends what waits. The caller holds the lock.
func (c *conn) flush() {
	if c.sending || len(c.queue) == 0 {
		return // send comes back for it
	}
	c.sendNow()
	if len(c.queue) > 0 {
		c.sending = true
		go c.send()
	}
}

// sendNow writes what the system takes without waiting: as a rule all of it, in one go.
func (c *conn) sendNow() {
	if len(c.queue) > 1 && c.held < wholeFrame {
		c.queue = append(c.queue[:0], bytes.Join(c.queue, nil))
	}
	for c.raw != nil && len(c.queue) > 0 {
		first := c.queue[0]
		n := tryWrite(c.raw, first)
		c.release(n)
		if n < len(first) {
			c.queue[0] = first[n:]
			return
		}
		if c.queue = c.queue[1:]; len(c.queue) == 0 {
			c.queue = nil
		}
	}
}

// send writes out what sendNow could not.
func (c *conn) send() {
	for {
		c.mu.Lock()
		batch := net.Buffers(c.queue)
		n := c.held
		c.queue = nil
		c.sending = len(batch) > 0
		c.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		_, err := batch.WriteTo(c.Conn)
		c.mu.Lock()
		c.release(min(n, c.held))
		c.mu.Unlock()
		if err != nil {
			c.Close()
			return
		}
	}
}

func (c *conn) release(n int) {
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

package jupyter

import (
	"bytes"
	"encoding/binary"
	"net"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Note: draining
//
// A publishing socket of zmq4 has a queue of its own, which it does not show and which Close throws
// away. So before the end a peer inside the process subscribes, as the last of all, and the kernel
// publishes one message more. When that has come through, it and all before it are in the queues of
// the real peers, for which flushed waits.

// drainPeer is a subscriber inside the process that waits for one frame.
type drainPeer struct {
	net.Conn // for addresses, which nobody asks for

	pre        []byte // what it says: greeting, READY, a subscription to everything
	subscribed chan struct{}
	want       []byte
	seen       chan struct{}
	done       chan struct{}
	once       [3]sync.Once
}

// newDrainPeer makes a peer that waits for a frame equal to want.
func newDrainPeer(want []byte) *drainPeer {
	ready := []byte("\x05READY\x0bSocket-Type")
	ready = binary.BigEndian.AppendUint32(ready, uint32(len(zmq4.Sub)))
	ready = append(ready, zmq4.Sub...)
	pre := appendFrame(bytes.Clone(greeting), flagCommand, ready)
	pre = appendFrame(pre, 0, []byte{1})
	return &drainPeer{pre: pre, want: want, subscribed: make(chan struct{}), seen: make(chan struct{}),
		done: make(chan struct{})}
}

// Read returns what the peer sends. When zmq4 asks for more, it has noted the subscription.
func (d *drainPeer) Read(p []byte) (int, error) {
	if len(d.pre) > 0 {
		n := copy(p, d.pre)
		d.pre = d.pre[n:]
		return n, nil
	}
	d.once[0].Do(func() { close(d.subscribed) })
	<-d.done
	return 0, errGone
}

func (d *drainPeer) Write(p []byte) (int, error) {
	if bytes.Equal(p, d.want) {
		d.once[1].Do(func() { close(d.seen) })
	}
	return len(p), nil
}

func (d *drainPeer) Close() error {
	d.once[2].Do(func() { close(d.done) })
	return nil
}

// drain brings all that was published on p's socket to the queues of its peers. last publishes one
// message more, of which want is a frame of its own. It gives up when wait is over.
func (p *port) drain(want []byte, last func(), wait time.Duration) bool {
	d := newDrainPeer(want)
	defer d.Close()
	go p.listener.hand(d)
	timeout := time.After(wait)
	select {
	case <-d.subscribed:
	case <-timeout:
		last()
		return false
	}
	last()
	select {
	case <-d.seen:
		return true
	case <-timeout:
		return false
	}
}

package jupyter

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/go-zeromq/zmq4"
)

// gone is what zmq4 is told of a connection that ended. It must be a net.Error: only then does zmq4
// forget the connection in every case.
type gone struct{}

func (gone) Error() string   { return "the connection ended" }
func (gone) Timeout() bool   { return false }
func (gone) Temporary() bool { return false }

var errGone net.Error = gone{}

// conn is a connection with a queue. zmq4 sees it as one on which reads are checked and writes never
// wait.
type conn struct {
	net.Conn
	port *port

	// For Read, which one goroutine calls.
	in      *bufio.Reader
	pre     []byte // the greeting, read already, which zmq4 still wants to see
	frames  frameReader
	topics  [][]byte // subscribed to in the bytes that Read gave last
	nTopics int
	used    chan struct{} // closed when zmq4 has taken the connection over
	useOnce sync.Once

	mu      sync.Mutex
	skip    int             // bytes of zmq4's greeting that are not sent: greet did
	out     frameReader     // where in a frame the queue ends
	queue   net.Buffers     // what waits
	held    int             // its bytes, and those that are being written
	between [][]byte        // commands that go out when the message under way is complete
	raw     syscall.RawConn // for sendNow
	spare   []byte          // a block to use again
	sending bool            // send has something to write
	err     error
	wake    chan struct{}
	closed  chan struct{}
	once    sync.Once
}

// maxTopics is how many subscriptions one peer may make.
const maxTopics = 1000

// small writes are gathered in blocks of this size; larger ones are queued as they are.
const blockSize = 64 << 10

func newConn(raw net.Conn, p *port) *conn {
	return &conn{
		Conn: raw, port: p, in: bufio.NewReaderSize(raw, 16<<10), frames: frameReader{limit: p.bounds},
		used: make(chan struct{}), skip: len(greeting), out: frameReader{limit: bounds{1 << 62, 1 << 62, 1 << 30}},
		wake: make(chan struct{}, 1), closed: make(chan struct{}),
	}
}

// greeting is that of ZMTP 3.0 with the NULL mechanism.
var greeting = append([]byte("\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03\x00NULL"), make([]byte, 64-16)...)

// greet exchanges greetings and takes the peer's READY, for zmq4 to read again later.
func (c *conn) greet() error {
	c.SetDeadline(time.Now().Add(c.port.lim.greeting))
	if _, err := c.Conn.Write(greeting); err != nil {
		return err
	}
	head := make([]byte, len(greeting)+2, len(greeting)+2+255)
	if _, err := io.ReadFull(c.in, head[:len(greeting)]); err != nil {
		return err
	}
	switch {
	case head[0] != 0xff || head[9] != 0x7f:
		return errors.New("this is not ZMTP")
	case head[10] < 3:
		return fmt.Errorf("ZMTP %d is too old", head[10])
	case !bytes.Equal(head[12:32], greeting[12:32]):
		return errors.New("only the NULL mechanism is supported")
	case head[32] > 1:
		return errors.New("as-server is neither 0 nor 1")
	}
	if _, err := io.ReadFull(c.in, head[len(greeting):]); err != nil {
		return err
	}
	if head[64] != flagCommand {
		return errors.New("no READY")
	}
	ready := head[66 : 66+int(head[65])]
	if _, err := io.ReadFull(c.in, ready); err != nil {
		return err
	}
	kind, err := readyKind(ready)
	if err != nil {
		return err
	}
	if !compatible(kind, c.port.kind) {
		return fmt.Errorf("a %q socket cannot talk to a %s", kind, c.port.kind)
	}
	c.pre = head[:66+len(ready)]
	if s, ok := c.Conn.(syscall.Conn); ok {
		if c.raw, err = s.SyscallConn(); err != nil {
			return err
		}
	}
	c.SetDeadline(time.Time{})
	// zmq4 does not close a connection that it dislikes after all.
	time.AfterFunc(c.port.lim.greeting, func() {
		select {
		case <-c.used:
		default:
			c.Close()
		}
	})
	return nil
}

// readyKind reads the socket type out of a READY command.
func readyKind(b []byte) (zmq4.SocketType, error) {
	b, ok := bytes.CutPrefix(b, []byte("\x05READY"))
	if !ok {
		return "", errors.New("no READY")
	}
	var kind zmq4.SocketType
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < 1+n+4 {
			return "", errors.New("READY is cut short")
		}
		name, rest := b[1:1+n], b[1+n:]
		size := binary.BigEndian.Uint32(rest)
		if uint64(len(rest)) < 4+uint64(size) {
			return "", errors.New("READY is cut short")
		}
		if bytes.EqualFold(name, []byte("Socket-Type")) {
			kind = zmq4.SocketType(rest[4 : 4+size])
		}
		b = rest[4+size:]
	}
	return kind, nil
}

func compatible(peer, own zmq4.SocketType) bool {
	switch peer {
	case zmq4.Dealer, zmq4.Req, zmq4.Router, zmq4.Sub, zmq4.XSub:
		return peer.IsCompatible(own)
	}
	return false
}

// Read gives zmq4 the greeting once more, then what comes, checked.
func (c *conn) Read(p []byte) (int, error) {
	if len(c.pre) > 0 {
		n := copy(p, c.pre)
		c.pre = c.pre[n:]
		return n, nil
	}
	c.useOnce.Do(func() { close(c.used) })
	// zmq4 comes back for more when it has noted the last subscription: now a welcome is true.
	for _, t := range c.topics {
		c.sendWelcome(t)
	}
	c.topics = nil
	n, err := c.in.Read(p)
	if e := c.frames.feed(p[:n], c.received); e != nil {
		c.port.log.Printf("%s: a peer was dropped: %v", c.port.name, e)
		err = e
	}
	if err != nil {
		c.Close()
		return 0, errGone
	}
	return n, nil
}

// received sees short messages and commands pass.
func (c *conn) received(command bool, body []byte) {
	switch {
	case command:
		// PING: two bytes of time to live, then a context that PONG repeats.
		if context, ok := bytes.CutPrefix(body, []byte("\x04PING")); ok && len(context) >= 2 {
			c.enqueue(appendFrame(nil, flagCommand, append([]byte("\x04PONG"), context[2:min(len(context), 18)]...)))
		}
	case c.port.kind == zmq4.XPub && len(body) > 0 && body[0] == 1:
		if c.nTopics++; c.nTopics > maxTopics {
			c.port.log.Printf("%s: a peer with more than %d subscriptions was dropped", c.port.name, maxTopics)
			c.Close()
			return
		}
		c.topics = append(c.topics, bytes.Clone(body[1:]))
	}
}

func (c *conn) sendWelcome(topic []byte) {
	if c.port.welcome == nil {
		return
	}
	parts := c.port.welcome(topic)
	var b []byte
	for i, p := range parts {
		flags := byte(flagMore)
		if i == len(parts)-1 {
			flags = 0
		}
		b = appendFrame(b, flags, p)
	}
	c.enqueue(b)
}

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

// room says whether more may wait for this peer. Past a bound it is the peer that goes: if all peers
// together hold too much, one that holds a large part of it.
func (c *conn) room() error {
	all := int(c.port.queued.Load())
	if c.held > c.port.lim.peerQueue || all > c.port.lim.allQueues && 4*c.held > all {
		return fmt.Errorf("it does not read: %d bytes wait", c.held)
	}
	return nil
}

func (c *conn) push(p []byte) {
	c.held += len(p)
	c.port.queued.Add(int64(len(p)))
	// Frames are made once and never changed after, so a large one need not be copied.
	if len(p) >= blockSize {
		c.queue = append(c.queue, p)
		return
	}
	if k := len(c.queue) - 1; k >= 0 && len(c.queue[k])+len(p) <= cap(c.queue[k]) && len(c.queue[k]) < blockSize {
		c.queue[k] = append(c.queue[k], p...)
		return
	}
	block := c.spare
	c.spare = nil
	if cap(block) < len(p) {
		block = make([]byte, 0, max(4<<10, len(p)))
	}
	c.queue = append(c.queue, append(block, p...))
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
		b := c.queue[0]
		n := tryWrite(c.raw, b)
		c.release(n)
		if n < len(b) {
			c.queue[0] = b[n:]
			return
		}
		if c.queue = c.queue[1:]; len(c.queue) == 0 {
			c.queue = nil
			if cap(b) < blockSize {
				c.spare = b[:0]
			}
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
		for {
			c.mu.Lock()
			batch, n := c.queue, c.held
			c.queue = nil
			c.sending = len(batch) > 0
			c.mu.Unlock()
			if len(batch) == 0 {
				break
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

// Close ends the connection; what waits is lost.
func (c *conn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.port.remove(c)
		c.mu.Lock()
		if c.err == nil {
			c.err = errGone
		}
		c.queue = nil
		c.release(c.held)
		c.mu.Unlock()
	})
	return c.Conn.Close()
}

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
	queue   []segment       // what waits
	held    int             // its bytes, and those that are being written
	moved   time.Time       // when bytes last went out, or began to wait
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
	unused := time.AfterFunc(c.port.lim.greeting, func() { c.Close() })
	go func() {
		defer unused.Stop() // or it would keep the connection until then
		select {
		case <-c.used:
		case <-c.closed:
		}
	}()
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

// Read hands the greeting to zmq4 once more, then what the peer sends, checked.
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

package jupyter

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"
)

// conn is a connection to a peer: its reads are checked, and its writes never wait.
type conn struct {
	net.Conn
	port *port
	in   *bufio.Reader
	raw  syscall.RawConn // for sendNow

	mu      sync.Mutex
	greeted bool
	name    []byte         // the peer's identity
	topics  map[string]int // that it has subscribed to, and how often
	nTopics int
	queue   [][]byte // what waits; nobody writes to these any more
	held    int      // its bytes, and those that are being written
	sending bool     // send is at it
	err     error
	closed  bool
}

var errClosed = errors.New("the connection is closed")

// maxTopics is how many subscriptions one peer may have.
const maxTopics = 1000

func newConn(raw net.Conn, p *port) *conn {
	c := &conn{Conn: raw, port: p, in: bufio.NewReaderSize(raw, 16<<10)}
	if s, ok := raw.(syscall.Conn); ok {
		c.raw, _ = s.SyscallConn()
	}
	return c
}

// greeting is that of ZMTP 3.0 with the NULL mechanism.
var greeting = append([]byte("\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03\x00NULL"), make([]byte, 64-16)...)

// readyCommand is what follows the greeting.
func readyCommand(kind string) []byte {
	b := []byte("\x05READY\x0bSocket-Type")
	b = append(binary.BigEndian.AppendUint32(b, uint32(len(kind))), kind...)
	return appendFrame(nil, flagCommand, append(b, "\x08Identity\x00\x00\x00\x00"...))
}

// serve talks with a peer until it leaves.
func (c *conn) serve() {
	defer c.Close()
	if err := c.greet(); err != nil {
		c.port.log.Printf("%s: a peer did not greet: %v", c.port.name, err)
		return
	}
	r := frameReader{in: c.in, limit: c.port.bounds, command: c.command}
	for {
		frames, err := r.message()
		switch {
		case err == errFrameTooLong || err == errMessageTooLong:
			c.port.log.Printf("%s: a peer was dropped: %v", c.port.name, err)
			return
		case err != nil:
			return
		case c.port.kind != socketXPub:
			c.port.handle(append([][]byte{c.name}, frames...))
		case !c.subscribe(frames):
			c.port.log.Printf("%s: a peer with more than %d subscriptions was dropped", c.port.name, maxTopics)
			return
		}
	}
}

// greet exchanges greetings and READY.
func (c *conn) greet() error {
	c.SetDeadline(time.Now().Add(c.port.lim.greeting))
	if _, err := c.Conn.Write(append(bytes.Clone(greeting), readyCommand(c.port.kind)...)); err != nil {
		return err
	}
	var head [64]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
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
	var ready []byte
	r := frameReader{in: c.in, limit: bounds{255, 255, 1}}
	flags, size, err := r.head()
	if err == nil && (flags != flagCommand || size > 255) {
		err = errors.New("no READY")
	}
	if err == nil {
		ready, err = readBody(c.in, size)
	}
	if err != nil {
		return err
	}
	kind, name, err := readReady(ready)
	if err != nil {
		return err
	}
	if !strings.Contains(peersOf[c.port.kind], " "+kind+" ") {
		return fmt.Errorf("a %q socket cannot talk to a %s", kind, c.port.kind)
	}
	if len(name) == 0 {
		name = []byte("\x00" + newID()) // it does not care
	}
	c.SetDeadline(time.Time{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.greeted, c.name = true, name
	return nil
}

// Kinds of sockets that a kernel has, and of those that may talk to them.
const (
	socketRouter = "ROUTER"
	socketXPub   = "XPUB"
)

var peersOf = map[string]string{socketRouter: " DEALER REQ ROUTER ", socketXPub: " SUB XSUB "}

// readReady reads the socket type and the identity out of a READY command.
func readReady(b []byte) (kind string, name []byte, err error) {
	b, ok := bytes.CutPrefix(b, []byte("\x05READY"))
	if !ok {
		return "", nil, errors.New("no READY")
	}
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < 1+n+4 {
			return "", nil, errors.New("READY is cut short")
		}
		key, rest := b[1:1+n], b[1+n:]
		size := binary.BigEndian.Uint32(rest)
		if uint64(len(rest)) < 4+uint64(size) {
			return "", nil, errors.New("READY is cut short")
		}
		value := rest[4 : 4+size]
		switch strings.ToLower(string(key)) {
		case "socket-type":
			kind = string(value)
		case "identity":
			name = bytes.Clone(value)
		}
		b = rest[4+size:]
	}
	return kind, name, nil
}

// command does what a command asks for.
func (c *conn) command(body []byte) {
	// PING: two bytes of time to live, then a context that PONG repeats.
	if context, ok := bytes.CutPrefix(body, []byte("\x04PING")); ok && len(context) >= 2 {
		c.write([][]byte{appendFrame(nil, flagCommand, append([]byte("\x04PONG"), context[2:min(len(context), 18)]...))}, false)
	}
}

// subscribe notes or forgets a subscription, and welcomes a new one. It is false when there are too
// many. What else a subscriber says means nothing.
func (c *conn) subscribe(frames [][]byte) bool {
	if len(frames) != 1 || len(frames[0]) == 0 || frames[0][0] > 1 {
		return true
	}
	topic := string(frames[0][1:])
	c.mu.Lock()
	known := c.topics[topic]
	if frames[0][0] == 0 {
		switch {
		case known > 1:
			c.topics[topic]--
			c.nTopics--
		case known == 1:
			delete(c.topics, topic)
			c.nTopics--
		}
		c.mu.Unlock()
		return true
	}
	if c.topics == nil {
		c.topics = map[string]int{}
	}
	c.topics[topic]++
	c.nTopics++
	few := c.nTopics <= maxTopics
	c.mu.Unlock()
	if few && c.port.welcome != nil {
		c.write(layout(c.port.welcome([]byte(topic))), false)
	}
	return few
}

// wants says whether a message that begins so is for this peer: its name, or a topic it has
// subscribed to.
func (c *conn) wants(first []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.port.kind == socketRouter {
		return c.greeted && bytes.Equal(c.name, first)
	}
	for t := range c.topics {
		if len(t) <= len(first) && string(first[:len(t)]) == t {
			return true
		}
	}
	return false
}

// Close ends the connection; what waits is lost.
func (c *conn) Close() error {
	c.mu.Lock()
	first := !c.closed
	c.closed = true
	if c.err == nil {
		c.err = errClosed
	}
	c.queue = nil
	c.release(c.held)
	c.mu.Unlock()
	if !first {
		return nil
	}
	c.port.remove(c)
	return c.Conn.Close()
}

package jupyter

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zeromq/zmq4"
)

// kernel is one running kernel.
type kernel struct {
	conn    connection
	session Session
	info    Info
	log     *log.Logger
	signer  *signer
	id      string // names the kernel's own messages
	counter atomic.Uint64

	outputRate int // of Options

	ports   []*port
	sockets []zmq4.Socket
	queued  atomic.Int64 // bytes that wait for all peers
	shell   *channel
	control *channel
	stdin   *channel
	hb      *channel
	pub     *publisher

	main    *queue // what the shell socket brought for the main shell
	asked   *queue // of that, the questions that no cell need hold up
	subs    subshells
	cells   cells
	input   inputs
	history *history
	comms   comms
	pace    pace // of displays and comms
	meter   meter

	warmOnce sync.Once

	attached atomic.Bool  // a front end's debugger has: it shows variables
	debugSeq atomic.Int64 // of responses to it

	ctx      context.Context // ends with the kernel
	cancel   context.CancelFunc
	stop     chan struct{} // closed when the kernel is to end
	stopOnce sync.Once
	ending   atomic.Bool // finish has begun
}

// channel is a socket that takes requests and sends replies.
type channel struct {
	name string
	sock zmq4.Socket
	k    *kernel
}

// What peers may send. A front end's widgets may carry images; nobody pings with a megabyte.
var (
	requestBounds   = bounds{frame: 256 << 20, message: 256 << 20, frames: 4096}
	subscribeBounds = bounds{frame: 4 << 10, message: 4 << 10, frames: 4}
	pingBounds      = bounds{frame: 64 << 10, message: 64 << 10, frames: 16}
)

func newKernel(c connection, session Session, opts Options) (*kernel, error) {
	k := &kernel{conn: c, session: session, log: opts.Log, signer: newSigner(c.Key), stop: make(chan struct{}),
		outputRate: opts.OutputRate}
	if k.log == nil {
		k.log = log.New(os.Stderr, "gotorch kernel: ", log.Ltime)
	}
	k.log = limitLog(k.log)
	k.id = newID()
	k.info = session.Info()
	k.history = newHistory(opts.HistoryFile, k.log)
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.main, k.asked = newQueue(), newQueue()
	k.subs.start = func(q *queue) { go k.work(q) }
	k.cells.turn = make(chan struct{}, 1)
	if err := k.bind(); err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

func newID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// bind makes the five sockets.
func (k *kernel) bind() error {
	router := func(name string, n int, b bounds) (*channel, error) {
		s, _, err := k.listen(name, n, zmq4.Router, zmq4.NewRouter, b)
		return &channel{name: name, sock: s, k: k}, err
	}
	var err error
	if k.shell, err = router("shell", k.conn.ShellPort, requestBounds); err != nil {
		return err
	}
	if k.control, err = router("control", k.conn.ControlPort, requestBounds); err != nil {
		return err
	}
	if k.stdin, err = router("stdin", k.conn.StdinPort, requestBounds); err != nil {
		return err
	}
	// A router echoes as well as REP does, to several clients, and keeps no state between.
	if k.hb, err = router("heartbeat", k.conn.HBPort, pingBounds); err != nil {
		return err
	}
	s, p, err := k.listen("iopub", k.conn.IOPubPort, zmq4.XPub, zmq4.NewXPub, subscribeBounds)
	if err != nil {
		return err
	}
	k.pub = newPublisher(k, s, p)
	return nil
}

func (k *kernel) listen(name string, number int, kind zmq4.SocketType,
	make func(context.Context, ...zmq4.Option) zmq4.Socket, b bounds) (zmq4.Socket, *port, error) {
	p := &port{name: name, kind: kind, bounds: b, lim: defaultLimits, log: k.log, queued: &k.queued}
	p.network, p.address = k.conn.address(number)
	if kind == zmq4.XPub {
		p.welcome = k.welcome
	}
	s := make(k.ctx, zmq4.WithLogger(k.log))
	if err := s.Listen(p.endpoint()); err != nil {
		s.Close()
		return nil, nil, fmt.Errorf("jupyter: the %s socket cannot listen on %s: %w", name, p.address, err)
	}
	k.ports = append(k.ports, p)
	k.sockets = append(k.sockets, s)
	return s, p, nil
}

// serve runs until the kernel is to end, then sees all output out.
func (k *kernel) serve(ctx context.Context) error {
	k.pub.send(nil, "status", map[string]string{"execution_state": "starting"}, nil)
	go k.shell.receive(k.route)
	go k.control.receive(k.handleControl)
	go k.stdin.receive(k.input.deliver)
	go k.echo()
	go k.pub.discard()
	go k.answer()
	worked := make(chan struct{})
	go func() {
		k.work(k.main)
		close(worked)
	}()
	select {
	case <-ctx.Done():
	case <-k.stop:
	}
	k.finish(worked)
	return nil
}

// lastWords is how long a cell that runs when the kernel ends has to stop and say so.
const lastWords = 200 * time.Millisecond

// end asks serve to return.
func (k *kernel) end() {
	k.stopOnce.Do(func() { close(k.stop) })
}

// finish ends what runs, sends what waits, and closes the sockets.
func (k *kernel) finish(worked <-chan struct{}) {
	k.ending.Store(true)
	k.cells.interrupt()
	k.main.close()
	k.asked.close()
	k.subs.close(k)
	select {
	case <-worked:
	case <-time.After(lastWords):
	}
	noted := make(chan struct{})
	go func() {
		k.history.drain(defaultLimits.write)
		close(noted)
	}()
	k.pub.finish(defaultLimits.write)
	flushed(k.ports, defaultLimits.write)
	<-noted
	k.close()
}

func (k *kernel) close() {
	k.cancel()
	for _, s := range k.sockets {
		s.Close()
	}
	for _, p := range k.ports {
		p.closeConns()
	}
}

// receive hands the messages that are sound to handle, one after the other.
func (c *channel) receive(handle func(*request)) {
	for {
		m, err := c.sock.Recv()
		if c.k.ctx.Err() != nil {
			return
		}
		if err != nil {
			c.k.log.Printf("%s: %v", c.name, err)
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if m.Type == zmq4.CmdMsg {
			continue
		}
		msg, err := decode(m.Frames, c.k.signer)
		if err != nil {
			c.k.log.Printf("%s: a message was dropped: %v", c.name, err)
			continue
		}
		handle(&request{message: msg, from: c, arrived: time.Now()})
	}
}

// echo answers heartbeats.
func (k *kernel) echo() {
	for {
		m, err := k.hb.sock.Recv()
		if k.ctx.Err() != nil {
			return
		}
		if err == nil && m.Type != zmq4.CmdMsg {
			k.hb.sock.SendMulti(zmq4.NewMsgFrom(m.Frames...))
		}
	}
}

// date is a time as messages have it.
func date(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// make builds a message of the kernel's own, an answer to parent if that is not nil.
func (k *kernel) make(parent *message, kind string, content, metadata any) (*message, error) {
	m := &message{parent: emptyObject, metadata: emptyObject}
	if parent != nil {
		m.parent = parent.rawHeader
	}
	m.header = header{
		ID: fmt.Sprintf("%s_%d", k.id, k.counter.Add(1)), Type: kind, Session: k.id, Username: "kernel",
		Date: date(time.Now()), Version: protocolVersion,
	}
	var err error
	if m.rawHeader, err = marshal(m.header); err != nil {
		return nil, err
	}
	if m.content, err = marshal(content); err != nil {
		return nil, err
	}
	if metadata != nil {
		m.metadata, err = marshal(metadata)
	}
	return m, err
}

// welcome is what a new subscriber is told (JEP 65).
func (k *kernel) welcome(topic []byte) [][]byte {
	m, err := k.make(nil, "iopub_welcome", map[string]string{"subscription": string(topic)}, nil)
	if err != nil {
		return nil
	}
	m.identities = [][]byte{topic}
	return m.frames(k.signer)
}

package jupyter

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
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
	name   string
	out    outlet
	k      *kernel
	handle func(*request)
	turn   sync.Mutex // held while handle is called
}

// outlet is what messages leave by, a port or what stands for one.
type outlet interface {
	// send sends a message; the first frame is whom it is for. If more follows soon, it may wait for that.
	send(frames [][]byte, more bool)

	// flush sends what waits.
	flush()
}

// What peers may send. A front end's widgets may carry images; nobody pings with a megabyte.
var (
	requestBounds   = bounds{frame: 256 << 20, message: 256 << 20, frames: 4096}
	subscribeBounds = bounds{frame: 4 << 10, message: 4 << 10, frames: 4}
	pingBounds      = bounds{frame: 64 << 10, message: 64 << 10, frames: 16}
)

func newKernel(c connection, session Session, opts Options) (*kernel, error) {
	k := &kernel{conn: c, session: session, log: opts.Log, signer: newSigner(c.Key), stop: make(chan struct{}), outputRate: opts.OutputRate}
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
	for _, r := range []struct {
		to     **channel
		name   string
		number int
		handle func(*request)
	}{
		{&k.shell, "shell", k.conn.ShellPort, k.route},
		{&k.control, "control", k.conn.ControlPort, k.handleControl},
		{&k.stdin, "stdin", k.conn.StdinPort, k.input.deliver},
	} {
		c := &channel{name: r.name, k: k, handle: r.handle}
		p, err := k.listen(r.name, r.number, socketRouter, requestBounds)
		if err != nil {
			return err
		}
		c.out, p.handle, *r.to = p, c.receive, c
	}
	// A router echoes as well as REP does, to several clients, and keeps no state between.
	hb, err := k.listen("heartbeat", k.conn.HBPort, socketRouter, pingBounds)
	if err != nil {
		return err
	}
	hb.handle = func(frames [][]byte) { hb.send(frames, false) }
	p, err := k.listen("iopub", k.conn.IOPubPort, socketXPub, subscribeBounds)
	if err != nil {
		return err
	}
	p.welcome = k.welcome
	k.pub = newPublisher(k, p)
	return nil
}

func (k *kernel) listen(name string, number int, kind string, b bounds) (*port, error) {
	p := &port{name: name, kind: kind, bounds: b, lim: defaultLimits, log: k.log, queued: &k.queued}
	p.network, p.address = k.conn.address(number)
	if err := p.listen(); err != nil {
		return nil, fmt.Errorf("jupyter: the %s socket cannot listen on %s: %w", name, p.address, err)
	}
	k.ports = append(k.ports, p)
	return p, nil
}

// serve runs until the kernel is to end, then sees all output out.
func (k *kernel) serve(ctx context.Context) error {
	k.pub.send(nil, "status", map[string]string{"execution_state": "starting"}, nil)
	for _, p := range k.ports {
		go p.run()
	}
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
	k.pub.finish()
	flushed(k.ports, defaultLimits.write)
	<-noted
	k.close()
}

func (k *kernel) close() {
	k.cancel()
	for _, p := range k.ports {
		p.close()
	}
}

// receive hands a message to handle if it is sound. One is handled at a time.
func (c *channel) receive(frames [][]byte) {
	m, err := decode(frames, c.k.signer)
	if err != nil {
		c.k.log.Printf("%s: a message was dropped: %v", c.name, err)
		return
	}
	r := &request{message: m, from: c, arrived: time.Now()}
	c.turn.Lock()
	defer c.turn.Unlock()
	c.handle(r)
}

// make builds a message of the kernel's own, an answer to parent if that is not nil.
func (k *kernel) make(parent *message, kind string, content, metadata any) (*message, error) {
	m := &message{parent: emptyObject, metadata: emptyObject}
	if parent != nil {
		m.parent = parent.rawHeader
	}
	m.header.ID = k.id + "_" + strconv.FormatUint(k.counter.Add(1), 10)
	m.header.Type = kind
	m.rawHeader = k.ownHeader(m.header.ID, kind)
	var err error
	if m.content, err = marshal(content); err != nil {
		return nil, err
	}
	if metadata != nil {
		m.metadata, err = marshal(metadata)
	}
	return m, err
}

// ownHeader is the header of a message of the kernel's own: what encoding/json makes of it, in a tenth
// of the time.
func (k *kernel) ownHeader(id, kind string) json.RawMessage {
	b := append(make([]byte, 0, 256), `{"msg_id":"`...)
	b = append(append(b, id...), `","msg_type":`...)
	b = append(appendString(b, []byte(kind)), `,"session":"`...)
	b = append(append(b, k.id...), `","username":"kernel","date":"`...)
	b = time.Now().UTC().AppendFormat(b, "2006-01-02T15:04:05.000000Z")
	return append(b, `","version":"`+protocolVersion+`"}`...)
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

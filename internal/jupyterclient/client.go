// Package jupyterclient is a client of Jupyter kernels for tests. It shares no code with the kernel,
// so that a mistake in one is not made again by the other.
package jupyterclient

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Info is the content of a connection file.
type Info struct {
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HBPort          int    `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
}

// URL is the endpoint of a port.
func (i Info) URL(port int) string {
	if i.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", i.IP, port)
	}
	return fmt.Sprintf("tcp://%s:%d", i.IP, port)
}

// Message is one message, either way.
type Message struct {
	Topic     []byte // of IOPub
	RawHeader json.RawMessage
	RawParent json.RawMessage
	Header    map[string]any
	Parent    map[string]any
	Metadata  map[string]any
	Content   map[string]any
	Buffers   [][]byte
}

// Type is the message's msg_type.
func (m *Message) Type() string { s, _ := m.Header["msg_type"].(string); return s }

// ID is the message's msg_id.
func (m *Message) ID() string { s, _ := m.Header["msg_id"].(string); return s }

// ParentID is the msg_id of the message that this one answers.
func (m *Message) ParentID() string { s, _ := m.Parent["msg_id"].(string); return s }

// Status is that of a reply.
func (m *Message) Status() string { s, _ := m.Content["status"].(string); return s }

// Client talks to one kernel.
type Client struct {
	Info    Info
	Session string
	Shell   *Channel
	Control *Channel
	Stdin   *Channel
	IOPub   *Channel

	cancel context.CancelFunc
	count  int
}

// Channel is one socket of a client.
type Channel struct {
	Socket zmq4.Socket
	In     chan *Message
	key    string
}

// Dial connects to a kernel. It returns when the kernel has seen the IOPub subscription.
func Dial(info Info) (*Client, error) {
	c, err := connect(info)
	if err != nil {
		return nil, err
	}
	m := c.IOPub.Recv(10 * time.Second)
	for m != nil && m.Type() == "status" { // of a kernel that starts meanwhile
		m = c.IOPub.Recv(10 * time.Second)
	}
	if m == nil || m.Type() != "iopub_welcome" {
		c.Close()
		return nil, fmt.Errorf("no welcome from IOPub: %v", m)
	}
	return c, nil
}

// DialAny is Dial for kernels that do not welcome subscribers: it asks until IOPub says something about the answer.
func DialAny(info Info, wait time.Duration) (*Client, error) {
	c, err := connect(info)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(wait); time.Now().Before(end); {
		if c.Request(c.Shell, "kernel_info_request", map[string]any{}, time.Until(end)) == nil {
			break
		}
		for m := c.IOPub.Recv(20 * time.Millisecond); m != nil; m = c.IOPub.Recv(20 * time.Millisecond) {
			if m.Content["execution_state"] == "idle" {
				return c, nil
			}
		}
	}
	c.Close()
	return nil, errors.New("the kernel says nothing on IOPub")
}

// connect makes the sockets of a client and subscribes.
func connect(info Info) (*Client, error) {
	ctx, cancel := context.WithCancel(context.Background())
	var id [8]byte
	rand.Read(id[:])
	c := &Client{Info: info, Session: hex.EncodeToString(id[:]), cancel: cancel}
	identity := zmq4.WithID(zmq4.SocketIdentity(c.Session))
	for _, ch := range []struct {
		to   **Channel
		port int
		sock zmq4.Socket
	}{
		{&c.Shell, info.ShellPort, zmq4.NewDealer(ctx, identity)},
		{&c.Control, info.ControlPort, zmq4.NewDealer(ctx, identity)},
		{&c.Stdin, info.StdinPort, zmq4.NewDealer(ctx, identity)},
		{&c.IOPub, info.IOPubPort, zmq4.NewSub(ctx)},
	} {
		if err := ch.sock.Dial(info.URL(ch.port)); err != nil {
			c.Close()
			return nil, err
		}
		*ch.to = &Channel{Socket: ch.sock, In: make(chan *Message, 100000), key: info.Key}
		go (*ch.to).receive()
	}
	if err := c.IOPub.Socket.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close leaves the kernel alone.
func (c *Client) Close() {
	c.cancel()
	for _, ch := range []*Channel{c.Shell, c.Control, c.Stdin, c.IOPub} {
		if ch != nil {
			ch.Socket.Close()
		}
	}
}

func (c *Channel) receive() {
	defer close(c.In)
	for {
		m, err := c.Socket.Recv()
		if err != nil {
			return
		}
		msg, err := Parse(m.Frames, c.key)
		if err != nil {
			msg = &Message{Header: map[string]any{"msg_type": "broken", "error": err.Error()}}
		}
		c.In <- msg
	}
}

// Recv returns the next message, or nil when none comes in time.
func (c *Channel) Recv(wait time.Duration) *Message {
	select {
	case m := <-c.In:
		return m
	case <-time.After(wait):
		return nil
	}
}

// Sign returns the hexadecimal signature of four parts.
func Sign(key string, parts [][]byte) []byte {
	if key == "" {
		return nil
	}
	h := hmac.New(sha256.New, []byte(key))
	for _, p := range parts {
		h.Write(p)
	}
	return []byte(hex.EncodeToString(h.Sum(nil)))
}

// Parse reads the frames of a message and checks its signature.
func Parse(frames [][]byte, key string) (*Message, error) {
	at := 0
	for at < len(frames) && string(frames[at]) != "<IDS|MSG>" {
		at++
	}
	if len(frames) < at+6 {
		return nil, errors.New("short message")
	}
	m := &Message{RawHeader: frames[at+2], RawParent: frames[at+3], Buffers: frames[at+6:]}
	if at > 0 {
		m.Topic = frames[0]
	}
	if !bytes.Equal(Sign(key, frames[at+2:at+6]), frames[at+1]) {
		return nil, errors.New("wrong signature")
	}
	for i, to := range []*map[string]any{&m.Header, &m.Parent, &m.Metadata, &m.Content} {
		if err := json.Unmarshal(frames[at+2+i], to); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Header makes a message header of the client's.
func (c *Client) Header(kind string) map[string]any {
	c.count++
	return map[string]any{
		"msg_id": fmt.Sprintf("%s_%d", c.Session, c.count), "msg_type": kind, "session": c.Session, "username": "test",
		"date": time.Now().UTC().Format(time.RFC3339Nano), "version": "5.3",
	}
}

// Send sends a message and returns its id.
func (c *Client) Send(ch *Channel, kind string, content any, buffers ...[]byte) string {
	h := c.Header(kind)
	c.SendParts(ch, encode(h), []byte("{}"), []byte("{}"), encode(content), buffers...)
	return h["msg_id"].(string)
}

// SendParts signs four parts as they are and sends them.
func (c *Client) SendParts(ch *Channel, header, parent, metadata, content []byte, buffers ...[]byte) error {
	parts := [][]byte{header, parent, metadata, content}
	frames := append([][]byte{[]byte("<IDS|MSG>"), Sign(c.Info.Key, parts)}, parts...)
	return ch.Socket.SendMulti(zmq4.NewMsgFrom(append(frames, buffers...)...))
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// Request sends a request and returns its reply, or nil when none comes in time. Other messages on the channel are
// lost.
func (c *Client) Request(ch *Channel, kind string, content any, wait time.Duration) *Message {
	id := c.Send(ch, kind, content)
	return ch.Reply(id, wait)
}

// Reply returns the message that answers id.
func (c *Channel) Reply(id string, wait time.Duration) *Message {
	end := time.Now().Add(wait)
	for {
		m := c.Recv(time.Until(end))
		if m == nil || m.ParentID() == id {
			return m
		}
	}
}

// Ran is what came of a cell.
type Ran struct {
	ID    string
	Reply *Message   // nil when none came
	IO    []*Message // what IOPub said of it, from busy to idle
	Took  time.Duration
}

// Text is all that the cell printed on one stream.
func (r *Ran) Text(stream string) string {
	var b bytes.Buffer
	for _, m := range r.IO {
		if m.Type() == "stream" && m.Content["name"] == stream {
			b.WriteString(m.Content["text"].(string))
		}
	}
	return b.String()
}

// Of returns the IOPub messages of one type.
func (r *Ran) Of(kind string) []*Message {
	var ms []*Message
	for _, m := range r.IO {
		if m.Type() == kind {
			ms = append(ms, m)
		}
	}
	return ms
}

// Types lists the IOPub messages by type, a status by its state.
func (r *Ran) Types() []string {
	var ts []string
	for _, m := range r.IO {
		t := m.Type()
		if t == "status" {
			t, _ = m.Content["execution_state"].(string)
		}
		ts = append(ts, t)
	}
	return ts
}

// Execute runs a cell. extra fields replace those of the request.
func (c *Client) Execute(code string, wait time.Duration, extra map[string]any) *Ran {
	start := time.Now()
	id := c.SendCell(code, extra)
	return c.Collect(id, start, wait)
}

// SendCell sends an execute request and returns its id.
func (c *Client) SendCell(code string, extra map[string]any) string {
	content := map[string]any{"code": code, "silent": false, "store_history": true, "user_expressions": map[string]any{},
		"allow_stdin": false, "stop_on_error": true}
	for k, v := range extra {
		content[k] = v
	}
	return c.Send(c.Shell, "execute_request", content)
}

// Collect waits for the reply to a cell and for its idle.
func (c *Client) Collect(id string, start time.Time, wait time.Duration) *Ran {
	r := &Ran{ID: id}
	end := start.Add(wait)
	for idle := false; !idle; {
		m := c.IOPub.Recv(time.Until(end))
		if m == nil {
			break
		}
		if m.ParentID() == id {
			r.IO = append(r.IO, m)
			idle = m.Type() == "status" && m.Content["execution_state"] == "idle"
		}
	}
	r.Reply = c.Shell.Reply(id, time.Until(end))
	r.Took = time.Since(start)
	return r
}

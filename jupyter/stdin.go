package jupyter

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync"

	"github.com/go-zeromq/zmq4"
)

// inputs is the question that waits for its answer, if there is one.
type inputs struct {
	turn sync.Mutex // held while a question is out: one at a time

	mu      sync.Mutex
	waiting *question
}

type question struct {
	identities [][]byte // whom it was put to
	ids        []string // messages that the answer may name as its parent
	answer     chan string
}

// endOfInput is what front ends answer when the user types Ctrl-D.
const endOfInput = "\x04"

// ask puts a question to the client that sent r, and waits for the answer.
func (k *kernel) ask(ctx context.Context, r *request, prompt string, password bool) (string, error) {
	k.input.turn.Lock()
	defer k.input.turn.Unlock()
	if prompt == "" {
		prompt = k.pub.takeLine(r.message)
	}
	m, err := k.make(r.message, "input_request", map[string]any{"prompt": prompt, "password": password}, nil)
	if err != nil {
		return "", err
	}
	m.identities = r.identities
	q := &question{identities: r.identities, ids: []string{"", m.header.ID, r.header.ID}, answer: make(chan string, 1)}
	k.input.set(q)
	defer k.input.set(nil)
	k.pub.flush()
	if err := k.stdin.sock.SendMulti(zmq4.NewMsgFrom(m.frames(k.signer)...)); err != nil {
		return "", err
	}
	select {
	case s := <-q.answer:
		if s == endOfInput {
			return "", io.EOF
		}
		return s, nil
	case <-ctx.Done():
		return "", ctx.Err()
	case <-k.ctx.Done():
		return "", k.ctx.Err()
	}
}

func (i *inputs) set(q *question) {
	i.mu.Lock()
	i.waiting = q
	i.mu.Unlock()
}

// deliver takes what comes in on the stdin socket. An answer that nobody waits for, of another
// client, or to a question of before, is dropped.
func (i *inputs) deliver(r *request) {
	k := r.from.k
	var content struct {
		Value string `json:"value"`
	}
	var parent struct {
		ID string `json:"msg_id"`
	}
	if r.header.Type != "input_reply" {
		k.log.Printf("stdin: %s is not known", r.header.Type)
		return
	}
	if err := r.read(&content); err != nil {
		k.log.Printf("stdin: %v", err)
		return
	}
	if err := json.Unmarshal(r.parent, &parent); err != nil {
		k.log.Printf("stdin: the parent header: %v", err)
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	q := i.waiting
	if q == nil || !slices.Contains(q.ids, parent.ID) || !slices.EqualFunc(q.identities, r.identities, bytes.Equal) {
		k.log.Printf("stdin: an answer to no question was dropped")
		return
	}
	i.waiting = nil
	q.answer <- content.Value
}

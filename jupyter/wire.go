package jupyter

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"sync"
	"unicode/utf8"
)

// protocolVersion is the messaging protocol that this kernel speaks.
const protocolVersion = "5.5"

// delimiter stands between the routing identities and the message proper.
var delimiter = []byte("<IDS|MSG>")

// header is the part of a message that every kind of message has.
type header struct {
	ID       string `json:"msg_id"`
	Type     string `json:"msg_type"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Version  string `json:"version"`
	Subshell string `json:"subshell_id,omitempty"` // the subshell that a shell request is for
}

// message is one message as it came in. The raw parts are kept as they are, so that a reply carries
// its parent's header byte for byte.
type message struct {
	identities [][]byte
	header     header
	rawHeader  json.RawMessage
	parent     json.RawMessage
	metadata   json.RawMessage
	content    json.RawMessage
	buffers    [][]byte
}

// emptyObject stands for a parent header or metadata where there is none.
var emptyObject = json.RawMessage("{}")

// signer makes and checks signatures. A nil *signer leaves messages unsigned and takes any.
type signer struct {
	pool sync.Pool
	mu   sync.Mutex
	seen map[string]struct{}
	ring []string // the same in the order of arrival
	next int
}

// replayWindow is how many signatures are remembered, to drop a message that comes twice.
const replayWindow = 1 << 14

func newSigner(key string) *signer {
	if key == "" {
		return nil
	}
	s := &signer{seen: map[string]struct{}{}}
	s.pool.New = func() any { return hmac.New(sha256.New, []byte(key)) }
	return s
}

// sign returns the signature of the four parts in hexadecimal.
func (s *signer) sign(parts [][]byte) []byte {
	if s == nil {
		return []byte{}
	}
	h := s.pool.Get().(hash.Hash)
	defer s.pool.Put(h)
	h.Reset()
	for _, p := range parts {
		h.Write(p)
	}
	var sum [sha256.Size]byte
	return hex.AppendEncode(nil, h.Sum(sum[:0]))
}

// check compares in constant time, and rejects a signature that was there before.
func (s *signer) check(signature []byte, parts [][]byte) error {
	if s == nil {
		return nil
	}
	if len(signature) == 0 {
		return errors.New("unsigned")
	}
	if !hmac.Equal(signature, s.sign(parts)) {
		return errors.New("wrong signature")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := string(signature)
	if _, dup := s.seen[key]; dup {
		return errors.New("sent twice")
	}
	s.seen[key] = struct{}{}
	if len(s.ring) < replayWindow {
		s.ring = append(s.ring, key)
		return nil
	}
	delete(s.seen, s.ring[s.next])
	s.ring[s.next] = key
	s.next = (s.next + 1) % replayWindow
	return nil
}

// decode reads the frames of a message: identities, delimiter, signature, header, parent header,
// metadata, content, buffers.
func decode(frames [][]byte, s *signer) (*message, error) {
	at := -1
	for i, f := range frames {
		if bytes.Equal(f, delimiter) {
			at = i
			break
		}
	}
	if at < 0 {
		return nil, errors.New("no delimiter")
	}
	rest := frames[at+1:]
	if len(rest) < 5 {
		return nil, fmt.Errorf("%d parts after the delimiter, not 5 or more", len(rest))
	}
	parts := rest[1:5]
	if err := s.check(rest[0], parts); err != nil {
		return nil, err
	}
	for i, name := range [...]string{"header", "parent header", "metadata", "content"} {
		if !utf8.Valid(parts[i]) {
			return nil, fmt.Errorf("the %s is not UTF-8", name)
		}
		if !isObject(parts[i]) {
			return nil, fmt.Errorf("the %s is not a JSON object", name)
		}
	}
	m := &message{identities: frames[:at], rawHeader: parts[0], parent: parts[1], metadata: parts[2], content: parts[3],
		buffers: rest[5:]}
	if err := json.Unmarshal(m.rawHeader, &m.header); err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	if m.header.Type == "" || m.header.ID == "" {
		return nil, errors.New("the header lacks msg_type or msg_id")
	}
	return m, nil
}

func isObject(text []byte) bool {
	t := bytes.TrimLeft(text, " \t\r\n")
	return len(t) > 0 && t[0] == '{' && json.Valid(text)
}

// frames lays out a message for the wire, after whatever identities (or topic) lead it.
func (m *message) frames(s *signer) [][]byte {
	parts := [][]byte{m.rawHeader, m.parent, m.metadata, m.content}
	out := make([][]byte, 0, len(m.identities)+6+len(m.buffers))
	out = append(out, m.identities...)
	out = append(out, delimiter, s.sign(parts))
	out = append(out, parts...)
	return append(out, m.buffers...)
}

// marshal is JSON without the escapes meant for HTML. What cannot be written (a channel, NaN) is an error of the
// caller.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

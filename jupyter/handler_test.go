package jupyter

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// mute is a session that does nothing, successfully.
type mute struct{}

func (mute) Info() Info                                          { return Info{} }
func (mute) Execute(context.Context, Cell, Output) *Failure      { return nil }
func (mute) Evaluate(context.Context, string) (Bundle, *Failure) { return Bundle{}, nil }
func (mute) Complete(context.Context, string, int) Completion {
	return Completion{Start: -9, End: 1 << 40, Matches: []Match{{Text: "a"}}}
}
func (mute) Inspect(context.Context, string, int, int) (Bundle, bool) { return Bundle{}, true }
func (mute) IsComplete(string) (Completeness, string)                 { return "", "" }

// unbound is a kernel without sockets, and what it sends.
func unbound(t *testing.T, session Session, lines io.Writer) (k *kernel, pub, shell *recorder) {
	k = &kernel{session: session, log: log.New(lines, "", 0), stop: make(chan struct{}), ctx: t.Context(),
		main: newQueue(), asked: newQueue(), history: newHistory("", log.New(io.Discard, "", 0))}
	k.cells.turn = make(chan struct{}, 1)
	k.subs.start = func(*queue) {}
	pub, shell = &recorder{}, &recorder{}
	k.pub = newPublisher(k, pub, &port{})
	return k, pub, shell
}

// asks makes a request of a kernel without sockets.
func (k *kernel) asks(kind, content string, shell *recorder) *request {
	raw, _ := marshal(header{ID: "1", Type: kind})
	m := &message{header: header{ID: "1", Type: kind}, rawHeader: raw, parent: emptyObject, metadata: emptyObject,
		content: json.RawMessage(content)}
	return &request{message: m, from: &channel{name: "shell", sock: shell, k: k}, queue: k.main, arrived: time.Now()}
}

// handled is what handling one request sent: its reply, or nil, and the states on IOPub.
func handled(t *testing.T, kind, content string) (reply map[string]any, states []string, lines string) {
	t.Helper()
	var text bytes.Buffer
	k, pub, shell := unbound(t, mute{}, &text)
	r := k.asks(kind, content, shell)
	if controlOnly[kind] {
		k.control = r.from
	}
	k.handle(r)
	k.history.drain(historyWait)
	for _, sent := range shell.sent {
		msg, err := decode(sent.Frames, nil)
		if err != nil || reply != nil || json.Unmarshal(msg.content, &reply) != nil {
			t.Fatalf("a reply that is not sound (%v), or the second: %q", err, sent.Frames)
		}
		if want := strings.TrimSuffix(kind, "_request") + "_reply"; msg.header.Type != want {
			t.Fatalf("a %s, not a %s", msg.header.Type, want)
		}
	}
	for _, sent := range pub.sent {
		msg, err := decode(sent.Frames, nil)
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			State string `json:"execution_state"`
		}
		json.Unmarshal(msg.content, &c)
		if c.State != "" {
			states = append(states, c.State)
		}
	}
	return reply, states, text.String()
}

var requestKinds = append(slices.Sorted(maps.Keys(handlers)), "execute_request", "comm_open", "comm_msg", "comm_close",
	"unknown_request", "unknown")

// FuzzRequests: whatever a request holds, it is answered once, with a status, busy before and idle
// after, and no handler panics.
func FuzzRequests(f *testing.F) {
	for i := range requestKinds {
		for _, s := range []string{
			`{}`, `{"code":"x","cursor_pos":-1}`, `{"code":5}`, `{"code":"a","user_expressions":{"x":"1"},"silent":true}`,
			`{"restart":"no"}`,
			`{"hist_access_type":"search","pattern":"[a-","n":-3}`, `{"hist_access_type":"range","session":-99,"start":1e30}`,
			`{"comm_id":[],"target_name":"t"}`,
		} {
			f.Add(uint8(i), s)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, content string) {
		if !isObject([]byte(content)) {
			return
		}
		name := requestKinds[int(kind)%len(requestKinds)]
		reply, states, lines := handled(t, name, content)
		if strings.Contains(lines, "panic") {
			t.Fatal(lines)
		}
		if !slices.Equal(states, []string{"busy", "idle"}) {
			t.Fatalf("states %v", states)
		}
		if strings.HasSuffix(name, "_request") != (reply != nil) {
			t.Fatalf("%s: reply %v", name, reply)
		}
		if status := reply["status"]; reply != nil && status != "ok" && status != "error" && name != "is_complete_request" {
			t.Fatalf("%s: status %v", name, status)
		}
	})
}

func TestLogIsLimited(t *testing.T) {
	var b bytes.Buffer
	l := limitLog(log.New(&b, "p: ", 0))
	for range 10 * logBurst {
		l.Print("line")
	}
	if n := strings.Count(b.String(), "p: line\n"); n < logBurst || n > logBurst+10*logRate {
		t.Errorf("%d lines", n)
	}
	l.Writer().(*limitedWriter).allowed.level = 5
	l.Print("last")
	if !strings.HasSuffix(b.String(), " lines left out)\np: last\n") {
		t.Errorf("%q", b.String()[b.Len()-60:])
	}
}

func TestBundleContent(t *testing.T) {
	data, meta := Bundle{Data: map[string]any{
		"image/png": []byte{1, 2, 3}, "image/svg+xml": []byte("<svg/>"), "application/json": []int{1}, "text/html": "<b>",
		"application/x": func() {},
	}}.content()
	text, err := marshal(data)
	want := `{"application/json":[1],"image/png":"AQID","image/svg+xml":"<svg/>","text/html":"<b>","text/plain":""}`
	if err != nil || string(text) != want || meta == nil {
		t.Errorf("%s, %v, %v", text, err, meta)
	}
}

// warming is a session that gets ready, badly.
type warming struct {
	mute
	warmed chan struct{}
}

func (w *warming) Warm(context.Context) {
	w.warmed <- struct{}{}
	panic("cold")
}

// The session gets ready once, after the first question was answered, and not beside or after a cell.
func TestWarm(t *testing.T) {
	for _, r := range []struct {
		name   string
		before func(*kernel)
		want   int
	}{
		{"first", func(*kernel) {}, 1},
		{"a cell runs", func(k *kernel) { k.cells.take(t.Context()) }, 0},
		{"a cell was there", func(k *kernel) { k.cells.number(true) }, 0},
	} {
		t.Run(r.name, func(t *testing.T) {
			w := &warming{warmed: make(chan struct{}, 9)}
			var text lockedBuffer
			k, _, shell := unbound(t, w, &text)
			r.before(k)
			for range 3 {
				k.asked.push(k.asks("kernel_info_request", "{}", shell))
			}
			k.asked.close()
			k.answer()
			if r.want > 0 {
				eventually(t, "no line of the panic", func() bool { return strings.Contains(text.String(), "cold") })
				eventually(t, "the turn is kept", func() bool { return !k.cells.busy() })
			} else {
				time.Sleep(10 * time.Millisecond)
			}
			if n := len(w.warmed); n != r.want || len(shell.sent) != 3 {
				t.Errorf("got ready %d times, %d answers", n, len(shell.sent))
			}
		})
	}
}

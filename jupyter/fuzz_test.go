package jupyter_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
	"gotorch/jupyter"
)

// How hostile bytes reach a socket. The first says them instead of a greeting.
const (
	bare      = iota // as they are, from the first byte
	greeted          // as they are, after a sound greeting
	framed           // as one message, a frame a line
	unsigned         // as the content of a message with a wrong signature
	signed           // as the content of a sound message
	header           // as the header of a signed message
	waysToSay        // how many there are
)

// kinds of messages that fuzzed contents are put in.
var kinds = []string{
	"execute_request", "complete_request", "inspect_request", "is_complete_request", "history_request",
	"comm_info_request", "kernel_info_request",
	"connect_request", "interrupt_request", "debug_request", "create_subshell_request", "delete_subshell_request",
	"list_subshell_request",
	"comm_open", "comm_msg", "comm_close", "input_reply", "nonsense_request", "nonsense", "",
}

func frame(flags byte, body []byte) []byte {
	if len(body) < 256 {
		return append([]byte{flags, byte(len(body))}, body...)
	}
	return append(binary.BigEndian.AppendUint64([]byte{flags | 2}, uint64(len(body))), body...)
}

func message(frames ...[]byte) (b []byte) {
	for i, f := range frames {
		flags := byte(1)
		if i == len(frames)-1 {
			flags = 0
		}
		b = append(b, frame(flags, f)...)
	}
	return b
}

// hostile is what a peer says to a socket.
func hostile(info jupyterclient.Info, iopub bool, way int, kind string, data []byte) []byte {
	peer := "DEALER"
	if iopub {
		peer = "SUB"
	}
	head, _ := json.Marshal(map[string]any{"msg_id": "f", "msg_type": kind, "session": "s"})
	sign := func(key string, head, content []byte) []byte {
		parts := [][]byte{head, []byte("{}"), []byte("{}"), content}
		return message(append([][]byte{[]byte("<IDS|MSG>"), jupyterclient.Sign(key, parts)}, parts...)...)
	}
	switch way {
	case bare:
		return data
	case framed:
		return append(ready(peer), message(bytes.Split(data, []byte("\n"))...)...)
	case unsigned:
		return append(ready(peer), sign("another key", head, data)...)
	case signed:
		return append(ready(peer), sign(info.Key, head, data)...)
	case header:
		return append(ready(peer), sign(info.Key, data, []byte("{}"))...)
	}
	return append(ready(peer), data...)
}

// victim is a kernel that hostile peers talk to.
type victim struct {
	*running
	log *buffer
}

func newVictim(t testing.TB) *victim {
	b := &buffer{}
	return &victim{start(t, newInfo(t, "ipc"), jupyter.Options{NoSignals: true, Log: log.New(b, "", 0)}), b}
}

// say lets a new peer say something to a socket and leave.
func (v *victim) say(t testing.TB, socket int, what []byte) {
	t.Helper()
	c, err := net.Dial("unix", fmt.Sprintf("%s-%d", v.info.IP, socket+1))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(wait))
	c.Write(what) // the kernel may have closed the connection before its end
	if len(what) > 64 {
		var p [70]byte
		c.Read(p[:]) // the kernel's greeting: it has seen the peer
	}
}

// sound says that the kernel answers on every way, has not panicked, and stops what the peer began.
func (v *victim) sound(t testing.TB) {
	t.Helper()
	for _, q := range []struct {
		ch   *jupyterclient.Channel
		kind string
	}{{v.Control, "interrupt_request"}, {v.Control, "kernel_info_request"}, {v.Shell, "kernel_info_request"}} {
		if m := v.Request(q.ch, q.kind, map[string]any{}, wait); m == nil || m.Status() != "ok" {
			t.Fatalf("%s is not answered: %v\n%s", q.kind, m, v.log)
		}
	}
	for len(v.IOPub.In) > 0 {
		<-v.IOPub.In
	}
	if text := v.log.String(); strings.Contains(text, ": panic: ") {
		t.Fatalf("a panic:\n%s", text)
	}
}

// FuzzSockets: whatever is said to a socket, the kernel goes on to answer others, and keeps nothing of it.
func FuzzSockets(f *testing.F) {
	seeds := []string{
		"", "\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03", "\x04\x05READY", "\x00\x01\x01",
		"\x02\x7f\xff\xff\xff\xff\xff\xff\xff", "\x04\x06\x04PING\x00", "\x07\x00",
		"<IDS|MSG>", "<IDS|MSG>\nsig\n{}\n{}\n{}\n{}", "\n\n\n", "{}", `{"code":"print x"}`, `{"code":"loop"}`,
		`{"code":"input ?","allow_stdin":true}`, `{"code":"panic x"}`,
		`{"code":"big 100000","user_expressions":{"a":"panic"}}`, `{"code":5}`, `{"code":null,"cursor_pos":-1}`,
		`{"code":"é𝄞","cursor_pos":99}`, `{"hist_access_type":"search","pattern":"[[[a-*?"}`,
		`{"comm_id":"c","target_name":"echo","data":"panic"}`, `{"comm_id":"c","data":"wait"}`, `{"subshell_id":"x"}`,
		`{"command":"richInspectVariables","arguments":[]}`, `{"command":"inspectVariables"}`,
		`{"msg_id":"1","msg_type":"execute_request","subshell_id":"none"}`, `{"msg_id":1}`,
		`{"msg_id":"1","msg_type":"complete_request","date":{}}`, "{\"a\":\"\xff\xfe\"}",
		strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000), `{"a":` + strings.Repeat("[", 20000) +
			strings.Repeat("]", 20000) + "}", strings.Repeat("\x01\x00", 5000), `{"value":"answer"}`,
	}
	for i, s := range seeds {
		for way := range waysToSay {
			f.Add(uint8(i+way), uint8(way), uint8(i), []byte(s))
		}
		f.Add(uint8(0), uint8(signed), uint8(0), []byte(s))
		f.Add(uint8(1), uint8(greeted), uint8(0), []byte(s))
	}
	v := newVictim(f)
	f.Fuzz(func(t *testing.T, socket, way, kind uint8, data []byte) {
		if bytes.Contains(data, []byte("shutdown")) || bytes.Contains(data, []byte("boom")) || len(data) > 1<<20 {
			return // what ends the kernel, and what makes the session itself panic
		}
		s := int(socket) % 5
		v.say(t, s, hostile(v.info, s == 1, int(way)%waysToSay, kinds[int(kind)%len(kinds)], data))
		v.sound(t)
	})
}

// What hostile peers leave behind does not grow: no goroutine, no memory, few lines.
func TestHostilePeersLeaveNothing(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 300
	}
	v := newVictim(t)
	nonsense := [][]byte{
		[]byte("GET / HTTP/1.0\r\n\r\n"), ready("DEALER")[:40], ready("PULL"),
		append(ready("DEALER"), "\x02\x7f\xff\xff\xff\xff\xff\xff\xff"...),
		hostile(v.info, false, framed, "", bytes.Repeat([]byte("x\n"), 100)),
		hostile(v.info, false, unsigned, "execute_request", []byte("{}")),
		hostile(v.info, false, signed, "complete_request", []byte(`{"code":"p"}`)), append(ready("SUB"), 0, 1, 1),
	}
	do := func(n int) (goroutines int, heap uint64) {
		for i := range n {
			v.say(t, i%5, nonsense[i/5%len(nonsense)])
		}
		v.sound(t)
		for range 100 {
			if goroutines = runtime.NumGoroutine(); goroutines < 120 {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return goroutines, m.HeapAlloc
	}
	g0, h0 := do(100)
	g1, h1 := do(rounds)
	t.Logf("%d goroutines and %d KB, then %d and %d KB", g0, h0>>10, g1, h1>>10)
	if g1 > g0+40 || h1 > h0+(8<<20) {
		t.Errorf("%d goroutines and %d KB, then %d and %d KB", g0, h0>>10, g1, h1>>10)
	}
	if n := strings.Count(v.log.String(), "\n"); n < 50 || n > 1000 {
		t.Errorf("%d lines of log", n)
	}
}

// A message that is dropped is one line of the log; many are few lines.
func TestOneLineForEachDroppedMessage(t *testing.T) {
	k, b := logged(t)
	lines := func() int { return strings.Count(b.String(), "\n") }
	bad := [][]byte{[]byte("<IDS|MSG>"), []byte("deadbeef"), []byte("{}"), []byte("{}"), []byte("{}"), []byte("{}")}
	raw := message(bad...)
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", k.info.ShellPort))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write(append(ready("DEALER"), bytes.Repeat(raw, 50)...))
	for end := time.Now().Add(wait); lines() < 50 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	k.alive()
	equal(t, "lines", lines(), 50)
	c.Write(bytes.Repeat(raw, 5000))
	k.alive()
	time.Sleep(100 * time.Millisecond)
	if n := lines(); n > 400 {
		t.Errorf("%d lines for 5050 messages", n)
	}
}

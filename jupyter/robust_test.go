package jupyter_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"gotorch/internal/jupyterclient"
	"gotorch/jupyter"
	"gotorch/jupyter/internal/fake"
)

// buffer is a log that several goroutines may write and a test may read.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func logged(t *testing.T) (*running, *buffer) {
	b := &buffer{}
	return start(t, newInfo(t, "tcp"), jupyter.Options{NoSignals: true, Log: log.New(b, "", 0)}), b
}

func (b *buffer) wait(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(wait); !strings.Contains(b.String(), text); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the log does not say %q:\n%s", text, b)
		}
	}
}

func TestMalformedMessagesAreDropped(t *testing.T) {
	k, b := logged(t)
	sign := func(parts ...string) [][]byte {
		var p [][]byte
		for _, s := range parts {
			p = append(p, []byte(s))
		}
		return append([][]byte{[]byte("<IDS|MSG>"), jupyterclient.Sign(k.info.Key, p)}, p...)
	}
	frames := func(fs ...string) [][]byte {
		var p [][]byte
		for _, s := range fs {
			p = append(p, []byte(s))
		}
		return p
	}
	good := sign(`{"msg_id":"once","msg_type":"kernel_info_request"}`, "{}", "{}", "{}")
	deep := `{"a":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + `}`
	header := `{"msg_id":"x","msg_type":"kernel_info_request"}`
	for _, c := range []struct {
		frames [][]byte
		says   string
	}{
		{frames("garbage"), "no delimiter"},
		{frames(""), "no delimiter"},
		{frames("<IDS|MSG>"), "parts after the delimiter"},
		{frames("<IDS|MSG>", "", "{}", "{}", "{}"), "parts after the delimiter"},
		{frames("<IDS|MSG>", "", header, "{}", "{}", "{}"), "unsigned"},
		{frames("<IDS|MSG>", "deadbeef", header, "{}", "{}", "{}"), "wrong signature"},
		{sign("{not json", "{}", "{}", "{}"), "the header is not a JSON object"},
		{sign("[]", "{}", "{}", "{}"), "the header is not a JSON object"},
		{sign(header, "null", "{}", "{}"), "the parent header is not a JSON object"},
		{sign(header, "{}", "5", "{}"), "the metadata is not a JSON object"},
		{sign(header, "{}", "{}", "{} {}"), "the content is not a JSON object"},
		{sign(header, "{}", "{}", deep), "the content is not a JSON object"},
		{sign(header, "{}", "{}", "{\"a\":\"\xff\"}"), "the content is not UTF-8"},
		{sign(`{"msg_id":"x"}`, "{}", "{}", "{}"), "lacks msg_type"},
		{sign(`{"msg_id":5,"msg_type":"a"}`, "{}", "{}", "{}"), "the header: json"},
		{good, ""},
		{good, "sent twice"},
	} {
		for _, ch := range []*jupyterclient.Channel{k.Shell, k.Control, k.Stdin} {
			if err := ch.Socket.SendMulti(zmq4.NewMsgFrom(c.frames...)); err != nil {
				t.Fatal(err)
			}
			if c.says == "" {
				break
			}
		}
		b.wait(t, c.says)
		k.alive()
	}
}

// dialRaw connects and says lines of bytes, then reads until the kernel ends the connection.
func dialRaw(t *testing.T, port int, say []byte) (net.Conn, error) {
	t.Helper()
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.Write(say)
	c.SetReadDeadline(time.Now().Add(wait))
	_, err = io.Copy(io.Discard, c)
	return c, err
}

// ready is what a peer says first.
func ready(kind string) []byte {
	b := append([]byte("\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03\x00NULL"), make([]byte, 48)...)
	body := append([]byte("\x05READY\x0bSocket-Type"), binary.BigEndian.AppendUint32(nil, uint32(len(kind)))...)
	body = append(body, kind...)
	return append(append(b, 4, byte(len(body))), body...)
}

func TestBadPeersAreDropped(t *testing.T) {
	k, b := logged(t)
	shell, iopub := k.info.ShellPort, k.info.IOPubPort
	curve := ready("DEALER")
	copy(curve[12:], "CURVE")
	for _, c := range []struct {
		port int
		say  []byte
		log  string
	}{
		{shell, []byte("GET / HTTP/1.0\r\nHost: somewhere.example.org\r\nUser-Agent: something with a name\r\n\r\n"),
			"not ZMTP"},
		{shell, curve, "NULL"},
		{shell, ready("PULL"), `"PULL" socket cannot`},
		{shell, ready("SUB"), `"SUB" socket cannot`},
		{shell, ready("\xff\xff"), "cannot"},
		{shell, append(ready("")[:64], "\x04\x0f\x05READY\x0bSocket-T"...), "READY is cut short"},
		{shell, append(ready("")[:64], "\x04\x16\x05READY\x0bSocket-Type\xff\xff\xff\xff"...), "READY is cut short"},
		{shell, append(ready("")[:64], "\x04\x06\x05HELLO"...), "no READY"},
		{shell, append(ready("")[:64], "\x00\x06\x05READY"...), "no READY"},
		{shell, append([]byte("\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x01\x00"), make([]byte, 60)...),
			"ZMTP 1 is too old"},
		{shell, append(ready("DEALER"), "\x02\x7f\xff\xff\xff\xff\xff\xff\xff"...), "a frame is too long"},
		{shell, append(ready("DEALER"), "\x02\x00\x00\x00\x00\x20\x00\x00\x00"...), "a frame is too long"},
		{shell, append(ready("DEALER"), bytes.Repeat([]byte("\x01\x00"), 5000)...), "a message is too long"},
		{iopub, append(ready("SUB"), "\x02\x00\x00\x00\x00\x00\x01\x00\x00"...), "a frame is too long"},
		{iopub, append(ready("SUB"), bytes.Repeat([]byte("\x00\x03\x01ab"), 1001)...), "more than 1000 subscriptions"},
	} {
		dialRaw(t, c.port, c.say)
		b.wait(t, c.log)
	}
	k.alive()
}

func TestIdleConnectionsBlockNobody(t *testing.T) {
	k := tcp(t)
	for _, p := range []int{k.info.ShellPort, k.info.IOPubPort, k.info.HBPort, k.info.ControlPort, k.info.StdinPort} {
		for range 3 {
			c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", p))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
	}
	other, err := jupyterclient.Dial(k.info)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if r := other.Execute("print hello", wait, nil); r.Text("stdout") != "hello\n" {
		t.Error("a newcomer is not served")
	}
}

func TestSubscriberThatDoesNotRead(t *testing.T) {
	k := tcp(t)
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", k.info.IOPubPort))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.(*net.TCPConn).SetReadBuffer(4096)
	c.Write(append(ready("SUB"), 0, 1, 1))
	time.Sleep(50 * time.Millisecond)
	for range 3 {
		if r := k.run("big 5000000", nil); len(r.Text("stdout")) != 5000000 {
			t.Fatal("output is missing")
		}
	}
}

func TestPingIsAnswered(t *testing.T) {
	k := tcp(t)
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", k.info.ShellPort))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write(append(ready("DEALER"), "\x04\x0a\x04PING\x00\x0aabc"...))
	c.SetReadDeadline(time.Now().Add(wait))
	var got []byte
	for !bytes.HasSuffix(got, []byte("\x04\x08\x04PONGabc")) {
		var p [256]byte
		n, err := c.Read(p[:])
		if err != nil {
			t.Fatalf("%v after %q", err, got)
		}
		got = append(got, p[:n]...)
	}
}

func TestHeartbeat(t *testing.T) {
	k := tcp(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for range 2 {
		req := zmq4.NewReq(ctx)
		defer req.Close()
		if err := req.Dial(k.info.URL(k.info.HBPort)); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			ping := fmt.Sprintf("ping %d", i)
			if err := req.Send(zmq4.NewMsgString(ping)); err != nil {
				t.Fatal(err)
			}
			m, err := req.Recv()
			if err != nil || len(m.Frames) != 1 || string(m.Frames[0]) != ping {
				t.Fatalf("%v, %v", m, err)
			}
		}
	}
}

func TestControlAnswersWhileACellRuns(t *testing.T) {
	k := tcp(t)
	id := k.SendCell("loop", nil)
	waitFor(t, k, id, "execute_input")
	for _, kind := range []string{"kernel_info_request", "complete_request", "interrupt_request"} {
		if m := k.Request(k.Control, kind, map[string]any{}, wait); m == nil || m.Status() != "ok" {
			t.Fatalf("%s: %v", kind, m)
		}
	}
	k.Collect(id, time.Now(), wait)
}

// A cell sent on the control socket runs, in turn, and is answered there.
func TestCellOnControl(t *testing.T) {
	k := tcp(t)
	id := k.Send(k.Control, "execute_request", map[string]any{"code": "print hello"})
	if m := k.Control.Reply(id, wait); m == nil || m.Status() != "ok" || m.Type() != "execute_reply" {
		t.Errorf("reply: %v", m)
	}
}

// Nothing of the cell's output is lost when the kernel ends right after it.
func TestShutdown(t *testing.T) {
	for _, transport := range []string{"tcp", "ipc"} {
		k := start(t, newInfo(t, transport), jupyter.Options{NoSignals: true})
		cell := k.SendCell("big 3000000", nil)
		id := k.Send(k.Shell, "shutdown_request", map[string]any{"restart": true})
		if m := k.Shell.Reply(id, wait); m == nil || m.Content["restart"] != true || m.Status() != "ok" {
			t.Fatalf("reply: %v", m)
		}
		n := 0
		for {
			m := k.IOPub.Recv(wait)
			if m == nil {
				t.Fatal("no shutdown_reply on IOPub")
			}
			if m.Type() == "stream" && m.ParentID() == cell {
				n += len(m.Content["text"].(string))
			}
			if m.Type() == "shutdown_reply" {
				equal(t, "parent", m.ParentID(), id)
				break
			}
		}
		equal(t, "bytes", n, 3000000)
		select {
		case err := <-k.done:
			k.done <- err
		case <-time.After(wait):
			t.Fatal("the kernel does not end")
		}
		if transport == "ipc" {
			for _, p := range []int{1, 2, 3, 4, 5} {
				if _, err := os.Lstat(fmt.Sprintf("%s-%d", k.info.IP, p)); err == nil {
					t.Errorf("the socket %d is left behind", p)
				}
			}
		}
	}
}

func TestShutdownWhileACellRuns(t *testing.T) {
	k := tcp(t)
	id := k.SendCell("loop", nil)
	waitFor(t, k, id, "execute_input")
	if m := k.Request(k.Control, "shutdown_request", map[string]any{"restart": false}, wait); m == nil {
		t.Fatal("no reply")
	}
	select {
	case err := <-k.done:
		k.done <- err
	case <-time.After(wait):
		t.Fatal("the kernel does not end")
	}
}

func TestPortTakenAndStaleSocket(t *testing.T) {
	run := func(info jupyterclient.Info) error {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		return jupyter.Run(ctx, writeInfo(t, info), fake.New(),
			jupyter.Options{NoSignals: true, Log: log.New(io.Discard, "", 0)})
	}
	k := tcp(t)
	if err := run(k.info); err == nil || !strings.Contains(err.Error(), "the shell socket cannot listen on 127.0.0.1:") {
		t.Errorf("a port in use: %v", err)
	}
	ipc := newInfo(t, "ipc")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: ipc.IP + "-3", Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	if err := run(ipc); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a socket in use: %v", err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if err := run(ipc); err != nil {
		t.Errorf("a stale socket: %v", err)
	}
}

func TestBadConnectionFiles(t *testing.T) {
	for text, says := range map[string]string{
		"":                             "unexpected end",
		"{}":                           "port 0",
		`{"transport":"udp","ip":"x"}`: "udp",
		string(mustJSON(jupyterclient.Info{IP: "a", Key: "k", Transport: "tcp", SignatureScheme: "hmac-md5", ShellPort: 1,
			IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5})): "hmac-md5",
	} {
		file := t.TempDir() + "/c.json"
		os.WriteFile(file, []byte(text), 0o600)
		err := jupyter.Run(t.Context(), file, fake.New(), jupyter.Options{NoSignals: true})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := jupyter.Run(t.Context(), "/none/such", fake.New(), jupyter.Options{}); err == nil {
		t.Error("a missing file is no error")
	}
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

package jupyter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
	"gotorch/jupyter"
	"gotorch/jupyter/internal/fake"
)

const wait = 20 * time.Second

// running is a kernel in this process, and a client of it.
type running struct {
	*jupyterclient.Client
	t    testing.TB
	info jupyterclient.Info
	file string
	stop func()
	done chan error
}

func freePorts(t testing.TB, n int) []int {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

func newInfo(t testing.TB, transport string) jupyterclient.Info {
	info := jupyterclient.Info{Transport: transport, IP: "127.0.0.1", Key: "a key", SignatureScheme: "hmac-sha256"}
	p := []int{1, 2, 3, 4, 5}
	if transport == "tcp" {
		p = freePorts(t, 5)
	} else {
		dir, err := os.MkdirTemp("", "k") // t.TempDir is too long for a socket's name
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		info.IP = filepath.Join(dir, "s")
	}
	info.ShellPort, info.IOPubPort, info.StdinPort, info.ControlPort, info.HBPort = p[0], p[1], p[2], p[3], p[4]
	return info
}

func writeInfo(t testing.TB, info jupyterclient.Info) string {
	text, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kernel.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// start runs a kernel with the fake session and connects to it.
func start(t testing.TB, info jupyterclient.Info, opts jupyter.Options) *running {
	t.Helper()
	k := &running{t: t, info: info, file: writeInfo(t, info), done: make(chan error, 1)}
	if opts.Log == nil {
		opts.Log = log.New(io.Discard, "", 0)
	}
	ctx, cancel := context.WithCancel(context.Background())
	k.stop = cancel
	go func() { k.done <- jupyter.Run(ctx, k.file, fake.New(), opts) }()
	var err error
	if k.Client, err = jupyterclient.Dial(info); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		k.Close()
		cancel()
		select {
		case err := <-k.done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(wait):
			t.Error("the kernel does not end")
		}
	})
	return k
}

func tcp(t testing.TB) *running { return start(t, newInfo(t, "tcp"), jupyter.Options{NoSignals: true}) }

// run executes a cell that must be answered.
func (k *running) run(code string, extra map[string]any) *jupyterclient.Ran {
	k.t.Helper()
	r := k.Execute(code, wait, extra)
	if r.Reply == nil {
		k.t.Fatalf("%q: no reply; IOPub: %v", code, r.Types())
	}
	return r
}

// alive says that the kernel still answers.
func (k *running) alive() {
	k.t.Helper()
	if m := k.Request(k.Shell, "kernel_info_request", map[string]any{}, wait); m == nil || m.Status() != "ok" {
		k.t.Fatalf("the kernel does not answer: %v", m)
	}
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}

func TestTransports(t *testing.T) {
	for _, transport := range []string{"tcp", "ipc"} {
		for _, key := range []string{"secret", ""} {
			t.Run(fmt.Sprintf("%s key=%q", transport, key), func(t *testing.T) {
				info := newInfo(t, transport)
				info.Key = key
				k := start(t, info, jupyter.Options{NoSignals: true})
				r := k.run("print hello\nresult 42", nil)
				equal(t, "messages", r.Types(), []string{"busy", "execute_input", "stream", "execute_result", "idle"})
				equal(t, "stdout", r.Text("stdout"), "hello\n")
				equal(t, "status", r.Reply.Status(), "ok")
				equal(t, "count", r.Reply.Content["execution_count"], 1.0)
				equal(t, "payload", r.Reply.Content["payload"], []any{})
				equal(t, "user_expressions", r.Reply.Content["user_expressions"], map[string]any{})
				equal(t, "version", r.Reply.Header["version"], "5.5")
				res := r.Of("execute_result")[0].Content
				equal(t, "result", res, map[string]any{"data": map[string]any{"text/plain": "42"}, "metadata": map[string]any{},
					"execution_count": 1.0})
			})
		}
	}
}

func TestParentHeaderIsByteFaithful(t *testing.T) {
	k := tcp(t)
	raw := []byte(
		`{ "date":"2020-01-01T00:00:00Z", "extra" : [1.50, 1e3, "ü\u00e9"], "msg_type":"kernel_info_request","msg_id":"odd one", "session":"s", "username":"", "version":"5.3"}`)
	k.SendParts(k.Shell, raw, []byte("{}"), []byte("{}"), []byte("{}"))
	m := k.Shell.Reply("odd one", wait)
	if m == nil || !bytes.Equal(m.RawParent, raw) {
		t.Fatalf("parent header of the reply: %v", m)
	}
	if m := k.IOPub.Reply("odd one", wait); m == nil || !bytes.Equal(m.RawParent, raw) {
		t.Fatalf("parent header on IOPub: %v", m)
	}
}

func TestExecute(t *testing.T) {
	k := tcp(t)
	r := k.run("result 1", map[string]any{"silent": true})
	equal(t, "a silent cell shows", r.Types(), []string{"busy", "idle"})
	equal(t, "a silent cell counts", r.Reply.Content["execution_count"], 0.0)
	r = k.run("result 1", map[string]any{"store_history": false})
	equal(t, "count, not stored", r.Reply.Content["execution_count"], 0.0)
	equal(t, "shown, not stored", len(r.Of("execute_result")), 1)
	r = k.run("set a 7", map[string]any{"user_expressions": map[string]any{"x": "a", "y": "b", "z": "panic"}})
	equal(t, "count", r.Reply.Content["execution_count"], 1.0)
	ue := r.Reply.Content["user_expressions"].(map[string]any)
	equal(t, "x", ue["x"], map[string]any{"status": "ok", "data": map[string]any{"text/plain": "7"},
		"metadata": map[string]any{}})
	equal(t, "y", ue["y"].(map[string]any)["ename"], "NameError")
	equal(t, "z", ue["z"].(map[string]any)["status"], "error")
	r = k.run("  \n", nil)
	equal(t, "an empty cell counts", r.Reply.Content["execution_count"], 1.0)
	equal(t, "an empty cell", r.Reply.Status(), "ok")

	m := k.Request(k.Shell, "execute_request", map[string]any{}, wait)
	equal(t, "no code at all", m.Status(), "ok")
	m = k.Request(k.Shell, "execute_request", map[string]any{"code": 5}, wait)
	equal(t, "code of a wrong type", m.Status(), "error")
	equal(t, "its count", m.Content["execution_count"], 1.0)
}

func TestError(t *testing.T) {
	k := tcp(t)
	r := k.run("print before\nfail boom", nil)
	equal(t, "messages", r.Types(), []string{"busy", "execute_input", "stream", "error", "idle"})
	e := r.Of("error")[0].Content
	for _, f := range []string{"ename", "evalue", "traceback"} {
		equal(t, f, e[f], r.Reply.Content[f])
	}
	equal(t, "ename", e["ename"], "Failed")
	equal(t, "traceback", e["traceback"], []any{"Failed: boom"})
	r = k.run("panic oh", nil)
	equal(t, "a panic", r.Reply.Content["ename"], "KernelError")
	equal(t, "a panic says", r.Reply.Content["evalue"], "oh")
	equal(t, "count", r.Reply.Content["execution_count"], 2.0)
}

// statuses of several cells sent at once.
func (k *running) pipeline(extra map[string]any, codes ...string) []string {
	k.t.Helper()
	var ids, got []string
	for _, c := range codes {
		ids = append(ids, k.SendCell(c, extra))
	}
	for _, id := range ids {
		m := k.Shell.Recv(wait)
		if m == nil || m.ParentID() != id {
			k.t.Fatalf("reply %v, want one to %s", m, id)
		}
		// what did not run has no number
		if _, counted := m.Content["execution_count"]; counted == (m.Status() == "aborted") {
			k.t.Errorf("execution_count: %v", m.Content)
		}
		got = append(got, m.Status())
	}
	return got
}

func TestErrorAbortsTheQueue(t *testing.T) {
	k := tcp(t)
	equal(t, "aborted", k.pipeline(nil, "sleep 100\nfail a", "print b", "print c"),
		[]string{"error", "aborted", "aborted"})
	equal(t, "after it", k.pipeline(nil, "print d"), []string{"ok"})
	equal(t, "stop_on_error=false", k.pipeline(map[string]any{"stop_on_error": false}, "fail a", "print b"),
		[]string{"error", "ok"})
	equal(t, "a cell sent at once after the reply", k.run("fail x", nil).Reply.Status(), "error")
	equal(t, "is not aborted", k.run("print y", nil).Reply.Status(), "ok")
}

func TestInterrupt(t *testing.T) {
	k := tcp(t)
	interrupt := func() {
		if m := k.Request(k.Control, "interrupt_request", map[string]any{}, wait); m == nil || m.Status() != "ok" {
			t.Fatalf("interrupt: %v", m)
		}
	}
	interrupt() // idle: harmless
	k.run("set a 7", nil)
	begin := time.Now()
	first := k.SendCell("loop", nil)
	second := k.SendCell("print no", nil)
	waitFor(t, k, first, "execute_input")
	// sent behind the second cell, which is in the queue by now
	if k.Request(k.Shell, "kernel_info_request", map[string]any{}, wait) == nil {
		t.Fatal("no kernel_info_reply while a cell runs")
	}
	interrupt()
	equal(t, "the cell", k.Shell.Reply(first, wait).Content["ename"], "Interrupted")
	equal(t, "the next", k.Shell.Reply(second, wait).Status(), "aborted")
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
	equal(t, "state", k.run("get a", nil).Text("stdout"), "7\n")
}

// waitFor takes messages from IOPub until one of a type answers id.
func waitFor(t testing.TB, k *running, id, kind string) *jupyterclient.Message {
	t.Helper()
	for end := time.Now().Add(wait); ; {
		m := k.IOPub.Recv(time.Until(end))
		if m == nil {
			t.Fatalf("no %s", kind)
		}
		if m.ParentID() == id && m.Type() == kind {
			return m
		}
	}
}

func TestDisplay(t *testing.T) {
	k := tcp(t)
	r := k.run("image\nshow d one\nupdate d two\nclear wait\npage help\nnext code", nil)
	equal(t, "messages", r.Types(),
		[]string{"busy", "execute_input", "display_data", "display_data", "update_display_data", "clear_output", "idle"})
	img := r.Of("display_data")[0].Content
	data := img["data"].(map[string]any)
	if s, _ := data["image/png"].(string); !strings.HasPrefix(s, "iVBOR") {
		t.Errorf("image: %v", data["image/png"])
	}
	equal(t, "json", data["application/json"], map[string]any{"w": 1.0})
	equal(t, "metadata", img["metadata"], map[string]any{"image/png": map[string]any{"width": 1.0}})
	equal(t, "transient", img["transient"], map[string]any{})
	equal(t, "id", r.Of("display_data")[1].Content["transient"], map[string]any{"display_id": "d"})
	equal(t, "id again", r.Of("update_display_data")[0].Content["transient"], map[string]any{"display_id": "d"})
	equal(t, "clear", r.Of("clear_output")[0].Content, map[string]any{"wait": true})
	equal(t, "payload", r.Reply.Content["payload"], []any{
		map[string]any{"source": "page", "data": map[string]any{"text/plain": "help"}, "start": 0.0},
		map[string]any{"source": "set_next_input", "text": "code", "replace": false},
	})
}

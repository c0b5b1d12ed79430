package jupyter_test

import (
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// say sends a message of a comm and gives what IOPub says of it, up to its idle.
func (k *running) say(kind, id string, data any, buffers ...[]byte) []*jupyterclient.Message {
	k.t.Helper()
	sent := k.Send(k.Shell, kind, map[string]any{"comm_id": id, "target_name": "echo", "data": data}, buffers...)
	return k.until(sent)
}

// until gathers what IOPub says of a message, without its busy and idle.
func (k *running) until(id string) (out []*jupyterclient.Message) {
	k.t.Helper()
	for end := time.Now().Add(wait); ; {
		m := k.IOPub.Recv(time.Until(end))
		switch {
		case m == nil:
			k.t.Fatalf("no idle")
		case m.ParentID() != id:
		case m.Type() == "status" && m.Content["execution_state"] == "idle":
			return out
		case m.Type() != "status":
			out = append(out, m)
		}
	}
}

func (k *running) openComms(content map[string]any) any {
	m := k.Request(k.Shell, "comm_info_request", content, wait)
	if m == nil || m.Status() != "ok" {
		k.t.Fatalf("comm_info: %v", m)
	}
	return m.Content["comms"]
}

func TestCommsOfFrontEnds(t *testing.T) {
	k := tcp(t)
	if got := k.say("comm_open", "a", map[string]any{}); len(got) != 0 {
		t.Fatalf("a known target is answered: %v", got)
	}
	got := k.say("comm_msg", "a", map[string]any{"x": "é"}, []byte{1, 0, 2}, []byte{})
	if len(got) != 1 || got[0].Type() != "comm_msg" || got[0].Content["comm_id"] != "a" {
		t.Fatalf("echo: %v", got)
	}
	equal(t, "data", got[0].Content["data"], map[string]any{"x": "é"})
	equal(t, "buffers", got[0].Buffers, [][]byte{{1, 0, 2}, {}})
	echo := map[string]any{"a": map[string]any{"target_name": "echo"}}
	equal(t, "comms", k.openComms(map[string]any{}), echo)
	equal(t, "comms of the target", k.openComms(map[string]any{"target_name": "echo"}), echo)
	equal(t, "comms of another target", k.openComms(map[string]any{"target_name": "x"}), map[string]any{})

	k.say("comm_close", "a", map[string]any{})
	equal(t, "comms after the close", k.openComms(map[string]any{}), map[string]any{})
	if got := k.say("comm_msg", "a", map[string]any{}); len(got) != 0 {
		t.Errorf("a closed comm answers: %v", got)
	}
}

func TestCommOfUnknownTarget(t *testing.T) {
	k := tcp(t)
	got := k.until(k.Send(k.Shell, "comm_open",
		map[string]any{"comm_id": "a", "target_name": "nobody", "data": map[string]any{}}))
	if len(got) != 1 || got[0].Type() != "comm_close" || got[0].Content["comm_id"] != "a" {
		t.Errorf("%v", got)
	}
	equal(t, "comms", k.openComms(map[string]any{}), map[string]any{})
}

func TestCommsOfCells(t *testing.T) {
	k := tcp(t)
	r := k.run("comm comm_open b widget", nil)
	m := r.Of("comm_open")
	if len(m) != 1 || m[0].Content["comm_id"] != "b" || m[0].Content["target_name"] != "widget" ||
		m[0].ParentID() != r.ID {
		t.Fatalf("%v", r.Types())
	}
	equal(t, "data", m[0].Content["data"], map[string]any{"said": "hello"})
	equal(t, "buffers", m[0].Buffers, [][]byte{{0, 255}})
	equal(t, "comms", k.openComms(map[string]any{}), map[string]any{"b": map[string]any{"target_name": "widget"}})
	if r := k.run("comm comm_close b", nil); len(r.Of("comm_close")) != 1 {
		t.Errorf("%v", r.Types())
	}
	for _, code := range []string{"comm comm_msg b", "comm comm_close c", "comm status b"} {
		if r := k.run(code, nil); r.Reply.Content["ename"] != "CommError" {
			t.Errorf("%s: %v", code, r.Reply.Content)
		}
	}
}

// A comm's handler is stopped by an interrupt, and its panic is contained.
func TestCommInterrupted(t *testing.T) {
	k := tcp(t)
	k.say("comm_open", "a", map[string]any{})
	id := k.Send(k.Shell, "comm_msg", map[string]any{"comm_id": "a", "data": "wait"})
	equal(t, "the handler", waitFor(t, k, id, "comm_msg").Content["data"], "begun")
	k.Request(k.Control, "interrupt_request", map[string]any{}, wait)
	got := k.until(id)
	if len(got) != 2 || got[0].Type() != "error" || got[0].Content["ename"] != "Interrupted" {
		t.Errorf("%v", got)
	}
	k.say("comm_msg", "a", "panic")
	k.alive()
}

// While a cell runs, what a comm brings waits: the order is that of arrival.
func TestCommsWaitForTheCell(t *testing.T) {
	k := tcp(t)
	k.say("comm_open", "a", map[string]any{})
	cell := k.SendCell("sleep 50\nprint done", nil)
	said := k.Send(k.Shell, "comm_msg", map[string]any{"comm_id": "a", "data": 1})
	var order []string
	for len(order) < 2 {
		m := k.IOPub.Recv(wait)
		if m == nil {
			t.Fatalf("only %v", order)
		}
		if m.Type() == "stream" && m.ParentID() == cell || m.Type() == "comm_msg" && m.ParentID() == said {
			order = append(order, m.Type())
		}
	}
	equal(t, "order", order, []string{"stream", "comm_msg"})
}

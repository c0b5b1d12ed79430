package jupyter_test

import (
	"encoding/json"
	"testing"
	"time"
)

// sendDated sends a cell with a date that is off by skew.
func (k *running) sendDated(code string, skew time.Duration) string {
	k.t.Helper()
	h := k.Header("execute_request")
	h["date"] = time.Now().Add(skew).UTC().Format("2006-01-02T15:04:05.000000Z")
	head, err := json.Marshal(h)
	if err != nil {
		k.t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{"code": code})
	if err != nil {
		k.t.Fatal(err)
	}
	k.SendParts(k.Shell, head, []byte("{}"), []byte("{}"), body)
	return h["msg_id"].(string)
}

// Whoever sends a cell before the reply to one that failed can have left sees it aborted, however
// fast the kernel was and whatever the client's clock says.
func TestRunAllStopsAtTheFirstError(t *testing.T) {
	for _, skew := range skews {
		t.Run(skew.String(), func(t *testing.T) { runAll(t, skew) })
	}
}

var skews = []time.Duration{0, time.Hour, -time.Hour} // of a client's clock

func runAll(t *testing.T, skew time.Duration) {
	k := tcp(t)
	tried := 0
	for i := range 100 {
		gap := time.Duration(i%4) * time.Millisecond
		begin := time.Now()
		first := k.sendDated("fail a", skew)
		time.Sleep(gap)
		second := k.sendDated("print b", skew)
		took := time.Since(begin)
		if s := k.reply(first).Status(); s != "error" {
			t.Fatal(s)
		}
		status := k.reply(second).Status()
		if took > 4*time.Millisecond || status != "aborted" && time.Since(begin) > 100*time.Millisecond {
			continue // the machine was elsewhere: the first reply may have left, or the second cell have come long after it
		}
		if tried++; status != "aborted" {
			t.Errorf("%v after the first: %s", took, status)
		}
	}
	if tried < 20 {
		t.Skipf("only %d pairs were sent in time", tried)
	}
}

// Whoever waits for the reply, and then sends, is never aborted.
func TestAfterAnErrorTheNextCellRuns(t *testing.T) {
	for _, skew := range skews {
		t.Run(skew.String(), func(t *testing.T) { oneByOne(t, skew) })
	}
}

func oneByOne(t *testing.T, skew time.Duration) {
	k := tcp(t)
	for range 70 {
		if s := k.reply(k.sendDated("fail a", skew)).Status(); s != "error" {
			t.Fatal(s)
		}
		if s := k.reply(k.sendDated("print b", skew)).Status(); s != "ok" {
			t.Fatal(s)
		}
	}
}

// The error is shown while its reply is held back, and the other shells do not wait for it.
func TestOnlyTheReplyIsHeldBack(t *testing.T) {
	k := tcp(t)
	sub := k.sub()
	first := 0
	for range 20 {
		id := k.SendCell("fail a", nil)
		waitFor(t, k, id, "error")
		if len(k.Shell.In) == 0 {
			first++
		}
		k.reply(id)
		// The main shell fails, and holds its reply; a cell of a subshell sent right behind it has its turn.
		failing := k.SendCell("fail b", nil)
		other := k.sendTo(sub, "execute_request", map[string]any{"code": "print c"})
		got := map[string]any{}
		for range 2 {
			m := k.Shell.Recv(wait)
			got[m.ParentID()] = m.Status()
		}
		equal(t, "statuses", got, map[string]any{failing: "error", other: "ok"})
	}
	if first < 5 {
		t.Errorf("the error was before the reply %d times in 20", first)
	}
}

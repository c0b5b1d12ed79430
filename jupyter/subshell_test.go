package jupyter_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// sub makes a subshell.
func (k *running) sub() string {
	k.t.Helper()
	m := k.Request(k.Control, "create_subshell_request", map[string]any{}, wait)
	id, _ := m.Content["subshell_id"].(string)
	if m.Status() != "ok" || id == "" {
		k.t.Fatalf("create_subshell: %v", m.Content)
	}
	return id
}

// sendTo sends a request to a subshell.
func (k *running) sendTo(sub, kind string, content map[string]any) string {
	h := k.Header(kind)
	h["subshell_id"] = sub
	head, err := json.Marshal(h)
	if err != nil {
		k.t.Fatal(err)
	}
	body, err := json.Marshal(content)
	if err != nil {
		k.t.Fatal(err)
	}
	k.SendParts(k.Shell, head, []byte("{}"), []byte("{}"), body)
	return h["msg_id"].(string)
}

func (k *running) reply(id string) *jupyterclient.Message {
	k.t.Helper()
	m := k.Shell.Reply(id, wait)
	if m == nil {
		k.t.Fatalf("no reply to %s", id)
	}
	return m
}

// looping starts a cell that does not end by itself.
func (k *running) looping() string {
	id := k.SendCell("loop", nil)
	waitFor(k.t, k, id, "execute_input")
	return id
}

func (k *running) interrupt() {
	k.t.Helper()
	if m := k.Request(k.Control, "interrupt_request", map[string]any{}, wait); m == nil || m.Status() != "ok" {
		k.t.Fatalf("interrupt: %v", m)
	}
}

func TestSubshells(t *testing.T) {
	k := tcp(t)
	features := k.Request(k.Shell, "kernel_info_request", map[string]any{}, wait).Content["supported_features"]
	equal(t, "features", features, []any{"kernel subshells", "debugger"})
	list := func() any {
		return k.Request(k.Control, "list_subshell_request", map[string]any{}, wait).Content["subshell_id"]
	}
	equal(t, "none at first", list(), []any{})
	a, b := k.sub(), k.sub()
	if a == b || len(list().([]any)) != 2 {
		t.Errorf("subshells %v and %v, list %v", a, b, list())
	}
	remove := func(id string) string {
		return k.Request(k.Control, "delete_subshell_request", map[string]any{"subshell_id": id}, wait).Status()
	}
	equal(t, "delete", remove(b), "ok")
	equal(t, "delete again", remove(b), "error")
	equal(t, "one is left", list(), []any{a})
	m := k.reply(k.sendTo(b, "complete_request", map[string]any{"code": "p"}))
	equal(t, "a subshell that is gone", m.Content["ename"], "SubshellNotFound")
	m = k.reply(k.sendTo(a, "execute_request", map[string]any{"code": "set x 1"}))
	equal(t, "a cell of a subshell", m.Status(), "ok")
	equal(t, "the header passed back", m.Parent["subshell_id"], a)
	equal(t, "names and counts are shared", k.run("get x", nil).Text("stdout"), "1\n")
	equal(t, "on shell", k.Request(k.Shell, "create_subshell_request", map[string]any{}, wait).Status(), "error")
}

func TestSubshellsAreCounted(t *testing.T) {
	k := tcp(t)
	for range 100 {
		k.sub()
	}
	m := k.Request(k.Control, "create_subshell_request", map[string]any{}, wait)
	equal(t, "one too many", m.Content["ename"], "TooManySubshells")
}

func TestLookingWhileACellRuns(t *testing.T) {
	k := tcp(t)
	k.run("set x 7", nil)
	sub := k.sub()
	cell := k.looping()
	m := k.reply(k.sendTo(sub, "execute_request",
		map[string]any{"code": "x", "user_expressions": map[string]any{"v": "x"}}))
	equal(t, "status", m.Status(), "ok")
	equal(t, "count", m.Content["execution_count"], 2.0) // of the cell that runs
	equal(t, "expression", m.Content["user_expressions"].(map[string]any)["v"].(map[string]any)["data"],
		map[string]any{"text/plain": "7"})
	res := waitFor(t, k, m.ParentID(), "execute_result")
	equal(t, "result", res.Content["data"], map[string]any{"text/plain": "7"})
	for _, where := range []string{sub, ""} {
		for kind, content := range map[string]map[string]any{
			"complete_request": {"code": "pri", "cursor_pos": 3}, "inspect_request": {"code": "print", "cursor_pos": 2},
			"is_complete_request": {"code": "{"}, "kernel_info_request": {}, "comm_info_request": {},
			"history_request": {"hist_access_type": "tail", "n": 1},
		} {
			if s := k.reply(k.sendTo(where, kind, content)).Status(); s != "ok" && s != "incomplete" {
				t.Errorf("%s in %q while a cell runs: %s", kind, where, s)
			}
		}
	}
	// What is more than a look waits for its turn.
	waits := k.sendTo(sub, "execute_request", map[string]any{"code": "print later"})
	if m := k.Shell.Recv(50 * time.Millisecond); m != nil {
		t.Fatalf("%v while another cell runs", m)
	}
	k.interrupt()
	got := map[string]any{}
	for range 2 {
		m := k.Shell.Recv(wait)
		got[m.ParentID()] = m.Status()
	}
	equal(t, "an interrupt stops the cell, and drops what waits in subshells", got,
		map[string]any{cell: "error", waits: "aborted"})
	equal(t, "state", k.run("get x", nil).Text("stdout"), "7\n")
}

func TestCellsOfSubshellsTakeTurns(t *testing.T) {
	k := tcp(t)
	sub := k.sub()
	cell := k.SendCell("sleep 100\nset x 1", nil)
	waitFor(t, k, cell, "execute_input")
	second := k.sendTo(sub, "execute_request", map[string]any{"code": "get x"})
	counts := map[string]any{}
	for range 2 { // in either order: the second may be done before the first has been answered
		m := k.Shell.Recv(wait)
		counts[m.ParentID()] = m.Content["execution_count"]
	}
	equal(t, "counts", counts, map[string]any{cell: 1.0, second: 2.0})
	equal(t, "it ran after the first", waitFor(t, k, second, "stream").Content["text"], "1\n")
	// An error drops the cells of its own shell alone.
	main, fails, next := k.SendCell("sleep 50", nil), k.sendTo(sub, "execute_request", map[string]any{"code": "fail a"}),
		k.SendCell("print b", nil)
	got := map[string]string{}
	for range 3 {
		m := k.Shell.Recv(wait)
		got[m.ParentID()] = m.Status()
	}
	equal(t, "statuses", got, map[string]string{main: "ok", fails: "error", next: "ok"})
}

func TestDeleteStopsASubshell(t *testing.T) {
	k := tcp(t)
	sub := k.sub()
	id := k.sendTo(sub, "execute_request", map[string]any{"code": "loop"})
	queued := k.sendTo(sub, "execute_request", map[string]any{"code": "print no"})
	waitFor(t, k, id, "execute_input")
	// sent behind the second cell, which is in its queue by now
	k.reply(k.sendTo("", "kernel_info_request", map[string]any{}))
	equal(t, "delete", k.Request(k.Control, "delete_subshell_request", map[string]any{"subshell_id": sub},
		wait).Status(), "ok")
	equal(t, "its cell", k.reply(id).Content["ename"], "Interrupted")
	equal(t, "what waited", k.reply(queued).Status(), "aborted")
	k.alive()
}

// The last state that IOPub tells is the kernel's, also when a question was answered during a cell.
func TestStateAfterAQuestionDuringACell(t *testing.T) {
	k := tcp(t)
	cell := k.looping()
	asked := k.Send(k.Shell, "complete_request", map[string]any{"code": "p"})
	k.reply(asked)
	state := ""
	for patience, answered := wait, false; ; { // long for the question's own messages, then a moment
		m := k.IOPub.Recv(patience)
		if m == nil {
			break
		}
		state = fmt.Sprint(m.Content["execution_state"])
		if answered = answered || m.ParentID() == asked && state == "idle"; answered {
			patience = 200 * time.Millisecond
		}
	}
	equal(t, "state while a cell runs", state, "busy")
	k.interrupt()
	r := k.Collect(cell, time.Now(), wait)
	equal(t, "state after it", r.IO[len(r.IO)-1].Content["execution_state"], "idle")
	if m := k.IOPub.Recv(50 * time.Millisecond); m != nil && m.Content["execution_state"] == "busy" {
		t.Errorf("%v after the end", m)
	}
}

// A question that was sent right behind a cell is answered after it.
func TestQuestionsWaitForShortCells(t *testing.T) {
	k := tcp(t)
	for range 20 {
		cell, asked := k.SendCell("sleep 1", nil), k.Send(k.Shell, "kernel_info_request", map[string]any{})
		if m := k.Shell.Recv(wait); m == nil || m.ParentID() != cell {
			t.Fatalf("%v was answered first", m)
		}
		k.reply(asked)
	}
}

func TestVariables(t *testing.T) {
	k := tcp(t)
	k.run("set x abc\nset y d", nil)
	cell := k.looping()
	ask := func(ch *jupyterclient.Channel, command string, args map[string]any) map[string]any {
		m := k.Request(ch, "debug_request",
			map[string]any{"type": "request", "seq": 3, "command": command, "arguments": args}, wait)
		if m == nil || m.Type() != "debug_reply" || m.Content["command"] != command || m.Content["request_seq"] != 3.0 ||
			m.Content["type"] != "response" {
			t.Fatalf("%s: %v", command, m)
		}
		return m.Content
	}
	for _, ch := range []*jupyterclient.Channel{k.Control, k.Shell} {
		info := ask(ch, "debugInfo", nil)
		equal(t, "debugInfo", info["success"], true)
		equal(t, "rich", info["body"].(map[string]any)["richRendering"], true)
		vs := ask(ch, "inspectVariables", nil)["body"].(map[string]any)["variables"].([]any)
		equal(t, "how many", len(vs), 2)
		equal(t, "x", vs[0], map[string]any{"name": "x", "value": "abc", "type": "word letters[3]", "evaluateName": "x",
			"variablesReference": 0.0, "shape": "[3]", "dtype": "letters", "size": 3.0})
		rich := ask(ch, "richInspectVariables", map[string]any{"variableName": "y"})
		equal(t, "y", rich["body"], map[string]any{"data": map[string]any{"text/plain": "d"}, "metadata": map[string]any{}})
	}
	equal(t, "unknown name", ask(k.Control, "richInspectVariables", map[string]any{"variableName": "zz"})["success"],
		false)
	equal(t, "unknown command", ask(k.Control, "stepIn", nil)["success"], false)
	equal(t, "not attached", ask(k.Control, "debugInfo", nil)["body"].(map[string]any)["isStarted"], false)
	for _, c := range []string{"initialize", "attach", "configurationDone", "dumpCell", "threads"} {
		equal(t, c, ask(k.Control, c, map[string]any{})["success"], true)
	}
	equal(t, "attached", ask(k.Control, "debugInfo", nil)["body"].(map[string]any)["isStarted"], true)
	equal(t, "modules", ask(k.Control, "modules", nil)["body"], map[string]any{"modules": []any{}, "totalModules": 0.0})
	source := map[string]any{"path": "cell"}
	bp := ask(k.Control, "setBreakpoints",
		map[string]any{"source": source, "breakpoints": []any{map[string]any{"line": 2}}})["body"].(map[string]any)["breakpoints"].([]any)
	equal(t, "a breakpoint is refused", bp[0].(map[string]any)["verified"], false)
	equal(t, "where", bp[0].(map[string]any)["source"], source)
	k.interrupt()
	k.reply(cell)
}

package jupyter_test

import (
	"path/filepath"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
	"gotorch/jupyter"
)

// ask sends a shell request that must be answered.
func (k *running) ask(kind string, content map[string]any) map[string]any {
	k.t.Helper()
	m := k.Request(k.Shell, kind, content, wait)
	if m == nil {
		k.t.Fatalf("%s: no reply", kind)
	}
	if m.Content["status"] == nil {
		k.t.Errorf("%s: a reply without status: %v", kind, m.Content)
	}
	return m.Content
}

func TestComplete(t *testing.T) {
	k := tcp(t)
	const astral = "\U0001d41a"
	for _, c := range []struct {
		code       string
		cursor     any
		start, end float64
		n          int
	}{
		{"pr", 2, 0, 2, 1},
		{"pr", nil, 0, 2, 1},
		{"pr", 99, 0, 2, 1},
		{"p", -5, 0, 0, 3},
		{astral + astral + " pr", 5, 3, 5, 1},
		{"zzz", 3, 3, 3, 0},
	} {
		q := map[string]any{"code": c.code}
		if c.cursor != nil {
			q["cursor_pos"] = c.cursor
		}
		r := k.ask("complete_request", q)
		equal(t, c.code+" start", r["cursor_start"], c.start)
		equal(t, c.code+" end", r["cursor_end"], c.end)
		matches, ok := r["matches"].([]any)
		if !ok || len(matches) != c.n {
			t.Errorf("%q at %v: matches %v, want %d", c.code, c.cursor, r["matches"], c.n)
		}
		types := r["metadata"].(map[string]any)["_jupyter_types_experimental"].([]any)
		equal(t, "types", len(types), c.n)
		if c.n == 1 {
			equal(t, "type", types[0], map[string]any{"start": c.start, "end": c.end, "text": "print", "type": "function",
				"signature": "(text)"})
		}
	}
	equal(t, "a panic", k.ask("complete_request", map[string]any{"code": "boom"})["status"], "error")
	equal(t, "a wrong type", k.ask("complete_request", map[string]any{"code": []int{1}})["status"], "error")
}

func TestInspectAndIsComplete(t *testing.T) {
	k := tcp(t)
	r := k.ask("inspect_request", map[string]any{"code": "print x", "cursor_pos": 3, "detail_level": 1})
	equal(t, "found", r["found"], true)
	equal(t, "data", r["data"], map[string]any{"text/plain": "print is a word (cursor 3, detail 1)"})
	r = k.ask("inspect_request", map[string]any{"code": "zz", "cursor_pos": 0})
	equal(t, "not found", r, map[string]any{"status": "ok", "found": false, "data": map[string]any{},
		"metadata": map[string]any{}})
	equal(t, "complete", k.ask("is_complete_request", map[string]any{"code": "print"}),
		map[string]any{"status": "complete"})
	equal(t, "incomplete", k.ask("is_complete_request", map[string]any{"code": "{{"}),
		map[string]any{"status": "incomplete", "indent": "    "})
	equal(t, "invalid", k.ask("is_complete_request", map[string]any{"code": "}"}), map[string]any{"status": "invalid"})
}

func TestKernelInfoAndOthers(t *testing.T) {
	k := tcp(t)
	for _, ch := range []*jupyterclient.Channel{k.Shell, k.Control} {
		r := k.Request(ch, "kernel_info_request", map[string]any{}, wait)
		if r == nil {
			t.Fatal("no kernel_info_reply")
		}
		equal(t, "protocol", r.Content["protocol_version"], "5.5")
		lang := r.Content["language_info"].(map[string]any)
		equal(t, "language", lang["name"], "words")
		equal(t, "lexer", lang["pygments_lexer"], "words")
		equal(t, "help", r.Content["help_links"].([]any)[0],
			map[string]any{"text": "Jupyter", "url": "https://docs.jupyter.org"})
		m := waitFor(t, k, r.ParentID(), "status")
		equal(t, "state", m.Content["execution_state"], "busy")
	}
	equal(t, "comms", k.ask("comm_info_request", map[string]any{})["comms"], map[string]any{})
	equal(t, "ports", k.ask("connect_request", map[string]any{})["hb_port"], float64(k.info.HBPort))
	equal(t, "an unknown request", k.ask("nonsense_request", map[string]any{})["status"], "error")
	id := k.Send(k.Shell, "comm_open", map[string]any{"comm_id": "c1", "target_name": "none", "data": map[string]any{}},
		[]byte("a buffer"))
	equal(t, "closed", waitFor(t, k, id, "comm_close").Content["comm_id"], "c1")
	id = k.Send(k.Shell, "nonsense", map[string]any{})
	waitFor(t, k, id, "status")
}

func TestHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "history.jsonl")
	opts := jupyter.Options{NoSignals: true, HistoryFile: file}
	k := start(t, newInfo(t, "tcp"), opts)
	k.run("result a1", nil)
	k.run("print b1", nil)
	k.run("print silent", map[string]any{"silent": true})
	k.run("print b1", nil)
	rows := func(k *running, q map[string]any) any { return k.ask("history_request", q)["history"] }
	cell := func(session, line float64, in any) any { return []any{session, line, in} }
	all := []any{cell(1, 1, "result a1"), cell(1, 2, "print b1"), cell(1, 3, "print b1")}
	equal(t, "tail", rows(k, map[string]any{"hist_access_type": "tail", "n": 10}), all)
	equal(t, "tail 1", rows(k, map[string]any{"hist_access_type": "tail", "n": 1}), all[2:])
	equal(t, "outputs", rows(k, map[string]any{"hist_access_type": "tail", "n": 3, "output": true}),
		[]any{cell(1, 1, []any{"result a1", "a1"}), cell(1, 2, []any{"print b1", nil}), cell(1, 3, []any{"print b1", nil})})
	equal(t, "none", rows(k, map[string]any{"hist_access_type": "search", "pattern": "zz*"}), []any{})

	// A second kernel beside the first, and one after, share the file.
	k2 := start(t, newInfo(t, "tcp"), opts)
	k2.run("print c2", nil)
	rows(k2, map[string]any{"hist_access_type": "tail"}) // now it is in the file
	k.run("print d1", nil)
	rows(k, map[string]any{"hist_access_type": "tail"})
	k3 := start(t, newInfo(t, "tcp"), opts)
	equal(t, "all sessions", rows(k3, map[string]any{"hist_access_type": "tail"}),
		append(all, cell(2, 1, "print c2"), cell(1, 4, "print d1")))
	equal(t, "a range", rows(k3, map[string]any{"hist_access_type": "range", "session": 1, "start": 2, "stop": 4}),
		all[1:3])
	equal(t, "a range before", rows(k3, map[string]any{"hist_access_type": "range", "session": -1, "start": 0}),
		[]any{cell(2, 1, "print c2")})
	equal(t, "a range of now", rows(k3, map[string]any{"hist_access_type": "range", "session": 0, "start": 1, "stop": 9}),
		[]any{})
	equal(t, "unique", rows(k3, map[string]any{"hist_access_type": "search", "pattern": "print b*", "unique": true}),
		all[2:3])
	equal(t, "n", rows(k3, map[string]any{"hist_access_type": "search", "pattern": "*", "n": 1}),
		[]any{cell(1, 4, "print d1")})
}

func TestInput(t *testing.T) {
	k := tcp(t)
	answer := func(prompt string, secret bool, reply func(q *jupyterclient.Message)) {
		t.Helper()
		q := k.Stdin.Recv(wait)
		if q == nil || q.Type() != "input_request" {
			t.Fatalf("no question: %v", q)
		}
		equal(t, "question", q.Content, map[string]any{"prompt": prompt, "password": secret})
		reply(q)
	}
	ok := map[string]any{"allow_stdin": true}
	id := k.SendCell("input say:", ok)
	answer("say:", false, func(*jupyterclient.Message) { k.Send(k.Stdin, "input_reply", map[string]any{"value": "hi"}) })
	equal(t, "said", k.Collect(id, time.Now(), wait).Text("stdout"), "got hi\n")
	id = k.SendCell("secret pw", ok)
	answer("pw", true, func(*jupyterclient.Message) { k.Send(k.Stdin, "input_reply", map[string]any{"value": "üb"}) })
	equal(t, "secret", k.Collect(id, time.Now(), wait).Text("stdout"), "got üb\n")

	id = k.SendCell("input more?", ok)
	// Ctrl-D
	answer("more?", false, func(*jupyterclient.Message) {
		k.Send(k.Stdin, "input_reply", map[string]any{"value": "\x04"})
	})
	equal(t, "the end", k.Collect(id, time.Now(), wait).Reply.Content["evalue"], "EOF")

	equal(t, "refused", k.run("input x", nil).Reply.Content["ename"], "NoInput")
	m := k.Request(k.Shell, "execute_request", map[string]any{"code": "input x"}, wait)
	if m == nil || m.Content["ename"] != "NoInput" {
		t.Errorf("a client that does not say that it takes questions is asked one: %v", m)
	}

	id = k.SendCell("input late", ok)
	var old *jupyterclient.Message
	answer("late", false, func(q *jupyterclient.Message) { old = q })
	k.Request(k.Control, "interrupt_request", map[string]any{}, wait)
	equal(t, "interrupted", k.Collect(id, time.Now(), wait).Reply.Content["ename"], "Interrupted")
	// An answer to the question of before does not answer the next one.
	id = k.SendCell("input again", ok)
	answer("again", false, func(q *jupyterclient.Message) {
		h := []byte(`{"msg_id":"stale","msg_type":"input_reply"}`)
		k.SendParts(k.Stdin, h, old.RawHeader, []byte("{}"), []byte(`{"value":"stale"}`))
		h = []byte(`{"msg_id":"fresh","msg_type":"input_reply"}`)
		k.SendParts(k.Stdin, h, q.RawHeader, []byte("{}"), []byte(`{"value":"fresh"}`))
	})
	equal(t, "fresh", k.Collect(id, time.Now(), wait).Text("stdout"), "got fresh\n")
}

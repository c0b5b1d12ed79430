package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// asking is one request of an exchange. Where code is meant, it is written in Python and in Go.
type asking struct {
	kind    string
	py, src string
	more    map[string]any // fields of the content besides
}

func executes(py, src string, more ...any) asking {
	m := map[string]any{"silent": false, "store_history": true, "user_expressions": map[string]any{}, "allow_stdin": true,
		"stop_on_error": true}
	for i := 0; i < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
	}
	return asking{"execute_request", py, src, m}
}

type fields = map[string]any

// exchanges are requests that are sent at once, to this kernel and to ipykernel, the last of which ends with both.
var exchanges = []struct {
	name string
	asks []asking
}{
	{"value", []asking{executes("1+1", "1+1"), executes("'a'", `"a"`)}},
	{"no value", []asking{executes("x = 3", "x := 3"), executes("# x", "// x"), executes("1", "1")}},
	{"blank", []asking{executes("", ""), executes(" \n", " \n"), executes("1", "1")}},
	{"silent", []asking{executes("1", "1", "silent", true), executes("print(1)", "fmt.Println(1)", "silent", true),
		executes("1", "1")}},
	{"not stored", []asking{executes("1", "1", "store_history", false),
		executes("1/0", `panic("x")`, "store_history", false, "stop_on_error", false), executes("1", "1")}},
	{"expressions", []asking{executes("1", "1", "user_expressions", fields{"good": "1+1", "bad": "nope"}),
		executes("", "", "user_expressions", fields{"good": "1+1"}),
		executes("1/0", `panic("x")`, "user_expressions", fields{"good": "1+1"})}},
	// by then those behind it have come
	{"an error aborts", []asking{
		executes("import time\ntime.sleep(.5)\n1/0", "time.Sleep(500 * time.Millisecond)\npanic(`x`)"),
		executes("1", "1"), executes("2", "2", "silent", true), executes("3", "3", "stop_on_error", false)}},
	{"an error of the text", []asking{executes("x = = 1", "x := := 1")}},
	{"an error that is to abort nothing",
		[]asking{executes("1/0", `panic("x")`, "stop_on_error", false), executes("1", "1")}},
	{"an error of a silent cell aborts nothing",
		[]asking{executes("1/0", `panic("x")`, "silent", true), executes("1", "1")}},
	{"streams", []asking{executes("import sys\nprint(1)\nsys.stdout.flush()\nprint(2, file=sys.stderr)",
		"fmt.Println(1)\nfmt.Fprintln(os.Stderr, 2)")}},
	{"display", []asking{executes("from IPython.display import *\nprint(1)\ndisplay(HTML('<b>'))\nprint(2)",
		"fmt.Println(1)\ndisplay.Display(display.HTML(`<b>`))\nfmt.Println(2)")}},
	{"update and clear", []asking{executes("h = display('a', display_id='d')\nh.update('b')\nclear_output(wait=True)",
		"h := display.Show(`a`)\nh.Update(`b`)\ndisplay.Clear(true)"),
		executes("h.update('c')", "h.Update(`c`)")}},
	{"help", []asking{executes("?len", "?Arange")}},
	{"load", []asking{executes("%load testdata/two.txt", "%load testdata/two.txt")}},
	{"comms", []asking{{kind: "comm_open", more: fields{"comm_id": "a", "target_name": "nope", "data": fields{}}},
		{kind: "comm_msg", more: fields{"comm_id": "a", "data": fields{}}},
		{kind: "comm_close", more: fields{"comm_id": "a", "data": fields{}}},
		{kind: "comm_close", more: fields{"comm_id": "a", "data": fields{}}},
		{kind: "comm_info_request", more: fields{}}, {kind: "comm_info_request", more: fields{"target_name": "nope"}}}},
	{"questions", []asking{{kind: "kernel_info_request", more: fields{}}, {kind: "connect_request", more: fields{}},
		{kind: "complete_request", py: "x𝔘 = zzz", src: "x𝔘 = zzz", more: fields{"cursor_pos": 5}},
		{kind: "inspect_request", py: "nope", src: "nope", more: fields{"cursor_pos": 4, "detail_level": 0}}}},
	{"whole", []asking{{kind: "is_complete_request", py: "1", src: "1"},
		{kind: "is_complete_request", py: "for x in y:", src: "for {"},
		{kind: "is_complete_request", py: "x = = 1", src: "x := := 1"}, {kind: "is_complete_request"}}},
	{"history", []asking{executes("1+1", "1+1"),
		{kind: "history_request", more: fields{"hist_access_type": "range", "session": 0, "start": 1, "stop": 2, "raw": true,
			"output": false}},
		{kind: "history_request", more: fields{"hist_access_type": "range", "session": 0, "start": 1, "stop": 2, "raw": true,
			"output": true}},
		{kind: "history_request", more: fields{"hist_access_type": "nope", "raw": true, "output": false}}}},
	{"nothing to interrupt", []asking{{kind: "interrupt_request", more: fields{}}}},
	{"leaving", []asking{executes("exit", "exit")}},
}

// told is what matters of a message: content says how each value looks.
type told struct {
	Channel, Type string
	Content       any
	Metadata      any `json:",omitempty"`
}

// asTold returns the messages that answer each request of an exchange, by channel.
func asTold(c *jupyterclient.Client, ids []string, got map[string][]told, ch string, m *jupyterclient.Message,
	count float64) {
	at := slices.Index(ids, m.ParentID())
	if at < 0 || m.Type() == "shutdown_reply" {
		return
	}
	t := told{Channel: ch, Type: m.Type(), Content: looks(m.Content, "", count)}
	if m.Metadata["started"] != nil {
		t.Metadata = "started"
	}
	key := fmt.Sprint(at, " ", ch)
	for _, was := range got[key] { // a cell is said to be busy again after what came meanwhile
		if reflect.DeepEqual(was, t) && t.Type == "status" {
			return
		}
	}
	got[key] = append(got[key], t)
}

// looks returns the shape of a value of JSON: keys, kinds, and what a front end acts on as it is. Counts are from the
// exchange's beginning.
func looks(v any, key string, count float64) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			// of old ipyparallel; of the language
			if k != "engine_info" && k != "language_info" && !(k == "data" && v["source"] == "page") {
				m[k] = looks(x, k, count)
			}
		}
		return m
	case []any:
		kinds := []any{}
		for _, x := range v {
			if kind := looks(x, "", count); !slices.ContainsFunc(kinds, func(k any) bool { return reflect.DeepEqual(k, kind) }) {
				kinds = append(kinds, kind)
			}
		}
		return kinds
	case float64:
		if key == "execution_count" {
			return v - count
		} else if strings.HasPrefix(key, "cursor_") {
			return v
		}
	case string:
		if slices.Contains([]string{"status", "execution_state", "name", "source", "comm_id"}, key) {
			return v
		}
	case bool:
		return v
	}
	return fmt.Sprintf("%T", v)
}

// exchange sends what is asked for and gathers what comes, up to the reply to each and its idle.
func exchange(t *testing.T, c *jupyterclient.Client, asks []asking, ours bool) map[string][]told {
	t.Helper()
	base := c.Execute("", wait, fields{"silent": true})
	if base.Reply == nil {
		t.Fatal("the kernel does not answer")
	}
	count := base.Reply.Content["execution_count"].(float64)
	var ids []string
	waits := map[string]int{}
	for _, a := range asks {
		content := fields{}
		for k, v := range a.more {
			content[k] = v
		}
		if a.more == nil || a.py != "" || a.kind == "execute_request" {
			if content["code"] = a.py; ours {
				content["code"] = a.src
			}
		}
		ch := c.Shell
		if a.kind == "interrupt_request" {
			ch = c.Control
		}
		id := c.Send(ch, a.kind, content)
		ids = append(ids, id)
		if waits[id] = 1; strings.HasSuffix(a.kind, "_request") {
			waits[id] = 2
		}
	}
	left := func() (n int) {
		for _, w := range waits {
			n += w
		}
		return n
	}
	got := map[string][]told{}
	sockets := map[string]chan *jupyterclient.Message{"shell": c.Shell.In, "control": c.Control.In, "iopub": c.IOPub.In}
	for timeout := time.After(wait); left() > 0; {
		var m *jupyterclient.Message
		var ch string
		// One that is nil has ended with the kernel.
		select {
		case m = <-sockets["shell"]:
			ch = "shell"
		case m = <-sockets["control"]:
			ch = "control"
		case m = <-sockets["iopub"]:
			ch = "iopub"
		case <-timeout:
			t.Fatalf("no end of %v, so far %v", waits, got)
		}
		if m == nil {
			sockets[ch] = nil
			continue
		}
		asTold(c, ids, got, ch, m, count)
		if w := waits[m.ParentID()]; w > 0 && (ch != "iopub" || m.Content["execution_state"] == "idle") {
			waits[m.ParentID()]--
		}
	}
	return got
}

// within takes from what is told the keys that want has not: a kernel may say more.
func within(got, want any) any {
	g, ok := got.(map[string]any)
	w, too := want.(map[string]any)
	if !ok || !too {
		return got
	}
	m := map[string]any{}
	for k, v := range g {
		if x, there := w[k]; there {
			m[k] = within(v, x)
		}
	}
	return m
}

// TestAsIPykernel sends what a front end may, and compares every message that comes with what ipykernel 6.17 said to
// the same: the channel, the order in each, the type, the keys, the kinds of values, states, counts. `-update` asks
// ipykernel again.
//
// It does otherwise where that is better, and these are not in the table: every request has a reply, unknown and
// malformed ones too; streams keep their order among each other; a question (completion, history, …) is answered while
// a cell runs; input that is rejected has ended, which is how a Go program is told.
func TestAsIPykernel(t *testing.T) {
	t.Parallel() // it drives other processes
	const file = "testdata/ipykernel.json"
	recorded := map[string]map[string][]told{}
	if *update {
		python(t, "ipykernel")
		_, c := peers(t)[1].start(t)
		for _, e := range exchanges {
			recorded[e.name] = exchange(t, c, e.asks, false)
		}
		text, err := json.MarshalIndent(recorded, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	recorded = nil
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	c := startKernel(t)
	for _, e := range exchanges {
		t.Run(e.name, func(t *testing.T) {
			want := recorded[e.name]
			if len(want) == 0 {
				t.Fatal("not recorded")
			}
			got := exchange(t, c, e.asks, true)
			text, _ := json.Marshal(got)
			got = nil
			json.Unmarshal(text, &got)
			for key, w := range want {
				g := got[key]
				for i := range g {
					if i < len(w) {
						g[i].Content = within(g[i].Content, w[i].Content)
					}
				}
				if !reflect.DeepEqual(g, w) {
					a, _ := json.MarshalIndent(g, "", " ")
					b, _ := json.MarshalIndent(w, "", " ")
					t.Errorf("request %s:\n%s\nwant\n%s", key, a, b)
				}
			}
			for key, g := range got {
				if want[key] == nil {
					t.Errorf("request %s: %v, and ipykernel says nothing there", key, g)
				}
			}
		})
	}
	for timeout := time.After(wait); ; {
		select {
		case m := <-c.IOPub.In:
			if m == nil {
				return
			}
		case <-timeout:
			t.Fatal("the kernel goes on after exit")
		}
	}
}

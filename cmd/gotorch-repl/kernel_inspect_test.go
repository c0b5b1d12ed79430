package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

func (f front) ask(kind string, content map[string]any) map[string]any {
	f.t.Helper()
	ch := f.Shell
	if kind == "debug_request" || strings.Contains(kind, "subshell") || kind == "interrupt_request" {
		ch = f.Control
	}
	m := f.Request(ch, kind, content, wait)
	if m == nil {
		f.t.Fatalf("%s is not answered", kind)
	}
	return m.Content
}

// variables are the rows of a variable pane, as text.
func (f front) variables() string {
	f.t.Helper()
	var rows []string
	body := f.ask("debug_request",
		map[string]any{"type": "request", "seq": 1, "command": "inspectVariables"})["body"].(map[string]any)
	for _, v := range body["variables"].([]any) {
		m := v.(map[string]any)
		row := fmt.Sprint(m["name"], " ", m["type"], " = ", m["value"])
		if m["shape"] != nil {
			row += fmt.Sprint(" ", m["shape"], m["dtype"], m["size"])
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, "\n")
}

// begins sends a cell that prints first, and waits until it has.
func (f front) begins(src string) (id string) {
	f.t.Helper()
	id = f.SendCell(src, nil)
	for end := time.Now().Add(wait); ; {
		m := f.IOPub.Recv(time.Until(end))
		if m == nil {
			f.t.Fatal("the cell does not begin")
		}
		if m.ParentID() == id && m.Type() == "stream" {
			return id
		}
	}
}

// interrupts stops a cell that runs.
func (f front) interrupts(id string) {
	f.t.Helper()
	f.ask("interrupt_request", map[string]any{})
	if m := f.Shell.Reply(id, wait); m == nil || m.Content["ename"] != "Interrupted" {
		f.t.Fatalf("the cell: %v", m)
	}
}

func TestVariablePane(t *testing.T) {
	f := front{startKernel(t), t}
	f.runs("x := Arange(6).Reshape(2, 3)\nn, s := 3, \"a text\"\nm := map[string]int{\"a\": 1}\nfunc g() {}\nvar none " +
		"*Tensor")
	const quiet = `m map[string]int = map["a":1]
n int = 3
none *tensor.Tensor = nil
s string = "a text"
x *tensor.Tensor int64[2 3] = tensor([[0, 1, 2], [3, 4, 5]]) [2 3]int6448`
	if got := f.variables(); got != quiet {
		t.Errorf("variables:\n%s\nwant\n%s", got, quiet)
	}
	// A map that a running cell writes to is not read, numbers are, and nothing ends the process.
	id := f.begins("fmt.Println(`begun`)\nfor { m[fmt.Sprint(n)] = n; n++; if n > 1000 { n = 0; m = map[string]int{} } }")
	for range 50 {
		got := f.variables()
		if !strings.Contains(got, " elements") || !strings.Contains(got, "s string = a text") ||
			!strings.Contains(got, "int64[2 3]") {
			t.Fatalf("variables while a cell runs:\n%s", got)
		}
	}
	rich := f.ask("debug_request", map[string]any{"type": "request", "seq": 1, "command": "richInspectVariables",
		"arguments": map[string]any{"variableName": "x"}})
	data := rich["body"].(map[string]any)["data"].(map[string]any)
	if !strings.Contains(fmt.Sprint(data["text/plain"]), "[3, 4, 5]") ||
		!strings.Contains(fmt.Sprint(data["text/html"]), "<") {
		t.Errorf("x in full: %v", data)
	}
	if c := f.ask("complete_request", map[string]any{"code": "x.Resh", "cursor_pos": 6}); !strings.Contains(fmt.Sprint(c["matches"]), "Reshape") {
		t.Errorf("completion while a cell runs: %v", c)
	}
	if c := f.ask("inspect_request", map[string]any{"code": "m", "cursor_pos": 1, "detail_level": 0}); !strings.Contains(fmt.Sprint(c["data"]), "elements") {
		t.Errorf("inspection while a cell runs: %v", c)
	}
	f.interrupts(id)
	if got := f.runs("x.Sum()").Of("execute_result"); len(got) != 1 {
		t.Errorf("after the interrupt: %v", got)
	}
}

func TestSubshellLooks(t *testing.T) {
	f := front{startKernel(t), t}
	f.runs("x := Ones(2)")
	sub := f.ask("create_subshell_request", map[string]any{})["subshell_id"]
	id := f.begins("fmt.Println(`begun`)\nfor { }")
	h := f.Header("execute_request")
	h["subshell_id"] = sub
	head, _ := json.Marshal(h)
	f.SendParts(f.Shell, head, []byte("{}"), []byte("{}"), []byte(`{"code":"x"}`))
	if m := f.Shell.Reply(h["msg_id"].(string), wait); m == nil || m.Status() != "ok" {
		t.Fatalf("a look in a subshell: %v", m)
	}
	f.interrupts(id)
	for end := time.Now().Add(wait); ; {
		m := f.IOPub.Recv(time.Until(end))
		if m == nil {
			t.Fatal("the value was not shown")
		}
		if m.Type() == "execute_result" && strings.Contains(fmt.Sprint(m.Content["data"]), "tensor([1., 1.])") &&
			m.Parent["subshell_id"] == sub {
			return
		}
	}
}

func TestInspectIsRich(t *testing.T) {
	f := front{startKernel(t), t}
	f.runs("// Twice doubles.\nfunc Twice(n int) int { return 2 * n }")
	for _, c := range []struct {
		code   string
		detail int
		says   string
	}{{"Arange", 0, "func Arange"}, {"Twice", 0, "func Twice(n int) int"}, {"Twice", 1, "return 2 * n"}} {
		data := f.ask("inspect_request",
			map[string]any{"code": c.code, "cursor_pos": 2, "detail_level": c.detail})["data"].(map[string]any)
		for _, mime := range []string{"text/plain", "text/markdown", "text/html"} {
			if text, _ := data[mime].(string); !strings.Contains(text, c.says) {
				t.Errorf("%s, detail %d, %s: %q", c.code, c.detail, mime, text)
			}
		}
	}
	if data := f.ask("inspect_request", map[string]any{"code": "Twice", "cursor_pos": 2, "detail_level": 0})["data"]; strings.Contains(fmt.Sprint(data), "return 2") {
		t.Errorf("the source without being asked: %v", data)
	}
}

// TestInspectIndented: the schema in an operator's help, an indented block, is code in a tooltip and no paragraph.
func TestInspectIndented(t *testing.T) {
	f := front{startKernel(t), t}
	f.runs("x := Ones(2)")
	reply := f.ask("inspect_request", map[string]any{"code": "x.Sum(", "cursor_pos": 6, "detail_level": 0})
	page := fmt.Sprint(reply["data"].(map[string]any)["text/html"])
	if !strings.Contains(page, "<p style=\"white-space: pre-wrap\">Sum adds") ||
		!regexp.MustCompile(`<pre>\s+sum\(Tensor self, [^<]*</pre>`).MatchString(page) {
		t.Errorf("help as HTML: %s", page)
	}
	for doc, want := range map[string]string{
		"one\ntwo":            "<p style=\"white-space: pre-wrap\">one\ntwo</p>\n",
		"a\n\n\tb < 1\n\n\tc": "<p style=\"white-space: pre-wrap\">a</p>\n<pre>\tb &lt; 1\n\n\tc</pre>\n",
		"    b\n\na":          "<pre>    b</pre>\n<p style=\"white-space: pre-wrap\">a</p>\n",
	} {
		if got := docHTML(doc); got != want {
			t.Errorf("%q: %q, not %q", doc, got, want)
		}
	}
}

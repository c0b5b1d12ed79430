package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// front is a front end with widgets, as far as a test needs one.
type front struct {
	*jupyterclient.Client
	t testing.TB
}

// says sends a message of a comm, and gives what IOPub says until the kernel is idle again: the messages of the
// handler belong to the cell that made the widget, so all are taken.
func (f front) says(kind, id, target string, data any) (got []*jupyterclient.Message) {
	f.t.Helper()
	return f.until(f.Send(f.Shell, kind, map[string]any{"comm_id": id, "target_name": target, "data": data}))
}

// until returns what IOPub says until the kernel is idle after a message.
func (f front) until(sent string) (got []*jupyterclient.Message) {
	f.t.Helper()
	for end := time.Now().Add(wait); ; {
		m := f.IOPub.Recv(time.Until(end))
		if m == nil {
			f.t.Fatalf("no idle after %s", summary(got))
		}
		if m.Type() != "status" {
			got = append(got, m)
		} else if m.ParentID() == sent && m.Content["execution_state"] == "idle" {
			return got
		}
	}
}

func (f front) moves(id string, value any) []*jupyterclient.Message {
	f.t.Helper()
	return f.says("comm_msg", id, "", moved(value))
}

// moved is what a front end says when a user has moved a control.
func moved(value any) map[string]any {
	return map[string]any{"method": "update", "state": map[string]any{"value": value}, "buffer_paths": []any{}}
}

func (f front) runs(code string) *jupyterclient.Ran {
	f.t.Helper()
	ran := f.Execute(code, wait, nil)
	if ran.Reply == nil || ran.Reply.Status() != "ok" {
		f.t.Fatalf("%s: %v", code, ran.Reply)
	}
	return ran
}

// models are the comms that a cell opened, by the name of the model.
func models(ran *jupyterclient.Ran) map[string][]string {
	out := map[string][]string{}
	for _, m := range ran.Of("comm_open") {
		state := m.Content["data"].(map[string]any)["state"].(map[string]any)
		name := state["_model_name"].(string)
		out[name] = append(out[name], m.Content["comm_id"].(string))
	}
	return out
}

func startFront(t testing.TB) front {
	f := front{startKernel(t), t}
	f.says("comm_open", "control", "jupyter.widget.control", map[string]any{})
	return f
}

// summary is a message in few words.
func summary(ms []*jupyterclient.Message) string {
	var list []string
	for _, m := range ms {
		data, _ := m.Content["data"].(map[string]any)
		switch m.Type() {
		case "comm_msg":
			state, _ := json.Marshal(data["state"])
			list = append(list, fmt.Sprintf("%v %s", data["method"], state))
		case "stream":
			list = append(list, strings.TrimSpace(fmt.Sprint(m.Content["text"])))
		case "error":
			list = append(list, fmt.Sprint(m.Content["evalue"]))
		default:
			list = append(list, m.Type())
		}
	}
	return strings.Join(list, "; ")
}

func TestWidgetsInKernel(t *testing.T) {
	f := startFront(t)
	made := f.runs("n := 0\ns := widgets.IntSlider(3, 0, 10).OnChange(func(v int) {\n\tn += v\n\tfmt.Println(\"now\", " +
		"v)\n\tif v == 9 { panic(\"nine\") }\n})\ns")
	shown := made.Of("display_data")
	id := models(made)["IntSliderModel"][0]
	view, _ := shown[0].Content["data"].(map[string]any)["application/vnd.jupyter.widget-view+json"].(map[string]any)
	if view["model_id"] != id {
		t.Fatalf("shown: %v", shown[0].Content)
	}
	got := f.moves(id, 7)
	if s := summary(got); s != `echo_update {"value":7}; now 7` {
		t.Errorf("%s", s)
	}
	if last := got[len(got)-1]; last.ParentID() != made.ID {
		t.Errorf("what a handler prints does not go to the cell that made the widget")
	}
	if s := summary(f.moves(id, 9)); s != `echo_update {"value":9}; now 9; panic: nine` {
		t.Errorf("%s", s)
	}
	if ran := f.runs("[]int{n, s.Value()}"); ran.Of("execute_result")[0].Content["data"].(map[string]any)["text/plain"] != "[16 9]" {
		t.Errorf("%v", ran.Of("execute_result")[0].Content)
	}
	if s := summary(f.runs("s.Set(2)").Of("comm_msg")); s != `update {"value":2}` {
		t.Errorf("%s", s)
	}
}

// A handler that does not end is interrupted, and the session lives on.
func TestWidgetInterrupted(t *testing.T) {
	f := startFront(t)
	id := models(
		f.runs("b := widgets.Checkbox(false).OnChange(func(bool) { fmt.Println(`begun`); for { } })"))["CheckboxModel"][0]
	sent := f.Send(f.Shell, "comm_msg", map[string]any{"comm_id": id, "data": moved(true)})
	var got []*jupyterclient.Message
	for len(got) == 0 || got[len(got)-1].Type() != "stream" {
		m := f.IOPub.Recv(wait)
		if m == nil {
			t.Fatalf("the handler does not begin: %s", summary(got))
		}
		if m.Type() != "status" {
			got = append(got, m)
		}
	}
	f.ask("interrupt_request", map[string]any{})
	if s := summary(append(got, f.until(sent)...)); s != `echo_update {"value":true}; begun; interrupted` {
		t.Errorf("%s", s)
	}
	f.runs("b.Value()")
}

func TestInteractInKernel(t *testing.T) {
	f := startFront(t)
	ran := f.runs("widgets.Interact(func(count int, deep bool) any {\n\tfmt.Println(\"run\", deep)\n\treturn " +
		"Arange(count)\n}, widgets.Between(1, 5))")
	ids := models(ran)
	got := f.moves(ids["IntSliderModel"][0], 2)
	if len(got) != 2 || got[1].Content["comm_id"] != ids["OutputModel"][0] {
		t.Fatalf("%s", summary(got))
	}
	if s := summary(got[1:]); !strings.Contains(s, `"run false\n"`) || !strings.Contains(s, "tensor([0, 1])") ||
		strings.Contains(s, "tensor([0, 1, 2])") {
		t.Errorf("%s", s)
	}
}

func TestExploreInKernel(t *testing.T) {
	f := startFront(t)
	ids := models(f.runs("x := Arange(12).View(3, 4)\n%explore x"))
	sliders := ids["IntSliderModel"] // storage size, offset, size 0, stride 0, size 1, stride 1
	if len(sliders) != 6 {
		t.Fatalf("%v", ids)
	}
	s := summary(f.moves(sliders[4], 2)) // two of four columns
	if !strings.Contains(s, "shape [3 2] stride [4 1] offset 0") || !strings.Contains(s, `update {"max":2}`) {
		t.Errorf("%s", s)
	}
	f.runs("x.Add_(100)")
	if s := summary(f.moves(sliders[1], 2)); !strings.Contains(s, "shape [3 2] stride [4 1] offset 2") ||
		!strings.Contains(s, "→ 111") || !strings.Contains(s, "version 1") {
		t.Errorf("the storage as it is now: %s", s)
	}
	if s := summary(f.moves(sliders[1], 9)); !strings.Contains(s, `{"value":2}`) {
		t.Errorf("an offset that would leave the storage: %s", s)
	}
}

// A bar of progress is HTML that is shown again in its place, or a widget; when the loop has ended it is no widget any
// more, because a notebook that is opened again has lost those.
func TestProgressInKernel(t *testing.T) {
	f := front{startKernel(t), t}
	const loop = "for range widgets.Progress(3) { time.Sleep(110 * time.Millisecond) }"
	ran := f.runs(loop)
	shown, updates := ran.Of("display_data"), ran.Of("update_display_data")
	if len(shown) != 1 || len(updates) < 3 {
		t.Fatalf("%v", ran.Types())
	}
	still := func(m *jupyterclient.Message) {
		t.Helper()
		data := m.Content["data"].(map[string]any)
		if fmt.Sprint(m.Content["transient"]) != fmt.Sprint(shown[0].Content["transient"]) ||
			data["application/vnd.jupyter.widget-view+json"] != nil ||
			!strings.HasPrefix(data["text/plain"].(string), "100% ████████████████████ 3/3 ") ||
			!strings.Contains(data["text/html"].(string), ">████████████████████</span> 3/3 ") {
			t.Errorf("%v", m.Content)
		}
	}
	still(updates[len(updates)-1])
	// One that asks for the comms of widgets draws them: then only the end is shown again.
	f.Request(f.Shell, "comm_info_request", map[string]any{"target_name": "jupyter.widget"}, wait)
	ran = f.runs(loop)
	shown, updates = ran.Of("display_data"), ran.Of("update_display_data")
	if len(shown) != 1 || len(updates) != 1 || len(ran.Of("comm_msg")) < 3 || len(ran.Of("comm_close")) != 3 {
		t.Fatalf("%v", ran.Types())
	}
	still(updates[0])
}

// TestDisplayAsAtTheEnd: what a cell displays and what stands at its end look the same: a tensor its card, a value of
// a cell's own type what its method gives. A terminal shows the tensor's text.
func TestDisplayAsAtTheEnd(t *testing.T) {
	f := front{startKernel(t), t}
	f.runs("type T struct{}\nfunc (T) MIMEBundle() map[string]any { return map[string]any{\"text/html\": \"<b>T</b>\"} }")
	ran := f.runs("display.Display(T{}, Arange(2), 3)\nh := display.Show(1)\nh.Update(T{})")
	shown := append(ran.Of("display_data"), ran.Of("update_display_data")...)
	if len(shown) < 4 {
		t.Fatalf("%v", ran.Types())
	}
	html := func(i int) string {
		s, _ := shown[i].Content["data"].(map[string]any)["text/html"].(string)
		return s
	}
	if html(0) != "<b>T</b>" || !strings.Contains(html(1), "stride [1]") || html(2) != "" ||
		html(len(shown)-1) != "<b>T</b>" {
		t.Errorf("%q, %.80q, %q, %q", html(0), html(1), html(2), html(len(shown)-1))
	}
	if out, _, _ := feed(t, "x := Arange(3)\ndisplay.Display(x)\n"); strings.TrimSpace(out) != "tensor([0, 1, 2])" {
		t.Errorf("in a terminal: %q", out)
	}
}

package widgets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"gotorch/visualize/display"
)

// page is a sink with a front end behind it, and what that was told.
type page struct {
	mu     sync.Mutex
	front  *Front
	manner display.Manner
	sent   []Message
	shown  map[string]string
	out    bytes.Buffer
}

func (p *page) Display(id string, b display.Bundle) { p.shown[id] = fmt.Sprint(b.All()["text/plain"]) }
func (p *page) Update(id string, b display.Bundle)  { p.shown[id] = fmt.Sprint(b.All()["text/plain"]) }
func (p *page) Clear(bool)                          {}
func (p *page) Stdout() io.Writer                   { return &p.out }
func (p *page) Manner() display.Manner              { return p.manner }
func (p *page) Widgets() (*Front, func(Message)) {
	return p.front, func(m Message) {
		p.mu.Lock() // an area is drawn by a timer too
		defer p.mu.Unlock()
		p.sent = append(p.sent, m)
	}
}

// pageHost shows what is shown on a page.
type pageHost struct {
	display.Program
	sink  display.Sink
	names []string // of the parameters
}

func (h *pageHost) Sink() display.Sink         { return h.sink }
func (h *pageHost) ParamNames(string) []string { return h.names }
func (h *pageHost) Redirect(to display.Sink, _ io.Writer, f func()) {
	was := h.sink
	h.sink = to
	defer func() { h.sink = was }()
	f()
}

// open makes a page; spoken is the target that its front end opens first.
func open(t *testing.T, spoken string) *page {
	p := &page{front: NewFront(), manner: display.InPlace, shown: map[string]string{}}
	h := &pageHost{sink: p}
	display.Attach(func() display.Host { return h })
	t.Cleanup(func() { display.Attach(nil) })
	if spoken != "" && !p.front.Receive(Message{Type: "comm_open", ID: "first", Target: spoken},
		func(m Message) { p.sent = append(p.sent, m) }, nil) {
		t.Fatalf("%s is not known", spoken)
	}
	return p
}

// state is what the front end knows of a widget by now.
func (p *page) state(t *testing.T, w Widget) map[string]any {
	t.Helper()
	state := map[string]any{}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.sent {
		if m.ID != w.ID() || m.Type == "comm_close" {
			continue
		}
		text, err := json.Marshal(m.Data)
		if err != nil {
			t.Fatal(err)
		}
		var data struct{ State map[string]any }
		json.Unmarshal(text, &data)
		if m.Type == "comm_open" && data.State == nil {
			json.Unmarshal(text, &data.State)
		}
		for k, v := range data.State {
			state[k] = v
		}
	}
	return state
}

// move is what a user does; it gives what was answered at once.
func (p *page) move(w Widget, data string) (replies []string) {
	p.front.Receive(Message{Type: "comm_msg", ID: w.ID(), Data: json.RawMessage(data)},
		func(m Message) { text, _ := json.Marshal(m.Data); replies = append(replies, string(text)) },
		func(_ display.Sink, f func()) { f() })
	return replies
}

func TestEveryWidget(t *testing.T) {
	for _, spoken := range []string{targetControl, targetVersion} {
		old := spoken == targetVersion
		p := open(t, spoken)
		var log []string
		note := func(v any) { log = append(log, fmt.Sprint(v)) }
		i, f, b := IntSlider(30, 0, 10).OnChange(func(v int) { note(v) }),
			FloatSlider(0.5, 0, 1).OnChange(func(v float64) { note(v) }), Checkbox(false).OnChange(func(v bool) { note(v) })
		d, s, c := Dropdown([]string{"a", "b"}).OnChange(func(v string) { note(v) }),
			Text("x").OnChange(func(v string) { note(v) }), Button("go").OnClick(func() { note("click") })
		label, html, bar, area := Label("l"), HTML("<b>h</b>"), IntProgress(1, 0, 4), Output()
		box := HBox(VBox(i, f), b, d, s, c, label, html, bar, area)
		for w, want := range map[Widget][2]string{
			i: {"IntSliderModel", "30"}, f: {"FloatSliderModel", ""}, b: {"CheckboxModel", ""}, d: {"DropdownModel", ""},
			s: {"TextModel", ""}, c: {"ButtonModel", ""},
			label: {"LabelModel", ""}, html: {"HTMLModel", ""}, bar: {"IntProgressModel", ""}, area: {"OutputModel", ""},
			box: {"HBoxModel", ""},
		} {
			name := want[0]
			if old {
				name = map[string]string{"IntProgressModel": "ProgressModel", "OutputModel": "HTMLModel"}[name]
				if name == "" {
					name = want[0]
				}
			}
			state := p.state(t, w)
			if state["_model_name"] != name || state["_view_name"] == "" || state["layout"] == nil {
				t.Errorf("old %v: %s is %v", old, name, state)
			}
		}
		if got := p.state(t, i)["value"]; got != 10.0 {
			t.Errorf("a slider begins at %v, past its end", got)
		}
		say := func(v string) string {
			if old {
				return `{"method":"backbone","sync_data":{"value":` + v + `}}`
			}
			return `{"method":"update","state":{"value":` + v + `},"buffer_paths":[]}`
		}
		p.move(i, say("7"))
		p.move(i, say("7")) // not another value
		p.move(f, say("0.25"))
		p.move(b, say("true"))
		if old {
			p.move(d, say(`"b"`))
		} else {
			p.move(d, `{"method":"update","state":{"index":1}}`)
			p.move(d, `{"method":"update","state":{"index":9}}`)
		}
		p.move(s, say(`"typed"`))
		p.move(c, `{"method":"custom","content":{"event":"click"}}`)
		p.move(i, say("99"))
		p.move(i, `{"method":5}`)
		p.move(i, say(`"nonsense"`))
		want := "7 0.25 true b typed click 10"
		if got := strings.Join(log, " "); got != want || i.Value() != 10 || f.Value() != 0.25 || !b.Value() ||
			d.Value() != "b" || s.Value() != "typed" {
			t.Errorf("old %v: called with %q, want %q", old, got, want)
		}
		label.Set("now")
		bar.Set(9)
		d.Set("a")
		area.Print("text")
		area.Show(3)
		display.Flush() // the end of the cell
		if p.state(t, label)["value"] != "now" || p.state(t, bar)["value"] != 4.0 {
			t.Errorf("old %v: what the program sets does not arrive", old)
		}
		if old && (p.state(t, d)["value"] != "a" ||
			p.state(t, area)["value"] != `<div><pre style="margin:0;padding:0;border:0;background:none;font-size:12px">text`+
				"\n"+`</pre><pre style="margin:0;padding:0;border:0;background:none;font-size:12px">3</pre></div>`) {
			t.Errorf("dropdown %v, area %v", p.state(t, d), p.state(t, area))
		}
		if !old && (p.state(t, d)["index"] != 0.0 || len(p.state(t, area)["outputs"].([]any)) != 2) {
			t.Errorf("dropdown %v, area %v", p.state(t, d), p.state(t, area))
		}
		kids := p.state(t, box)["children"].([]any)
		if len(kids) != 9 || kids[1] != "IPY_MODEL_"+b.ID() {
			t.Errorf("children %v", kids)
		}
		i.Close()
		if last := p.sent[len(p.sent)-1]; last.Type != "comm_close" || last.ID != i.ID() {
			t.Errorf("close: %v", last)
		}
	}
}

func TestEcho(t *testing.T) {
	p := open(t, targetControl)
	s := IntSlider(3, 0, 10)
	want := []string{`{"buffer_paths":[],"method":"echo_update","state":{"value":70}}`,
		`{"buffer_paths":[],"method":"update","state":{"value":10}}`}
	if got := p.move(s, `{"method":"update","state":{"value":70}}`); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", got)
	}
	var all string
	p.front.Receive(Message{Type: "comm_msg", ID: "first", Data: json.RawMessage(`{"method":"request_states"}`)},
		func(m Message) { text, _ := json.Marshal(m.Data); all = string(text) }, nil)
	if !strings.Contains(all, s.ID()) || !strings.Contains(all, `"model_name":"LayoutModel"`) ||
		!strings.Contains(all, `"method":"update_states"`) {
		t.Errorf("the states: %s", all)
	}
	if got := p.move(s, `{"method":"request_state"}`); len(got) != 1 ||
		!strings.Contains(got[0], `"_view_name":"IntSliderView"`) {
		t.Errorf("the state: %q", got)
	}
	if p.front.Receive(Message{Type: "comm_open", ID: "x", Target: "other"}, nil, nil) {
		t.Error("a target that nobody knows is known")
	}
}

// Where no front end draws widgets, what was shown is shown again in its place; where one does, it is not.
func TestWithoutFrontEnd(t *testing.T) {
	for spoken, want := range map[string]string{"": "size ██████████████░░░░░░ 7  (0 to 10)   [x]",
		targetControl: "size ░░░░░░░░░░░░░░░░░░░░ 0  (0 to 10)   [ ]"} {
		p := open(t, spoken)
		s, b := IntSlider(0, 0, 10, Describe("size")), Checkbox(false)
		h := display.Show(HBox(s, b))
		s.Set(7)
		b.Set(true)
		if got := p.shown[h.ID()]; got != want {
			t.Errorf("%q: shown is %q, want %q", spoken, got, want)
		}
	}
}

func TestInteract(t *testing.T) {
	p := open(t, targetControl)
	display.CurrentHost().(*pageHost).names = []string{"i", "s", "on", "name", "list"}
	box := Interact(func(i int, s float64, on bool, name, list string) (any, error) {
		fmt.Fprint(&p.out, "run ")
		return fmt.Sprint(i, s, on, name, list), nil
	}, Between(0, 4).By(2), nil, true, "n", []string{"p", "q"})
	kids := box.get("children").([]*model)
	if text := kids[5].String(); text != "2 0.5 truenp" || len(kids) != 6 {
		t.Errorf("%q", box.String())
	}
	if d, step := kids[0].get("description"), kids[0].get("step"); d != "i" || step != 2 {
		t.Errorf("%v %v", d, step)
	}
	p.move(box.part(0), `{"method":"update","state":{"value":4}}`)
	p.move(box.part(4), `{"method":"update","state":{"index":1}}`)
	if text := kids[5].String(); text != "4 0.5 truenq" || p.out.String() != "run run run " {
		t.Errorf("%q after %q", text, p.out.String())
	}
	for what, f := range map[string]func(){
		"a function is wanted":  func() { Interact(3) },
		"controls are for":      func() { Interact(func([]int) {}) },
		"makes no control":      func() { Interact(func(int) {}, "x") },
		"2 controls":            func() { Interact(func(int) {}, 1, 2) },
		"must not be empty":     func() { IntSlider(1, 5, 2) },
		"finite":                func() { FloatSlider(1, 5, 2) },
		"not among the choices": func() { Dropdown([]string{"a"}).Set("b") },
	} {
		func() {
			defer func() {
				if v := fmt.Sprint(recover()); !strings.Contains(v, what) {
					t.Errorf("%s: %s", what, v)
				}
			}()
			f()
		}()
	}
}

type anyModel struct{ *model }

func (b *Box) part(i int) Widget { return anyModel{b.get("children").([]*model)[i]} }

// clock moves a step whenever it is looked at.
func clock(t *testing.T, step time.Duration) {
	at := time.Unix(0, 0)
	now = func() time.Time { at = at.Add(step); return at }
	t.Cleanup(func() { now = time.Now })
}

func TestProgress(t *testing.T) {
	clock(t, time.Second)
	p := open(t, "")
	sum := 0
	for i := range Progress(4, Describe("train")) {
		sum += i
	}
	if len(p.shown) != 1 || sum != 6 {
		t.Fatalf("%v", p.shown)
	}
	for _, text := range p.shown {
		if !strings.HasPrefix(text, "train 100% ████████████████████ 4/4  ") {
			t.Errorf("%q", text)
		}
	}

	p.manner = display.Terminal
	for i := range Progress(3) {
		if i == 1 {
			break
		}
	}
	lines := strings.Split(strings.TrimSuffix(p.out.String(), "\n"), "\r")
	if !strings.HasSuffix(p.out.String(), "\n") || len(lines) != 4 ||
		!strings.Contains(lines[2], " 33% ██████▋░░░░░░░░░░░░░ 1/3") {
		t.Errorf("%q", lines)
	}

	p.out.Reset()
	p.manner = display.Lines
	for range Progress(100) {
	}
	if n := strings.Count(p.out.String(), "\n"); n < 5 || n > 11 ||
		!strings.Contains(p.out.String(), "100% ████████████████████ 100/100") || strings.Contains(p.out.String(), "\r") {
		t.Errorf("%d lines\n%s", n, p.out.String())
	}
	for range Progress(0) {
		t.Error("an empty loop runs")
	}
}

// TestOutputOften: an area is sent as a whole, so not at every word; the end of the cell sends what is left, and what
// is above goes.
func TestOutputOften(t *testing.T) {
	p := open(t, targetControl)
	area := Output()
	for i := range 20000 {
		area.Print("line", i)
	}
	for i := range 3000 {
		area.Show(i)
	}
	display.Flush()
	outputs := p.state(t, area)["outputs"].([]any)
	last := outputs[len(outputs)-1].(map[string]any)["data"].(map[string]any)["text/plain"]
	if last != "2999" || len(outputs) > areaOutputs || len(p.sent) > 300 {
		t.Errorf("%d messages; %d outputs, the last %v", len(p.sent), len(outputs), last)
	}
}

// TestOldSaved: ipywidgets 6 shows a widget above the cell's output, and a notebook keeps the output alone: there the
// widget is as HTML, as it was left, and not seen beside the widget.
func TestOldSaved(t *testing.T) {
	p := open(t, targetVersion)
	var data map[string]any
	slider := IntSlider(3, 0, 10, Describe("n"))
	display.Show(slider)
	data = slider.MIMEBundle()
	if h := fmt.Sprint(data["text/html"]); data[viewType] == nil ||
		!strings.Contains(h, "~.output_wrapper .gotorch-still{display:none}") || !strings.Contains(h, " 3  (0 to 10)") {
		t.Errorf("%v", data)
	}
	p.move(slider, `{"method": "backbone", "sync_data": {"value": 7}}`)
	for _, text := range p.shown {
		if !strings.HasSuffix(text, " 7  (0 to 10)") {
			t.Errorf("saved: %q", text)
		}
	}
	if len(p.shown) != 1 {
		t.Errorf("%v", p.shown)
	}
}

// TestInteractLabels: a widget of the caller's own has the parameter's name in front of it, unless it has words.
func TestInteractLabels(t *testing.T) {
	a, b := IntSlider(3, 0, 10), FloatSlider(1, 0, 2, Describe("frequency"))
	Interact(func(n int, f float64) {}, a, b)
	if got := a.state["description"]; got != "x1" {
		t.Errorf("the label is %v", got)
	}
	if got := b.state["description"]; got != "frequency" {
		t.Errorf("the label is %v", got)
	}
}

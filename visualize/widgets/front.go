package widgets

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"sync"

	"gotorch/visualize/display"
)

// Message is a message of a comm, either way: Type is comm_open, comm_msg or comm_close.
type Message struct {
	Type, ID, Target string
	Data             any // a json.RawMessage in what comes in
	Metadata         any
	Buffers          [][]byte
}

// Front is the widgets of a session and its connection to front ends. A kernel has one; its sinks are [Sink]s.
type Front struct {
	mu      sync.Mutex
	models  map[string]*model
	shared  map[*kind]*model // layouts and styles, one of each for all widgets
	dialect *dialect
	seen    bool // a front end has spoken of widgets
	asking  map[string]string
}

// NewFront returns a Front without widgets.
func NewFront() *Front {
	f := &Front{models: map[string]*model{}, shared: map[*kind]*model{}, dialect: dialect8, asking: map[string]string{}}
	if d := chosen(); d != nil {
		f.dialect = d
	}
	return f
}

// Sink is the sink of a cell whose front end may have widgets: send sends a message under the cell's header.
type Sink interface {
	display.Sink
	Widgets() (f *Front, send func(Message))
}

// Connected reports whether the cell that runs has a front end that may draw widgets. One that cannot shows their
// HTML.
func Connected() bool {
	f, _ := hostOf(display.Current())
	return f != nil
}

// Alone reports whether the front end shows a widget beside, and not in place of, the other forms of a bundle, so
// that it must come without them: ipywidgets 6.
func Alone() bool {
	f, _ := hostOf(display.Current())
	return f != nil && f.speaks().old
}

// hostOf finds what is behind a sink, or behind what it stands for.
func hostOf(s display.Sink) (*Front, func(Message)) {
	for s != nil {
		if h, ok := s.(Sink); ok {
			return h.Widgets()
		}
		in, ok := s.(interface{ Inner() display.Sink })
		if !ok {
			return nil, nil
		}
		s = in.Inner()
	}
	return nil, nil
}

// The targets that front ends open.
const (
	targetModel   = "jupyter.widget"
	targetControl = "jupyter.widget.control"
	targetVersion = "jupyter.widget.version"
)

// Receive takes what a front end sends. Functions of cells that it leads to are run by call, with the sink of the cell
// that made the widget; reply answers the message. It is false for a target that is not known.
func (f *Front) Receive(m Message, reply func(Message), call func(display.Sink, func())) (known bool) {
	if m.Type == "comm_open" {
		return f.opened(m, reply)
	}
	f.mu.Lock()
	w, target := f.models[m.ID], f.asking[m.ID]
	f.mu.Unlock()
	if m.Type == "comm_close" {
		f.mu.Lock()
		delete(f.models, m.ID)
		delete(f.asking, m.ID)
		f.mu.Unlock()
		return true
	}
	var data struct {
		Method  string                     `json:"method"`
		State   map[string]json.RawMessage `json:"state"`
		Sync    map[string]json.RawMessage `json:"sync_data"`
		Content struct{ Event string }     `json:"content"`
	}
	raw, _ := m.Data.(json.RawMessage)
	if json.Unmarshal(raw, &data) != nil {
		return true
	}
	switch {
	case target == targetControl && data.Method == "request_states":
		reply(Message{Type: "comm_msg", ID: m.ID,
			Data: map[string]any{"method": "update_states", "states": f.states(), "buffer_paths": []any{}}})
	case w == nil:
	case data.Method == "request_state":
		reply(Message{Type: "comm_msg", ID: m.ID, Data: f.update(w.full())})
	case data.Method == "update", data.Method == "backbone":
		state := data.State
		if state == nil {
			state = data.Sync
		}
		w.changed(state, reply, call)
	case data.Method == "custom" && data.Content.Event == "click":
		w.fire(call)
	}
	return true
}

// opened takes a comm that a front end opens, from which one learns what it is.
func (f *Front) opened(m Message, reply func(Message)) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch m.Target {
	case targetControl:
		if f.dialect.old && chosen() == nil {
			f.dialect = dialect8
		}
	case targetVersion: // ipywidgets 6, which wants to know whether it is the right one
		if chosen() == nil {
			f.dialect = dialect6
		}
		reply(Message{Type: "comm_msg", ID: m.ID, Data: map[string]any{"version": f.dialect.controlsVersion}})
	default: // models that a front end makes are not known here
		return false
	}
	f.seen = true
	f.asking[m.ID] = m.Target
	return true
}

// Asked notes that a front end has asked for the comms of widgets: it has some use for them.
func (f *Front) Asked(target string) {
	if target == targetModel {
		f.mu.Lock()
		f.seen = true
		f.mu.Unlock()
	}
}

// live reports whether a front end that draws widgets has shown itself.
func (f *Front) live() bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

func (f *Front) speaks() *dialect {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dialect
}

// update is the message that changes a model's state.
func (f *Front) update(state map[string]any) map[string]any {
	if f.speaks().old {
		return map[string]any{"method": "update", "state": state, "buffers": []any{}}
	}
	return map[string]any{"method": "update", "state": state, "buffer_paths": []any{}}
}

// states are all models, for a front end that begins with a kernel that is running.
func (f *Front) states() map[string]any {
	f.mu.Lock()
	list := make([]*model, 0, len(f.models))
	for _, w := range f.models {
		list = append(list, w)
	}
	f.mu.Unlock()
	out := map[string]any{}
	for _, w := range list {
		state := w.full()
		out[w.id] = map[string]any{"model_name": state["_model_name"], "model_module": state["_model_module"],
			"model_module_version": state["_model_module_version"], "state": state}
	}
	return out
}

// part returns the layout or style that all widgets share.
func (f *Front) part(k *kind, send func(Message)) *model {
	f.mu.Lock()
	p := f.shared[k]
	made := p == nil
	if made {
		p = newModel(k, nil)
		f.shared[k] = p
	}
	f.mu.Unlock()
	if made {
		p.attach(f, send)
	}
	return p
}

func newID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

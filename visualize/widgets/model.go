package widgets

import (
	"encoding/json"
	"maps"
	"reflect"
	"sync"

	"gotorch/visualize/display"
)

// model is the state of one widget.
type model struct {
	kind *kind
	id   string

	front *Front // nil where there is no kernel
	send  func(Message)
	sink  display.Sink // of the cell that made it

	layout *model // of its own, or nil for that of all

	mu       sync.Mutex
	state    map[string]any
	handlers []func()
	handles  []*display.Handle // where it was shown
	around   []*model          // the boxes that it is in
	closed   bool

	accept func(name string, raw json.RawMessage) (any, bool) // reads what a front end sends for the value
}

func newModel(k *kind, state map[string]any) *model {
	m := &model{kind: k, id: newID(), state: map[string]any{}}
	maps.Copy(m.state, k.state)
	maps.Copy(m.state, state)
	return m
}

// start makes a widget of the running cell.
func start(k *kind, state map[string]any, opts []Option) *model {
	m := newModel(k, state)
	for _, o := range opts {
		o(m)
	}
	m.sink = display.Current()
	if f, send := hostOf(m.sink); f != nil {
		m.attach(f, send)
	}
	return m
}

// attach opens the comm of a model.
func (m *model) attach(f *Front, send func(Message)) {
	m.front, m.send = f, send
	d := f.speaks()
	if !noLayoutKind[m.kind] && !m.kind.styling {
		if m.layout == nil {
			f.part(m.kind.layoutOf(), send)
		} else {
			m.layout.attach(f, send)
		}
		if s := m.kind.style; s != nil && d.modelName(s) != "" {
			f.part(s, send)
		}
	}
	f.mu.Lock()
	f.models[m.id] = m
	f.mu.Unlock()
	data := map[string]any{"state": m.full(), "buffer_paths": []any{}}
	if d.old {
		data = m.full()
	}
	send(Message{Type: "comm_open", ID: m.id, Target: targetModel, Data: data,
		Metadata: map[string]any{"version": d.protocol}})
}

func (d *dialect) modelName(k *kind) string {
	if name, ok := d.rename[k.model]; ok {
		return name
	}
	return k.model
}

// full is the whole state, as the front end wants it.
func (m *model) full() map[string]any {
	d := m.front.speaks()
	m.mu.Lock()
	out := d.encode(m.kind, m.state)
	m.mu.Unlock()
	d.named(m.kind, out)
	m.front.mu.Lock()
	defer m.front.mu.Unlock()
	if !noLayoutKind[m.kind] && !m.kind.styling {
		l := m.front.shared[m.kind.layoutOf()]
		if m.layout != nil {
			l = m.layout
		}
		if l != nil {
			out["layout"] = "IPY_MODEL_" + l.id
		}
		if s := m.front.shared[m.kind.style]; s != nil && m.kind.style != nil {
			out["style"] = "IPY_MODEL_" + s.id
		}
	}
	return out
}

// say sends a message under the header of the cell that runs, or of the one that ran last.
func (m *model) say(msg Message) {
	if f, send := hostOf(display.Current()); f == m.front {
		send(msg)
		return
	}
	m.send(msg)
}

// get reads one value of the state.
func (m *model) get(name string) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state[name]
}

// set changes the state, tells the front end, and calls the handlers if the value is another now.
func (m *model) set(state map[string]any) {
	moved := m.put(state)
	if moved {
		m.mu.Lock()
		handlers := m.handlers
		m.mu.Unlock()
		for _, h := range handlers {
			h()
		}
	}
}

// put is set without the handlers.
func (m *model) put(state map[string]any) (moved bool) {
	m.mu.Lock()
	changed := map[string]any{}
	for name, v := range state {
		if !reflect.DeepEqual(m.state[name], v) {
			m.state[name], changed[name] = v, v
			moved = moved || name == m.kind.value
		}
	}
	if _, ok := changed["index"]; ok { // of a choice, which some know by its label
		changed["_options_labels"] = m.state["_options_labels"]
	}
	m.mu.Unlock()
	if len(changed) > 0 {
		m.show(changed)
	}
	return moved
}

// tell sends a value of the state as it is now.
func (m *model) tell(name string) { m.show(map[string]any{name: m.get(name)}) }

// show tells front ends what changed.
func (m *model) show(changed map[string]any) {
	if m.front != nil {
		m.say(Message{Type: "comm_msg", ID: m.id, Data: m.front.update(m.front.speaks().encode(m.kind, changed))})
	}
	if !m.front.live() || m.front.speaks().old {
		m.redraw()
	}
}

// redraw shows the widget again where it stands, for front ends that know no widgets.
func (m *model) redraw() {
	m.mu.Lock()
	handles, around := m.handles, m.around
	m.mu.Unlock()
	for _, h := range handles {
		if display.MannerOf(h.Sink()) == display.InPlace {
			h.Update(m)
		}
	}
	for _, box := range around {
		box.redraw()
	}
}

// Shown is told where the widget is shown.
func (m *model) Shown(h *display.Handle) {
	m.mu.Lock()
	m.handles = append(m.handles, h)
	m.mu.Unlock()
	if f, send := hostOf(h.Sink()); f != nil && f == m.front && f.speaks().old {
		send(Message{Type: "comm_msg", ID: m.id, Data: map[string]any{"method": "display"}})
	}
}

// changed takes what a front end says the state is now.
func (m *model) changed(state map[string]json.RawMessage, reply func(Message), call func(display.Sink, func())) {
	old := m.front.speaks().old
	if !old { // so that other pages of the same notebook follow
		reply(Message{Type: "comm_msg", ID: m.id,
			Data: map[string]any{"method": "echo_update", "state": state, "buffer_paths": []any{}}})
	}
	name := m.kind.value
	raw, ok := state[name]
	if !ok && old && name == "index" {
		raw, ok = state["value"]
	}
	if !ok || m.accept == nil {
		return
	}
	v, ok := m.accept(name, raw)
	if !ok {
		return
	}
	m.mu.Lock()
	moved := !reflect.DeepEqual(m.state[name], v)
	m.state[name] = v
	m.mu.Unlock()
	if sent, err := json.Marshal(v); err == nil && !old && !sameJSON(sent, raw) { // it was out of bounds
		reply(Message{Type: "comm_msg", ID: m.id, Data: m.front.update(map[string]any{name: v})})
	}
	if moved && old { // what is saved is not the widget
		m.redraw()
	}
	if moved {
		m.fire(call)
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// fire calls the handlers as code of the session.
func (m *model) fire(call func(display.Sink, func())) {
	m.mu.Lock()
	handlers := m.handlers
	m.mu.Unlock()
	if len(handlers) == 0 {
		return
	}
	call(m.sink, func() {
		for _, h := range handlers {
			h()
		}
	})
}

func (m *model) on(h func()) {
	m.mu.Lock()
	m.handlers = append(m.handlers, h)
	m.mu.Unlock()
}

// ID is the name by which front ends know the widget.
func (m *model) ID() string { return m.id }

// Close takes the widget away from the front ends. Its value stays.
func (m *model) Close() {
	m.mu.Lock()
	was := m.closed
	m.closed = true
	m.mu.Unlock()
	if m.front == nil || was {
		return
	}
	m.front.mu.Lock()
	delete(m.front.models, m.id)
	m.front.mu.Unlock()
	m.say(Message{Type: "comm_close", ID: m.id})
}

// MIMEBundle is the widget for those that draw widgets, and what it is in HTML and text for the others.
func (m *model) MIMEBundle() map[string]any {
	out := map[string]any{"text/plain": m.String()}
	if m.front == nil {
		out["text/html"] = m.html()
		return out
	}
	if m.front.speaks().old {
		out["text/html"] = besides(m.html())
		out[viewType] = map[string]any{"model_id": m.id}
		return out
	}
	out["text/html"] = m.html()
	out[viewType] = map[string]any{"version_major": 2, "version_minor": 0, "model_id": m.id}
	return out
}

const viewType = "application/vnd.jupyter.widget-view+json"

package display

import "testing"

type sinkLog struct{ log []string }

func (s *sinkLog) Display(id string, b Bundle) {
	s.log = append(s.log, "show "+b.Data["text/plain"].(string))
}
func (s *sinkLog) Update(id string, b Bundle) {
	s.log = append(s.log, "update "+b.Data["text/plain"].(string))
}
func (s *sinkLog) Clear(wait bool) { s.log = append(s.log, "clear") }

type card struct{}

func (card) MIMEBundle() map[string]any { return map[string]any{"text/html": "<b>card</b>"} }
func (card) String() string             { return "a card" }

// sinkHost shows what is shown in a sink.
type sinkHost struct {
	Program
	sink Sink
}

func (h sinkHost) Sink() Sink { return h.sink }

func attachSink(t *testing.T, s Sink) {
	Attach(func() Host { return sinkHost{sink: s} })
	t.Cleanup(func() { Attach(nil) })
}

func TestShow(t *testing.T) {
	var s sinkLog
	attachSink(t, &s)
	h := Show(card{})
	h.Update("now this")
	Display(3, "x")
	Clear(true)
	want := []string{"show a card", "update now this", "show 3", "show x", "clear"}
	for i, w := range want {
		if i >= len(s.log) || s.log[i] != w {
			t.Fatalf("got %q, want %q", s.log, want)
		}
	}
	if b := Of(card{}); b.Data["text/html"] != "<b>card</b>" {
		t.Errorf("the HTML of a card is lost: %v", b)
	}
	if h.ID() == "" || h.ID() == Show(1).ID() {
		t.Error("handles share an ID")
	}
}

package jupyter_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestManyWritesAreOneMessage(t *testing.T) {
	k := tcp(t)
	r := k.run("many 10000", nil)
	var want strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&want, "%d\n", i)
	}
	if r.Text("stdout") != want.String() {
		t.Error("the text is not what was printed")
	}
	if n := len(r.Of("stream")); n > 5 {
		t.Errorf("%d messages", n)
	}
}

func TestBigWrite(t *testing.T) {
	k := tcp(t)
	r := k.run("big 10000000", nil)
	equal(t, "bytes", len(r.Text("stdout")), 10000000)
}

func TestStreamsInOrder(t *testing.T) {
	k := tcp(t)
	r := k.run("print a\nerr b\nresult c\nprint d", nil)
	equal(t, "messages", r.Types(), []string{"busy", "execute_input", "stream", "stream", "execute_result",
		"stream", "idle"})
	equal(t, "first", r.Of("stream")[0].Content, map[string]any{"name": "stdout", "text": "a\n"})
	equal(t, "second", r.Of("stream")[1].Content, map[string]any{"name": "stderr", "text": "b\n"})
	if topic := string(r.Of("stream")[0].Topic); !strings.HasSuffix(topic, ".stream.stdout") {
		t.Errorf("topic %q", topic)
	}
}

func TestStreamsThatAlternate(t *testing.T) {
	k := tcp(t)
	r := k.run("swap 5000", nil)
	equal(t, "stdout", strings.Count(r.Text("stdout"), "\n"), 5000)
	equal(t, "stderr", strings.Count(r.Text("stderr"), "\n"), 5000)
	if n := len(r.Of("stream")); n > 500 {
		t.Errorf("%d messages", n)
	}
}

func TestStreamIsLive(t *testing.T) {
	k := tcp(t)
	r := k.run("ticks", nil)
	if n := len(r.Of("stream")); n < 4 {
		t.Errorf("%d messages for five lines over a second", n)
	}
}

func TestRunesStayWhole(t *testing.T) {
	k := tcp(t)
	// The display in the middle flushes; the rune that is half printed waits.
	r := k.run(`raw "a\xe2\x82"`+"\nhtml x\n"+`raw "\xac b\xff"`, nil)
	equal(t, "text", r.Text("stdout"), "a€ b\uFFFD")
}

func TestLateOutputBelongsToItsCell(t *testing.T) {
	k := tcp(t)
	r := k.run("late 100 text", nil)
	k.run("sleep 200", nil)
	m := k.run("print now", nil)
	equal(t, "of the last cell", m.Text("stdout"), "now\n")
	_ = r
	r = k.run("late 50 again", nil)
	s := waitFor(t, k, r.ID, "stream")
	equal(t, "late text", s.Content["text"], "again\n")
}

// A cell that prints 500 MB neither stops the kernel nor fills the memory of anybody.
func TestFlood(t *testing.T) {
	k := tcp(t)
	r := k.run("flood 500000", nil)
	text := r.Text("stdout")
	if len(text) > 32<<20 || !strings.HasSuffix(text, "for too long]\n") {
		t.Errorf("%d bytes came through, and at the end %q", len(text), text[max(0, len(text)-100):])
	}
	equal(t, "the next cell", k.run("result 1", nil).Reply.Status(), "ok")
}

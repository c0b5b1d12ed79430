package jupyter

import (
	"encoding/json"
	"io"
	"log"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// recorder is a socket that keeps what is sent.
type recorder struct {
	zmq4.Socket
	sent []zmq4.Msg
}

func (r *recorder) SendMulti(m zmq4.Msg) error {
	r.sent = append(r.sent, m)
	return nil
}

// texts returns the text of each stream message.
func (r *recorder) texts(t *testing.T) (texts []string) {
	for _, m := range r.sent {
		msg, err := decode(m.Frames, nil)
		if err != nil {
			t.Fatal(err)
		}
		var c struct{ Text string }
		if err := json.Unmarshal(msg.content, &c); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, c.Text)
	}
	return texts
}

func recorded() (*publisher, *recorder) {
	r := &recorder{}
	return newPublisher(&kernel{log: log.New(io.Discard, "", 0)}, r, &port{}), r
}

// A cell that prints without end loses what is too much, and is told how much.
func TestTooMuchOutputIsLeftOut(t *testing.T) {
	p, r := recorded()
	w := &writer{pub: p, parent: &message{rawHeader: emptyObject}, name: "stdout"}
	line := []byte(strings.Repeat("x", 999) + "\n")
	const lines = 100_000 // 100 MB
	for range lines {
		w.Write(line)
	}
	if p.streams.omitted == 0 {
		t.Fatal("nothing is left out")
	}
	left := p.streams.omitted
	// Some time later there is room again.
	p.streams.bytes.at = p.streams.bytes.at.Add(-10 * time.Second)
	io.WriteString(w, "after\n")
	p.flush()
	all := strings.Join(r.texts(t), "")
	if !strings.HasSuffix(all, "\nafter\n") || !strings.Contains(all, "bytes of output left out") {
		t.Errorf("the end is %q", all[len(all)-200:])
	}
	if n := strings.Count(all, "x"); n+n/999+left < lines*1000-1000 || n < outputBurst*9/10 || n > 20*outputBurst {
		t.Errorf("%d bytes came through and %d were left out, of %d", n, left, lines*1000)
	}
}

// One long write is whole, and the next cell may print again.
func TestLongWriteIsWhole(t *testing.T) {
	p, r := recorded()
	w := &writer{pub: p, parent: &message{rawHeader: emptyObject}, name: "stdout"}
	io.WriteString(w, strings.Repeat("x", 20*outputBurst))
	p.cell()
	io.WriteString(w, "next")
	p.flush()
	got := r.texts(t)
	if len(got) != 2 || len(got[0]) != 20*outputBurst || got[1] != "next" {
		t.Errorf("%d messages, the last %.100q", len(got), got[len(got)-1])
	}
}

func TestNoOutputLimit(t *testing.T) {
	r := &recorder{}
	p := newPublisher(&kernel{log: log.New(io.Discard, "", 0), outputRate: -1}, r, &port{})
	w := &writer{pub: p, parent: &message{rawHeader: emptyObject}, name: "stdout"}
	for range 30 {
		io.WriteString(w, strings.Repeat("x", outputBurst))
	}
	p.flush()
	n := 0
	for _, s := range r.texts(t) {
		n += len(s)
	}
	if n != 30*outputBurst {
		t.Errorf("%d bytes", n)
	}
}

// The line about what was left out comes at the cell's end at the latest.
func TestOmissionIsSaidAtTheEnd(t *testing.T) {
	p, r := recorded()
	p.streams.bytes.level = -100
	p.streams.bytes.rate = 1
	w := &writer{pub: p, parent: &message{rawHeader: emptyObject}, name: "stderr"}
	io.WriteString(w, "four")
	p.flush()
	got := r.texts(t)
	if len(got) != 1 || !strings.Contains(got[0], "[4 bytes of output left out") {
		t.Errorf("%q", got)
	}
}

// One write of more than anybody reads is cut, and a line says so.
func TestEnormousWriteIsCut(t *testing.T) {
	p, r := recorded()
	w := &writer{pub: p, parent: &message{rawHeader: emptyObject}, name: "stdout"}
	w.Write(make([]byte, 0))
	w.Write([]byte(strings.Repeat("x", writeMost+1000)))
	p.flush()
	n := 0
	for _, m := range r.sent {
		for _, f := range m.Frames {
			n += len(f)
		}
	}
	last := r.sent[len(r.sent)-1]
	if n < writeMost || n > writeMost+2000 ||
		!strings.Contains(string(last.Frames[len(last.Frames)-1]), "[1000 bytes of output left out") {
		t.Errorf("%d bytes in %d messages", n, len(r.sent))
	}
}

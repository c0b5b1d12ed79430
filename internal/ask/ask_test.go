package ask

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// A line is taken without its end, and what follows is left; the last one needs no end.
func TestLine(t *testing.T) {
	in := strings.NewReader("Ada Lovelace\r\n\nsecret\nrest")
	for _, c := range []struct {
		want   string
		secret bool
	}{{"Ada Lovelace", false}, {"", false}, {"secret", true}} {
		var out strings.Builder
		got, err := Line(t.Context(), in, &out, "name? ", c.secret)
		if got != c.want || err != nil || out.String() != "name? " {
			t.Errorf("%q, %v after %q; want %q", got, err, out.String(), c.want)
		}
	}
	if left := in.Len(); left != len("rest") {
		t.Errorf("%d bytes are left", left)
	}
	if got, err := Line(t.Context(), in, io.Discard, "", false); got != "rest" || err != nil {
		t.Errorf("the last line: %q, %v", got, err)
	}
	if got, err := Line(t.Context(), in, io.Discard, "", false); got != "" || err != io.EOF {
		t.Errorf("the end: %q, %v", got, err)
	}
	if !errors.Is(ErrNobody, io.EOF) {
		t.Error("that nobody can be asked is not the end of the input")
	}
}

// Nobody answers: the end of the context ends the question.
func TestLineInterrupted(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	put := make(chan struct{})
	go func() { <-put; cancel() }()
	if _, err := Line(ctx, r, signals{put}, "? ", true); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// signals says when something is written.
type signals struct{ written chan struct{} }

func (s signals) Write(p []byte) (int, error) { close(s.written); return len(p), nil }

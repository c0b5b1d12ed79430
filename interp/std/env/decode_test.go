package env

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"gotorch/interp/task"
)

// running is a run that is stopped.
type running struct {
	task.Task
	stop chan struct{}
}

func (r running) Stop() <-chan struct{} { return r.stop }

// element is decoded slowly; the first stops the run.
type element struct{}

var (
	stop    chan struct{}
	decoded int
)

func (*element) UnmarshalJSON([]byte) error {
	if decoded++; decoded == 1 {
		close(stop)
	}
	time.Sleep(time.Millisecond)
	return nil
}

// TestDecodeStops: what decodes a long text ends soon after its run was stopped, with an error; a text that decodes
// to its end is not touched.
func TestDecodeStops(t *testing.T) {
	stop = make(chan struct{})
	defer task.Register(running{stop: stop})()
	text := []byte("[" + strings.Repeat("1, ", long) + "1]")
	before := string(text)
	decode := func(v any) error { return Decode(text, func(b []byte) error { return json.Unmarshal(b, v) }) }
	var numbers []int
	if err := decode(&numbers); err != nil || len(numbers) != long+1 {
		t.Fatalf("%d numbers, %v", len(numbers), err)
	}
	var list []element
	if err := decode(&list); !errors.Is(err, ErrInterrupted) {
		t.Errorf("stopped: %v", err)
	}
	if decoded == 0 || decoded > long {
		t.Errorf("%d elements of %d were decoded", decoded, long+1)
	}
	if string(text) != before {
		t.Error("the caller's text was changed")
	}
}

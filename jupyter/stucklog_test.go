package jupyter_test

import (
	"log"
	"testing"

	"gotorch/jupyter"
)

// stuck is a log that takes nothing: a pipe that is full.
type stuck struct{ free chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	<-s.free
	return len(p), nil
}

// A kernel whose standard error nobody reads goes on, whatever it has to say there, and ends.
func TestLogThatIsStuck(t *testing.T) {
	s := stuck{make(chan struct{})}
	t.Cleanup(func() { close(s.free) })
	k := start(t, newInfo(t, "tcp"), jupyter.Options{NoSignals: true, Log: log.New(s, "", 0)})
	for range 100 {
		k.Send(k.Shell, "nonsense", map[string]any{})
		k.Send(k.Stdin, "nonsense", map[string]any{})
		k.Send(k.Control, "nonsense_request", map[string]any{})
	}
	k.run("print a", nil)
	if m := k.Request(k.Control, "shutdown_request", map[string]any{}, wait); m == nil || m.Status() != "ok" {
		t.Errorf("shutdown: %v", m)
	}
}

// Package celltest is what tests of cells share.
package celltest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"gotorch/interp/result"
	"gotorch/visualize/display"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	_ "gotorch"
)

// Recorder is a sink that a test reads.
type Recorder struct {
	Out, Err LockedText
	In       string // what is typed when a cell asks
	Shown    []string
}

// LockedText is a text that goroutines of cells which have ended may still write to.
type LockedText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *LockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *LockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (r *Recorder) Display(id string, b display.Bundle) {
	r.Shown = append(r.Shown, fmt.Sprint(b.All()["text/plain"]))
}
func (r *Recorder) Update(id string, b display.Bundle) { r.Display(id, b) }
func (r *Recorder) Clear(bool)                         { r.Shown = append(r.Shown, "clear") }
func (r *Recorder) Stdout() io.Writer                  { return &r.Out }
func (r *Recorder) Stderr() io.Writer                  { return &r.Err }
func (r *Recorder) Stdin() io.Reader                   { return strings.NewReader(r.In) }

// Text is all that was put out.
func (r *Recorder) Text() string { return r.Out.String() + strings.Join(append(r.Shown, ""), "\n") }

// Session is an interp.Session.
type Session interface {
	Eval(ctx context.Context, src string, sink result.Sink) ([]result.Value, error)
}

// Cell runs a cell and writes down all that a user would see of it.
func Cell(s Session, src string) string {
	var r Recorder
	vals, err := s.Eval(context.Background(), src, &r)
	var b strings.Builder
	b.WriteString(r.Out.String())
	if text := r.Err.String(); text != "" {
		b.WriteString("stderr: " + text)
	}
	for _, v := range vals {
		b.WriteString(v.Text + "\n")
	}
	if err != nil {
		b.WriteString(err.(*result.Error).Name + ": " + err.(*result.Error).Text() + "\n")
	}
	return b.String()
}

// Blocks reads a file of cells.
func Blocks(t testing.TB, file string) []string {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range strings.Split(string(b), "\n----\n") {
		out = append(out, strings.TrimSpace(c))
	}
	return out
}

// Single skips a test of one goroutine where tests are to be short, as they are under the race detector, which is slow
// and finds nothing there.
func Single(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine")
	}
}

// Apart runs a test in a process of its own: what it leaves behind, host code that nothing stops and a heap of
// gigabytes, ends with it, and where it collects and measures, what other tests have left is not there. It is true
// where the test is to do its work, in that process.
func Apart(t *testing.T) bool {
	t.Helper()
	const name = "GOTORCH_TEST_APART"
	if os.Getenv(name) == t.Name() {
		return true
	}
	pattern := "^" + t.Name() + "$"
	if _, rows, ok := strings.Cut(flag.Lookup("test.run").Value.String(), "/"); ok {
		pattern += "/" + rows
	}
	timeout := flag.Lookup("test.timeout").Value.String()
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run="+pattern, "-test.timeout="+timeout)
	if testing.Short() {
		cmd.Args = append(cmd.Args, "-test.short")
	}
	if flag.Lookup("long") != nil && flag.Lookup("long").Value.String() == "true" {
		cmd.Args = append(cmd.Args, "-long")
	}
	cmd.Env = append(os.Environ(), name+"="+t.Name())
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case bytes.Contains(out, []byte("--- SKIP: "+t.Name()+" ")):
		t.Skipf("%s", out)
	case !bytes.Contains(out, []byte("--- PASS: "+t.Name()+" ")):
		t.Errorf("the test did not run:\n%s", out)
	default:
		t.Logf("%s", out)
	}
	return false
}

// Tries is how often a test looks before it says that something is slow: a busy machine is late now and then, what is
// slow is so always.
const Tries = 5

// onFirst is the output of a cell that calls something when the first of it comes.
type onFirst struct {
	result.Sink
	once *sync.Once
	call func()
}

func AtWork(call func()) onFirst { return onFirst{result.Discard, new(sync.Once), call} }

func (o onFirst) Stdout() io.Writer { return o }

func (o onFirst) Write(p []byte) (int, error) {
	o.once.Do(o.call)
	return len(p), nil
}

package yaegi

import (
	"bytes"
	"go/token"
	"strconv"
	"strings"
	"sync"

	"gotorch/internal/lazyre"
	"gotorch/interp/rt"
	"gotorch/interp/task"
)

// Panic is a panic that no cell recovered.
type Panic struct {
	Value any    // the argument of panic
	Text  string // as Go prints it
	Line  int    // what LineVar held
	// Call is the position of the host call that was made last: the one that failed, if Value is host code's.
	Call   token.Pos
	Frames []Frame // the functions it passed through, innermost first; no line is exact but the first's
	Go     bool    // it was in a goroutine that a cell started
	held   *held
}

func (p *Panic) Error() string { return "panic: " + p.Text }

// Frame is a function of a cell. Pos is where its body begins.
type Frame struct {
	Func      string // as lowered code names it
	File      string
	Line, Col int
}

// Kind is the reason why a run was stopped.
type Kind int

const (
	Interrupted Kind = iota
	Depth            // endless recursion
	Exit             // os.Exit, log.Fatal, runtime.Goexit
	Memory           // more memory than there is
	Busy             // an interrupted run has not returned yet
)

// Stopped is a run that was stopped.
type Stopped struct {
	Kind Kind
	Text string
	Line int // what LineVar held
}

func (s *Stopped) Error() string { return s.Text }

// CompileError is lowered code that the interpreter rejects: a bug of the lowering.
type CompileError struct{ Text string }

func (c *CompileError) Error() string { return c.Text }

func (e *Engine) newPanic(v any) *Panic {
	v = rt.Recovered(v)
	p := &Panic{Value: v, Text: rt.PanicText(v), Line: e.Line()}
	if e.call != nil {
		p.Call = *e.call
	}
	p.Frames, p.held = e.noise.frames()
	if h := p.held; h != nil && (h.goroutine != task.ID() || h.line != p.Line) { // of another panic
		p.held = nil
	}
	return p
}

// noise collects what yaegi writes about panics: a line for each frame that a panic passes, recovered or not.
type noise struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	hold func() *held // asked when a panic leaves its first frame
	held *held
}

const noiseLimit = 1 << 14

func (n *noise) Write(p []byte) (int, error) {
	n.add(string(p), n.hold)
	return len(p), nil
}

// add takes a line about a panic that leaves a frame; hold finds the frame.
func (n *noise) add(line string, hold func() *held) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.buf.Len() == 0 && hold != nil {
		n.held = hold()
	}
	if n.buf.Len() < noiseLimit {
		n.buf.WriteString(line)
	}
}

func (n *noise) reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.buf.Reset()
	n.held = nil
}

var frameLine = lazyre.New(`^(?:(.*?):)?(\d+):(\d+): panic: main\.?(.*?)\(\.\.\.\)$`)

// frames reads the noise.
func (n *noise) frames() ([]Frame, *held) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var fs []Frame
	for _, l := range strings.Split(n.buf.String(), "\n") {
		m := frameLine.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		f := Frame{m[4], m[1], line, col}
		if len(fs) > 0 && fs[len(fs)-1] == f {
			continue // blocks of one function
		}
		fs = append(fs, f)
	}
	h := n.held
	n.buf.Reset()
	n.held = nil
	return fs, h
}

package async

import (
	"fmt"
	"slices"
	"sync/atomic"
	"weak"

	"gotorch/internal/streams"
	"gotorch/tensor"
)

// Note: graphs. What a stream is asked for while a function is captured does not run: it is kept, with the addresses
// that it reads and writes, and [Graph.Replay] asks for it again, without operators, shapes or dispatch. So a replay
// reads what lies at these addresses then. New inputs are copied into the tensors of the capture; a variable that
// names another tensor changes nothing.

// Graph is the work that [CaptureGraph] has recorded.
type Graph struct {
	s     *Stream
	tasks []*task
	ops   []string
	uses  []use
	bad   *tensor.Error
}

// use is memory that the graph uses and does not own. A graph keeps no tensor, as with CUDA.
type use struct {
	h    weak.Pointer[handle]
	op   string
	site tensor.Site
}

var capturing atomic.Int32 // how many streams are being captured

// noteUse notes memory of the device that an operator is going to use.
func (d *device) noteUse(op string, h *handle) {
	if capturing.Load() == 0 {
		return
	}
	s := d.current()
	mu.Lock()
	defer mu.Unlock()
	if g := s.capture; g != nil && h.block != nil && h.block.seg.pool.g != g {
		g.uses = append(g.uses, use{weak.Make(h), op, tensor.CurrentSite()})
	}
}

// CaptureGraph runs f and keeps what the current stream of the device, async:0 where none is given, is asked for,
// instead of running it. Tensors made in f have memory that is the graph's as long as it lives; their values are
// there after a replay. What needs values (Item, printing, Nonzero), draws random numbers, waits, or copies from
// unpinned memory cannot be captured and panics with an *Error.
func CaptureGraph(f func(), device ...tensor.Device) *Graph {
	const op = "capture_graph"
	s := deviceOf("async.capture_graph", device).current()
	g := &Graph{s: s}
	mu.Lock()
	if s.capture != nil {
		mu.Unlock()
		panic(tensor.Errorf(op, "the %s is captured already", s))
	}
	s.capture = g
	capturing.Add(1)
	mu.Unlock()
	defer func() {
		mu.Lock()
		capturing.Add(-1)
		s.capture = nil
		mu.Unlock()
	}()
	f()
	if g.bad != nil {
		panic(g.bad)
	}
	return g
}

// add keeps a task. The caller holds mu.
func (g *Graph) add(t *task) {
	switch t.kind {
	case recordTask, waitTask:
		if g.bad == nil {
			g.bad = tensor.Errorf("capture_graph", "an event of the %s cannot be captured", g.s)
		}
		return
	}
	g.tasks = append(g.tasks, t)
	if t.kind != fillTask {
		g.ops = append(g.ops, t.op)
	}
}

// Replay asks the current stream of the graph's device for the captured work. It panics with an *Error if memory that
// the work reads or writes has been freed since.
func (g *Graph) Replay() {
	const op = "replay"
	if g == nil || g.s == nil {
		panic(tensor.Errorf(op, "there is no graph").WithHint("async.CaptureGraph(f) makes one"))
	}
	s := g.s.dev.current()
	s.notWhileCapturing(op)
	_, done := hostSpan(op, streams.Call)
	defer done()
	for _, u := range g.uses {
		if h := u.h.Value(); h == nil || h.freed {
			panic(tensor.Errorf(op, "memory that %s%s uses was freed since the capture", u.op, at(u.site)).
				WithHint("a graph needs the tensors of its capture: x.Copy_(y) gives x new values"))
		}
	}
	for _, t := range g.tasks {
		again := *t
		s.ask(&again)
	}
}

func at(site tensor.Site) string {
	if site.IsZero() {
		return ""
	}
	return " (" + site.String() + ")"
}

// Ops are the operators of the graph, in their order.
func (g *Graph) Ops() []string { return slices.Clone(g.ops) }

// String is "graph of 3 tasks: mul, add, sum".
func (g *Graph) String() string {
	if g == nil {
		return "nil"
	}
	list, rest := g.ops, ""
	if len(list) > 8 {
		list, rest = list[:8], ", …"
	}
	text := fmt.Sprintf("graph of %d operators:", len(g.ops))
	for i, o := range list {
		if i > 0 {
			text += ","
		}
		text += " " + o
	}
	return text + rest
}

// notWhileCapturing panics if the stream is being captured: op waits, or needs values that are not there.
func (s *Stream) notWhileCapturing(op string) {
	mu.Lock()
	g := s.capture
	mu.Unlock()
	if g != nil {
		panic(tensor.Errorf(op, "it waits for the %s, whose work is being captured and does not run", s).
			WithHint("call it outside of async.CaptureGraph"))
	}
}

// notWhileDrawing panics if the stream is being captured: a replay would give the same numbers.
func (s *Stream) notWhileDrawing(op string) {
	mu.Lock()
	g := s.capture
	mu.Unlock()
	if g != nil {
		panic(tensor.Errorf(op, "random numbers are drawn when the operator is called, so a captured graph would repeat "+
			"them").WithHint("draw outside of async.CaptureGraph, and copy into a tensor of the capture"))
	}
}

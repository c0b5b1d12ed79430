// Package interp is the session behind the prompt and the kernel: it reads,
// checks, lowers and runs cells of Go, keeps what they define, and shows what
// they end with.
//
// Note: what a cell cannot do
//
// Goroutines that use one map at once get a panic from the statements that write
// it, and from simple ones that read it. Where one of them is in a range over the
// map, in a condition that reads it, or in compiled code, they end the process, as
// they end any program of Go's: the runtime gives no way to catch that. What compiled code
// finds by reflection in a value whose type a cell declared is its structure:
// text/template sees fields and tags but no methods, and says so in its errors
// (package encoding/json is given a view that has them, see package rt). Package
// unsafe is not there. A panic that unwinds thousands of calls takes seconds.
//
// An interrupt makes the calls that were deferred, in a tenth of a second at most
// for each round of them, and ends the goroutines of earlier cells too where they
// run cells' code. Compiled code that never looks at it goes on by itself, after
// the prompt is free; cells that come before it has left are told so. Steps that
// make gigabytes, s + s or append(b, b...), are refused where they would take
// more memory than is left. What compiled code grows by itself, a strings.Builder
// say, is seen only when it is made, and stopped then.
package interp

import (
	"context"
	"go/token"
	"io"
	"sync"
	"sync/atomic"

	"gotorch/interp/check"
	"gotorch/interp/exportdata"
	"gotorch/interp/hints"
	"gotorch/interp/lower"
	"gotorch/interp/result"
	"gotorch/interp/rt"
	"gotorch/interp/shell"
	"gotorch/interp/split"
	"gotorch/interp/task"
	"gotorch/interp/yaegi"
	"gotorch/tensor"
	"gotorch/visualize"
	"gotorch/visualize/display"
)

// Options say how a session behaves. The zero Options are the usual ones.
type Options struct {
	// Keep is how many shown values Out keeps; zero means 100.
	Keep int

	// Texts is how many bytes of cells' texts In keeps, each text once; zero means 32 MB. Messages and help quote the
	// cells that In has.
	Texts int

	// Stack limits recursion; see [yaegi.Options].
	Stack int

	// Ended, if it is not nil, is called when a cell has ended.
	Ended func()

	// Safe restricts what cells may do, for classrooms and shared machines: they change no files, start no programs and
	// reach no network.
	Safe bool
}

// What a cell ends with, and what is known of a name.
type (
	Value = result.Value
	Error = result.Error
	Frame = result.Frame
	Help  = shell.Help
)

// rich is what a notebook shows of a value.
func (s *Session) rich(v any, text string, b display.Bundle) display.Bundle {
	s.host.bind(func() {
		if x, ok := v.(*tensor.Tensor); ok && x != nil {
			b = tensorBundle(x, text)
		}
		b.All()
	})
	return b
}

// value is a value that the session shows.
func (s *Session) value(text string, b display.Bundle, v any) Value {
	return Value{Text: text, Bundle: b, V: v, Draw: func() display.Bundle { return s.rich(v, text, b) }}
}

// Session is one person's session. Eval runs one cell at a time; the other
// methods may be called while a cell runs.
type Session struct {
	opts   Options
	eng    *yaegi.Engine
	rt     *rt.Runtime
	low    *lower.Lowerer
	host   *host
	shell  *shell.Shell
	advice hints.Advice
	imp    *exportdata.Importer

	run sync.Mutex // held while a cell runs

	mu     sync.Mutex // holds what follows
	env    *check.Env
	n      int    // the cell that is running, or ran last
	called string // its Name, if it has one
	files  map[string]bool
	serial int // of texts given to the engine, cells and what they are made of
	cells  map[int]*source
	last   *check.Checked
	edited string // what %edit gave, in place of what was typed
	outs   outs

	earlierMade []string // names such as _i that the running cell was given

	texts texts
	funcs map[string]lower.Place // functions by the names that the engine knows them by
	users map[string]*user       // functions that live, and what they use

	going going
	given atomic.Pointer[[]given] // the texts given to the engine, by number
	sink  atomic.Pointer[Sink]

	closed atomic.Bool
}

// source is a text that was run: what messages quote.
type source struct {
	name string // "In[3]"
	text string
	prog *lower.Program // nil when it has run

	locals []yaegi.Local // names of its functions, for errors
	base   token.Pos     // where it begins, for the engine
}

// given is what places need to know of a text, also while another one runs: its
// functions may be called.
type given struct {
	name    string
	assigns map[int]string // the names that its statements assign to
}

// New makes a session.
func New(o Options) *Session {
	if o.Keep == 0 {
		o.Keep = 100
	}
	if o.Texts == 0 {
		o.Texts = textsKept
	}
	s := &Session{opts: o, rt: rt.New(), imp: exportdata.NewImporter(), cells: map[int]*source{}, texts: texts{limit: o.Texts}, funcs: map[string]lower.Place{}}
	s.host = &host{Session: s}
	s.shell = shell.New(commands{s})
	s.eng = yaegi.New(yaegi.Options{Session: s, Runtime: s.rt, Stack: o.Stack, Orphan: s.orphan, Around: interruptible, Memory: tensor.MemoryBudget})
	s.low = lower.New(s.rt, s.eng, s.imp)
	cfg := check.Standard()
	cfg.Importer, cfg.Bare = s.imp, barePackage()
	s.env = check.NewEnv(cfg)
	visualize.LogDraws()
	open.Add(1)
	s.eng.Extend("Show", s.show)
	s.eng.Extend("Step", s.going.reach)
	s.eng.Extend("Var", s.going.declare)
	s.eng.Extend("TensorVar", func(id int, p **tensor.Tensor) { s.going.declare(id, p) })
	s.eng.Extend("Tensor", func(t *tensor.Tensor) any { return t })
	return s
}

// Warm reads the types of package tensor, which the first cell waits for otherwise. It may run beside anything.
func (s *Session) Warm() { s.imp.Import(barePackage()) }

// show takes a value that the running cell ends with.
func (s *Session) show(v any) {
	if _, shown := v.(*display.Handle); shown { // what it shows has been shown
		return
	}
	if _, live := v.(display.Live); live { // a widget, which must know where it is shown
		display.Show(v)
		return
	}
	if v := s.valueOf(v); !task.Stopped() { // else its text is not whole
		s.going.show(v)
	}
}

// valueOf is a value with what shows it.
func (s *Session) valueOf(v any) Value {
	if view, ok := v.(visualize.View); ok {
		if _, sliders := v.(*visualize.Explorer); !sliders { // which must know where they are shown
			return s.viewValue(view)
		}
	}
	var b display.Bundle
	if box, ok := v.(rt.Box); !ok {
		b = display.Of(v) // or a panic, where it holds itself
	} else {
		b = boxBundle(box)
		if text, ok := box.Outline(briefTensor); ok && len(b.Data) == 1 {
			b = display.Text(text)
		}
	}
	if text, ok := listOfTensors(v); ok && len(b.Data) == 1 {
		b = display.Text(text)
	}
	text, _ := b.Data["text/plain"].(string)
	return s.value(text, b, v)
}

// viewValue is a view as a value. Only its text is made here; a notebook asks for the rest.
func (s *Session) viewValue(v visualize.View) Value {
	text := v.Text(false)
	if card, ok := v.(*visualize.TensorCard); ok {
		text = card.Body
	}
	return s.value(text, display.Lazy(v.Text, func() (all map[string]any) {
		defer func() {
			if recover() != nil { // a view that a cell made up
				all = map[string]any{"text/plain": text}
			}
		}()
		return v.MIMEBundle()
	}), v)
}

// Count is the number of the last cell, 0 before the first.
func (s *Session) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

// Cell is a cell to run.
type Cell struct {
	Src    string
	Name   string // what messages call it, such as a file's name; empty for "In[3]"
	Count  int    // its number; 0 for the one after the last
	Silent bool   // it leaves no trace in In and Out
}

// Eval runs the next cell and gives the values that it shows. The error is
// nil or an [*Error]. When ctx is done the cell is stopped within some
// milliseconds; names and values stay.
func (s *Session) Eval(ctx context.Context, src string, sink Sink) ([]Value, error) {
	return s.EvalCell(ctx, Cell{Src: src}, sink)
}

// EvalCell runs a cell.
func (s *Session) EvalCell(ctx context.Context, c Cell, sink Sink) ([]Value, error) {
	s.run.Lock()
	defer s.run.Unlock()
	if s.opts.Ended != nil {
		defer s.opts.Ended()
	}
	if err := s.eng.WaitIdle(); err != nil {
		return nil, s.runError(err)
	}
	s.mu.Lock()
	if s.outs.behind {
		s.bring()
	}
	if c.Count > 0 {
		s.n = c.Count
	} else if !c.Silent {
		s.n++
	}
	n, from := s.n, s.serial+1
	s.called = c.Name
	c.Src = s.texts.one(c.Src)
	s.mu.Unlock()
	s.attach(sink)
	src := split.Unprompted(c.Src)
	var vals []Value
	var err *Error
	for _, part := range split.Pasted(c.Src) {
		var more []Value
		more, err = s.evalText(ctx, part)
		if vals = append(vals, more...); err != nil {
			break
		}
	}
	if e := s.late(ctx); err == nil {
		err = e
	}
	s.eng.Flush()
	if f, ok := sink.(interface{ Flush() }); ok { // what waits for the end of the cell
		f.Flush()
	}
	s.mu.Lock()
	if s.edited != "" {
		src, s.edited = s.edited, ""
	}
	s.mu.Unlock()
	if !c.Silent {
		s.keep(n, from, src, vals, err != nil)
	}
	if err == nil {
		if !c.Silent && sink != nil && c.Name == "" { // nobody types at a file
			s.mu.Lock()
			notes := s.advice.Notes(s.env, src, vals)
			s.mu.Unlock()
			if notes != "" {
				io.WriteString(sink.Stderr(), notes)
			}
		}
		return vals, nil
	}
	s.explain(err)
	return vals, err
}

// Call runs f, compiled code that calls functions of cells, between cells: what a widget calls when it changed. It
// waits for the cell that runs. What f puts out goes to sink; errors and the end of ctx are as in [Session.Eval].
func (s *Session) Call(ctx context.Context, sink Sink, f func()) error {
	s.run.Lock()
	defer s.run.Unlock()
	if err := s.eng.WaitIdle(); err != nil {
		return s.runError(err)
	}
	s.attach(sink)
	err := s.eng.Call(ctx, f)
	if e := s.late(ctx); err == nil && e != nil {
		err = e
	}
	s.eng.Flush()
	if err == nil {
		return nil
	}
	if done, ok := err.(*Error); ok {
		return done
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runError(err)
}

// late shows what displays have kept for the end of a cell. What makes it is code of cells.
func (s *Session) late(ctx context.Context) *Error {
	if !display.Waiting() {
		return nil
	}
	if err := s.eng.Call(ctx, display.Flush); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.runError(err)
	}
	return nil
}

// Goroutines is how many goroutines that cells started still run.
func (s *Session) Goroutines() int { return len(s.eng.Goroutines()) }

// Close ends the session's part in what is common to the process.
func (s *Session) Close() {
	if !s.closed.Swap(true) {
		open.Add(-1)
	}
	running.CompareAndSwap(s, nil)
	s.eng.Close()
}

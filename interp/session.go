// Package interp is the session behind the prompt and the kernel. It reads,
// checks, lowers and runs cells of Go, keeps their definitions, and shows the
// values that they end with.
//
//	session.go          a session: options, a cell from beginning to end
//	eval.go             the parts of a cell; Go: read, check, lower, run, commit
//	packages.go         packages from disk that cells import
//	progress.go         what the running cell has done so far
//	stale_functions.go  which functions still use old definitions
//	history*.go         In, Out, _ and the texts of cells
//	show.go             how the values at the end of a cell look
//	sink.go             where output goes, and questions to the user
//	host.go             the session as views and displays see it
//	tensor_names.go     what the user calls a tensor; argument_texts.go: and typed as an argument
//	shell.go            the session as package shell sees it
//	input.go            files, and whether what was typed is whole
//	complete.go         completion and signatures; inspect.go: help; long_cells.go: in cells of megabytes
//	variables.go        values while a cell runs
//	errors.go           how a cell failed
//	error_*.go          the column of an error in its line, and its picture
//	statement_at.go     the statement at a place
//	array_limit.go      arrays that are too large
//	safe.go             the restricted mode; host_only.go: functions that no cell may call
//
// Note: what a cell cannot do
//
// Goroutines that use one map at the same time get a panic from statements that
// write it, and from simple ones that read it. Where one of them is in a range
// over the map, in a condition that reads it, or in host code, the process ends, as
// any Go program does: the runtime offers no way to catch that. Host code that
// looks by reflection at a value whose type a cell declared finds its structure:
// text/template sees fields and tags but no methods, and its errors say so
// (package std/json has a view with the methods). Package unsafe is not available.
// A panic that unwinds thousands of calls takes seconds.
//
// An interrupt runs the deferred calls, for a tenth of a second at most in each
// round, and also ends goroutines of earlier cells while they run cells' code. Host
// code that never checks for it continues after the prompt is free; later cells
// report Busy until it has returned. Steps that make gigabytes, s + s or
// append(b, b...), are rejected if there is not enough memory. What host code
// grows by itself, a strings.Builder for instance, is noticed only when it has been
// allocated, and is stopped then.
package interp

import (
	"context"
	"go/token"
	"io"
	"sync"
	"sync/atomic"

	"gotorch/internal/journal"
	"gotorch/interp/check"
	"gotorch/interp/disk"
	"gotorch/interp/exportdata"
	"gotorch/interp/hints"
	"gotorch/interp/lower"
	"gotorch/interp/result"
	"gotorch/interp/rt"
	"gotorch/interp/shell"
	"gotorch/interp/split"
	"gotorch/interp/yaegi"
	"gotorch/tensor"
	"gotorch/visualize"
	"gotorch/visualize/display"
)

// Options say how a session behaves. The zero Options are the usual ones.
type Options struct {
	// Keep is how many shown values Out keeps; zero means 100.
	Keep int

	// Texts is how many bytes of sources of cells In keeps, each text once; zero means 32 MB. Messages and help quote the
	// cells that In has.
	Texts int

	// Stack limits recursion; see [yaegi.Options].
	Stack int

	// Ended, if it is not nil, is called when a cell has ended.
	Ended func()

	// Journal keeps the cells in a file while the process lives, and Lost is what an earlier process has left, for the
	// command %restore; both may be nil.
	Journal *journal.Journal
	Lost    *journal.Lost

	// Safe restricts what cells may do, for classrooms and shared machines: they change no files, start no programs and
	// reach no network.
	Safe bool

	// NoSkip is for classes: in lessons no exercise is skipped, and no solution is shown.
	NoSkip bool

	// Read lists what the restricted mode may read; packages are imported from there alone. Nil is everything, and
	// then packages come from the working directory.
	Read []string
}

// What a cell ends with, and what is known of a name.
type (
	Value = result.Value
	Error = result.Error
	Frame = result.Frame
	Help  = shell.Help
)

// Session is the session of one user. Eval runs one cell at a time; the other
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
	disk   *disk.Loader

	run sync.Mutex // held while a cell runs

	mu        sync.Mutex // holds what follows
	env       *check.Env
	n         int    // the cell that is running, or ran last
	called    string // its Name, if it has one
	files     map[string]bool
	sameNames int // how many names of files had to be told apart
	serial    int // of sources submitted to the engine, cells and the session's own
	cells     map[int]*source
	last      *check.Checked
	edited    string // what %edit gave, in place of what was typed
	history   history

	earlierMade []string // names such as _i that the running cell was given

	inputs inputs
	funcs  map[string]lower.Place // functions by the names that the engine knows them by
	users  map[string]*user       // functions that live, and what they use

	ran        map[*check.Package]bool // packages from disk
	autoreload bool

	progress  progress
	submitted atomic.Pointer[[]submitted] // by number
	sink      atomic.Pointer[Sink]
	viewRun   atomic.Pointer[string] // see host.LinkViews

	registrations registrations // what cells have registered

	closed atomic.Bool
}

// source is a text that was run; messages quote it.
type source struct {
	name string // "In[3]"
	text string
	prog *lower.Program // nil when it has run

	locals []yaegi.Local // names of its functions, for errors
	base   token.Pos     // where it begins, for the engine
}

// submitted describes a source for lookups by place, which also happen while
// another one runs: its functions may be called.
type submitted struct {
	name    string
	assigns map[int]string // the names that its statements assign to
	funcs   []funcLines    // the functions that it declares
}

// funcLines are the lines of a function.
type funcLines struct {
	name        string
	first, last int
}

// New makes a session.
func New(o Options) *Session {
	if o.Keep == 0 {
		o.Keep = 100
	}
	if o.Texts == 0 {
		o.Texts = inputsKept
	}
	s := &Session{opts: o, rt: rt.New(), imp: exportdata.NewImporter(), cells: map[int]*source{},
		inputs: inputs{limit: o.Texts}, funcs: map[string]lower.Place{},
		ran: map[*check.Package]bool{}}
	s.host = &host{Session: s}
	s.shell = shell.New(commands{s})
	s.eng = yaegi.New(yaegi.Options{Session: s, Runtime: s.rt, Stack: o.Stack, Orphan: s.orphan, Around: interruptible,
		Memory: tensor.MemoryBudget})
	s.low = lower.New(s.rt, s.eng, s.imp)
	s.disk = disk.New(s.imp, s.eng.FileSet())
	s.disk.Name, s.disk.Safe, s.disk.Read = diskName, o.Safe, o.Read
	cfg := check.Standard()
	cfg.Importer, cfg.Bare, cfg.Defined = s.disk, barePackage(), definedSchemas
	s.env = check.NewEnv(cfg)
	visualize.LogDraws()
	open.Add(1)
	s.eng.Extend("Show", s.show)
	s.eng.Extend("Step", s.progress.reach)
	s.eng.Extend("Var", s.progress.declare)
	s.eng.Extend("TensorVar", func(id int, p **tensor.Tensor) { s.progress.declare(id, p) })
	s.eng.Extend("Tensor", func(t *tensor.Tensor) any { return t })
	return s
}

// Warm reads the types of package tensor, for which the first cell waits otherwise. It may run concurrently.
func (s *Session) Warm() { s.imp.Import(barePackage()) }

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

// Eval runs the next cell and returns the values that it shows. The error is
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
	if s.history.behind {
		s.refreshHistory()
	}
	if c.Count > 0 {
		s.n = c.Count
	} else if !c.Silent {
		s.n++
	}
	n, from := s.n, s.serial+1
	s.called = c.Name
	c.Src = s.inputs.one(c.Src)
	s.mu.Unlock()
	if !c.Silent {
		defer s.opts.Journal.Begin(n, c.Src)()
	}
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
	if e := s.showWaiting(ctx); err == nil {
		err = e
	}
	s.flush(ctx)
	if f, ok := sink.(interface{ Flush() }); ok { // what waits for the end of the cell
		f.Flush()
	}
	s.mu.Lock()
	if s.edited != "" {
		src, s.edited = s.edited, ""
	}
	s.mu.Unlock()
	if !c.Silent {
		s.remember(n, from, src, vals, err != nil)
	}
	if !c.Silent && c.Name == "" {
		vals = append(vals, s.shell.Learned(src, err != nil)...)
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

// Call runs f, host code that calls functions of cells, between cells: what a widget calls when it changed. It waits
// for the cell that runs. What f prints goes to sink; errors and the end of ctx are as in [Session.Eval].
func (s *Session) Call(ctx context.Context, sink Sink, f func()) error {
	s.run.Lock()
	defer s.run.Unlock()
	if err := s.eng.WaitIdle(); err != nil {
		return s.runError(err)
	}
	s.attach(sink)
	err := s.eng.Call(ctx, f)
	if e := s.showWaiting(ctx); err == nil && e != nil {
		err = e
	}
	s.flush(ctx)
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

// showWaiting draws the displays that wait for the end of a cell. Code of cells draws them, so errors are possible.
func (s *Session) showWaiting(ctx context.Context) *Error {
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

// InLesson reports whether a lesson is being read.
func (s *Session) InLesson() bool { return s.shell.InLesson() }

// Goroutines is how many goroutines that cells started still run.
func (s *Session) Goroutines() int { return len(s.eng.Goroutines()) }

// Close ends the session's part in what is common to the process.
func (s *Session) Close() {
	if !s.closed.Swap(true) {
		open.Add(-1)
	}
	s.registrations.undo()
	running.CompareAndSwap(s, nil)
	s.eng.Close()
}

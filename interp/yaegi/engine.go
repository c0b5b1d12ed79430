// Package yaegi runs core Go, the plain Go that cells are lowered to. It uses the interpreter yaegi, which no other
// package imports, and adds what a session needs: a run that can be stopped at any time and leaves everything as it
// was, panics as errors, goroutines that cannot end the process, a limit to recursion, and the session's own streams
// in place of the process's.
//
//	engine.go streams.go        the engine: runs, packages, streams
//	runtime.go                  the functions that programs call; go, panics of goroutines, recursion
//	quirks.go                   what yaegi does wrong, as a table
//	rewrite.go walk.go quirks_*.go
//	                            the rewrites of programs that cure it
//	private.go                  yaegi's private structs: all that is unsafe
//	prune.go forget.go globals.go
//	                            what yaegi would keep, or move
//	stop.go member.go goroutines.go
//	                            how a run and its goroutines are stopped
//	defer.go defer_stopped.go   deferred calls, those of what was stopped too
//	select.go                   select statements
//	errors.go locals.go         panics, their frames, and what variables held
//	map_races.go memory.go promises.go turns.go
//	                            watching maps, memory, and goroutines that compute
//	quick.go                    package quick, which replaces steps of functions by quicker ones
package yaegi

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/traefik/yaegi/interp"

	"gotorch/internal/parallel"
	"gotorch/interp/core"
	"gotorch/interp/rt"
	"gotorch/interp/std"
	"gotorch/interp/std/env"
	"gotorch/interp/yaegi/quick"
)

// Options configure an engine.
type Options struct {
	Runtime *rt.Runtime

	// Stack is how many bytes of stack a goroutine of a cell may use before its recursion is considered endless. Zero
	// means 8 MiB: some 14,000 nested calls of functions of cells.
	Stack int

	// Memory is how many bytes the process may use in all, from what cells ask for on; nil or 0 sets no limit.
	Memory func() int

	// Session is the session that the engine belongs to, for code that looks it up by a goroutine's task.
	Session any

	// Orphan is called with the panic of a goroutine whose cell has ended.
	Orphan func(*Panic)

	// Around runs f, the work of a goroutine of a run; host code beneath may look at stop, which is
	// closed when the run is to end. Nil just runs f.
	Around func(stop <-chan struct{}, f func())
}

// Engine is one interpreter. Runs follow each other; everything else may be
// called at any time.
type Engine struct {
	in    *interp.Interpreter
	inner private
	quick *quick.Quick
	rt    *rt.Runtime
	opts  Options

	Env *env.Env // what host packages act on

	mu   sync.Mutex // held by Run
	used map[string]bool

	extended map[string]bool     // functions that were added to package rt·
	latest   *run                // the last run, which may still be ending
	now      atomic.Pointer[run] // the run that is going on
	noise    noise
	holds    atomic.Int32 // frames of this run that were searched for
	locals   atomic.Pointer[[]Local]

	line   *int         // what LineVar is kept in
	shared atomic.Int64 // in its place under the race detector
	call   *token.Pos   // where the last call of host code is; nil under the race detector

	stack      atomic.Int64 // Options.Stack
	goroutines goroutines   // that cells started
	owned      owned
	deferrals  deferrals // deferred calls of what is stopped
	turns      turns     // of the goroutines of cells
	touches    touches   // of maps, by goroutines
	large      large     // whether much memory is in use
	promises   promises  // of memory, to goroutines
	trees      []tree    // not yet forgotten

	rewritten int    // names that rewrites have made
	skip      string // a quirk whose rewrite is left out, for tests
}

// New makes an engine.
func New(o Options) *Engine {
	if o.Stack == 0 {
		o.Stack = 8 << 20
	}
	e := &Engine{rt: o.Runtime, opts: o, used: map[string]bool{}, extended: map[string]bool{}}
	e.Env = env.New(e, o.Runtime)
	if o.Runtime != nil {
		o.Runtime.Codec = std.Codec{}
		o.Runtime.Bound = func(x reflect.Value, name string, m reflect.Value) reflect.Value {
			return std.Bound(e.Env, x, name, m)
		}
	}
	e.stack.Store(int64(o.Stack))
	e.deferrals.quiet = make(chan struct{}, 1)
	e.in = interp.New(interp.Options{Stderr: &e.noise, Stdout: e.Env.Stdout(), Unrestricted: true})
	e.inner = openUp(e.in)
	e.noise.hold = e.holdPanicFrame
	e.quick = e.newQuick()
	e.in.Use(interp.Exports{core.RuntimePath + "/" + "rt": e.runtimeSymbols()})
	if err := e.begin(); err != nil {
		panic(fmt.Sprintf("interp/yaegi: the interpreter cannot start: %v", err))
	}
	return e
}

// begin declares LineVar and the variables by which the engine makes requests, and passes their addresses to the
// engine.
func (e *Engine) begin() error {
	p := token.NoPos
	id := func(n string) *ast.Ident { return &ast.Ident{NamePos: p, Name: n} }
	bind := &ast.CallExpr{Fun: &ast.SelectorExpr{X: id(core.RuntimeName), Sel: id("Bind")},
		Args: []ast.Expr{&ast.UnaryExpr{Op: token.AND, X: id(core.LineVar)},
			&ast.UnaryExpr{Op: token.AND, X: id(core.TurnVar)}, &ast.UnaryExpr{Op: token.AND, X: id(core.LargeVar)},
			&ast.UnaryExpr{Op: token.AND, X: id(core.SeveralVar)}}}
	f := &ast.File{Name: id("main"), Decls: []ast.Decl{
		core.Import(core.RuntimeName, core.RuntimePath, p),
		&ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{id(core.LineVar)},
			Type: id("int")}, &ast.ValueSpec{Names: []*ast.Ident{id(core.TurnVar), id(core.LargeVar),
			id(core.SeveralVar)}, Type: id("bool")}}},
		&ast.FuncDecl{Name: id("init"), Type: &ast.FuncType{Params: &ast.FieldList{}},
			Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: bind}}}},
	}}
	if err := e.Run(context.Background(), &core.Program{File: f}); err != nil {
		return err
	}
	if e.quick.Line = e.line; !core.Race {
		e.call = new(token.Pos)
		e.quick.Call = e.call
	}
	return nil
}

// FileSet is the one in which all positions given to Run must lie.
func (e *Engine) FileSet() *token.FileSet { return e.in.FileSet() }

// Session is the session that the engine belongs to.
func (e *Engine) Session() any { return e.opts.Session }

// Line is what lowered code last put into LineVar.
func (e *Engine) Line() int {
	if n := e.shared.Load(); n != 0 {
		return int(n)
	}
	if e.line == nil {
		return 0
	}
	return *e.line
}

// Use makes a host package available. Using it again is free.
func (e *Engine) Use(path string) error {
	if e.used[path] {
		return nil
	}
	name, table, ok := std.Package(e.Env, path)
	if !ok {
		return fmt.Errorf("package %s is not available in this session", path)
	}
	pointers := map[string]reflect.Value{}
	for name, v := range table {
		if k := v.Kind(); v.CanSet() && (k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String) {
			pointers[name+core.PointerVar] = v.Addr()
		}
	}
	maps.Copy(table, pointers)
	// The doubled slash is for fmt: yaegi's Use would compile its generic
	// sources on seeing "fmt/fmt", which costs more than all the rest.
	if err := e.in.Use(interp.Exports{path + "//" + name: table}); err != nil {
		return err
	}
	e.used[path] = true
	return nil
}

// TypeOf returns a host package's type as cells see it.
func (e *Engine) TypeOf(path, name string) (reflect.Type, bool) { return std.TypeOf(e.Env, path, name) }

// Run declares what a program declares and runs its init function. The name of the file in which its positions lie
// must be new to the engine: imports belong to it. Run returns when it has ended, or soon after ctx is done. The error
// is a [*Panic], a [*Stopped], or a [*CompileError].
func (e *Engine) Run(ctx context.Context, p *core.Program) error {
	return e.do(ctx, func(r *run) error {
		e.sweep()
		defer e.dropImports(p.File)
		e.rewrite(p)
		file, err := e.declareLayouts(p)
		if err != nil {
			return &CompileError{err.Error()}
		}
		prog, err := e.in.CompileAST(file)
		if err != nil {
			return &CompileError{err.Error()}
		}
		e.inner.grow()
		e.noteLocals()
		e.inner.each(e.quick.Tree)
		e.around(r, func() { _, err = e.in.Execute(prog) })
		var thrown interp.Panic
		switch {
		case errors.As(err, &thrown):
			return e.newPanic(thrown.Value)
		case err != nil:
			return &CompileError{err.Error()}
		}
		return nil
	})
}

// Call runs host code that calls functions of cells, under the rules of Run: it can be stopped, and a panic is
// an error.
func (e *Engine) Call(ctx context.Context, f func()) error {
	return e.do(ctx, func(r *run) (err error) {
		e.around(r, func() {
			defer func() {
				if v := recover(); v != nil {
					err = e.newPanic(v)
				}
			}()
			f()
		})
		return err
	})
}

// do makes a run of f.
func (e *Engine) do(ctx context.Context, f func(*run) error) error {
	if err := e.WaitIdle(); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	r := newRun()
	r.streams = e.Env.SessionStreams()
	e.latest = r
	e.Env.RestoreFiles()
	e.noise.reset()
	e.holds.Store(0)
	e.now.Store(r)
	go e.work(r, f)
	defer e.watch(r.settled)()
	select {
	case <-r.settled:
	case <-ctx.Done():
		e.cancel(r, &Stopped{Kind: Interrupted, Text: "interrupted", Line: e.Line()})
		e.abandon(r, patience)
		r.awaitDeferred(patience)
	case <-r.stop: // stopped from inside
		e.abandon(r, 5*time.Second)
		r.awaitDeferred(patience)
	}
	if c := r.cause.Load(); c != nil {
		return *c
	}
	select {
	case <-r.settled:
		return r.err
	default:
		return nil
	}
}

// patience is how long an interrupted run may take to return before the prompt is free without it.
const patience = 20 * time.Millisecond

// abandon waits for a run that was stopped to return, no longer than patience.
func (e *Engine) abandon(r *run, patience time.Duration) {
	select {
	case <-r.settled:
	case <-time.After(patience):
		r.at.Store(int64(e.Line()))
		go parallel.Stray(r.settled)
	}
}

// WaitIdle waits until the last run has returned, when it was stopped inside host code; it does not wait long. Until
// then nothing that the run may still use is touched.
func (e *Engine) WaitIdle() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.idle() {
		return nil
	}
	select {
	case <-e.latest.ended:
		return nil
	case <-time.After(2 * time.Second):
		return &Stopped{Kind: Busy, Line: int(e.latest.at.Load()),
			Text: "the cell that was interrupted is still inside compiled code" + blocking() + ", which cannot be " +
				"stopped; try again when it has left, or restart"}
	}
}

// Idle reports whether the last run has returned: WaitIdle without the wait.
func (e *Engine) Idle() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.idle()
}

// idle is Idle where e.mu is held.
func (e *Engine) idle() bool {
	if e.latest == nil {
		return true
	}
	select {
	case <-e.latest.ended:
		return true
	default:
		return false
	}
}

// work is the goroutine of a run.
func (e *Engine) work(r *run, f func(*run) error) {
	growStack(0)
	unregister := e.register(r, false)
	normal := false
	defer func() {
		unregister()
		if p := recover(); p != nil { // the interpreter's own compiler
			r.err = &CompileError{fmt.Sprint(p)}
		} else if !normal && r.err == nil {
			r.err = &Stopped{Kind: Exit, Text: "runtime.Goexit ended the cell"}
		}
		e.now.CompareAndSwap(r, nil)
		close(r.settled)
		if r.taken.CompareAndSwap(false, true) {
			close(r.ended) // else what stopped it does
		}
	}()
	r.err = f(r)
	normal = true
	r.wait()
	e.forget(r)
}

// growStack gives the goroutine the stack that a small cell needs at once, while there is little to move: a stack that
// doubles when many frames are on it takes longer than a small cell.
//
//go:noinline
func growStack(i int) byte {
	var room [24 << 10]byte
	room[i] = byte(i)
	return room[len(room)-1-i] // so that the compiler does not leave the array out
}

// around is [Options.Around].
func (e *Engine) around(r *run, f func()) {
	if e.opts.Around == nil || r == nil {
		f()
		return
	}
	e.opts.Around(r.stop, f)
}

// wait returns goroutines that the run started a moment to end, so that one that
// panics at once is an error of the cell that started it.
func (r *run) wait() {
	ended := r.started.ended()
	if ended == nil {
		return
	}
	select {
	case <-ended:
	case <-r.stop:
	case <-time.After(10 * time.Millisecond):
	}
}

// WaitingMethod returns the function of package rt· that replaces a method, which may take long or means something
// else in cells, of the host type path.typ or of a pointer to it; the receiver is its first argument. ok is false for
// other methods.
func (e *Engine) WaitingMethod(path, typ, method string, pointer bool) (name string, ok bool) {
	id := "_" + strings.NewReplacer("/", "_", ".", "_").Replace(path) + "_" + typ + "_" + method
	for _, kind := range []string{"Own", "Wait", "Guard"} {
		if e.extended[kind+id] {
			return kind + id, true
		}
	}
	kind, fn, ok := std.Method(e.Env, path, typ, method, pointer)
	if !ok {
		return "", false
	}
	e.extended[kind+id] = true
	e.extend(kind+id, fn())
	return kind + id, true
}

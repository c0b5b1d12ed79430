package yaegi

import (
	"fmt"
	"reflect"

	"gotorch/interp/core"
	"gotorch/interp/rt"
	"gotorch/interp/task"
)

// runtimeSymbols is what lowered code calls.
func (e *Engine) runtimeSymbols() map[string]reflect.Value {
	r := e.rt
	table := map[string]any{
		"Box": r.Box, "As": r.As, "Must": r.Must, "Switch": r.Switch, "Method": r.Method, "SetMethod": r.SetMethod,
		"Equal": rt.Equal, "Key": rt.Key, "Norm": rt.Norm, "Raw": rt.Raw, "Recovered": rt.Recovered, "Same": rt.Same,
		"Clear": rt.Clear, "Len": rt.Len, "Text": rt.Text, "Append": rt.Append, "Copied": rt.Copied,
		"CopiedText": rt.CopiedText, "Arrays": rt.Arrays,
		"Rune": rt.Rune, "Shift": rt.Shift, "Yes": rt.Yes, "Thrown": rt.Thrown,
		"BodyCalled": rt.BodyCalled, "BodyLost": rt.BodyLost,
		"Any":    func(x any) any { return x },
		"Adapt":  e.adapt,
		"Defers": e.newDefers, "Defer": e.deferCall, "BeginStep": e.beginStep, "Protect": e.protect,
		"EnterRecovering": e.enterRecovering, "Recover": e.recovered,
		"Bind": func(line *int, turn, large, several *bool) {
			e.line, e.turns.asked, e.touches.asked = line, turn, several
			e.large.bind(large)
		},
		"Touch": e.touch, "Untouch": e.untouch, "Several": e.touches.on.Load,
		"Snap":  e.snap,
		"Large": e.large.much.Load,
		"Turn":  e.turns.turn,
		"Line":  func(n int) { e.shared.Store(int64(n)) },
		"Now":   func() int { return int(e.shared.Load()) },
		"Enter": e.enter, "Go": e.spawn, "Select": e.choose, "Print": e.print, "Println": e.println,
	}
	out := map[string]reflect.Value{}
	for name, f := range table {
		out[name] = reflect.ValueOf(f)
	}
	return out
}

// Extend adds a function to package rt·, which lowered code calls.
func (e *Engine) Extend(name string, f any) { e.extend(name, reflect.ValueOf(f)) }

func (e *Engine) extend(name string, f reflect.Value) {
	e.in.Use(map[string]map[string]reflect.Value{core.RuntimePath + "/rt": {name: f}})
}

// adapt turns an interface value into one that host code can use: p is a nil
// pointer to the interface.
func (e *Engine) adapt(x any, p any) any {
	if x == nil {
		return nil
	}
	return rt.Adapt(x, reflect.TypeOf(p).Elem())
}

// enter is called by functions that may recurse. It measures the depth of the stack; past the limit the run is
// stopped, because a panic would take the interpreter time that grows with the square of the depth.
func (e *Engine) enter() {
	if startingCount.Load() > 0 {
		takeStarting(task.ID())
	}
	e.turns.turn()
	if task.StackUsed() < uintptr(e.stack.Load()) {
		return
	}
	if r := e.now.Load(); r != nil {
		e.cancel(r, &Stopped{Kind: Depth, Line: e.Line(),
			Text: "stack overflow: calls are nested too deep (is there a recursion without an end?)"})
	}
}

// Stack is how many bytes of stack a goroutine of a cell may use.
func (e *Engine) Stack() int { return int(e.stack.Load()) }

// SetStack sets it.
func (e *Engine) SetStack(bytes int) { e.stack.Store(int64(bytes)) }

// Exit stops the run instead of ending the process.
func (e *Engine) Exit(text string) {
	if r := e.now.Load(); r != nil {
		e.cancel(r, &Stopped{Kind: Exit, Line: e.Line(), Text: text})
	}
}

// spawn is the go statement.
func (e *Engine) spawn(f func()) { go e.child(f)() }

// child makes f the work of another goroutine, which must run it, once.
func (e *Engine) child(f func()) func() {
	r := e.now.Load()
	if m := current(); m != nil { // of the goroutine's own run, which may have ended
		r = m.run
	}
	if r == nil {
		r = newRun()
		close(r.settled)
	}
	return e.childOf(r, f)
}

// Child is child for what uses streams of its own: the calls of a timer.
func (e *Engine) Child(s *task.Streams, f func()) func() {
	return func() { e.child(func() { current().streams = s; f() })() }
}

// childOf makes f the work of another goroutine of a run.
func (e *Engine) childOf(r *run, f func()) func() {
	ended := e.addGoroutine(r)
	return func() {
		unregister := e.register(r, true)
		defer func() {
			if v := recover(); v != nil {
				p := e.newPanic(v)
				p.Go = true
				if r.isOver() {
					e.orphan(p)
				} else {
					e.cancel(r, p)
				}
			}
			unregister()
			ended()
		}()
		e.around(r, f)
	}
}

// addGoroutine notes that a run has one goroutine more.
func (e *Engine) addGoroutine(r *run) (ended func()) {
	r.started.add()
	done := e.noteGoroutine(r)
	return func() {
		done()
		r.started.done()
	}
}

// Report shows what host code's goroutine caught of a cell.
func (e *Engine) Report(panicked any) {
	p := e.newPanic(panicked)
	p.Go = true
	e.orphan(p)
}

func (e *Engine) orphan(p *Panic) {
	if e.opts.Orphan != nil {
		e.opts.Orphan(p)
		return
	}
	fmt.Fprintf(e.Env.Stderr(), "panic in a goroutine: %s\n", p.Text)
}

func (e *Engine) print(args ...any) {
	defer rt.Printing("print", args)()
	for _, a := range args {
		fmt.Fprint(e.Env.Stderr(), rt.Raw(a))
	}
}

func (e *Engine) println(args ...any) {
	defer rt.Printing("println", args)()
	for i, a := range args {
		args[i] = rt.Raw(a)
	}
	fmt.Fprintln(e.Env.Stderr(), args...)
}

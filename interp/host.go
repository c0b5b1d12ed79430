package interp

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gotorch/interp/exportdata"
	"gotorch/interp/lower"
	"gotorch/interp/rt"
	"gotorch/interp/std"
	"gotorch/interp/task"
	"gotorch/interp/values"
	"gotorch/interp/yaegi"
	"gotorch/tensor"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
	"gotorch/visualize/memory"
)

// Note: whose code runs. Views, displays and tensors ask for the session of the running goroutine. A goroutine of a
// cell has a task, whose engine knows its session; one on which a session works by itself, to draw what a cell ended
// with, is bound to it meanwhile. All other goroutines have the session whose cell ran last. As long as a process has
// one session, none of that is looked up.

// host is a session as views and displays see it.
type host struct {
	*Session

	operands func(op string) [][]string // of the statement that failed, while its error is drawn
}

var (
	running atomic.Pointer[Session] // the session whose cell runs, or ran last
	open    atomic.Int32            // how many sessions there are
	bound   sync.Map                // goroutines that work for a session (*host), by ID
)

func init() {
	tensor.SetHooks(func(h *tensor.Hooks) {
		h.Site = func() tensor.Site {
			if h := currentHost(); h != nil {
				return h.site()
			}
			return tensor.Site{}
		}
		h.Warn = func(text string) {
			if h := currentHost(); h != nil {
				io.WriteString(h.eng.Stderr(), text)
				return
			}
			io.WriteString(os.Stderr, text)
		}
		h.Room = func(want int) int {
			if t := task.Current(); t != nil {
				return t.Room(want)
			}
			return want
		}
		h.Receivers = func(f func(inside func() []reflect.Value)) {
			if h := currentHost(); h != nil {
				h.rt.Receivers.Watch(f)
				return
			}
			f(func() []reflect.Value { return nil })
		}
		h.Registered = func(what string, undo func()) {
			if h := currentHost(); h != nil {
				h.registrations.add(what, undo)
			}
		}
	})
	display.Attach(func() display.Host {
		if h := currentHost(); h != nil {
			return h
		}
		return nil
	})
}

// currentHost is the host of the running goroutine, nil where there is no session.
func currentHost() *host {
	if open.Load() > 1 || binding.Load() > 0 {
		if h, ok := bound.Load(task.ID()); ok {
			return h.(*host)
		}
		if t := task.Current(); t != nil {
			if e, ok := t.Owner().(*yaegi.Engine); ok {
				if s, ok := e.Session().(*Session); ok {
					return s.host
				}
			}
		}
	}
	if s := running.Load(); s != nil {
		return s.host
	}
	return nil
}

// binding is how many goroutines are bound.
var binding atomic.Int32

// bind makes h the host of this goroutine while f runs.
func (h *host) bind(f func()) {
	id := task.ID()
	was, nested := bound.Swap(id, h)
	binding.Add(1)
	defer func() {
		binding.Add(-1)
		if nested {
			bound.Store(id, was)
		} else {
			bound.Delete(id)
		}
	}()
	f()
}

// Sink is where the running cell shows things.
func (h *host) Sink() display.Sink {
	if s := h.sink.Load(); s != nil {
		return *s
	}
	return nil
}

// Redirect sends what f prints, in a cell or a call that runs, to another sink.
func (h *host) Redirect(to display.Sink, out io.Writer, f func()) { h.redirect(to, out, f) }

// Rich is a tensor's card, and what a type that a cell declares makes of itself.
func (h *host) Rich(v any) (display.Bundle, bool) {
	switch v := v.(type) {
	case *tensor.Tensor:
		if v != nil {
			return tensorBundle(v, ""), true // a terminal shows the tensor's text alone, as at the end of a cell
		}
	case rt.Box:
		return boxBundle(v), true
	}
	return display.Bundle{}, false
}

// Text is a value's text: of what is very long the beginning.
func (h *host) Text(v any) string { return std.Text(v) }

// Sprintln and Sprintf write values as package fmt does in cells.
func (h *host) Sprintln(what string, vs []any) string        { return rt.Sprintln(what, vs) }
func (h *host) Sprintf(what, format string, vs []any) string { return rt.Sprintf(what, format, vs) }

// Ask asks the user.
func (h *host) Ask(prompt string, secret bool) (string, error) { return h.eng.Ask(prompt, secret) }

// AfterFunc is that of package time, for code of cells.
func (h *host) AfterFunc(d time.Duration, f func()) *time.Timer { return h.eng.AfterFunc(d, f) }

// ArgTexts are the arguments of the running call as they were typed.
func (h *host) ArgTexts(pkg, callee string) []string { return h.argTexts(pkg, callee) }

// OperandTexts are the operands of the statement that failed as they were typed.
func (h *host) OperandTexts(op string) [][]string {
	if h.operands == nil {
		return nil
	}
	return h.operands(op)
}

// SourceLine is the text of a line of a cell.
func (h *host) SourceLine(cell string, line int) string {
	return h.sourceLine(tensor.Site{Cell: cell, Line: line})
}

// ParamNames are the parameters of the function that the running call of package widgets was given.
func (h *host) ParamNames(callee string) []string { return h.paramNames(callee) }

// Names finds the tensors that live variables hold.
func (h *host) Names(all bool, found func(x any, name string)) bool {
	if !all {
		for x, name := range h.tensorNames(values.Near) {
			found(x, name)
		}
		return true
	}
	for x, names := range h.allNames() {
		for _, name := range names {
			found(x, name)
		}
	}
	return true
}

// Variables calls found with each live variable and what it holds.
//
// Of one that is a graph with more ways through it than may be walked there is nothing to see, and no method of a
// cell's type runs.
func (h *host) Variables(found func(name string, v any)) {
	vars := map[string]reflect.Value{}
	h.eachVariable(func(name string, v reflect.Value) {
		if v.IsValid() && v.CanInterface() {
			vars[name] = v
		}
	})
	task.Quietly(func() {
		for name, v := range vars {
			if x := v.Interface(); rt.Walkable(x) {
				found(name, x)
			}
		}
	})
}

// LinkViews marks the views that the session draws from here on as its own: those of another session that stand on the
// same page may have storages and cells of the same numbers.
func (h *host) LinkViews() {
	run := strconv.FormatUint(rand.Uint64(), 36)
	h.viewRun.CompareAndSwap(nil, &run)
}

// ViewRun is that mark.
func (h *host) ViewRun() string {
	if run := h.viewRun.Load(); run != nil {
		return *run
	}
	return ""
}

// tensorBundle is what a notebook shows of a tensor: its card, around its text if that is known.
func tensorBundle(x *tensor.Tensor, text string) display.Bundle {
	body := sync.OnceValue(func() string { return memory.Body(x, text) })
	return display.Lazy(func(bool) string { return body() }, func() map[string]any {
		card := memory.CardAround(x, body())
		return map[string]any{"text/plain": card.Body, "text/html": card.HTML()}
	})
}

// mostCards is how many tensors of a list have cards.
const mostCards = 8

// cardsBundle is what a notebook shows of a list of tensors: their cards, each after its index. The text is that of
// the list.
func cardsBundle(xs []*tensor.Tensor, list display.Bundle) display.Bundle {
	return display.Lazy(list.Text, func() map[string]any {
		var b strings.Builder
		b.WriteString("<div>")
		for i, x := range xs[:min(len(xs), mostCards)] {
			fmt.Fprintf(&b, `<div style="font-family:%s;font-size:12px">[%d]</div>%s`, draw.Mono, i,
				memory.Card(x).HTML())
		}
		if more := len(xs) - mostCards; more > 0 {
			fmt.Fprintf(&b, "<div>… %s, %d in all</div>", draw.Counted(more, "more tensor"), len(xs))
		}
		b.WriteString("</div>")
		return map[string]any{"text/plain": list.Text(false), "text/html": b.String()}
	})
}

// boxBundle is a value of a type that a cell declares, by its method MIMEBundle if it has one.
func boxBundle(box rt.Box) display.Bundle {
	b := display.Of(box)
	if data, ok := box.Bundle(); ok {
		for k, x := range data {
			b.Data[k] = x
		}
	}
	return b
}

// site is the place of the statement that runs.
func (s *Session) site() tensor.Site {
	code := s.eng.Line()
	number, line := lower.Decode(code)
	site := tensor.Site{Line: line}
	if all := s.submitted.Load(); all != nil {
		if i := number - 1; i >= 0 && i < len(*all) {
			site.Cell, site.Name = (*all)[i].name, (*all)[i].assigns[code]
		}
	}
	return site
}

// FuncAt is the name of the function of a cell in which a line stands, Block.Forward for a method; "" where there is
// none.
func (h *host) FuncAt(cell string, line int) string {
	all := h.submitted.Load()
	if all == nil {
		return ""
	}
	for i := len(*all) - 1; i >= 0; i-- {
		if (*all)[i].name != cell {
			continue
		}
		for _, f := range (*all)[i].funcs {
			if f.first <= line && line <= f.last {
				return f.name
			}
		}
	}
	return ""
}

// barePackage is the package whose names cells write bare.
func barePackage() string {
	if exportdata.Has("gotorch/tensor") {
		return "gotorch/tensor"
	}
	return ""
}

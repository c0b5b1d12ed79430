package yaegi

import (
	"bytes"
	"go/token"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"

	"gotorch/interp/task"
)

// Note: what the variables of a function held when it failed
//
// yaegi drops a function's frame when a panic leaves it, and says nothing of what was in it. To save something in
// advance would cost every call. But when the panic leaves the first frame yaegi writes a line to the engine (see
// noise), and that frame is then still on the stack: the traceback says where. Which of its values belongs to a name
// is noted when the program is compiled, for names in expressions that can fail: an index, say. Where any of it is not
// as expected, on another architecture or with another yaegi, the answer is that the value is not known.

// Local is where the variable of a name, at a position in a source, is in its function's frame.
type Local struct {
	Pos   token.Pos
	index uint16
	level uint8 // functions further out
}

// Locals are those of the program that ran last. They are returned once.
func (e *Engine) Locals() []Local {
	if l := e.locals.Swap(nil); l != nil {
		return *l
	}
	return nil
}

// note collects the names below a node; in says that it is in an expression that can fail.
func (n *names) note(node pointer, in bool, out *[]Local) {
	kind := *field[uint](node, n.kind)
	if kind == n.ident && in {
		sym := *field[pointer](node, n.sym)
		index, level := *field[int](node, n.findex), *field[int](node, n.level)
		if sym != nil && *field[uint](sym, n.symKind) == n.variable && !*field[bool](sym, n.symGlobal) &&
			index >= 0 && index < 1<<16 && level >= 0 && level < 1<<8 {
			*out = append(*out, Local{*field[token.Pos](node, n.pos), uint16(index), uint8(level)})
		}
	}
	for _, c := range *field[[]pointer](node, n.child) {
		n.note(c, in || n.around[kind], out)
	}
}

// noteLocals notes the names of what has just been compiled.
func (e *Engine) noteLocals() {
	var all []Local
	if n := e.inner.names; n != nil {
		for _, root := range *e.inner.roots {
			n.note(root, false, &all)
		}
	}
	all = slices.Clip(all)
	e.locals.Store(&all)
}

// held is a frame that a panic has left.
type held struct {
	frame     pointer
	goroutine uintptr
	line      int
	names     *names
}

const (
	heldStack = 8 << 10 // how much of a traceback is looked at
	heldMost  = 200     // panics of one run that are looked at
)

var runCfg = []byte("github.com/traefik/yaegi/interp.runCfg(0x")

// holdPanicFrame finds the frame that a panic is leaving: yaegi is about to say so on this goroutine.
func (e *Engine) holdPanicFrame() (h *held) {
	n := e.inner.names
	if n == nil || e.holds.Add(1) > heldMost {
		return nil
	}
	text := make([]byte, heldStack)
	text = text[:runtime.Stack(text, false)]
	i := bytes.Index(text, runCfg)
	if i < 0 {
		return nil
	}
	args, _, ok := bytes.Cut(text[i+len(runCfg)-2:], []byte(")"))
	parts := bytes.Split(args, []byte(", "))
	if !ok || len(parts) < 2 {
		return nil
	}
	node, ok1 := address(parts[0])
	frame, ok2 := address(parts[1])
	if !ok1 || !ok2 { // the traceback is not sure
		return nil
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			h = nil
		}
	}()
	if *field[pointer](node, n.interp) != e.inner.self {
		return nil
	}
	return &held{frame, task.ID(), e.Line(), n}
}

// value is what a name held.
func (h *held) value(l Local) (v reflect.Value, ok bool) {
	f := h.frame
	for range l.level {
		if f = *field[pointer](f, h.names.anc); f == nil {
			return v, false
		}
	}
	data := *field[[]reflect.Value](f, h.names.data)
	if int(l.index) >= len(data) {
		return v, false
	}
	v = data[l.index]
	return v, v.IsValid()
}

// Held is what a name held when the panic left its function, ok is false where that is not known.
func (p *Panic) Held(l Local) (reflect.Value, bool) {
	if p == nil || p.held == nil {
		return reflect.Value{}, false
	}
	return p.held.value(l)
}

// Forget drops the frames of the functions that the panic unwound.
func (p *Panic) Forget() { p.held = nil }

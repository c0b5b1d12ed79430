package jupyter

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
)

// A Looker is a [Session] that can show values while a cell runs. A cell of a subshell that names
// something, and does no more, is answered with its value then; any other waits for its turn.
type Looker interface {
	// Look returns the value of what code names, without running anything. It is false when code is
	// more than that. It may be called while a cell runs, from any goroutine.
	Look(code string) (Bundle, bool)
}

// A Warmer is a [Session] of which the first cell has more to do than others.
type Warmer interface {
	// Warm does some of that ahead. It is called at most once, when the kernel has answered its first
	// question, and no cell runs meanwhile.
	Warm(ctx context.Context)
}

// look answers an execute request by looking alone, and reports whether it could: the cell and all its user
// expressions name values. Such a cell does not count.
func (k *kernel) look(r *request, q executeRequest) (done bool) {
	session, ok := k.session.(Looker)
	if !ok {
		return false
	}
	defer func() {
		if p := recover(); p != nil { // as the session does not say how far it came, the cell waits for its turn
			k.log.Printf("a look at %q panicked the session: %v\n%s", q.Code, p, debug.Stack())
			done = false
		}
	}()
	var result *Bundle
	if strings.TrimSpace(q.Code) != "" {
		b, ok := session.Look(q.Code)
		if !ok {
			return false
		}
		result = &b
	}
	values := map[string]any{}
	for name, expr := range q.UserExpressions {
		b, ok := session.Look(expr)
		if !ok {
			return false
		}
		data, meta := b.content()
		values[name] = map[string]any{"status": "ok", "data": data, "metadata": meta}
	}
	if !q.Silent {
		n := k.cells.number(false)
		k.pub.send(r.message, "execute_input", map[string]any{"code": q.Code, "execution_count": n}, nil)
		if result != nil {
			data, meta := result.content()
			k.pub.send(r.message, "execute_result", map[string]any{"data": data, "metadata": meta, "execution_count": n}, nil)
		}
	}
	k.replyCell(r, map[string]any{"user_expressions": values})
	return true
}

// A Variable is a line of a front end's variable pane.
type Variable struct {
	Name  string
	Type  string
	Value string // in a few words
	Shape []int  // of a tensor; nil for what has none
	Dtype string // of a tensor's elements
	Size  int    // bytes, 0 where that is not known
}

// A VariableSession is a [Session] that fills the variable panes of front ends. Its methods may be
// called while a cell runs.
type VariableSession interface {
	// Variables lists what cells have defined.
	Variables() []Variable

	// Variable shows one of them in full.
	Variable(name string) (Bundle, bool)
}

// variables is the session if it has any to show.
func (k *kernel) variables() VariableSession {
	s, _ := k.session.(VariableSession)
	return s
}

// features are the optional parts of the protocol that the kernel speaks (JEP 92).
func (k *kernel) features() []string {
	f := []string{"kernel subshells"}
	if k.variables() != nil {
		f = append(f, "debugger")
	}
	return f
}

// describe is a variable as the debug adapter protocol has it. Shape, dtype and size are not in that
// protocol: front ends that know them show columns, others find them in type and value.
func (v Variable) describe() map[string]any {
	kind := v.Type
	if v.Dtype != "" {
		kind = fmt.Sprintf("%s %s%v", v.Type, v.Dtype, v.Shape)
	}
	m := map[string]any{"name": v.Name, "value": v.Value, "type": kind, "evaluateName": v.Name, "variablesReference": 0}
	if v.Shape != nil {
		m["shape"] = fmt.Sprint(v.Shape)
	}
	if v.Dtype != "" {
		m["dtype"] = v.Dtype
	}
	if v.Size > 0 {
		m["size"] = v.Size
	}
	return m
}

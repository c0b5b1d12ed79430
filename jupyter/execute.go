package jupyter

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
)

// cells is what the kernel knows of the cells it runs.
type cells struct {
	next int // the number of the next cell; only the shell's goroutine touches it

	mu     sync.Mutex
	cancel context.CancelFunc // stops the cell that runs, nil when none does

	shutdown atomic.Pointer[message] // the request that ends the kernel
	restart  atomic.Bool
}

// interrupt stops the cell that runs, and says whether one did.
func (c *cells) interrupt() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel == nil {
		return false
	}
	c.cancel()
	return true
}

// interrupt stops the cell that runs, and drops those that wait for it. When none runs it does nothing.
func (k *kernel) interrupt() {
	if k.cells.interrupt() {
		k.main.abort()
	}
}

type executeRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      *bool             `json:"allow_stdin"`
	StopOnError     *bool             `json:"stop_on_error"`
}

func orTrue(b *bool) bool { return b == nil || *b }

func (k *kernel) execute(r *request) {
	reply := func(content map[string]any, count int) {
		content["execution_count"] = count
		for name, empty := range map[string]any{"user_expressions": map[string]any{}, "payload": []any{}} {
			if content[name] == nil {
				content[name] = empty
			}
		}
		r.reply("execute_reply", content)
	}
	if r.aborted {
		reply(map[string]any{"status": "aborted"}, k.cells.next-1)
		return
	}
	var q executeRequest
	if err := r.read(&q); err != nil {
		reply(failed(&Failure{Name: "BadRequest", Value: err.Error()}), k.cells.next-1)
		return
	}
	cell := Cell{Code: q.Code, Count: k.cells.next, Silent: q.Silent, Store: orTrue(q.StoreHistory) && !q.Silent}
	blank := strings.TrimSpace(q.Code) == ""
	if cell.Store && !blank {
		k.cells.next++
		k.history.begin(cell.Count, cell.Code)
	}
	if !q.Silent {
		k.pub.send(r.message, "execute_input", map[string]any{"code": q.Code, "execution_count": cell.Count}, nil)
	}

	k.pub.cell()
	ctx, cancel := context.WithCancel(k.ctx)
	defer cancel()
	k.cells.set(cancel)
	if k.ending.Load() {
		cancel()
	}
	out := &output{k: k, r: r, cell: cell, stdin: orTrue(q.AllowStdin)}
	var fail *Failure
	if !blank {
		fail = k.run(ctx, cell, out)
	}
	values := map[string]any{}
	if fail == nil {
		for name, expr := range q.UserExpressions {
			values[name] = k.evaluate(ctx, expr)
		}
	}
	interrupted := ctx.Err() != nil
	k.cells.set(nil)
	payload, result := out.end()
	if cell.Store && !blank {
		k.history.end(cell.Count, result)
	}
	k.pub.flush()

	if fail == nil {
		reply(map[string]any{"user_expressions": values, "payload": payload}, k.cells.next-1)
	} else {
		content := failed(fail)
		k.pub.send(r.message, "error", map[string]any{"ename": fail.Name, "evalue": fail.Value, "traceback": content["traceback"]}, nil)
		content["payload"] = payload
		// From here on the client may answer the reply: what it has sent before is dropped, what
		// it sends after is not.
		if orTrue(q.StopOnError) || interrupted {
			k.main.abort()
		}
		reply(content, k.cells.next-1)
	}
}

func (c *cells) set(cancel context.CancelFunc) {
	c.mu.Lock()
	c.cancel = cancel
	c.mu.Unlock()
}

// run is Session.Execute, of which a panic is a failure too.
func (k *kernel) run(ctx context.Context, cell Cell, out Output) (fail *Failure) {
	defer func() {
		if p := recover(); p != nil {
			k.log.Printf("a cell panicked the session: %v\n%s", p, debug.Stack())
			fail = &Failure{Name: "KernelError", Value: fmt.Sprint(p)}
		}
	}()
	return k.session.Execute(ctx, cell, out)
}

// evaluate gives a user expression's value or failure as the protocol has them.
func (k *kernel) evaluate(ctx context.Context, expr string) (value map[string]any) {
	defer func() {
		if p := recover(); p != nil {
			k.log.Printf("an expression panicked the session: %v\n%s", p, debug.Stack())
			value = failed(&Failure{Name: "KernelError", Value: fmt.Sprint(p)})
		}
	}()
	b, fail := k.session.Evaluate(ctx, expr)
	if fail != nil {
		return failed(fail)
	}
	data, meta := b.content()
	return map[string]any{"status": "ok", "data": data, "metadata": meta}
}

// errNotRunning is what Input says after its cell.
var errNotRunning = errors.New("the cell has ended")

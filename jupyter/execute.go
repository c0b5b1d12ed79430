package jupyter

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// cells is what the kernel knows of the cells it runs.
type cells struct {
	turn chan struct{} // holds one while a cell runs

	mu      sync.Mutex
	last    int                             // the number of the last cell that counted
	cancels map[*request]context.CancelFunc // stop the cells and comms that run or wait for the turn

	shutdown atomic.Pointer[message] // the request that ends the kernel
	restart  atomic.Bool
}

// begin notes that r is being done, so that it can be stopped. done forgets it.
func (k *kernel) begin(r *request) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(k.ctx)
	c := &k.cells
	c.mu.Lock()
	if c.cancels == nil {
		c.cancels = map[*request]context.CancelFunc{}
	}
	c.cancels[r] = cancel
	c.mu.Unlock()
	if k.ending.Load() {
		cancel()
	}
	return ctx, func() {
		c.mu.Lock()
		delete(c.cancels, r)
		c.mu.Unlock()
		cancel()
	}
}

// take waits until no cell runs. It returns false when ctx ended first.
func (c *cells) take(ctx context.Context) bool {
	select {
	case c.turn <- struct{}{}:
		return true
	default:
	}
	select {
	case c.turn <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// busy reports whether a cell runs.
func (c *cells) busy() bool { return len(c.turn) > 0 }

func (c *cells) give() { <-c.turn }

// count is the number of the last cell.
func (c *cells) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// number returns the number of the next cell, which is taken if it counts.
func (c *cells) number(counts bool) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if counts {
		c.last++
		return c.last
	}
	return c.last + 1
}

// interrupt stops the cells that run or wait for the turn, and reports whether there were any.
func (c *cells) interrupt() bool { return c.stop(nil) }

// stop is interrupt for those of one queue; nil means all.
func (c *cells) stop(q *queue) (any bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for r, cancel := range c.cancels {
		if q == nil || r.queue == q {
			cancel()
			any = true
		}
	}
	return any
}

// interrupt stops the cell that runs, and drops those that wait for it. When none runs it does nothing.
// r is the request for it, or nil.
func (k *kernel) interrupt(r *request) {
	if !k.cells.interrupt() {
		return
	}
	k.main.abort(r)
	for _, q := range k.subs.queues() {
		q.abort(r)
	}
}

type executeRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	// a client that does not say so may wait forever for a cell that asks
	AllowStdin  bool  `json:"allow_stdin"`
	StopOnError *bool `json:"stop_on_error"`
}

func orTrue(b *bool) bool { return b == nil || *b }

// replyCell answers an execute request, with all that such an answer has. A cell that was not run has no number: front
// ends would write that of another cell beside it.
func (k *kernel) replyCell(r *request, content map[string]any) {
	usual := map[string]any{"user_expressions": map[string]any{}, "payload": []any{}}
	if content["status"] != "aborted" {
		usual["execution_count"] = k.cells.count()
	}
	for name, empty := range usual {
		if content[name] == nil {
			content[name] = empty
		}
	}
	if r.started.IsZero() {
		r.started = time.Now()
	}
	// JupyterLab notes in the notebook when a cell began, if the reply says so.
	r.replyWith("execute_reply", content, map[string]any{"started": date(r.started)})
}

func (k *kernel) execute(r *request) {
	if r.aborted {
		k.replyCell(r, map[string]any{"status": "aborted"})
		return
	}
	var q executeRequest
	if err := r.read(&q); err != nil {
		k.replyCell(r, failed(&Failure{Name: "BadRequest", Value: err.Error()}))
		return
	}
	if r.queue != k.main && k.cells.busy() && k.look(r, q) {
		return
	}
	ctx, done := k.begin(r)
	defer done()
	if !k.cells.take(ctx) { // a cell of another shell runs, and with it this one was interrupted
		k.replyCell(r, map[string]any{"status": "aborted"})
		return
	}
	content, failed := k.inTurn(ctx, r, q)
	// silent ones are a front end's own, and no cell of the user depends on them
	stops := failed && (ctx.Err() != nil || orTrue(q.StopOnError) && !q.Silent)
	if stops {
		r.queue.hold(ctx)
	}
	done()
	if stops {
		r.queue.abort(r)
	}
	k.replyCell(r, content)
}

// inTurn runs a cell whose turn it is, and gives the turn on.
func (k *kernel) inTurn(ctx context.Context, r *request, q executeRequest) (content map[string]any, failed bool) {
	defer k.cells.give()
	return k.runCell(ctx, r, q)
}

// runCell does an execute request in its turn, and returns the content of the reply.
func (k *kernel) runCell(ctx context.Context, r *request, q executeRequest) (content map[string]any, fails bool) {
	r.started = time.Now()
	blank := strings.TrimSpace(q.Code) == ""
	cell := Cell{Code: q.Code, Silent: q.Silent, Store: orTrue(q.StoreHistory) && !q.Silent}
	cell.Count = k.cells.number(cell.Store && !blank)
	if cell.Store && !blank {
		k.history.begin(cell.Count, cell.Code)
	}
	if !q.Silent {
		k.pub.send(r.message, "execute_input", map[string]any{"code": q.Code, "execution_count": cell.Count}, nil)
	}
	k.pub.cell()
	out := &output{k: k, r: r, ctx: ctx, cell: cell, stdin: q.AllowStdin}
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
	payload, result := out.end()
	r.ends = out.exit
	if cell.Store && !blank {
		k.history.end(cell.Count, result)
	}
	k.pub.flush()

	content = map[string]any{"user_expressions": values}
	if fail != nil {
		content = failed(fail)
		k.pub.send(r.message, "error",
			map[string]any{"ename": fail.Name, "evalue": fail.Value, "traceback": content["traceback"]}, nil)
		for _, b := range fail.After {
			out.Display("", b)
		}
		k.pub.flush()
	}
	content["payload"], content["execution_count"] = payload, k.cells.count()
	return content, fail != nil
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

// warm lets the session get ready, if no cell has come by now. One that comes while it does waits for
// it, as it would have had to do the same.
func (k *kernel) warm() {
	session, ok := k.session.(Warmer)
	if !ok || k.cells.count() > 0 || k.cells.busy() || !k.cells.take(k.ctx) {
		return
	}
	defer k.cells.give()
	defer func() {
		if p := recover(); p != nil {
			k.log.Printf("getting ready panicked the session: %v\n%s", p, debug.Stack())
		}
	}()
	session.Warm(k.ctx)
}

// evaluate returns a user expression's value or failure as the protocol has them.
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

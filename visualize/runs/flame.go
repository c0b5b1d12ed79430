package runs

import "time"

// Timing is where the time of a function went: by line, operator, and kernel; what each operator's kernels reached
// against what the machine can do; and which goroutines worked when.
type Timing struct {
	Nanos     int64 `json:"ns"`                    // of the whole, without the time that recording took
	Recording int64 `json:"recording_ns"`          // that recording took
	Backward  int64 `json:"backward_ns,omitempty"` // of the whole, in backward passes
	Calls     int   `json:"calls"`
	// calls beyond what a trace holds; their time is that of what is around
	More      int            `json:"more,omitempty"`
	Root      []*FlameNode   `json:"root"`
	Operators []OperatorTime `json:"operators"` // the longest first
	Workers   []WorkerTime   `json:"workers,omitempty"`
	Loops     int            `json:"loops"` // that several goroutines shared
	Machine   *Machine       `json:"machine,omitempty"`
	Error     string         `json:"error,omitempty"` // the panic that ended the function
}

// FlameNode is a module, a function or a line of a cell, an operator beneath what called it, or a kernel. Calls of the
// same operator beneath the same node are one, with their number. What a backward pass computes stands beneath the
// place of the forward pass whose derivative it is, in a node of its own.
type FlameNode struct {
	Kind  string       `json:"kind"` // module, function, line, backward, operator, kernel
	Name  string       `json:"name"`
	Times int          `json:"times"`
	Nanos int64        `json:"ns"`
	Inner []*FlameNode `json:"inner,omitempty"`

	sum uint64 // of what a module computes forwards: equal for modules that are alike
}

// OperatorTime is what all calls of an operator took, without the operators that it called.
type OperatorTime struct {
	Op          string  `json:"op"`
	Calls       int     `json:"calls"`
	Nanos       int64   `json:"ns"`        // dispatch, shapes, memory, recording of the graph, and kernel
	Kernel      int64   `json:"kernel_ns"` // of that, in the kernel
	Bytes       int     `json:"bytes"`     // that kernels must read or write at least
	Flops       float64 `json:"flops"`     // 0 where nothing is known
	FlopsKernel int64   `json:"flops_kernel_ns"`
}

// WorkerTime is what one goroutine did.
type WorkerTime struct {
	Worker int   `json:"worker"` // 0 is the caller, others are helpers
	Nanos  int64 `json:"ns"`     // in kernels
	Chunks int   `json:"chunks"` // of loops that were shared
	// from and to, in nanoseconds since the beginning; neighbours joined where there are many
	Spans [][2]int64 `json:"spans"`
}

// Flame runs f and shows where its time went. A panic of f goes on.
//
// Times are wall times of the running goroutine without the time that recording took. A kernel's bytes are what it
// must touch at least once, its operations are counted from the sizes; both are compared with what [Peak] measured.
// Of kernels on devices that answer later the time is that of asking.
func Flame(f func()) *Timing {
	t, panicked := RecordFlame(f)
	if panicked != nil {
		panic(panicked)
	}
	return t
}

// RecordFlame runs f like [Flame] and returns the view also when f panics, with the panic's value, with which the
// caller should panic again.
func RecordFlame(f func()) (t *Timing, panicked any) {
	m := Peak()
	trace, panicked := recordShared(f)
	if trace == nil {
		return nil, panicked
	}
	t = trace.Timing()
	t.Machine = m
	return t, panicked
}

// recordShared runs f with a recorder that notes the parts that goroutines have in loops, too.
func recordShared(f func()) (*Trace, any) {
	r := newRecorder()
	r.shared = true
	return r.run(f)
}

// WatchLoop notes the parts that threads have in a loop of the call that runs.
func (r *recorder) WatchLoop() func(worker, chunks int, begin, end time.Time) {
	if !r.shared || len(r.open) == 0 {
		return nil
	}
	call := r.open[len(r.open)-1]
	asked, at := time.Now(), clock()-r.zero-r.spent
	return func(worker, chunks int, begin, end time.Time) {
		r.spanMu.Lock()
		defer r.spanMu.Unlock()
		if len(r.spans) < maxEvents {
			r.spans = append(r.spans, loopPart{worker: worker, chunks: chunks, call: call, start: at + begin.Sub(asked),
				took: end.Sub(begin)})
		}
	}
}

// Timing is the trace by time.
func (t *Trace) Timing() *Timing {
	v := &Timing{Nanos: t.Nanos, Recording: t.Recording, Calls: t.Count(), More: t.More, Error: t.Error}
	b := timing{Timing: v, ops: map[string]int{}, trace: t}
	b.lines()
	b.workers()
	b.sort()
	return v
}

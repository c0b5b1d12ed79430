package async_test

import (
	"context"
	"fmt"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	_ "gotorch/autograd"
	"gotorch/backends/async"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

var dev = async.Device(0)

// sync waits for the device, and for the goroutines of its streams to end.
func sync(t *testing.T) {
	t.Helper()
	if err := tensor.Try(func() { async.Synchronize() }); err != nil {
		t.Errorf("an error that nobody was told of: %v", err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func list(x *tensor.Tensor) string { return fmt.Sprint(tensor.Data[float32](x.Cpu())) }

// A call returns before its kernel has run: behind a hold nothing runs, and the shape is there.
func TestCallsReturnAtOnce(t *testing.T) {
	defer sync(t)
	x := tensor.New([]float32{1, 2, 3}).To(dev)
	s := async.CurrentStream()
	release := s.Hold()
	y := x.Mul(2).Add(1)
	equal(t, "shape", fmt.Sprint(y.Shape()), "[3]")
	equal(t, "device", y.Device().String(), "async:0")
	equal(t, "done", s.Query(), false)
	release()
	equal(t, "values", list(y), "[3 5 7]")
	equal(t, "done", s.Query(), true)
}

// A copy out to pinned memory returns before it has happened: who reads too early gets the old numbers.
func TestReadTooEarly(t *testing.T) {
	defer sync(t)
	x := tensor.New([]float32{1, 2, 3}).To(dev)
	out := tensor.With(tensor.Float32).Zeros(3).PinMemory()
	release := async.CurrentStream().Hold()
	out.Copy_(x, opt.NonBlocking(true))
	equal(t, "too early", list(out), "[0 0 0]")
	y := x.To(tensor.CPU, opt.NonBlocking(true))
	if !y.IsPinned() {
		t.Error("a copy that does not wait is not in pinned memory")
	}
	release()
	async.Synchronize()
	equal(t, "after", list(out), "[1 2 3]")
	equal(t, "after", list(y), "[1 2 3]")
}

// A copy in from pinned memory reads it late; one from other memory, or one that waits, does not.
func TestWriteTooEarly(t *testing.T) {
	defer sync(t)
	p, x := tensor.New([]float32{1, 2, 3}).PinMemory(), tensor.New([]float32{1, 2, 3})
	release := async.CurrentStream().Hold()
	a, b := p.To(dev, opt.NonBlocking(true)), x.To(dev, opt.NonBlocking(true))
	p.Fill_(7)
	x.Fill_(7)
	release()
	equal(t, "pinned", list(a), "[7 7 7]")
	equal(t, "not pinned", list(b), "[1 2 3]")
	c := p.To(dev)
	p.Fill_(8)
	equal(t, "waited", list(c), "[7 7 7]")
}

// Streams order nothing among each other; events do.
func TestEvents(t *testing.T) {
	defer sync(t)
	x := tensor.With(tensor.Float32, dev).Zeros(2)
	async.Synchronize() // nothing else orders the zeros before what the other stream reads
	s := async.NewStream()
	release := async.CurrentStream().Hold()
	x.Fill_(5)
	var early, late *tensor.Tensor
	async.OnStream(s, func() {
		equal(t, "current", async.CurrentStream() == s, true)
		early = x.Clone()
		equal(t, "without an event", list(early), "[0 0]")
		s.Wait(async.DefaultStream().Record())
		late = x.Clone()
	})
	equal(t, "waits", s.Query(), false)
	release()
	s.Synchronize()
	equal(t, "with an event", list(late), "[5 5]")
	begin, end := s.Record(), (*async.Event)(nil)
	s.Sleep(3 * time.Millisecond)
	end = s.Record()
	if err := tensor.Try(func() { begin.Elapsed(async.NewEvent()) }); err == nil {
		t.Error("no error for an event that was not recorded")
	}
	end.Synchronize()
	if ms := begin.Elapsed(end); ms < 3 {
		t.Errorf("%v ms passed, want 3 at least", ms)
	}
}

// An error of a kernel comes at the next place that waits, with the operator; the tensors are there, and so is the
// device.
func TestErrorsComeLate(t *testing.T) {
	defer sync(t)
	x, i := tensor.New([]float32{1, 2, 3}).To(dev), tensor.New([]int64{7}).To(dev)
	var bad *tensor.Tensor
	if err := tensor.Try(func() { bad = x.IndexSelect(0, i) }); err != nil {
		t.Fatalf("the call fails, not the waiting: %v", err)
	}
	y := x.Add(1)
	err := tensor.Try(func() { y.Cpu() })
	if err == nil || !strings.HasPrefix(err.Error(), "index_select: ") ||
		!strings.Contains(err.Error(), "default stream of async:0") {
		t.Errorf("got %v", err)
	}
	equal(t, "after", list(y), "[2 3 4]")
	equal(t, "before", list(x), "[1 2 3]")
	equal(t, "shape", bad.Numel(), 1)
	if err := tensor.Try(func() { x.IndexSelect(1, i) }); err == nil { // shapes fail at once
		t.Error("no error")
	}
}

// A stream that stands still can be interrupted, and reset.
func TestInterrupt(t *testing.T) {
	before := runtime.NumGoroutine()
	x := tensor.New([]float32{1}).To(dev)
	async.CurrentStream().Hold()
	y := x.Add(1)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	err := tensor.Try(func() { tensor.WithContext(ctx, func() { y.Cpu() }) })
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v", err)
	}
	s := async.NewStream()
	s.Sleep(time.Hour)
	async.Reset()
	equal(t, "idle", async.CurrentStream().Query(), true)
	equal(t, "works", list(x.Add(2)), "[3]")
	for range 100 { // the sleeper ends
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

// Shapes that depend on values, random numbers, in-place forms, opt.Out, views, gradients.
func TestOperators(t *testing.T) {
	defer sync(t)
	x := tensor.New([][]float32{{1, 0}, {3, 4}})
	d := x.To(dev)
	equal(t, "nonzero", fmt.Sprint(tensor.Data[int64](d.Nonzero())), "[0 0 1 0 1 1]")
	equal(t, "masked_select", list(d.MaskedSelect(d.Gt(0))), "[1 3 4]")
	tensor.ManualSeed(1)
	a := tensor.With(tensor.Float32).Randn(4, 5)
	tensor.ManualSeed(1)
	equal(t, "randn", list(tensor.With(tensor.Float32, dev).Randn(4, 5)), list(a))
	tensor.ManualSeed(2)
	a = x.Clone().T().Select(0, 1).Normal_()
	tensor.ManualSeed(2)
	e := d.Clone()
	e.T().Select(0, 1).Normal_()
	equal(t, "normal_", list(e.T().Select(0, 1)), list(a))
	tensor.ManualSeed(3)
	a = tensor.Bernoulli(x.Div(4))
	tensor.ManualSeed(3)
	equal(t, "bernoulli", list(tensor.Bernoulli(d.Div(4))), list(a))
	out := tensor.With(tensor.Float32, dev).Empty(0)
	d.Matmul(d, opt.Out(out))
	equal(t, "out", list(out), list(x.Matmul(x)))
	d.Select(0, 0).Add_(1)
	equal(t, "view", list(d), "[2 1 3 4]")
	w := d.Clone().RequiresGrad_()
	w.Square().Sum().Backward()
	equal(t, "grad", list(w.Grad()), "[4 2 6 8]")
	equal(t, "grad's device", w.Grad().Device().String(), "async:0")
	other := d.To(async.Device(1))
	equal(t, "async:1", list(other.Mul(2)), "[4 2 6 8]")
	equal(t, "0-dimensional of the CPU", list(d.Mul(tensor.New(float32(2)))), "[4 2 6 8]")
	if err := tensor.Try(func() { d.Add(other) }); err == nil {
		t.Error("no error for two devices")
	}
}

// Random programs over three streams, ordered by events, give what they give one after the other.
func TestRandomPrograms(t *testing.T) {
	defer sync(t)
	n := 300
	if testing.Short() {
		n = 60
	}
	if everything() {
		n = 10000
	}
	streams := []*async.Stream{async.DefaultStream(), async.NewStream(), async.NewStream()}
	for seed := range n {
		r := rand.New(rand.NewSource(int64(seed)))
		const vars = 4
		var host, there [vars]*tensor.Tensor
		last := make([]*async.Event, vars) // the write or read of each variable that is the youngest
		for i := range host {
			host[i] = tensor.With(tensor.Float32).Arange(8).Add(i)
			there[i] = host[i].To(dev)
		}
		for range 3 + r.Intn(20) {
			s := streams[r.Intn(len(streams))]
			a, b, c, k := r.Intn(vars), r.Intn(vars), r.Intn(vars), r.Intn(6)
			step := func(v *[vars]*tensor.Tensor) {
				switch k {
				case 0:
					v[c] = v[a].Add(v[b])
				case 1:
					v[c] = v[a].Mul(0.5).Sub(v[b])
				case 2:
					v[c].Add_(v[a])
				case 3:
					v[c] = v[a].Flip(0)
				case 4:
					v[c].Narrow(0, 2, 3).Copy_(v[a].Narrow(0, 0, 3))
				case 5:
					v[c] = tensor.Where(v[a].Gt(v[b]), v[a], v[b]).Clamp(opt.Min(-100), opt.Max(100))
				}
			}
			step(&host)
			async.OnStream(s, func() {
				for _, i := range []int{a, b, c} {
					if last[i] != nil {
						s.Wait(last[i])
					}
					async.RecordStream(there[i], s)
				}
				if r.Intn(8) == 0 {
					s.Sleep(time.Duration(r.Intn(50)) * time.Microsecond)
				}
				step(&there)
				e := s.Record()
				for _, i := range []int{a, b, c} {
					last[i] = e
				}
			})
			if r.Intn(10) == 0 {
				runtime.GC()
			}
		}
		for i := range host {
			if last[i] != nil {
				last[i].Synchronize()
			}
			if got, want := list(there[i]), list(host[i]); got != want {
				t.Fatalf("program %d, variable %d: got %s, want %s", seed, i, got, want)
			}
		}
	}
}

func TestAllocator(t *testing.T) {
	defer sync(t)
	d := async.Device(1)
	async.EmptyCache(d)
	make := func(n int) *tensor.Tensor { return tensor.With(tensor.Uint8, d).Empty(n) }
	before := async.MemoryStats(d)
	a, b, c := make(1000), make(1000), make(1000)
	after := async.MemoryStats(d)
	equal(t, "allocated", after.Allocated-before.Allocated, 3*1024)
	equal(t, "reserved", after.Reserved-before.Reserved, 2<<20)
	equal(t, "splits", after.Splits-before.Splits, 3)
	async.Free(a)
	async.Free(b)
	var states []string
	for _, x := range async.Snapshot(d)[len(async.Snapshot(d))-1].Blocks {
		states = append(states, fmt.Sprint(x.State, " ", x.Bytes))
	}
	if want := []string{"free 2048", "used 1024", fmt.Sprint("free ", 2<<20-3*1024)}; !slices.Equal(states, want) {
		t.Errorf("got %q, want %q", states, want)
	}
	if err := tensor.Try(func() { a.Add(1) }); err == nil || !strings.Contains(err.Error(), "freed") {
		t.Errorf("a freed tensor: %v", err)
	}
	e := make(2000) // where a and b were
	a, b = nil, nil
	equal(t, "allocated after the collector has run", async.MemoryStats(d).Allocated-before.Allocated, 1024+2048)
	runtime.KeepAlive(e)
	async.Free(e)
	runtime.KeepAlive(c)
	async.Free(c)
	async.EmptyCache(d)
	equal(t, "reserved in the end", async.MemoryStats(d).Reserved, before.Reserved)
	if err := tensor.Try(func() { async.MemoryStats(tensor.CPU) }); err == nil {
		t.Error("no error for the CPU")
	}
}

// Memory freed while another stream reads it goes to the next tensor, unless RecordStream says that it is used.
func TestRecordStream(t *testing.T) {
	defer sync(t)
	read := func(record bool) string {
		s := async.NewStream()
		x := tensor.With(tensor.Float32, dev).Ones(300)
		s.WaitStream(async.CurrentStream())
		release := s.Hold()
		var y *tensor.Tensor
		async.OnStream(s, func() { y = x.Sum() })
		if record {
			async.RecordStream(x, s)
		}
		async.Free(x)
		z := tensor.With(tensor.Float32, dev).Full([]int{300}, 2)
		async.CurrentStream().Synchronize()
		release()
		s.Synchronize()
		defer runtime.KeepAlive(z)
		return list(y)
	}
	equal(t, "without", read(false), "[600]")
	equal(t, "with", read(true), "[300]")
}

func TestGraph(t *testing.T) {
	defer sync(t)
	x := tensor.New([]float32{1, 2}).To(dev)
	var y *tensor.Tensor
	g := async.CaptureGraph(func() { y = x.Mul(10).Add(1) })
	equal(t, "graph", g.String(), "graph of 2 operators: mul, add")
	g.Replay()
	equal(t, "replay", list(y), "[11 21]")
	x.Copy_(tensor.New([]float32{3, 4}))
	g.Replay()
	equal(t, "new values", list(y), "[31 41]")
	old := x
	x = tensor.New([]float32{5, 6}).To(dev) // another address
	g.Replay()
	equal(t, "stale", list(y), "[31 41]")
	async.Free(old)
	if err := tensor.Try(func() { g.Replay() }); err == nil || !strings.Contains(err.Error(), "mul uses was freed") {
		t.Errorf("got %v", err)
	}
	for name, f := range map[string]func(){
		"item":    func() { x.Sum().Item() },
		"nonzero": func() { x.Nonzero() },
		"rand":    func() { tensor.With(dev).Rand(2) },
		"to":      func() { tensor.New([]float32{1}).To(dev) },
		"event":   func() { async.CurrentStream().Record() },
	} {
		if err := tensor.Try(func() { async.CaptureGraph(f) }); err == nil {
			t.Errorf("%s: captured", name)
		}
	}
	equal(t, "after", list(x.Add(1)), "[6 7]")
}

func TestWatch(t *testing.T) {
	defer sync(t)
	x := tensor.New([]float32{1, 2}).To(dev)
	r, panicked := async.Watch(func() {
		y := x.Add(1)
		s := async.NewStream()
		s.WaitStream(async.CurrentStream())
		async.OnStream(s, func() { y.Mul(2).Cpu() })
	})
	if panicked != nil {
		t.Fatal(panicked)
	}
	lanes := map[string]int{}
	for _, s := range r.Spans {
		lanes[s.Lane]++
		if s.Begin > s.End {
			t.Errorf("%s %s ends before it begins", s.Lane, s.Op)
		}
		if s.Kind == "wait" && s.Lane != "host" && s.After == nil {
			t.Errorf("a wait for nothing: %+v", s)
		}
	}
	if len(lanes) != 3 || lanes["async:0 default"] != 2 {
		t.Errorf("lanes %v", lanes)
	}
}

// A recording knows which read or write of pinned memory came before the copy of it had ended, and which wait waited
// for what.
func TestWatchTooEarly(t *testing.T) {
	defer sync(t)
	x := tensor.New([]float32{1, 2}).To(dev)
	out, in := tensor.Zeros(2).PinMemory(), tensor.Ones(2).PinMemory()
	r, panicked := async.Watch(func() {
		release := async.CurrentStream().Hold()
		out.Copy_(x, opt.NonBlocking(true))
		in.To(dev, opt.NonBlocking(true))
		out.Sum()
		in.Sum() // the copy reads it too
		in.Fill_(2)
		copied := async.CurrentStream().Record()
		release()
		copied.Synchronize() // names the event even if the stream was faster
		out.Sum()
	})
	if panicked != nil {
		t.Fatal(panicked)
	}
	var early, all []string
	waited := false
	for _, s := range r.Spans {
		if s.Kind == "read" || s.Kind == "write" {
			all = append(all, s.Op)
			if s.Early != nil {
				early = append(early, s.Op)
				if s.Early.Kind != "copy" || s.Early.End <= s.Begin {
					t.Errorf("%s is early of %+v", s.Op, s.Early)
				}
			}
		}
		waited = waited || s.Lane == "host" && s.Kind == "wait" && s.After != nil
		if s.Op == "hold" && s.End-s.Begin <= 0 {
			t.Errorf("the held stream does not wait: %+v", s)
		}
	}
	if fmt.Sprint(early) != "[sum fill_]" || fmt.Sprint(all) != "[sum sum fill_ sum]" {
		t.Errorf("early are %v of %v", early, all)
	}
	if !waited {
		t.Error("no wait of the host knows what it waits for")
	}
}

// The backward pass runs on the streams of the forward calls, ordered by events, and the caller's waits for the end.
func TestBackwardOnStreams(t *testing.T) {
	defer sync(t)
	for range 20 {
		x := tensor.New([]float32{1, 2}).To(dev).RequiresGrad_()
		a, b := async.NewStream(), async.NewStream()
		var y, z *tensor.Tensor
		a.WaitStream(async.CurrentStream())
		async.OnStream(a, func() { y = x.Square() })
		b.WaitStream(a)
		async.OnStream(b, func() { z = y.Mul(x).Sum() })
		async.DefaultStream().WaitStream(b)
		a.Sleep(200 * time.Microsecond)
		b.Sleep(100 * time.Microsecond)
		r, panicked := async.Watch(func() { z.Backward() })
		if panicked != nil {
			t.Fatal(panicked)
		}
		equal(t, "grad", list(x.Grad()), "[3 12]")
		lanes := map[string]bool{}
		for _, s := range r.Spans {
			if s.Kind == "kernel" {
				lanes[s.Lane] = true
			}
		}
		if len(lanes) != 3 {
			t.Fatalf("kernels ran on %v", lanes)
		}
	}
}

// TestResetBeforeSleep: a sleep that was taken from the queue and has not begun when the streams are reset ends too.
func TestResetBeforeSleep(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3000 {
		for range 8 {
			async.NewStream().Sleep(time.Hour)
		}
		async.Reset()
	}
	for range 500 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

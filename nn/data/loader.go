package data

import (
	"context"
	"iter"
	"slices"
	"sync"

	"gotorch/tensor"
)

// Note: batches ahead. With workers, batches are made by goroutines while the loop works on earlier ones. They come in
// the order of the sampler, and what transforms draw is seeded by the epoch and the sample's index, so that the number
// of workers changes nothing. The goroutines belong to one loop: when it ends, by break, a panic or the interruption
// of its cell, they are told, and the loop waits for them. A panic in a worker is one of the loop.

// Batches is an epoch: for b := range batches. It can be ranged over again, for the next epoch.
type Batches func(yield func(Batch) bool)

// loader is what the options of Loader say.
type loader struct {
	set                      Dataset
	batch, workers, prefetch int
	dropLast, shuffle        bool
	sampler                  Sampler
	generator                *tensor.Generator // nil for the default one
	collate                  func([]Sample) Batch
	plain                    bool // batches are made by Stack
}

const loaderOp = "data.Loader"

// Loader makes batches of a data set, or of an iter.Seq[Sample], whose samples come in its own order. Options:
// opt.Batch (1), opt.Shuffle (false), opt.Sampler (a Sampler in place of shuffling), opt.DropLast (false: the last
// batch may be smaller), opt.Workers (0: batches are made when they are asked for), opt.Prefetch (2 batches for each
// worker), opt.Seed (the default generator's numbers without), opt.Collate (a func([]Sample) Batch in place of
// [Stack]). Shuffled batches are those of PyTorch's DataLoader after the same seed, whatever the number of workers.
func Loader(set any, opts ...tensor.Option) Batches {
	m := tensor.Keywords(loaderOp, opts, "batch", "shuffle", "sampler", "drop_last", "workers", "prefetch",
		"seed", "collate")
	l := &loader{batch: 1, prefetch: 2, collate: Stack, plain: true}
	for name, at := range map[string]*int{"batch": &l.batch, "workers": &l.workers, "prefetch": &l.prefetch} {
		if v, ok := m[name].(int); ok {
			*at = v
		}
	}
	if l.batch < 1 || l.workers < 0 || l.prefetch < 1 {
		panic(tensor.Errorf(loaderOp, "batch and prefetch must be positive and workers not negative, got %d, %d and %d",
			l.batch, l.prefetch, l.workers))
	}
	l.dropLast, _ = m["drop_last"].(bool)
	l.shuffle, _ = m["shuffle"].(bool)
	if n, ok := m["seed"].(int); ok {
		l.generator = tensor.NewGenerator(n)
	}
	l.functions(m)
	switch s := set.(type) {
	case Dataset:
		l.set = s
	case iter.Seq[Sample]:
		return l.stream(s)
	case func(func(Sample) bool):
		return l.stream(s)
	default:
		panic(tensor.Errorf(loaderOp, "it takes a data set or an iter.Seq[data.Sample], not %T", set))
	}
	switch {
	case l.sampler != nil:
	case l.shuffle:
		l.sampler = Shuffled(l.set.Len())
	default:
		l.sampler = InOrder(l.set.Len())
	}
	return l.epoch
}

// functions reads the options that are functions.
func (l *loader) functions(m map[string]any) {
	switch f := m["collate"].(type) {
	case nil:
	case func([]Sample) Batch:
		l.collate, l.plain = f, false
	default:
		panic(tensor.Errorf(loaderOp, "argument collate must be a func([]data.Sample) data.Batch, not %T", f))
	}
	switch f := m["sampler"].(type) {
	case nil:
	case Sampler:
		l.sampler = f
	case func(*tensor.Generator) []int:
		l.sampler = f
	default:
		panic(tensor.Errorf(loaderOp, "argument sampler must be a data.Sampler, not %T", f))
	}
	if l.sampler != nil && l.shuffle {
		panic(tensor.Errorf(loaderOp, "shuffle and sampler exclude each other"))
	}
}

// announce tells what watches the loop how many batches there are.
func announce(batches int) {
	if s := tensor.CurrentScope(); s != nil {
		if w, ok := s.Watch.(interface{ Batches(n int) }); ok {
			w.Batches(batches)
		}
	}
}

// seeds draws what an epoch needs as PyTorch's DataLoader does: first the workers' seed, then, from the default
// generator, the sampler's.
func (l *loader) seeds() (workers int, sampler *tensor.Generator) {
	g := l.generator
	if g == nil {
		g = tensor.DefaultGenerator()
	}
	draw := func() int {
		return tensor.With(tensor.Int64).Zeros().Random_(tensor.NewOption("generator", g)).ItemInt()
	}
	workers = draw()
	if l.generator != nil {
		return workers, g
	}
	return workers, tensor.NewGenerator(draw())
}

// epoch ranges over the batches of one.
func (l *loader) epoch(yield func(Batch) bool) {
	seed, g := l.seeds()
	var parts [][]int
	for p := range slices.Chunk(l.sampler(g), l.batch) {
		if len(p) == l.batch || !l.dropLast {
			parts = append(parts, p)
		}
	}
	announce(len(parts))
	whole := true
	count := func(b Batch) bool {
		whole = yield(b)
		return whole
	}
	if l.workers > 0 {
		l.ahead(parts, seed, count)
	} else {
		for i := 0; i < len(parts) && whole; i++ {
			tensor.Interrupted(loaderOp)
			count(l.make(parts[i], seed))
		}
	}
	if whole && l.generator != nil && l.shuffle {
		l.sampler(g) // PyTorch's sampler draws a permutation more when it is exhausted
	}
}

// make makes the batch of some indices.
func (l *loader) make(indices []int, seed int) Batch {
	if g, ok := l.set.(gathering); ok && l.plain {
		return g.gather(indices)
	}
	samples := make([]Sample, len(indices))
	var g *tensor.Generator
	if _, random := l.set.(drawing); random {
		g = tensor.NewGenerator(0)
	}
	for i, at := range indices {
		if g != nil {
			g.ManualSeed(mix(seed, at))
		}
		samples[i] = sample(l.set, at, g)
	}
	return l.collate(samples)
}

// mix makes one seed of two numbers (splitmix64; Steele et al. 2014).
func mix(a, b int) int {
	x := uint64(a) + uint64(b+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) >> 1)
}

// made is a batch of a worker, or its panic.
type made struct {
	batch  Batch
	failed any
}

// within is a context that ends with the loop or with its cell.
func within() (context.Context, context.CancelFunc) {
	outer := context.Background()
	if s := tensor.CurrentScope(); s != nil && s.Context != nil {
		outer = s.Context
	}
	return context.WithCancel(outer)
}

// ahead ranges over batches that workers make.
func (l *loader) ahead(parts [][]int, seed int, yield func(Batch) bool) {
	ctx, cancel := within()
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	results := make([]chan made, len(parts))
	for i := range results {
		results[i] = make(chan made, 1)
	}
	jobs := make(chan int)
	room := make(chan struct{}, l.workers*l.prefetch) // one for each batch that is begun and not taken
	wait.Go(func() {
		defer close(jobs)
		for i := range parts {
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	for range min(l.workers, len(parts)) {
		wait.Go(func() {
			for i := range jobs {
				results[i] <- caught(ctx, func() Batch { return l.make(parts[i], seed) })
			}
		})
	}
	for i := range parts {
		select {
		case m := <-results[i]:
			<-room
			if m.failed != nil {
				panic(m.failed)
			}
			if !yield(m.batch) {
				return
			}
		case <-ctx.Done():
			tensor.Interrupted(loaderOp)
			return
		}
	}
}

// caught makes a batch in a worker, inside the context of the loop.
func caught(ctx context.Context, f func() Batch) (m made) {
	defer func() { m.failed = recover() }()
	tensor.WithContext(ctx, func() { m.batch = f() })
	return m
}

// stream makes batches of samples that come one by one. With workers they are made ahead by a goroutine.
func (l *loader) stream(samples iter.Seq[Sample]) Batches {
	if l.shuffle || l.sampler != nil {
		panic(tensor.Errorf(loaderOp, "samples that come one by one cannot be shuffled").
			WithHint("a data set has Len and At"))
	}
	batches := func(yield func(Batch) bool) {
		var part []Sample
		for s := range samples {
			tensor.Interrupted(loaderOp)
			if part = append(part, s); len(part) == l.batch {
				if !yield(l.collate(part)) {
					return
				}
				part = nil
			}
		}
		if len(part) > 0 && !l.dropLast {
			yield(l.collate(part))
		}
	}
	if l.workers == 0 {
		return batches
	}
	return func(yield func(Batch) bool) {
		ctx, cancel := within()
		var wait sync.WaitGroup
		defer wait.Wait()
		defer cancel()
		out := make(chan made, l.prefetch)
		send := func(m made) bool {
			select {
			case out <- m:
				return true
			case <-ctx.Done():
				return false
			}
		}
		wait.Go(func() {
			defer close(out)
			m := caught(ctx, func() Batch {
				batches(func(b Batch) bool { return send(made{batch: b}) })
				return Batch{}
			})
			if m.failed != nil {
				send(m)
			}
		})
		for m := range out {
			if m.failed != nil {
				panic(m.failed)
			}
			if !yield(m.batch) {
				return
			}
		}
		tensor.Interrupted(loaderOp)
	}
}

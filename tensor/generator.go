package tensor

import "sync"

// Generator draws random numbers. The CPU's is mt19937 with PyTorch's way of making floats, normals and permutations, so that equal
// seeds give equal numbers. A Generator may be used from several goroutines.
type Generator struct {
	mu   sync.Mutex
	seed uint64
}

var defaultGenerator = NewGenerator(67280421310721)

// NewGenerator makes a generator with a seed.
func NewGenerator(seed uint64) *Generator { return &Generator{seed: seed} }

// DefaultGenerator is what random operators draw from when no generator is given.
func DefaultGenerator() *Generator { return defaultGenerator }

// ManualSeed seeds the default generator and gives it.
func ManualSeed(seed int) *Generator {
	defaultGenerator.ManualSeed(seed)
	return defaultGenerator
}

// ManualSeed starts the generator anew.
func (g *Generator) ManualSeed(seed int) *Generator {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seed = uint64(seed)
	return g
}

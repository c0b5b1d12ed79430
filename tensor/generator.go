package tensor

import (
	"fmt"
	"math"
	"sync"

	"gotorch/internal/simd"
)

// Generator draws random numbers. The CPU's is mt19937 with PyTorch's way of making floats, normals and permutations,
// so that equal seeds give equal numbers. A Generator may be used from several goroutines: each draw of an operator is
// whole.
type Generator struct {
	mu  sync.Mutex
	src Source
}

// defaultSeed is PyTorch's. The stream depends on its low 32 bits only.
var defaultSeed int64 = 67280421310721

var defaultGenerator = NewGenerator(int(defaultSeed))

// NewGenerator makes a generator with a seed.
func NewGenerator(seed int) *Generator {
	g := new(Generator)
	g.src.seed(seed)
	return g
}

// DefaultGenerator is what random operators draw from when no generator is given.
func DefaultGenerator() *Generator { return defaultGenerator }

// ManualSeed seeds the default generator.
func ManualSeed(seed int) { defaultGenerator.ManualSeed(seed) }

// ManualSeed restarts the generator and returns it.
func (g *Generator) ManualSeed(seed int) *Generator {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.src.seed(seed)
	return g
}

// String tells the seed and how many numbers were drawn since.
func (g *Generator) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return fmt.Sprintf("Generator(seed %d, %d draws)", g.src.initial, g.src.drawn)
}

// InitialSeed is the number that the generator was last seeded with.
func (g *Generator) InitialSeed() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.src.initial
}

// GetState returns a copy of the generator's state; SetState goes back to it.
func (g *Generator) GetState() Source {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.src
}

// SetState goes back to a state that GetState gave.
func (g *Generator) SetState(s Source) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.src = s
}

// Draw lends the source of the generator to f, which nobody else uses meanwhile.
func (g *Generator) Draw(f func(*Source)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.src)
}

// Source is the state of a generator: mt19937 (Matsumoto and Nishimura 1998) and the second number of the last pair of
// normals.
//
//gotorch:internal
type Source struct {
	initial  int
	state    [624]uint32
	next     int // the place in state of the next number; len(state) when all were given
	drawn    uint64
	spare    float64
	hasSpare bool
}

func (s *Source) seed(seed int) {
	*s = Source{initial: seed, next: len(s.state)}
	s.state[0] = uint32(seed)
	for i := 1; i < len(s.state); i++ {
		prev := s.state[i-1]
		s.state[i] = 1812433253*(prev^prev>>30) + uint32(i)
	}
}

// Drawn counts the 32-bit numbers given since the seed.
func (s *Source) Drawn() uint64 { return s.drawn }

// Position is the place among the 624 words of the state of the next number; 624 when the state will be made again
// first.
func (s *Source) Position() int { return s.next }

// Spare is the other half of the last pair of normals, if it was not given yet.
func (s *Source) Spare() (normal float64, ok bool) { return s.spare, s.hasSpare }

// Words are the 624 words of the state, in a slice of their own.
func (s *Source) Words() []uint32 { return append([]uint32(nil), s.state[:]...) }

// Uint32 is the next 32 random bits.
func (s *Source) Uint32() uint32 {
	if s.next == len(s.state) {
		simd.MTNext(&s.state)
		s.next = 0
	}
	y := s.state[s.next]
	s.next++
	s.drawn++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// Fill sets dst to the next draws of 32 bits, as calls of Uint32 would.
func (s *Source) Fill(dst []uint32) {
	s.drawn += uint64(len(dst))
	for len(dst) > 0 {
		if s.next == len(s.state) {
			simd.MTNext(&s.state)
			s.next = 0
		}
		n := min(len(dst), len(s.state)-s.next)
		simd.MTTemper(dst[:n], s.state[s.next:][:n])
		s.next += n
		dst = dst[n:]
	}
}

// Uint64 is the next 64 random bits: two draws, the first above.
func (s *Source) Uint64() uint64 {
	hi := uint64(s.Uint32())
	return hi<<32 | uint64(s.Uint32())
}

// Float32 is uniform on [0, 1) with 24 bits.
func (s *Source) Float32() float32 { return float32(s.Uint32()&(1<<24-1)) * 0x1p-24 }

// Bits is uniform on [0, 1) with that many bits, at most 24, from one draw: what the half types take.
func (s *Source) Bits(bits int) float32 {
	return float32(s.Uint32()&(1<<bits-1)) * float32(math.Ldexp(1, -bits))
}

// Float64 is uniform on [0, 1) with 53 bits.
func (s *Source) Float64() float64 { return float64(s.Uint64()&(1<<53-1)) * 0x1p-53 }

// Normal is normally distributed with mean 0 and variance 1, by Box and Muller's method; every second number is the
// other half of a pair.
func (s *Source) Normal() float64 {
	if s.hasSpare {
		s.hasSpare = false
		return s.spare
	}
	u1, u2 := s.Float64(), s.Float64()
	r, theta := math.Sqrt(-2*math.Log1p(-u2)), 2*math.Pi*u1
	s.spare, s.hasSpare = r*math.Sin(theta), true
	return r * math.Cos(theta)
}

// Below is uniform on the integers from 0 up to but not including n, with PyTorch's remainder of 32 bits, or of 64
// where n needs them.
func (s *Source) Below(n uint64) uint64 {
	if n >= 1<<32 {
		return s.Uint64() % n
	}
	return uint64(s.Uint32()) % n
}

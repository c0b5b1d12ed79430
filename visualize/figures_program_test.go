package visualize

import (
	"fmt"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"gotorch/internal/bytesize"
	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// randomProgram is a program over matrices of float32, with what is known of it without running it.
type randomProgram struct {
	rows, columns int // of the leaves, which are square where products are made
	leaves        []*tensor.Tensor
	steps         []randomStep
}

// randomStep is a call of one operator. Values are numbered: the leaves, then the result of each step.
type randomStep struct {
	op      string
	call    func(v []*tensor.Tensor) *tensor.Tensor
	reads   []int
	shape   []int
	bytes   int // of new memory, 0 for a view
	moved   int // bytes that the kernel reads and writes
	flops   float64
	saves   []int // the values that the node of the graph keeps
	storage int   // the value in whose storage the result lies
}

// newProgram makes one of so many steps over leaves of n by n.
func newProgram(r *rand.Rand, n, steps int) *randomProgram {
	p := &randomProgram{rows: n, columns: n}
	var shapes [][]int
	var storage []int
	for range 2 + r.Intn(2) {
		storage = append(storage, len(storage))
		shapes = append(shapes, []int{n, n})
		p.leaves = append(p.leaves, tensor.Rand(n, n).RequiresGrad_())
	}
	same := func(k int) int { // another value of the shape of k
		var list []int
		for i, s := range shapes {
			if fmt.Sprint(s) == fmt.Sprint(shapes[k]) {
				list = append(list, i)
			}
		}
		return list[r.Intn(len(list))]
	}
	for len(p.steps) < steps {
		a, own := len(shapes)-1, len(shapes)
		if r.Intn(3+steps/4) == 0 { // a long one has few branches that lead nowhere
			a = r.Intn(len(shapes))
		}
		rows, cols := shapes[a][0], shapes[a][1]
		numel := rows * cols
		moved := func(a, b int) int { // what is read twice lies in a cache the second time
			if a == b {
				return 8 * numel
			}
			return 12 * numel
		}
		s := randomStep{reads: []int{a}, shape: []int{rows, cols}, bytes: 4 * numel, moved: 8 * numel,
			flops: float64(numel), storage: own}
		switch r.Intn(8) {
		case 0:
			s.op, s.saves = "exp", []int{own}
			s.call = func(v []*tensor.Tensor) *tensor.Tensor { return v[a].Exp() }
		case 1:
			s.op, s.saves = "tanh", []int{own}
			s.call = func(v []*tensor.Tensor) *tensor.Tensor { return v[a].Tanh() }
		case 2:
			b := same(a)
			s.op, s.reads, s.saves, s.moved = "mul", []int{a, b}, []int{a, b}, moved(a, b)
			s.call = func(v []*tensor.Tensor) *tensor.Tensor { return v[a].Mul(v[b]) }
		case 3:
			b := same(a)
			s.op, s.reads, s.moved = "add", []int{a, b}, moved(a, b)
			s.call = func(v []*tensor.Tensor) *tensor.Tensor { return v[a].Add(v[b]) }
		case 4:
			s.op = "mul"
			s.call = func(v []*tensor.Tensor) *tensor.Tensor { return v[a].Mul(0.5) }
		case 5:
			s.op, s.shape, s.bytes, s.moved, s.flops = "transpose", []int{cols, rows}, 0, 0, 0
			s.storage = storage[a]
			s.call = func(v []*tensor.Tensor) *tensor.Tensor { return v[a].Transpose(0, 1) }
		case 6:
			if rows < 3 {
				continue
			}
			s.op, s.shape, s.bytes, s.moved, s.flops = "narrow", []int{rows - 1, cols}, 0, 0, 0
			s.storage = storage[a]
			s.call = func(v []*tensor.Tensor) *tensor.Tensor { return v[a].Narrow(0, 1, rows-1) }
		case 7:
			b := r.Intn(len(shapes))
			if shapes[b][0] != cols {
				continue
			}
			k := shapes[b][1]
			s.op, s.reads, s.saves, s.shape, s.bytes = "mm", []int{a, b}, []int{a, b}, []int{rows, k}, 4*rows*k
			s.moved, s.flops = 4*(numel+cols*k+rows*k), 2*float64(rows*cols*k)
			if a == b {
				s.moved = 8 * numel
			}
			s.call = func(v []*tensor.Tensor) *tensor.Tensor { return v[a].Mm(v[b]) }
		}
		shapes, storage = append(shapes, s.shape), append(storage, s.storage)
		p.steps = append(p.steps, s)
	}
	a := len(shapes) - 1
	numel := shapes[a][0] * shapes[a][1]
	p.steps = append(p.steps, randomStep{op: "sum", reads: []int{a}, shape: []int{}, bytes: 4, moved: 4*numel + 4,
		flops: float64(numel), storage: len(shapes),
		call: func(v []*tensor.Tensor) *tensor.Tensor { return v[a].Sum() }})
	return p
}

// run makes the calls, each at a line of its own, and returns all values.
func (p *randomProgram) run(s *viewtest.Session) []*tensor.Tensor {
	v := append([]*tensor.Tensor(nil), p.leaves...)
	for i, step := range p.steps {
		s.At("In[2]", i+1, "")
		v = append(v, step.call(v))
	}
	return v
}

// used are the steps whose results the last one depends on.
func (p *randomProgram) used() []bool {
	out := make([]bool, len(p.steps))
	out[len(out)-1] = true
	for i := len(out) - 1; i >= 0; i-- {
		if !out[i] {
			continue
		}
		for _, k := range p.steps[i].reads {
			if k -= len(p.leaves); k >= 0 {
				out[k] = true
			}
		}
	}
	return out
}

// size is the bytes of the storage of a value.
func (p *randomProgram) size(value int) int {
	if value < len(p.leaves) {
		return 4 * p.rows * p.columns
	}
	return p.steps[value-len(p.leaves)].bytes
}

// storageOf is the value whose storage that of a value is.
func (p *randomProgram) storageOf(value int) int {
	if value < len(p.leaves) {
		return value
	}
	return p.steps[value-len(p.leaves)].storage
}

// randomPrograms calls f with random programs at both scales: of few calls, which are shown whole, and of many, which
// are folded; of few numbers, and of many.
func randomPrograms(t *testing.T, f func(s *viewtest.Session, p *randomProgram)) {
	s := viewtest.NewSession(t)
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		n, steps := 2+r.Intn(6), 1+r.Intn(9)
		if seed%4 == 1 {
			steps = 45 + r.Intn(60)
		}
		if seed%4 == 2 {
			n = 100 + r.Intn(100)
		}
		f(s, newProgram(r, n, steps))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// sizeText is a number of bytes as views print it.
const sizeText = `\d+(?:\.\d)? (?:B|KiB|MiB)`

// bytesOf reads a number of bytes; it is known to half of its last digit.
func bytesOf(t *testing.T, text string) (n, within float64) {
	t.Helper()
	number, unit, ok := strings.Cut(text, " ")
	f, err := strconv.ParseFloat(number, 64)
	factor := map[string]float64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}[unit]
	if !ok || err != nil || factor == 0 {
		t.Fatalf("%q is no number of bytes", text)
	}
	if factor > 1 {
		within = 0.0500001 * factor
	}
	return f * factor, within
}

// checkBytes holds a printed number of bytes against what it is.
func checkBytes(t *testing.T, what, text string, want int) {
	t.Helper()
	if n, within := bytesOf(t, text); math.Abs(n-float64(want)) > within {
		t.Errorf("%s: %q, it is %s", what, text, bytesize.Text(want))
	}
}

// timeText is a duration as views print it.
const timeText = `\d+(?:\.\d+)? (?:ns|µs|ms|s)`

// nanosOf reads a duration; it is known to half of its last digit.
func nanosOf(t *testing.T, text string) (n, within float64) {
	t.Helper()
	number, unit, ok := strings.Cut(text, " ")
	f, err := strconv.ParseFloat(number, 64)
	factor := map[string]float64{"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
	if !ok || err != nil || factor == 0 {
		t.Fatalf("%q is no duration", text)
	}
	switch unit {
	case "µs", "ms":
		within = 0.0500001 * factor
	case "s":
		within = 0.00500001 * factor
	}
	return f * factor, within
}

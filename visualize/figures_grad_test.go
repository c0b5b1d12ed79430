package visualize

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotorch/visualize/internal/viewtest"
)

// graphFigures is what the graph of a program keeps, found without looking at it.
type graphFigures struct {
	steps   []int       // that have a node, in the order in which the backward pass walks them
	nodes   int         // with the leaves
	held    int         // bytes
	also    int         // of those, of leaves
	holders map[int]int // of each storage that is kept, how many nodes keep it
}

// kept are the storages that a step's node keeps, each once.
func (p *randomProgram) kept(step int) (out []int) {
	seen := map[int]bool{}
	for _, v := range p.steps[step].saves {
		if st := p.storageOf(v); !seen[st] {
			seen[st] = true
			out = append(out, st)
		}
	}
	return out
}

func figuresOfGraph(p *randomProgram) (g graphFigures) {
	g.holders = map[int]int{}
	leaves := map[int]bool{}
	used := p.used()
	for i := len(p.steps) - 1; i >= 0; i-- {
		if !used[i] {
			continue
		}
		g.steps = append(g.steps, i)
		for _, k := range p.steps[i].reads {
			if k < len(p.leaves) {
				leaves[k] = true
			}
		}
		for _, st := range p.kept(i) {
			if g.holders[st]++; g.holders[st] > 1 {
				continue
			}
			g.held += p.size(st)
			if st < len(p.leaves) {
				g.also += p.size(st)
			}
		}
	}
	g.nodes = len(g.steps) + len(leaves)
	return g
}

// checkAlso holds what is said of memory that variables keep too.
func (g *graphFigures) checkAlso(t *testing.T, text string) {
	t.Helper()
	m := regexp.MustCompile(`\((?:(` + sizeText + `) of them by variables too|variables keep them too)\)`).
		FindStringSubmatch(text)
	switch {
	case m == nil:
		if g.also > 0 {
			t.Errorf("%d bytes of leaves are not in %s", g.also, text)
		}
	case m[1] == "":
		if g.also != g.held {
			t.Errorf("%d bytes of %d are of leaves", g.also, g.held)
		}
	default:
		checkBytes(t, m[0], m[1], g.also)
	}
}

// TestFiguresOfGraphs: a graph counts its nodes and the bytes that it keeps, each piece of memory once; of a long one
// each line says what its call keeps.
func TestFiguresOfGraphs(t *testing.T) {
	sum := regexp.MustCompile(`(\d+) nodes(?:, (` + sizeText + `) kept for the backward pass(.*))?, ` +
		`(?:gradients flow down|in the order)`)
	node := regexp.MustCompile(`([A-Z]\w*Backward0)\S*  float32(\[[\d ]*\]).*?  @ In\[2\]:(\d+)(?:  saves .*?  (` +
		sizeText + `))?$`)
	line := regexp.MustCompile(`^ *#\d+ (\w+)(?:\(.*?\))?  float32(\[[\d ]*\])  @ In\[2\]:(\d+)(?: +(` +
		sizeText + `))?$`)
	whole, outlines := 0, 0
	randomPrograms(t, func(s *viewtest.Session, p *randomProgram) {
		values := p.run(s)
		v, g := Graph(values[len(values)-1]), figuresOfGraph(p)
		text := v.String()
		m := sum.FindStringSubmatch(text)
		if m == nil || m[1] != strconv.Itoa(g.nodes) {
			t.Fatalf("%q: there are %d nodes\n%s", m, g.nodes, text)
		}
		if m[2] == "" {
			m[2] = "0 B"
		}
		checkBytes(t, m[0], m[2], g.held)
		g.checkAlso(t, m[3])
		found := map[int]bool{}
		for _, l := range strings.Split(text, "\n") {
			m := node.FindStringSubmatch(l)
			if m == nil && len(v.Steps) > 0 {
				m = line.FindStringSubmatch(l)
			}
			if m == nil {
				continue
			}
			i, _ := strconv.Atoi(m[3])
			step := p.steps[i-1]
			found[i-1] = true
			name := strings.TrimSuffix(m[1], "Backward0")
			other := map[string]string{"mm": "Matmul", "narrow": "Slice"}[step.op]
			if !strings.EqualFold(name, step.op) && name != other || m[2] != fmt.Sprint(step.shape) {
				t.Errorf("%q is of %s → %v", l, step.op, step.shape)
			}
			bytes := 0
			for _, st := range p.kept(i - 1) {
				bytes += p.size(st)
			}
			if m[4] == "" {
				m[4] = "0 B"
			}
			checkBytes(t, l, m[4], bytes)
		}
		if len(v.Steps) == 0 {
			whole++
		} else {
			outlines++
		}
		if len(found) != len(g.steps) {
			t.Errorf("%d calls of %d in\n%s", len(found), len(g.steps), text)
		}
	})
	if whole == 0 || outlines == 0 {
		t.Errorf("%d graphs whole, %d outlines", whole, outlines)
	}
}

// TestFiguresOfBackward: a pass has a step for each node, in the order of their making, and what it says of memory is
// what the nodes keep and let go of; the times of an outline add up.
func TestFiguresOfBackward(t *testing.T) {
	sum := regexp.MustCompile(`backward: (\d+) steps?(?:, the graph keeps (` + sizeText +
		`)( \(.*?\))?)?(?:, its nodes took (` + timeText + `))?\n`)
	step := regexp.MustCompile(`^step (\d+) of (\d+)   .* @ In\[2\]:(\d+)$`)
	memory := regexp.MustCompile(`^  (?:frees .*?: (` + sizeText + `))?.*;  the graph keeps (` + sizeText + `)$`)
	line := regexp.MustCompile(`^ *step (\d+)  .*? (?:frees (` + sizeText + `)  )?(` + timeText + `)$`)
	randomPrograms(t, func(s *viewtest.Session, p *randomProgram) {
		values := p.run(s)
		v, g := Backward(values[len(values)-1]), figuresOfGraph(p)
		text := v.String()
		m := sum.FindStringSubmatch(text)
		if m == nil || m[1] != strconv.Itoa(len(g.steps)) {
			t.Fatalf("%q: there are %d steps\n%s", m, len(g.steps), text)
		}
		if m[2] == "" {
			m[2] = "0 B"
		}
		checkBytes(t, m[0], m[2], g.held)
		g.checkAlso(t, m[3])
		// what each step lets go of, and what is kept afterwards
		frees, keeps, held := make([]int, len(g.steps)), make([]int, len(g.steps)), g.held
		gone := make([]int, len(g.steps)) // with what leaves keep
		for k, i := range g.steps {
			for _, st := range p.kept(i) {
				if g.holders[st]--; g.holders[st] > 0 {
					continue
				}
				held -= p.size(st)
				gone[k] += p.size(st)
				if st >= len(p.leaves) {
					frees[k] += p.size(st)
				}
			}
			keeps[k] = held
		}
		k, seen, nanos, within := -1, 0, 0.0, 0.0
		for _, l := range strings.Split(text, "\n") {
			if m := step.FindStringSubmatch(l); m != nil {
				if k, _ = strconv.Atoi(m[1]); m[2] != strconv.Itoa(len(g.steps)) || m[3] != strconv.Itoa(g.steps[k-1]+1) {
					t.Errorf("%q: step %d of %d is that of line %d", l, k, len(g.steps), g.steps[k-1]+1)
				}
				seen++
			} else if m := memory.FindStringSubmatch(l); m != nil && k > 0 {
				if m[1] == "" {
					m[1] = "0 B"
				}
				checkBytes(t, l, m[1], frees[k-1])
				checkBytes(t, l, m[2], keeps[k-1])
			} else if m := line.FindStringSubmatch(l); m != nil {
				i, _ := strconv.Atoi(m[1])
				if m[2] == "" {
					m[2] = "0 B"
				}
				checkBytes(t, l, m[2], gone[i-1])
				n, w := nanosOf(t, m[3])
				seen, nanos, within = seen+1, nanos+n, within+w
			}
		}
		if seen < min(len(g.steps), 50) {
			t.Errorf("%d steps of %d in\n%s", seen, len(g.steps), text)
		}
		if m[4] != "" && seen == len(g.steps) {
			if all, w := nanosOf(t, m[4]); math.Abs(all-nanos) > w+within {
				t.Errorf("%q: the steps took %g ns", m[0], nanos)
			}
		}
	})
}

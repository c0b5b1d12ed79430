package grad

import (
	"fmt"
	"math/rand"
	"reflect"
	"testing"
	"time"
)

// anyGraph makes a graph of n nodes, each leading to some that come after it: near ones for most edges, any for a few.
func anyGraph(seed int64, n int) *AutogradGraph {
	r := rand.New(rand.NewSource(seed))
	g := &AutogradGraph{Roots: []int{0}, Total: n}
	reach := []int{2, 8, 40}[r.Intn(3)]
	for i := range n {
		g.Nodes = append(g.Nodes, GraphNode{ID: i, Name: fmt.Sprint("Op", i, "Backward0"), Kind: "operator",
			Shape: "float32[2 3]"})
		if i == 0 {
			continue
		}
		g.Edges = append(g.Edges, GraphEdge{From: max(0, i-1-r.Intn(reach)), To: i})
		if r.Intn(3) == 0 {
			g.Edges = append(g.Edges, GraphEdge{From: r.Intn(i), To: i})
		}
	}
	g.layers()
	return g
}

// TestLayout: graphs of 500 nodes get their places in time and the same ones every time. No two boxes overlap, edges
// lead downwards, and no edge passes through a box: where it passes a layer it has a place of its own, outside of the
// boxes there.
func TestLayout(t *testing.T) {
	for seed := range int64(12) {
		g := anyGraph(seed, 500)
		w, h := make([]float64, len(g.Nodes)), make([]float64, len(g.Nodes))
		for i := range w {
			w[i], h[i] = 90+float64(i*37%90), 40+float64(i*17%50)
		}
		start := time.Now()
		l := g.newLayout(w, h, 10, false)
		// a second is usual on a busy machine; what is caught is a layout that does not end
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("seed %d: took %v", seed, d)
		}
		if again := g.newLayout(w, h, 10, false); !reflect.DeepEqual(l, again) {
			t.Errorf("seed %d: other places the second time", seed)
		}
		for _, row := range l.rows {
			for k, i := range row {
				p := l.places[i]
				for _, j := range row[:k] {
					if q := l.places[j]; p.x < q.x+q.w && q.x < p.x+p.w {
						t.Fatalf("seed %d: %+v and %+v overlap", seed, p, q)
					}
				}
			}
		}
		for k := 1; k < len(l.rows); k++ {
			if l.top[k] < l.bottom[k-1]+layerGap-1 {
				t.Errorf("seed %d: layer %d begins at %v, the one above ends at %v", seed, k, l.top[k], l.bottom[k-1])
			}
		}
		for e, way := range l.ways {
			for k := 1; k < len(way); k++ {
				a, b := l.places[way[k-1]], l.places[way[k]]
				if b.y <= a.y {
					t.Fatalf("seed %d: edge %d goes up from %+v to %+v", seed, e, a, b)
				}
				if k < len(way)-1 && b.node >= 0 {
					t.Fatalf("seed %d: edge %d passes through node %d", seed, e, b.node)
				}
			}
		}
	}
}

func BenchmarkLayout500(b *testing.B) {
	g := anyGraph(1, 500)
	w, h := make([]float64, len(g.Nodes)), make([]float64, len(g.Nodes))
	for i := range w {
		w[i], h[i] = 120, 60
	}
	for b.Loop() {
		g.newLayout(w, h, 10, false)
	}
}

// TestOverlap: no two boxes of a graph overlap, and no arrow's place lies in a box.
func TestOverlap(t *testing.T) {
	for seed := range int64(20) {
		g := anyGraph(seed, 20)
		w, h := make([]float64, len(g.Nodes)), make([]float64, len(g.Nodes))
		for i := range w {
			w[i], h[i] = 100+float64(i*37%90), 40+float64(i*17%30)
		}
		l := g.newLayout(w, h, 0, false)
		for i, p := range l.places {
			for _, q := range l.places[:i] {
				if p.x < q.x+q.w && q.x < p.x+p.w && p.y < q.y+q.h && q.y < p.y+p.h ||
					p.y == q.y && p.node >= 0 && q.node < 0 && q.mid() > p.x && q.mid() < p.x+p.w {
					t.Errorf("%d: %+v overlaps %+v", seed, p, q)
				}
			}
		}
	}
}

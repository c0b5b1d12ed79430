package grad

import (
	"math"
	"sort"
)

// Note: the layout. Nodes stand in layers, roots at the top, each beneath all that lead to it. An edge that passes
// layers has a place of its own in each, so that it goes round the boxes there. Layers are ordered by the middle of
// their neighbours, swept down and up; places are then as near to the middle of their neighbours as order and
// distance allow (an isotonic regression). Ties keep the order of finding, so that equal graphs give equal pictures.

// place is a node, or where an edge passes a layer.
type place struct {
	node         int // -1 for an edge
	w, h         float64
	x, y         float64 // of the left upper corner
	above, below []int   // neighbours in the layer above and beneath
}

func (p *place) mid() float64 { return p.x + p.w/2 }

// layout is the graph with a place for everything.
type layout struct {
	places []place
	rows   [][]int
	top    []float64 // of each row
	bottom []float64
	ways   [][]int // of each edge, the places that it goes through, both ends included
}

const (
	layerGap = 44.0
	placeGap = 26.0
	passGap  = 12.0
)

// newLayout places boxes of the given sizes, beneath the y where it begins; with room for frames where it is framed.
func (g *AutogradGraph) newLayout(w, h []float64, begin float64, framed bool) *layout {
	l := &layout{places: make([]place, len(g.Nodes))}
	at := func(layer, i int) {
		for len(l.rows) <= layer {
			l.rows = append(l.rows, nil)
		}
		l.rows[layer] = append(l.rows[layer], i)
	}
	for i := range g.Nodes {
		l.places[i] = place{node: i, w: w[i], h: h[i]}
		at(g.Nodes[i].Layer, i)
	}
	join := func(a, b int) {
		l.places[a].below = append(l.places[a].below, b)
		l.places[b].above = append(l.places[b].above, a)
	}
	for _, e := range g.Edges {
		way := []int{e.From}
		from, to := g.Nodes[e.From].Layer, g.Nodes[e.To].Layer
		for layer := from + 1; layer < to; layer++ {
			p := len(l.places)
			l.places = append(l.places, place{node: -1, w: 4})
			at(layer, p)
			join(way[len(way)-1], p)
			way = append(way, p)
		}
		if to > from {
			join(way[len(way)-1], e.To)
		}
		l.ways = append(l.ways, append(way, e.To))
	}
	l.order()
	l.spread()
	y, gap := begin, layerGap
	if framed {
		y, gap = begin+frameHead+frameStep, layerGap+framedGap
		for i := range l.places {
			l.places[i].x += frameSide + 4
		}
	}
	for _, row := range l.rows {
		high := 0.0
		for _, i := range row {
			high = math.Max(high, l.places[i].h)
		}
		for _, i := range row {
			l.places[i].y = y
		}
		l.top, l.bottom = append(l.top, y), append(l.bottom, y+high)
		y += high + gap
	}
	return l
}

// order sorts each layer by the mean position of its neighbours.
func (l *layout) order() {
	pos := make([]float64, len(l.places))
	number := func(row []int) {
		for k, i := range row {
			pos[i] = (float64(k) + 0.5) / float64(len(row))
		}
	}
	for _, row := range l.rows {
		number(row)
	}
	key := make([]float64, len(l.places))
	for sweep := range 10 {
		for k := range l.rows {
			row := l.rows[k]
			if sweep%2 == 1 {
				row = l.rows[len(l.rows)-1-k]
			}
			for _, i := range row {
				of := l.places[i].above
				if sweep%2 == 1 {
					of = l.places[i].below
				}
				key[i] = pos[i]
				if len(of) > 0 {
					key[i] = 0
					for _, j := range of {
						key[i] += pos[j] / float64(len(of))
					}
				}
			}
			sort.SliceStable(row, func(a, b int) bool { return key[row[a]] < key[row[b]] })
			number(row)
		}
	}
}

// gap is the distance between the middles of neighbours in a row.
func (l *layout) gap(a, b int) float64 {
	p, q := &l.places[a], &l.places[b]
	g := placeGap
	if p.node < 0 && q.node < 0 {
		g = passGap
	}
	return p.w/2 + g + q.w/2
}

// spread gives every place its x coordinate.
func (l *layout) spread() {
	mid := make([]float64, len(l.places))
	for _, row := range l.rows {
		x := 0.0
		for k, i := range row {
			if k > 0 {
				x += l.gap(row[k-1], i)
			}
			mid[i] = x
		}
		for _, i := range row { // centred
			mid[i] -= x / 2
		}
	}
	for sweep := range 24 {
		for k := range l.rows {
			row := l.rows[k]
			if sweep%2 == 1 {
				row = l.rows[len(l.rows)-1-k]
			}
			want, weight := make([]float64, len(row)), make([]float64, len(row))
			shift := 0.0
			for k, i := range row {
				if k > 0 {
					shift += l.gap(row[k-1], i)
				}
				near, far := l.places[i].above, l.places[i].below
				if sweep%2 == 1 {
					near, far = far, near
				}
				if len(near) == 0 {
					near = far
				}
				want[k], weight[k] = mid[i]-shift, 0.1
				if len(near) > 0 {
					sum := 0.0
					for _, j := range near {
						sum += mid[j]
					}
					want[k], weight[k] = sum/float64(len(near))-shift, 1
				}
				if l.places[i].node < 0 {
					weight[k] = 2
				}
			}
			rising(want, weight)
			shift = 0
			for k, i := range row {
				if k > 0 {
					shift += l.gap(row[k-1], i)
				}
				mid[i] = want[k] + shift
			}
		}
	}
	least := math.Inf(1)
	for i := range l.places {
		least = math.Min(least, mid[i]-l.places[i].w/2)
	}
	for i := range l.places {
		l.places[i].x = mid[i] - l.places[i].w/2 - least + 8
	}
}

// rising changes x to the nearest numbers that never fall: neighbours out of order are put together at their mean.
func rising(x, weight []float64) {
	type block struct {
		sum, weight float64
		n           int
	}
	var blocks []block
	for i := range x {
		blocks = append(blocks, block{x[i] * weight[i], weight[i], 1})
		for n := len(blocks); n > 1 && blocks[n-2].sum/blocks[n-2].weight > blocks[n-1].sum/blocks[n-1].weight; n = len(blocks) {
			a, b := blocks[n-2], blocks[n-1]
			blocks = append(blocks[:n-2], block{a.sum + b.sum, a.weight + b.weight, a.n + b.n})
		}
	}
	i := 0
	for _, b := range blocks {
		for range b.n {
			x[i] = b.sum / b.weight
			i++
		}
	}
}

package programs

// flowNetwork is a network of pipes with capacities, in which [flowNetwork.cut] finds the cheapest set of pipes that
// separates the source from the sink: Dinic's algorithm, which sends flow along shortest paths until none is left.
type flowNetwork struct {
	to, next []int // of the edges; edge e^1 is the way back of edge e
	capacity []int64
	first    []int // edge of each node, -1 for none
}

// unlimited is the capacity of a pipe that is never cut.
const unlimited = int64(1) << 60

func newFlowNetwork(nodes int) *flowNetwork {
	n := &flowNetwork{first: make([]int, nodes)}
	for i := range n.first {
		n.first[i] = -1
	}
	return n
}

// pipe adds an edge.
func (n *flowNetwork) pipe(from, to int, capacity int64) {
	for _, e := range []struct {
		from, to int
		capacity int64
	}{{from, to, capacity}, {to, from, 0}} {
		n.to, n.capacity = append(n.to, e.to), append(n.capacity, e.capacity)
		n.next = append(n.next, n.first[e.from])
		n.first[e.from] = len(n.to) - 1
	}
}

// levels are the distances from the source along edges that are not full; -1 where none leads.
func (n *flowNetwork) levels(source int) []int {
	level := make([]int, len(n.first))
	for i := range level {
		level[i] = -1
	}
	level[source] = 0
	for queue := []int{source}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for e := n.first[at]; e >= 0; e = n.next[e] {
			if n.capacity[e] > 0 && level[n.to[e]] < 0 {
				level[n.to[e]] = level[at] + 1
				queue = append(queue, n.to[e])
			}
		}
	}
	return level
}

// push sends up to most from a node to the sink along rising levels. at holds the edge of each node to try next.
func (n *flowNetwork) push(node, sink int, most int64, level, at []int) int64 {
	if node == sink {
		return most
	}
	for ; at[node] >= 0; at[node] = n.next[at[node]] {
		e := at[node]
		if n.capacity[e] == 0 || level[n.to[e]] != level[node]+1 {
			continue
		}
		if sent := n.push(n.to[e], sink, min(most, n.capacity[e]), level, at); sent > 0 {
			n.capacity[e] -= sent
			n.capacity[e^1] += sent
			return sent
		}
	}
	return 0
}

// cut sends as much as fits, and reports which nodes still lead to the sink then: the pipes from other nodes to these
// are the cheapest cut. Among equally cheap ones it is that nearest to the sink.
func (n *flowNetwork) cut(source, sink int) (flow int64, behind []bool) {
	for {
		level := n.levels(source)
		if level[sink] < 0 {
			break
		}
		at := append([]int(nil), n.first...)
		for {
			sent := n.push(source, sink, unlimited, level, at)
			if sent == 0 {
				break
			}
			flow += sent
		}
	}
	behind = make([]bool, len(n.first))
	behind[sink] = true
	for queue := []int{sink}; len(queue) > 0; queue = queue[1:] {
		for e := n.first[queue[0]]; e >= 0; e = n.next[e] {
			if n.capacity[e^1] > 0 && !behind[n.to[e]] { // the edge that comes from there is not full
				behind[n.to[e]] = true
				queue = append(queue, n.to[e])
			}
		}
	}
	return flow, behind
}

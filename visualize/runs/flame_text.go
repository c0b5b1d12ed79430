package runs

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

const (
	flameBar     = 24 // columns of a bar
	maxFlameText = 60 // lines of the flame
	maxFlameOps  = 30 // lines of the table
	maxWorkers   = 32
)

// Text draws bars: lines, the operators beneath, their kernels; then a table of operators, and what the goroutines
// did.
func (t *Timing) Text(color bool) string {
	var b strings.Builder
	b.WriteString(draw.Bold(color, "flame") + "   " + t.head() + "\n")
	if t.Machine != nil {
		b.WriteString(draw.Dim(color, "machine   "+t.Machine.String()) + "\n")
	}
	if len(t.Root) == 0 {
		b.WriteString("no operator was called")
	} else {
		w := flameText{t: t, color: color}
		w.fit(t.Root)
		w.nodes(t.Root, "")
		nameWidth := 0
		for _, l := range w.lines {
			nameWidth = max(nameWidth, draw.Width(l.name))
		}
		nameWidth = min(nameWidth, 44)
		b.WriteString("\n")
		for _, l := range w.lines {
			bar := draw.Paint(color, l.hue, barText(float64(l.nanos), float64(t.Nanos), flameBar))
			b.WriteString(draw.PadRight(draw.Clip(l.name, nameWidth), nameWidth) + "  " + bar + " " +
				draw.PadLeft(shareText(float64(l.nanos), float64(t.Nanos)), 5) + "  " + nanosText(l.nanos) + "\n")
		}
		if w.left > 0 {
			b.WriteString("… " + draw.Counted(w.left, "more node"))
			if w.least > 0 {
				b.WriteString(" of less than " + nanosText(w.least))
			}
			b.WriteString("\n")
		}
		b.WriteString("\n" + t.table(color))
		b.WriteString(t.workersText(color))
	}
	if t.Error != "" {
		b.WriteString("\n" + draw.Paint(color, 5, "✗ "+t.Error))
	}
	return strings.TrimRight(b.String(), "\n")
}

// String is the text without colour.
func (t *Timing) String() string { return t.Text(false) }

// head sums the run up.
func (t *Timing) head() string {
	in := int64(0)
	for _, n := range t.Root {
		in += n.Nanos
	}
	s := fmt.Sprintf("%s, of which %s in %s", nanosText(t.Nanos), nanosText(in), draw.Counted(t.Calls, "call"))
	if t.Backward > 0 && t.Backward < in {
		s += ", " + nanosText(t.Backward) + " of them backward"
	}
	if t.Recording > 0 {
		s += "   (recording took " + nanosText(t.Recording) + " more, not counted)"
	}
	if t.More > 0 {
		s += fmt.Sprintf("   %d of them beyond what is noted", t.More)
	}
	return s
}

type flameLine struct {
	name  string
	nanos int64
	hue   int
}

type flameText struct {
	t     *Timing
	color bool
	lines []flameLine
	left  int
	least int64 // shorter nodes are counted
}

// fit chooses how long a node is at least that has a line, so that the lines are not too many.
func (w *flameText) fit(list []*FlameNode) {
	var count func(list []*FlameNode) int
	count = func(list []*FlameNode) (n int) {
		for _, x := range list {
			if x.Nanos >= w.least {
				n += 1 + count(x.Inner)
			}
		}
		return n
	}
	for w.least = 0; count(list) > maxFlameText; w.least += 1 + w.least/8 {
	}
}

func (w *flameText) nodes(list []*FlameNode, indent string) {
	for _, n := range list {
		if len(w.lines) >= maxFlameText || n.Nanos < w.least || draw.Width(indent) > 30 {
			w.left++
			w.leave(n)
			continue
		}
		w.lines = append(w.lines, flameLine{indent + n.label(), n.Nanos, n.hue()})
		w.nodes(n.Inner, indent+"  ")
	}
}

func (w *flameText) leave(n *FlameNode) {
	for _, in := range n.Inner {
		w.left++
		w.leave(in)
	}
}

// label is the node's name with its number; what is none of an operator's says so.
func (n *FlameNode) label() string {
	s := n.Name
	switch n.Kind {
	case "kernel":
		s = "▸ kernel " + s
	case "rest":
		return fmt.Sprintf("… %d shorter", n.Times)
	}
	if n.Times > 1 {
		s += fmt.Sprintf(" × %d", n.Times)
	}
	return s
}

func (n *FlameNode) hue() int {
	switch n.Kind {
	case "module":
		return 1
	case "function":
		return 3
	case "backward":
		return 5
	case "line":
		return 4
	case "kernel":
		return 2
	case "rest":
		return 6
	}
	return 0
}

// rows are the cells of the table of operators, the heading first.
func (t *Timing) rows() (rows [][]string, left int) {
	rows = append(rows, []string{"operator", "calls", "self", "kernel", "bytes", "bytes/s", "peak", "flop",
		"flop/s", "peak"})
	for i, o := range t.Operators {
		if i >= maxFlameOps {
			left = len(t.Operators) - i
			break
		}
		row := []string{draw.Clip(o.Op, 32), fmt.Sprint(o.Calls), nanosText(o.Nanos), "", "", "", "", "", "", ""}
		if o.Kernel > 0 {
			row[3] = nanosText(o.Kernel)
		}
		if o.Bytes > 0 {
			row[4] = bytesize.Text(o.Bytes)
			row[5] = rateText(float64(o.Bytes), o.Kernel, "B")
			if t.Machine != nil && o.Kernel > 0 {
				row[6] = memoryShare(float64(o.Bytes)/(float64(o.Kernel)/1e9), t.Machine.BytesPerSecond)
			}
		}
		if o.Flops > 0 {
			row[7] = countText(o.Flops)
			row[8] = rateText(o.Flops, o.FlopsKernel, "flop")
			if t.Machine != nil && o.FlopsKernel > 0 {
				row[9] = shareText(o.Flops/(float64(o.FlopsKernel)/1e9), t.Machine.FlopsPerSecond)
			}
		}
		rows = append(rows, row)
	}
	return rows, left
}

// memoryShare is a rate as a share of what memory can do. More than that comes from a cache.
func memoryShare(rate, peak float64) string {
	if peak > 0 && rate > peak {
		return "in cache"
	}
	return shareText(rate, peak)
}

// countText is a number for people: 33.6 M.
func countText(f float64) string {
	units := []string{"", " k", " M", " G", " T", " P", " E"}
	k := 0
	for f >= 1000 && k < len(units)-1 {
		f /= 1000
		k++
	}
	if k == 0 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.1f%s", f, units[k])
}

// table writes the rows in columns.
func (t *Timing) table(color bool) string {
	rows, left := t.rows()
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, s := range r {
			widths[i] = max(widths[i], draw.Width(s))
		}
	}
	var b strings.Builder
	for k, r := range rows {
		line := draw.PadRight(r[0], widths[0])
		for i, s := range r[1:] {
			line += "   " + draw.PadLeft(s, widths[i+1])
		}
		line = strings.TrimRight(line, " ")
		if k == 0 {
			line = draw.Dim(color, line)
		}
		b.WriteString(line + "\n")
	}
	if left > 0 {
		b.WriteString("… " + draw.Counted(left, "more operator") + "\n")
	}
	return b.String()
}

// workerName is the caller, helper 1.
func workerName(id int) string {
	if id == 0 {
		return "the caller"
	}
	return fmt.Sprintf("helper %d", id)
}

// shared tells how many loops were shared.
func (t *Timing) shared() string {
	if t.Loops == 0 {
		return "no loop was long enough to be shared"
	}
	return draw.Counted(t.Loops, "loop") + " shared"
}

func (t *Timing) workersText(color bool) string {
	if len(t.Workers) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + draw.Dim(color, "workers   "+t.shared()) + "\n")
	for i, w := range t.Workers {
		if i >= maxWorkers {
			b.WriteString("… " + draw.Counted(len(t.Workers)-i, "more worker") + "\n")
			break
		}
		b.WriteString(draw.PadRight(workerName(w.Worker), 10) + "  " + draw.Paint(color, 2, laneText(w.Spans, t.Nanos, 48)) +
			"  " + w.says(t.Nanos) + "\n")
	}
	return b.String()
}

// says is how long a goroutine was in kernels.
func (w *WorkerTime) says(total int64) string {
	s := nanosText(w.Nanos) + " in kernels, " + shareText(float64(w.Nanos), float64(total))
	if w.Chunks > 0 {
		s += ", " + draw.Counted(w.Chunks, "chunk")
	}
	return s
}

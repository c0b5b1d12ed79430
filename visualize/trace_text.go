package visualize

import (
	"fmt"
	"strings"
	"time"
)

// Text draws the tree of calls. Calls that are alike and follow each other are written once, with their number.
func (t *Trace) Text(color bool) string {
	var b strings.Builder
	writeCalls(&b, t.Calls, "", color)
	if t.Error != "" {
		b.WriteString(paint(color, 5, "✗ "+t.Error) + "\n")
	}
	if b.Len() == 0 {
		return "no operator was called"
	}
	return strings.TrimRight(b.String(), "\n")
}

// String is the text without colour.
func (t *Trace) String() string { return t.Text(false) }

// head is the first line of a call.
func (c *TracedCall) head() string {
	h := fmt.Sprintf("%s(%s)", c.Op, strings.Join(c.Args, ", "))
	if c.Site != "" {
		h += "   " + c.Site
	}
	return h + "   keys {" + strings.Join(c.Keys, " ") + "}"
}

// shape is what two calls have in common that are folded into one line.
func (c *TracedCall) shape() string {
	var b strings.Builder
	b.WriteString(c.Op + strings.Join(c.Args, ",") + strings.Join(c.Keys, " ") + c.Error)
	for _, i := range c.Inner {
		b.WriteString("(" + i.shape() + ")")
	}
	return b.String()
}

func nanosText(n int64) string {
	switch d := time.Duration(n); {
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", n)
	case d < time.Millisecond:
		return fmt.Sprintf("%.1f µs", float64(n)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", float64(n)/1e6)
	}
	return fmt.Sprintf("%.2f s", float64(n)/1e9)
}

// folded groups calls that follow each other and are alike.
func folded(calls []*TracedCall) (groups [][]*TracedCall) {
	for _, c := range calls {
		if n := len(groups); n > 0 && groups[n-1][0].shape() == c.shape() {
			groups[n-1] = append(groups[n-1], c)
			continue
		}
		groups = append(groups, []*TracedCall{c})
	}
	return groups
}

func writeCalls(b *strings.Builder, calls []*TracedCall, indent string, color bool) {
	for _, g := range folded(calls) {
		c := g[0]
		times := ""
		if len(g) > 1 {
			times = fmt.Sprintf("   × %d", len(g))
		}
		fmt.Fprintf(b, "%s%s%s\n", indent, bold(color, c.head()), times)
		lines := c.lines(color)
		for i, l := range lines {
			branch, below := "├─ ", "│  "
			if i == len(lines)-1 {
				branch, below = "└─ ", "   "
			}
			fmt.Fprintf(b, "%s%s%s\n", indent, branch, l.text)
			if l.inner {
				writeCalls(b, c.Inner, indent+below, color)
			}
		}
	}
}

type traceLine struct {
	text  string
	inner bool // the inner calls belong beneath
}

func (c *TracedCall) lines(color bool) []traceLine {
	keyWidth := 0
	for _, s := range c.Steps {
		keyWidth = max(keyWidth, width(s.Key))
	}
	var out []traceLine
	for i, s := range c.Steps {
		text := paint(color, keyHue(s.Key), padRight(s.Key, keyWidth)) + "  "
		if s.What == "" {
			text += dim(color, s.Kind)
		} else {
			text += s.What
		}
		last := i == len(c.Steps)-1
		if last {
			if c.Bytes > 0 {
				text += "   " + bytesText(c.Bytes)
			}
			text += "   " + nanosText(c.Nanos)
			if len(c.Result) > 0 {
				text += "   → " + clip(strings.Join(c.Result, ", "), 60)
			}
		}
		out = append(out, traceLine{text, last && len(c.Inner) > 0})
	}
	if c.Error != "" {
		out = append(out, traceLine{paint(color, 5, "✗ "+c.Error), len(out) == 0 && len(c.Inner) > 0})
	}
	return out
}

func keyHue(key string) int {
	for i, k := range []string{"CPU", "Autograd", "Meta", "Batched", "Profile", "Async", "CUDA"} {
		if k == key {
			return i
		}
	}
	return 6
}

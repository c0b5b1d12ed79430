package memory

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// about is what the line above a band says of it.
func (b *Band) about() string {
	t := fmt.Sprintf("dim %d  size %d  stride %d  jump %s", b.Dim, b.Size, b.Stride, signedBytes(b.Jump))
	switch gap := b.Gap(); {
	case b.Jump == 0:
		return t + fmt.Sprintf("  the same %d B at each index", b.Block)
	case gap > 0:
		return t + fmt.Sprintf("  blocks of %d B, gaps of %d B", b.Block, gap)
	case gap < 0:
		return t + fmt.Sprintf("  blocks of %d B overlap by %d B", b.Block, -gap)
	}
	return t + fmt.Sprintf("  blocks of %d B, no gap", b.Block)
}

func signedBytes(bytes int) string { return fmt.Sprintf("%+d B", bytes) }

// label is an index of a band, as the view's index has it: 0,1,·
func (k *Block) label() string { return fmt.Sprint(k.Index) }

// reaches is how much of the storage a lane sees.
func (l *Lane) reaches(storage int) string {
	t := bytesize.Text(l.Reach)
	if l.ReachMost > l.Reach {
		t += " to " + bytesize.Text(l.ReachMost)
	}
	t += " of " + bytesize.Text(storage)
	if storage > 0 && l.ReachMost == l.Reach {
		t += fmt.Sprintf(", %.3g %%", 100*float64(l.Reach)/float64(storage))
	}
	return t
}

// walk says how far a loop over the indices in order jumps.
func (l *Lane) walk() string {
	d := l.innermost()
	if d < 0 || l.Numel == 0 {
		return ""
	}
	return fmt.Sprintf("its innermost loop, over dim %d, jumps %s", d, signedBytes(l.Stride[d]*l.Size))
}

// nestedText writes the lanes of a storage as bands.
func (s *StorageMap) nestedText(b *strings.Builder, color bool) {
	for i := range s.Lanes {
		l := &s.Lanes[i]
		fmt.Fprintf(b, "\n  %s  %s\n", draw.Paint(color, i, draw.Clip(l.Name, draw.MaxName)), l.details())
		fmt.Fprintf(b, "  storage │%s│ %s\n", draw.Paint(color, i, l.Parts), l.reaches(s.Bytes))
		if w := l.walk(); w != "" {
			b.WriteString("  " + draw.Dim(color, w) + "\n")
		}
		if l.Unbanded {
			b.WriteString("  its blocks are left out\n")
		}
		for k := range l.Bands {
			l.Bands[k].text(b, color, "    "+strings.Repeat("  ", min(k, 8)))
		}
		fmt.Fprintf(b, "  %s\n", draw.Dim(color, draw.Clip(l.Example, 160)))
	}
}

// text writes a band in three lines: what it is, its blocks with gaps in proportion, and their addresses.
func (b *Band) text(out *strings.Builder, color bool, indent string) {
	out.WriteString(indent + draw.Bold(color, b.about()) + "\n")
	if b.Jump == 0 {
		return
	}
	wide := 8
	for k := range b.Blocks {
		wide = max(wide, draw.Width(b.Blocks[k].address())+1, draw.Width(b.Blocks[k].head())+1)
	}
	full := wide
	if b.Gap() > 0 {
		full = min(max(1, int(float64(wide)*float64(b.Block)/float64(draw.Abs(b.Jump))+0.5)), wide-1)
	}
	room := draw.TextWidth(mapWidth) - draw.Width(indent)
	blocks := b.within(max(1, (room+2)/(wide+2)))
	var heads, bars, feet strings.Builder
	for k := range blocks.Blocks {
		sep := ""
		if n := blocks.elided(k); n > 0 {
			sep = "⋯ "
		} else if k > 0 && b.Gap() <= 0 {
			sep = "│"
		}
		heads.WriteString(strings.Repeat(" ", draw.Width(sep)))
		feet.WriteString(strings.Repeat(" ", draw.Width(sep)))
		bars.WriteString(sep)
		block := &blocks.Blocks[k]
		heads.WriteString(draw.PadRight(block.head(), wide))
		bar := strings.Repeat("█", full)
		if !block.Chosen {
			bar = strings.Repeat("▒", full)
		}
		bars.WriteString(draw.Paint(color, b.Dim, bar) + strings.Repeat("·", wide-full))
		feet.WriteString(draw.PadRight(block.address(), wide))
	}
	for _, line := range []string{heads.String(), bars.String(), feet.String()} {
		out.WriteString(strings.TrimRight(indent+line, " ") + "\n")
	}
}

// head is a block's index, with the value of an element.
func (k *Block) head() string {
	t := "[" + k.label() + "]"
	if k.Value != "" {
		t += " " + k.Value
	}
	return t
}

// headIn is head in at most n columns: a value that has no room is left out, since a part of it would be another
// number.
func (k *Block) headIn(n int) string {
	if t := k.head(); draw.Width(t) <= n {
		return t
	}
	return draw.Clip("["+k.label()+"]", max(n, 3))
}

// address is where a block begins.
func (k *Block) address() string { return fmt.Sprintf("+%d", k.At) }

// within is the band with at most most blocks: the chosen one, the first and the last, then others.
func (b *Band) within(most int) *Band {
	if len(b.Blocks) <= most {
		return b
	}
	keep := make([]bool, len(b.Blocks))
	left := most
	put := func(k int) {
		if left > 0 && !keep[k] {
			keep[k] = true
			left--
		}
	}
	for k := range b.Blocks {
		if b.Blocks[k].Chosen {
			put(k)
		}
	}
	put(0)
	put(len(b.Blocks) - 1)
	for k := range b.Blocks {
		put(k)
	}
	out := *b
	out.Blocks = nil
	for k := range b.Blocks {
		if keep[k] {
			out.Blocks = append(out.Blocks, b.Blocks[k])
		}
	}
	return &out
}

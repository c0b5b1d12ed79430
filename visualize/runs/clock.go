package runs

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gotorch/visualize/draw"
)

// Note: what varies. Durations, rates, shares and the bars drawn from them are another in every run. All of them go
// back to one function, draw.Clock, which a program that compares pages makes one that always counts the same; and
// they are written by draw.Nanos and the functions of this file alone.

// SetClock makes the clock by which views tell the time go on by step whenever it is read; 0 is the machine's own
// clock. What the machine can do ([Peak]) is measured again.
func SetClock(step time.Duration) {
	peak.forget()
	draw.SetClock(step)
}

// clock is the time since some moment.
func clock() time.Duration { return draw.Clock() }

// Duration is a duration of n nanoseconds for people.
func Duration(n int64) string { return draw.Nanos(n) }

// nanosText is a duration for people.
func nanosText(n int64) string { return draw.Nanos(n) }

// rateText is an amount a second: 12.3 GB/s, 45.6 Gflop/s. It is empty where no time passed.
func rateText(amount float64, nanos int64, unit string) string {
	if nanos <= 0 || amount <= 0 {
		return ""
	}
	f, prefix := amount/(float64(nanos)/1e9), 0
	prefixes := []string{"", "k", "M", "G", "T", "P", "E"}
	for f >= 1000 && prefix < len(prefixes)-1 {
		f /= 1000
		prefix++
	}
	return fmt.Sprintf("%.1f %s%s/s", f, prefixes[prefix], unit)
}

// shareText is a part of a whole: 7 %.
func shareText(part, whole float64) string {
	switch p := 100 * part / whole; {
	case whole <= 0 || math.IsNaN(p) || math.IsInf(p, 0):
		return ""
	case p > 0 && p < 1:
		return "<1 %"
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}

// barText is a bar of at most n columns that stands for a part of a whole, in eighths of a column; it is filled up
// with spaces.
func barText(part, whole float64, n int) string {
	if whole <= 0 || part <= 0 {
		return strings.Repeat(" ", n)
	}
	eighths := min(8*n, max(1, int(math.Round(8*float64(n)*part/whole))))
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return draw.PadRight(bar, n)
}

// laneText shows where the spans are in an interval of time, in n columns: · nothing, ░ under a third of the column's
// time, ▒ under two, █ more.
func laneText(spans [][2]int64, total int64, n int) string {
	busy := make([]float64, n)
	for _, s := range spans {
		lo, hi := float64(s[0])/float64(max(1, total))*float64(n), float64(s[1])/float64(max(1, total))*float64(n)
		for k := max(0, int(lo)); k < n && float64(k) < hi; k++ {
			busy[k] += min(hi, float64(k+1)) - max(lo, float64(k))
		}
	}
	var b strings.Builder
	for _, f := range busy {
		switch {
		case f <= 0:
			b.WriteString("·")
		case f < 1.0/3:
			b.WriteString("░")
		case f < 2.0/3:
			b.WriteString("▒")
		default:
			b.WriteString("█")
		}
	}
	return b.String()
}

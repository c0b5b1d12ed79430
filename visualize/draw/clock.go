package draw

import (
	"fmt"
	"sync/atomic"
	"time"
)

var (
	processBegan = time.Now()
	clockStep    atomic.Int64 // 0: the machine's clock
	clockReads   atomic.Int64
)

// SetClock makes the clock of views go on by step whenever it is read; 0 is the machine's own clock.
func SetClock(step time.Duration) {
	clockReads.Store(0)
	clockStep.Store(int64(step))
}

// Clock is the time since some moment, by which views measure.
func Clock() time.Duration {
	if step := clockStep.Load(); step != 0 {
		return time.Duration(step * clockReads.Add(1))
	}
	return time.Since(processBegan)
}

// Nanos is a duration of n nanoseconds for people.
func Nanos(n int64) string {
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

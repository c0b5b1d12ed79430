package jupyter

import (
	"fmt"
	"io"
	"log"
	"sync"
	"time"
)

// A peer that sends nothing but nonsense must not fill the disk with lines about it.
const (
	logBurst = 200
	logRate  = 5 // lines a second
)

// limitLog gives a logger that writes as l does, but not much at once.
func limitLog(l *log.Logger) *log.Logger {
	w := &limitedWriter{w: l.Writer(), allowed: bucket{level: logBurst, burst: logBurst, rate: logRate, at: time.Now()}}
	return log.New(w, l.Prefix(), l.Flags())
}

// limitedWriter drops lines when they come too fast, and says how many.
type limitedWriter struct {
	mu      sync.Mutex
	w       io.Writer
	allowed bucket
	dropped int
}

func (l *limitedWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.allowed.now() < 1 {
		l.dropped++
		return len(line), nil
	}
	l.allowed.level--
	if l.dropped > 0 {
		fmt.Fprintf(l.w, "(%d lines left out)\n", l.dropped)
		l.dropped = 0
	}
	l.w.Write(line) // nobody to tell if it fails
	return len(line), nil
}

package jupyter

import (
	"fmt"
	"io"
	"log"
	"slices"
	"sync"
	"time"
)

// A peer that sends only nonsense must not fill the disk with lines about it.
const (
	logBurst = 200
	logRate  = 5 // lines a second

	logWait = time.Second // for the log to take a line
)

// limitLog returns a logger that writes as l does, but not much at once.
func limitLog(l *log.Logger) *log.Logger {
	w := &limitedWriter{w: l.Writer(), allowed: bucket{level: logBurst, burst: logBurst, rate: logRate, at: time.Now()}}
	return log.New(w, l.Prefix(), l.Flags())
}

// limitedWriter drops lines when they come too fast, and says how many. It does not wait for a log that takes none:
// standard error may be a pipe that nobody reads, and once that is full a line would stop the kernel.
type limitedWriter struct {
	mu      sync.Mutex
	w       io.Writer
	allowed bucket
	dropped int
	writing chan struct{} // closed when the last line has been written
}

func (l *limitedWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stuck() || l.allowed.now() < 1 {
		l.dropped++
		return len(line), nil
	}
	l.allowed.level--
	text := slices.Clone(line)
	if l.dropped > 0 {
		text = append(fmt.Appendf(nil, "(%d lines left out)\n", l.dropped), text...)
		l.dropped = 0
	}
	done := make(chan struct{})
	l.writing = done
	go func() {
		defer close(done)
		l.w.Write(text) // nobody to tell if it fails
	}()
	select {
	case <-done:
	case <-time.After(logWait):
	}
	return len(line), nil
}

// stuck says that the log has not taken the last line yet.
func (l *limitedWriter) stuck() bool {
	if l.writing == nil {
		return false
	}
	select {
	case <-l.writing:
		return false
	default:
		return true
	}
}

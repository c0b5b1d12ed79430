//go:build !linux

package jupyter

import (
	"runtime"
	"time"
)

// takeSample tells what Go's runtime knows: the memory that it has of the system.
func takeSample() *sample {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return &sample{at: time.Now(), memory: int64(m.Sys - m.HeapReleased)}
}

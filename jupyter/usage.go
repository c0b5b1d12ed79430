package jupyter

import (
	"math"
	"os"
	"runtime"
	"sync"
	"time"
)

// Note: usage_request
//
// ipykernel's control channel tells what the kernel and the machine use; jupyter-resource-usage asks it, for
// JupyterLab's pane "Kernel Usage". The answer has its fields and units: bytes, and percents of one CPU for the kernel
// (200 is two of them), of all for the host. The pane wants kernel_cpu and host_virtual_memory in any case, so these
// are there, if need be empty, on systems that do not tell. A share of the time is that since the question before: at
// the first question the kernel's is 0 and the host's left out.

// process is one of the kernel's. Its start tells it from a later one with the same number.
type process struct {
	pid   int
	start uint64
}

// sample is what the system tells at one moment.
type sample struct {
	at        time.Time
	cpu       map[process]time.Duration // that the kernel, and what its cells have started, have computed
	memory    int64                     // bytes of all of them, of what is shared a share; 0 is not known
	busy, all time.Duration             // of all CPUs since the machine started
	virtual   map[string]any            // the machine's memory
}

// sampleLeast is the least time between two samples that are compared: the system counts in ticks of 10 ms.
const sampleLeast = 100 * time.Millisecond

// meter answers what is used.
type meter struct {
	mu           sync.Mutex
	last, before *sample // at least so much apart
}

// since returns the sample that now is compared with, nil where there is none yet.
func (m *meter) since(now *sample) *sample {
	if m.last != nil && now.at.Sub(m.last.at) < sampleLeast { // several clients ask
		return m.before
	}
	m.before, m.last = m.last, now
	return m.before
}

// usageRequest tells what the kernel uses.
func (k *kernel) usageRequest(*request) (map[string]any, error) {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "localhost"
	}
	content := map[string]any{"hostname": host, "pid": os.Getpid(), "cpu_count": runtime.NumCPU()}
	k.meter.mu.Lock()
	defer k.meter.mu.Unlock()
	now := takeSample()
	now.fill(content, k.meter.since(now))
	return content, nil
}

// fill adds what s tells to the answer; last is the sample before, or nil.
func (s *sample) fill(content map[string]any, last *sample) {
	if last == nil {
		last = &sample{at: s.at}
	}
	var cpu time.Duration
	for p, now := range s.cpu {
		if before, ok := last.cpu[p]; ok {
			cpu += now - before
		}
	}
	content["kernel_cpu"] = percent(cpu, s.at.Sub(last.at))
	if s.memory > 0 {
		content["kernel_memory"] = s.memory
	}
	if last.all > 0 && s.all > last.all {
		content["host_cpu_percent"] = min(percent(s.busy-last.busy, s.all-last.all), 100)
	}
	if s.virtual == nil {
		s.virtual = map[string]any{}
	}
	content["host_virtual_memory"] = s.virtual
}

// percent is how much part is of whole, with one digit behind the point.
func percent(part, whole time.Duration) float64 {
	if part <= 0 || whole <= 0 {
		return 0
	}
	return math.Round(1000*float64(part)/float64(whole)) / 10
}

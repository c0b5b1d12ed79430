package tensor

import (
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"gotorch/internal/bytesize"
)

// Note: the memory budget. Go ends the process when memory runs out, so an allocation that cannot fit is rejected
// beforehand, as an *Error that names the bytes. Storages of a megabyte or more are counted, and uncounted when the
// collector frees them; before rejecting, the collector runs. The budget is the container's or the machine's memory
// less an eighth.

const countedBytes = 1 << 20

var (
	budgetLimit atomic.Int64 // 0: not yet looked up
	budgetUsed  atomic.Int64
)

// MemoryBudget is the number of bytes that tensors may use in all.
func MemoryBudget() int {
	if n := budgetLimit.Load(); n != 0 {
		return int(n)
	}
	n := machineMemory()
	budgetLimit.CompareAndSwap(0, n-n/8)
	return int(budgetLimit.Load())
}

// SetMemoryBudget sets the number of bytes that tensors may use in all; 0 asks the machine again.
func SetMemoryBudget(bytes int) { budgetLimit.Store(int64(bytes)) }

// MemoryUsed is the number of bytes of the large storages that live now.
func MemoryUsed() int { return int(budgetUsed.Load()) }

// takeBudget panics if n more bytes do not fit.
func takeBudget(op string, n int) {
	if n < countedBytes {
		return
	}
	limit := int64(MemoryBudget())
	if budgetUsed.Add(int64(n)) <= limit {
		return
	}
	if int64(n) <= limit { // what is dead may make room
		runtime.GC()
		for range 20 { // cleanups run beside us
			if budgetUsed.Load() <= limit {
				return
			}
			runtime.Gosched()
			EmptyCache()
			debug.FreeOSMemory()
		}
	}
	used := budgetUsed.Add(-int64(n))
	panic(Errorf(op, "cannot allocate %s (%d bytes): %s of the memory budget of %s are left", bytesize.Text(n), n,
		bytesize.Text(max(0, limit-used)), bytesize.Text(limit)).WithHint("tensor.SetMemoryBudget changes the limit"))
}

// mustFit panics if a list of n numbers of 8 bytes, which is made beside the tensors, does not fit.
func mustFit(op string, n float64) { MustFit(op, 8*n) }

// MustFit panics with an *Error if the memory budget has no place for bytes that a kernel makes beside the tensors.
// They are not counted.
func MustFit(op string, bytes float64) {
	hint := "tensor.SetMemoryBudget changes the limit"
	if bytes > float64(MemoryBudget()) {
		panic(Errorf(op, "needs %.3g bytes: the memory budget is %s", bytes, bytesize.Text(MemoryBudget())).
			WithHint(hint))
	}
	room := currentHooks().Room
	if bytes < countedBytes || room == nil {
		return
	}
	if n := int(bytes); room(n) < n {
		EmptyCache()
		if left := room(n); left < n {
			panic(Errorf(op, "needs %s beside the tensors: %s of the memory budget of %s are left", bytesize.Text(n),
				bytesize.Text(max(0, left)), bytesize.Text(MemoryBudget())).WithHint(hint))
		}
	}
}

// trackBudget gives the bytes back when s is collected; counted stops that.
func trackBudget(s *Storage, n int) (counted runtime.Cleanup) {
	if n >= countedBytes {
		counted = runtime.AddCleanup(s, func(n int) { budgetUsed.Add(-int64(n)) }, n)
	}
	return counted
}

// machineMemory is the smaller of the container's limit and the machine's memory, in bytes.
func machineMemory() int64 {
	limit := int64(16 << 30) // where nothing says more
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) >= 2 && f[0] == "MemTotal:" {
				if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil {
					limit = kb << 10
				}
			}
		}
	}
	for _, name := range memoryLimits() {
		if text, err := os.ReadFile(name); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 && n < limit {
				limit = n
			}
		}
	}
	if n := addressSpace(); n > 0 { // of which the runtime takes some for itself
		limit = min(limit, n-n/4)
	}
	return limit
}

// memoryLimits are the files that may limit this process: those of its cgroup and of all above it, in both versions.
func memoryLimits() (files []string) {
	text, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(text) + "\n0::/\n0:memory:/\n") { // the uppermost in any case
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 {
			continue
		}
		root, file := "/sys/fs/cgroup", "memory.max"
		if f[1] != "" {
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
			if !slices.Contains(strings.Split(f[1], ","), "memory") {
				continue
			}
		}
		for dir := path.Clean("/" + f[2]); ; dir = path.Dir(dir) {
			if name := path.Join(root, dir, file); !slices.Contains(files, name) {
				files = append(files, name)
			}
			if dir == "/" {
				break
			}
		}
	}
	return files
}

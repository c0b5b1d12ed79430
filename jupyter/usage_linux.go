package jupyter

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of CPU times in /proc, the same on all machines that Go knows.
const tick = time.Second / 100

// takeSample reads /proc. What is not there is left out.
func takeSample() *sample {
	s := &sample{at: time.Now(), cpu: map[process]time.Duration{}}
	s.busy, s.all = hostTimes()
	for _, pid := range family(os.Getpid()) {
		p, cpu, ok := processTimes(pid)
		if !ok { // it has just ended
			continue
		}
		s.cpu[p] = cpu
		s.memory += processMemory(pid)
	}
	s.virtual = virtualMemory()
	return s
}

// maxFamily bounds how many processes of a cell are looked at.
const maxFamily = 1000

// family is a process with those that it has started, and theirs.
func family(pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all) && len(all) < maxFamily; i++ {
		lists, _ := filepath.Glob("/proc/" + strconv.Itoa(all[i]) + "/task/*/children")
		for _, l := range lists {
			text, _ := os.ReadFile(l)
			for _, f := range strings.Fields(string(text)) {
				if child, err := strconv.Atoi(f); err == nil {
					all = append(all, child)
				}
			}
		}
	}
	return all
}

// processTimes reads the time that a process has computed.
func processTimes(pid int) (process, time.Duration, bool) {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, after, _ := bytes.Cut(text[bytes.LastIndexByte(text, ')')+1:], []byte(" ")) // the name may hold anything
	f := strings.Fields(string(after))
	if len(f) < 20 { // from the third of stat's fields on
		return process{}, 0, false
	}
	number := func(field int) uint64 {
		n, _ := strconv.ParseUint(f[field-3], 10, 64)
		return n
	}
	return process{pid, number(22)}, time.Duration(number(14)+number(15)) * tick, true
}

// processMemory is what a process has of the machine's memory, in bytes: of pages that several share its part, or all
// of them where the system does not tell.
func processMemory(pid int) int64 {
	dir := "/proc/" + strconv.Itoa(pid)
	if n, ok := sizes(dir + "/smaps_rollup")["Pss"]; ok {
		return n
	}
	return sizes(dir + "/status")["VmRSS"]
}

// sizes reads a file of lines such as "MemFree: 123 kB", in bytes.
func sizes(file string) map[string]int64 {
	text, _ := os.ReadFile(file)
	out := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if f := strings.Fields(value); len(f) == 2 && f[1] == "kB" {
			if n, err := strconv.ParseInt(f[0], 10, 64); err == nil {
				out[name] = n << 10
			}
		}
	}
	return out
}

// hostTimes are the time that all CPUs were busy, and all of it.
func hostTimes() (busy, all time.Duration) {
	text, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(text), "\n")
	f := strings.Fields(line)
	if len(f) < 5 || f[0] != "cpu" {
		return 0, 0
	}
	for i, s := range f[1:min(len(f), 9)] { // guests, behind those, are among the users
		n, _ := strconv.ParseInt(s, 10, 64)
		all += time.Duration(n) * tick
		if idle, waits := 3, 4; i != idle && i != waits {
			busy += time.Duration(n) * tick
		}
	}
	return busy, all
}

// virtualMemory is the machine's memory, as the command free and psutil reckon it.
func virtualMemory() map[string]any {
	m := sizes("/proc/meminfo")
	total, free := m["MemTotal"], m["MemFree"]
	if total <= 0 {
		return nil
	}
	available, ok := m["MemAvailable"]
	if !ok || available > total {
		available = free
	}
	buffers, cached := m["Buffers"], m["Cached"]+m["SReclaimable"]
	used := total - free - buffers - cached
	if used < 0 {
		used = total - free
	}
	return map[string]any{
		"total": total, "available": available, "percent": percent(time.Duration(total-available), time.Duration(total)),
		"used": used, "free": free,
		"active": m["Active"], "inactive": m["Inactive"], "buffers": buffers, "cached": cached, "shared": m["Shmem"],
		"slab": m["Slab"],
	}
}

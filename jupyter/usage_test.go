package jupyter_test

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// usage asks what the kernel uses.
func (k *running) usage() map[string]any {
	k.t.Helper()
	m := k.Request(k.Control, "usage_request", map[string]any{}, wait)
	if m == nil || m.Status() != "ok" || m.Header["msg_type"] != "usage_reply" {
		k.t.Fatalf("usage: %v", m)
	}
	return m.Content
}

// The answer has ipykernel's fields, also while a cell runs, and the shares of time between two questions.
func TestUsage(t *testing.T) {
	k := tcp(t)
	id := k.looping()
	first := k.usage()
	name, _ := os.Hostname()
	equal(t, "hostname", first["hostname"], any(name))
	equal(t, "pid", first["pid"], any(float64(os.Getpid())))
	equal(t, "cpu_count", first["cpu_count"], any(float64(runtime.NumCPU())))
	equal(t, "kernel_cpu at first", first["kernel_cpu"], any(0.0))
	if n, _ := first["kernel_memory"].(float64); n < 1<<20 || n > 1<<40 {
		t.Errorf("kernel_memory: %v", first["kernel_memory"])
	}
	virtual, ok := first["host_virtual_memory"].(map[string]any)
	if !ok {
		t.Fatalf("host_virtual_memory: %v", first["host_virtual_memory"])
	}
	if runtime.GOOS == "linux" {
		size := func(name string) float64 { n, _ := virtual[name].(float64); return n }
		if total := size("total"); total < 1<<24 || size("used") <= 0 || size("used") > total || size("available") > total ||
			size("free") > total || size("percent") > 100 {
			t.Errorf("host_virtual_memory: %v", virtual)
		}
		busy := func(u map[string]any) bool {
			cpu, _ := u["kernel_cpu"].(float64)
			host, ok := u["host_cpu_percent"].(float64)
			if cpu < 0 || host < 0 || host > 100 {
				t.Errorf("kernel_cpu %v, host_cpu_percent %v", cpu, host)
			}
			return cpu > 0 && ok
		}
		for begin := time.Now(); !busy(k.usage()); {
			for t0 := time.Now(); time.Since(t0) < 20*time.Millisecond; { // computes, in the kernel's process
			}
			if time.Since(begin) > wait {
				t.Fatal("what computes is not seen")
			}
		}
	}
	k.interrupt()
	k.Collect(id, time.Now(), wait)
}

// It belongs on the control socket, as ipykernel has it.
func TestUsageOnTheShell(t *testing.T) {
	k := tcp(t)
	if m := k.Request(k.Shell, "usage_request", map[string]any{}, wait); m == nil || m.Status() != "error" {
		t.Errorf("%v", m)
	}
	k.alive()
}

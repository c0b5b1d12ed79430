package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// resident is what the process that listens for f keeps in memory, in bytes, as the kernel itself says.
func (f front) resident() int {
	f.t.Helper()
	text := f.runs(`func() string { b, _ := os.ReadFile("/proc/self/statm"); return strings.Fields(string(b))[1] }()`).
		Of("execute_result")[0].Content["data"].(map[string]any)["text/plain"]
	n, err := strconv.Atoi(strings.Trim(fmt.Sprint(text), `"`))
	if err != nil {
		f.t.Fatal(err)
	}
	return n * os.Getpagesize()
}

// A session of thousands of cells is as quick at its end as at its beginning, and grows by what it must
// keep, some 1 KB a cell, and by the room that the collector leaves.
func TestThousandsOfCells(t *testing.T) {
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("this system does not say how large a process is")
	}
	n := 10_000
	if testing.Short() {
		n = 500
	}
	f := front{startKernel(t), t}
	number := 0
	some := func(n int, fs ...front) []time.Duration {
		took := make([][]time.Duration, len(fs))
		for range n {
			number++
			src := []string{
				fmt.Sprintf("x := Arange(%d)", number%7+1), "y := x.Sum(); fmt.Println(y)",
				fmt.Sprintf("func twice(n int) int { return 2*n + %d*0 }; twice(4)", number), fmt.Sprintf("%d + 1", number),
				fmt.Sprintf("type P struct{ a int }\np := P{%d}\nfunc (p P) Get() int { return p.a }\np.Get()", number),
				"w := Ones(64, 64).RequiresGrad_(); (w @ w).Sum().Backward(); w.Grad().Sum()",
			}[(number-1)%6]
			for i, f := range fs {
				took[i] = append(took[i], f.runs(src).Took)
				f.ask("complete_request", map[string]any{"code": "x.Su", "cursor_pos": 4})
			}
		}
		var typical []time.Duration
		for _, t := range took {
			slices.Sort(t)
			typical = append(typical, t[len(t)/4]) // others use the machine too: the quiet quarter
		}
		return typical
	}
	some(n/10, f)
	before := f.resident()
	some(n*7/10, f)
	fresh := front{startKernel(t), t}
	fresh.runs("x := Arange(3)")
	some(n/10, fresh)
	took := some(n/10, fresh, f) // in turn, so that a busy machine is so for both
	after := f.resident()
	t.Logf("a cell takes %v after %d cells, %v after %d; %d MB, then %d MB", took[0], n/10, took[1], n*9/10,
		before>>20, after>>20)
	if took[1] > 2*took[0]+time.Millisecond {
		t.Errorf("a cell takes %v in a new kernel, %v in an old one", took[0], took[1])
	}
	if after > before+n*4_000+(40<<20) {
		t.Errorf("%d MB after the first cells, %d MB after all", before>>20, after>>20)
	}
}

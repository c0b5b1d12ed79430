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
	text := f.runs(`func() string { b, _ := os.ReadFile("/proc/self/statm"); return strings.Fields(string(b))[1] }()`).Of("execute_result")[0].Content["data"].(map[string]any)["text/plain"]
	n, err := strconv.Atoi(strings.Trim(fmt.Sprint(text), `"`))
	if err != nil {
		f.t.Fatal(err)
	}
	return n * os.Getpagesize()
}

// A session of thousands of cells is as quick at its end as at its beginning, and grows by what it must
// keep: the text of a cell, and a function that a cell declares (its value may be anywhere) as compiled,
// some 20 KB, times the room that the collector leaves.
func TestThousandsOfCells(t *testing.T) {
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("this system does not say how large a process is")
	}
	n := 10_000
	if testing.Short() {
		n = 500
	}
	f := front{startKernel(t), t}
	some := func(n int) time.Duration {
		var took []time.Duration
		for i := range n {
			took = append(took, f.runs([]string{
				fmt.Sprintf("x := Arange(%d)", i%7+1), "y := x.Sum(); fmt.Println(y)", fmt.Sprintf("func twice(n int) int { return 2*n + %d*0 }; twice(4)", i), fmt.Sprintf("%d + 1", i),
			}[i%4]).Took)
		}
		slices.Sort(took)
		return took[len(took)/4] // others use the machine too: the quiet quarter
	}
	some(n / 10)
	before, first := f.resident(), some(n/10)
	some(n * 7 / 10)
	last, after := some(n/10), f.resident()
	t.Logf("a cell took %v, then %v; %d MB, then %d MB", first, last, before>>20, after>>20)
	if last > 2*first+time.Millisecond {
		t.Errorf("a cell took %v at first, %v at last", first, last)
	}
	if after > before+n*32_000+(30<<20) {
		t.Errorf("%d MB after the first cells, %d MB after all", before>>20, after>>20)
	}
}

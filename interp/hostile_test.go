package interp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gotorch/internal/hostile"
	"gotorch/tensor"
)

const hostileChild = "GOTORCH_TEST_HOSTILE"

// patience is how long a cell runs before it is interrupted; limits are generous, for machines that are slow.
const (
	patience = time.Second
	ending   = 60 * time.Second
	budget   = 1 << 30
	overhead = 64 << 20 // of the process itself
)

// TestHostileChild is the process in which hostile cells run: it reads them from standard input, a line of JSON each,
// runs each, interrupts it where it does not end, asks for kept + 1, and answers by a line.
func TestHostileChild(t *testing.T) {
	mode := os.Getenv(hostileChild)
	if mode == "" {
		t.Skip("TestHostile starts this")
	}
	if err := giveUpRights(); err != nil {
		t.Fatal(err)
	}
	debug.SetMemoryLimit(budget + budget/4)
	tensor.SetMemoryBudget(budget)
	s := New(Options{Safe: mode == "safe"})
	cell(s, "kept := 41")
	dec := json.NewDecoder(os.Stdin)
	for {
		var src string
		if err := dec.Decode(&src); err != nil {
			os.Exit(0)
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		_, err := s.Eval(ctx, src, nil)
		cancel()
		kept := ""
		for start := time.Now(); kept != "42" && time.Since(start) < ending; time.Sleep(20 * time.Millisecond) {
			vals, err := s.Eval(context.Background(), "kept + 1", nil)
			if err != nil {
				kept = err.Error()
			} else if len(vals) == 1 {
				kept = vals[0].Text
			}
		}
		text := ""
		if err != nil {
			text = err.Error()
		}
		answer, _ := json.Marshal([]string{kept, text})
		fmt.Printf("\n@@@%s\n", answer)
	}
}

// peak is how many bytes of memory the process has had at most since resetPeak; 0 where the system does not say.
func (c *child) peak() (n int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	fmt.Sscan(after, &n)
	return n << 10
}

func (c *child) resetPeak() {
	os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", c.cmd.Process.Pid), []byte("5"), 0)
}

// child is that process.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan []string // answers; closed when it has ended
	log   *strings.Builder
	asked atomic.Bool // what its goroutines do
}

func startChild(t *testing.T, mode string) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0], "-test.run=^TestHostileChild$", "-test.timeout=0"),
		lines: make(chan []string, 1), log: &strings.Builder{}}
	dir := openDir(t)
	c.cmd.Env = append(os.Environ(), hostileChild+"="+mode, "HOME="+dir, "TMPDIR="+dir)
	c.cmd.Dir = dir
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.cmd.Stdout, c.cmd.Stderr = w, w
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	go func() {
		defer close(c.lines)
		defer r.Close()
		in := bufio.NewReader(r)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if text, ok := strings.CutPrefix(line, "@@@"); ok {
				var answer []string
				json.Unmarshal([]byte(text), &answer)
				c.lines <- answer
			} else if c.log.Len() < 4000 || c.asked.Load() && c.log.Len() < 1<<20 {
				c.log.WriteString(line)
			}
		}
	}()
	return c
}

// stacks ends the process and returns what its goroutines did.
func (c *child) stacks() string {
	c.asked.Store(true)
	c.cmd.Process.Signal(syscall.SIGQUIT)
	defer time.AfterFunc(20*time.Second, func() { c.cmd.Process.Kill() }).Stop()
	for range c.lines {
	}
	return c.log.String()
}

func (c *child) end() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
}

// run returns what came of a cell: empty where all is well, and how many bytes the process had at most.
func (c *child) run(src string) (fault, said string, peak int) {
	c.resetPeak()
	text, _ := json.Marshal(src)
	c.in.Write(append(text, '\n'))
	select {
	case answer, ok := <-c.lines:
		switch {
		case !ok:
			return "it ended the process:\n" + c.log.String(), "", 0
		case answer[0] != "42":
			return "afterwards kept + 1 is " + answer[0], answer[1], 0
		}
		return "", answer[1], c.peak()
	case <-time.After(patience + 2*ending):
		return "it blocks the process:\n" + c.stacks(), "", 0
	}
}

// TestHostile: no cell of the table ends the process or blocks it: kept + 1 answers afterwards, in the usual mode and
// in the restricted one. Without GOTORCH_ALL it is a part of the table, without what two goroutines do to one map: Go
// ends a process for that, and not every way to it is guarded.
func TestHostile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the table has pipes")
	}
	if testing.Short() {
		t.Skip("it takes minutes")
	}
	t.Parallel() // the cells run in other processes, which wait for most of the time
	fifo := makeFIFO(t)
	if n := len(hostile.Cells(fifo)); n < 300 {
		t.Errorf("the table has %d cells", n)
	}
	for shift, mode := range []string{"usual", "safe"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			fifo := makeFIFO(t)
			c := startChild(t, mode)
			defer func() { c.end() }()
			for _, h := range hostile.Some(fifo, os.Getenv("HOSTILE"), 12, shift) {
				start := time.Now()
				fault, said, peak := c.run(h.Src)
				took := time.Since(start)
				much := took > 4*time.Second || peak > budget*5/4 || os.Getenv("HOSTILE") != ""
				if testing.Verbose() && much {
					t.Logf("%v, %d MB: %.200s\n%.300s", took.Round(time.Millisecond), peak>>20, h.Src, said)
				}
				if strings.Contains(said, "InternalError") {
					fault += " it shows an internal error: " + said
				}
				if peak > budget*5/4+overhead {
					fault += fmt.Sprintf(" it took %d MB", peak>>20)
				}
				if fault == "" && peak > budget/2 { // what it left is not the next one's matter
					c.end()
					c = startChild(t, mode)
				}
				if fault != "" {
					t.Errorf("%s: %s\n%.1500s", h.Class, h.Src, fault)
					c.end()
					c = startChild(t, mode)
				}
			}
		})
	}
}

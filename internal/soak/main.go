// Command soak runs a kernel for long, and says whether it ends, hangs or grows:
//
//	go run ./internal/soak -for 1h
//
// Two clients send random cells, those of the tests of the language and hostile ones, and interrupt them at random; a
// third one reads what the kernel publishes too slowly. The kernel is in the restricted mode and has 2 GiB of memory,
// for the machine's sake.
// The last lines say how many cells ran and how much memory the kernel had; the exit status is 1 where it ended, or a
// cell had no reply, or a variable was lost; soak.log in the temporary directory then has what the kernel's goroutines
// did.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-zeromq/zmq4"

	"gotorch/internal/hostile"
	"gotorch/internal/jupyterclient"
)

func main() {
	bin := flag.String("bin", "", "the gotorch-repl that runs; the default builds it")
	d := flag.Duration("for", time.Minute, "how long")
	seed := flag.Uint64("seed", 1, "of the choice of cells")
	data := flag.String("data", "interp/testdata", "the folder of the cells of interp's tests")
	flag.Parse()
	if err := soak(*bin, *data, *d, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// patience is how long a cell may have no reply, its interrupts included.
const patience = 3 * time.Minute

// run is a kernel that is being soaked.
type run struct {
	info   jupyterclient.Info
	cmd    *exec.Cmd
	cells  []string
	end    time.Time
	ran    atomic.Int64
	latest [2]atomic.Value // the cell of each client
	stops  atomic.Int64
	memory []int // MB of the kernel, over time
}

func soak(bin, data string, d time.Duration, seed uint64) error {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if bin == "" {
		bin = filepath.Join(dir, "gotorch-repl")
		if out, err := exec.Command("go", "build", "-o", bin, "gotorch/cmd/gotorch-repl").CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	r := &run{end: time.Now().Add(d)}
	if r.cells, err = cells(data); err != nil {
		return err
	}
	if err := r.start(bin, dir); err != nil {
		return err
	}
	died := make(chan error, 1)
	go func() { died <- r.cmd.Wait() }()
	defer r.cmd.Process.Kill()

	faults := make(chan error, 3)
	ctx, cancel := context.WithDeadline(context.Background(), r.end)
	defer cancel()
	go r.readSlowly(ctx)
	var clients sync.WaitGroup
	for i := range uint64(2) {
		clients.Go(func() {
			if err := r.client(rand.New(rand.NewPCG(seed, i)), &r.latest[i]); err != nil {
				faults <- err
			}
		})
	}
	done := make(chan bool)
	go func() { clients.Wait(); close(done) }()
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			r.memory = append(r.memory, memoryOf(r.cmd.Process.Pid))
			continue
		case err := <-died:
			return fmt.Errorf("the kernel ended after %d cells, with %d MB: %v\nlast: %q\n%q", r.ran.Load(),
				r.memory[max(0, len(r.memory)-1):], err, r.latest[0].Load(), r.latest[1].Load())
		case err := <-faults:
			r.cmd.Process.Signal(syscall.SIGQUIT) // its goroutines, in the log
			select {
			case <-died:
			case <-time.After(5 * time.Second):
			}
			return err
		case <-done:
		}
		break
	}
	fmt.Printf("%d cells, %d interrupts\n", r.ran.Load(), r.stops.Load())
	if n := len(r.memory); n > 3 {
		first, last := slices.Clone(r.memory[:n/2]), slices.Clone(r.memory[n/2:])
		slices.Sort(first)
		slices.Sort(last)
		fmt.Printf("memory in MB: at most %d; in the middle of the first half %d, of the second %d\n",
			max(first[len(first)-1], last[len(last)-1]), first[len(first)/2], last[len(last)/2])
	}
	return nil
}

// cells are those of the tests.
func cells(data string) (all []string, err error) {
	names, err := filepath.Glob(filepath.Join(data, "language", "*.txt"))
	if err != nil || len(names) == 0 {
		return nil, errors.Join(fmt.Errorf("no cells in %s", data), err)
	}
	for _, name := range append(names, filepath.Join(data, "ordinary.txt"), filepath.Join(data, "escapes.txt")) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		end := "\n--\n"
		if strings.Contains(string(text), "\n----\n") {
			end = "\n----\n"
		}
		all = append(all, strings.Split(string(text), end)...)
	}
	for _, c := range hostile.Cells("/dev/null") {
		all = append(all, c.Src)
	}
	return all, nil
}

// start starts the kernel.
func (r *run) start(bin, dir string) error {
	r.info = jupyterclient.Info{Transport: "ipc", IP: filepath.Join(dir, "s"), Key: "a key",
		SignatureScheme: "hmac-sha256", ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5}
	text, err := json.Marshal(r.info)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "kernel.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	r.cmd = exec.Command(bin, "--safe", "--memory", "2G", "kernel", file)
	r.cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	r.cmd.Dir = dir
	log, err := os.Create(filepath.Join(os.TempDir(), "soak.log"))
	if err != nil {
		return err
	}
	r.cmd.Stdout, r.cmd.Stderr = log, log
	return r.cmd.Start()
}

// client sends cells until the time is over.
func (r *run) client(random *rand.Rand, latest *atomic.Value) error {
	c, err := jupyterclient.Dial(r.info)
	if err != nil {
		return err
	}
	defer c.Close()
	kept := fmt.Sprintf("soak%d", random.IntN(1<<30))
	if err := r.reply(c, kept+" := 41", time.Minute); err != nil {
		return err
	}
	for time.Now().Before(r.end) {
		src := r.cells[random.IntN(len(r.cells))]
		latest.Store(src)
		if err := r.reply(c, src, time.Duration(random.IntN(1500))*time.Millisecond); err != nil {
			return err
		}
		if random.IntN(10) == 0 {
			if err := r.answers(c, kept); err != nil {
				return fmt.Errorf("after %q: %w", src, err)
			}
		}
	}
	return nil
}

// reply runs a cell and interrupts it after a while, and again until there is a reply.
func (r *run) reply(c *jupyterclient.Client, src string, after time.Duration) error {
	start := time.Now()
	id := c.SendCell(src, map[string]any{"stop_on_error": false})
	for wait := after; time.Since(start) < patience; wait = 2 * time.Second {
		if m := c.Shell.Reply(id, wait); m != nil {
			r.ran.Add(1)
			for m := c.IOPub.Recv(0); m != nil; m = c.IOPub.Recv(0) { // what was published is not kept
			}
			return nil
		}
		r.stops.Add(1)
		c.Send(c.Control, "interrupt_request", map[string]any{})
	}
	return fmt.Errorf("no reply within %v to %q", patience, src)
}

// answers asks for a variable until it is there: interrupts by the other client end the question too.
func (r *run) answers(c *jupyterclient.Client, name string) error {
	last := ""
	for start := time.Now(); time.Since(start) < patience; {
		ran := c.Execute(name+" + 1", 10*time.Second, map[string]any{"stop_on_error": false})
		for _, m := range ran.Of("execute_result") {
			data, _ := m.Content["data"].(map[string]any)
			if last, _ = data["text/plain"].(string); last == "42" {
				return nil
			}
		}
		for _, m := range ran.Of("error") {
			last = fmt.Sprint(m.Content["evalue"])
		}
	}
	return fmt.Errorf("%s + 1 is %q", name, last)
}

// readSlowly subscribes to what the kernel publishes and takes a message now and then.
func (r *run) readSlowly(ctx context.Context) {
	s := zmq4.NewSub(ctx)
	defer s.Close()
	if s.Dial(r.info.URL(r.info.IOPubPort)) != nil || s.SetOption(zmq4.OptionSubscribe, "") != nil {
		return
	}
	for ctx.Err() == nil {
		if _, err := s.Recv(); err != nil {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// memoryOf is how many MB of memory a process has; 0 where the system does not say.
func memoryOf(pid int) (n int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	fmt.Sscan(after, &n)
	return n >> 10
}

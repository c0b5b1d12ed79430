package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"gotorch/internal/simd"
)

//go:embed torch.py
var torchScript string

// worker is a process that measures for one side.
type worker struct {
	threads int
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

// pair has the processes of both sides.
type pair struct {
	ours, theirs []*worker
	version      string // PyTorch's
	script       string // path of torch.py
	yaegi        *yaegi // started when a row asks for it
}

// result is a row's least times, in seconds; 0 where there is none.
type result struct {
	Name   string             `json:"name"`
	Group  string             `json:"group"`
	Ours   map[string]float64 `json:"ours"` // by number of threads
	Theirs map[string]float64 `json:"theirs,omitempty"`
	Yaegi  float64            `json:"yaegi,omitempty"` // a program's time in yaegi as it is
	Gonum  float64            `json:"gonum,omitempty"` // gonum's time on one thread
	Error  string             `json:"error,omitempty"`
}

// best is the least time of a side.
func best(times map[string]float64) float64 {
	least := 0.0
	for _, t := range times {
		if t > 0 && (least == 0 || t < least) {
			least = t
		}
	}
	return least
}

// ratio is PyTorch's time by ours, 0 where one is missing.
func (r *result) ratio() float64 {
	ours, theirs := best(r.Ours), best(r.Theirs)
	if ours == 0 || theirs == 0 {
		return 0
	}
	return theirs / ours
}

// noBLAS ends the version of a PyTorch that multiplies by the reference library; torch.py says so.
const noBLAS = "no OpenBLAS"

// startPair starts two processes of each side, or of gotorch's alone where python has no torch.
func startPair(python string, collected bool) (*pair, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := new(pair)
	threads := []int{1}
	if runtime.NumCPU() > 1 {
		threads = append(threads, 2)
	}
	for _, n := range threads {
		serve := exec.Command(self, "-serve", fmt.Sprintf("-collected=%t", collected))
		w, err := startWorker(n, serve, fmt.Sprintf("GOMAXPROCS=%d", n))
		if err != nil {
			return nil, err
		}
		p.ours = append(p.ours, w)
	}
	file, err := os.CreateTemp("", "torch*.py")
	if err != nil {
		return nil, err
	}
	p.script = file.Name()
	file.WriteString(torchScript)
	file.Close()
	for _, n := range threads {
		w, err := startWorker(n, exec.Command(python, p.script, fmt.Sprint(n)), "ATEN_CPU_CAPABILITY="+capability(),
			"MALLOC_MMAP_THRESHOLD_=4294967296", "MALLOC_TRIM_THRESHOLD_=17179869184", "MALLOC_TOP_PAD_=268435456")
		if err != nil {
			break
		}
		a, err := w.ask(question{Info: true})
		if err != nil || a.Error != "" {
			w.close()
			break
		}
		p.version = a.Version
		p.theirs = append(p.theirs, w)
	}
	return p, nil
}

// capability is the best of PyTorch's instruction sets that this processor has: it takes what it is told for granted.
func capability() string {
	switch simd.Current() {
	case simd.AVX512:
		return "avx512"
	case simd.AVX2:
		return "avx2"
	}
	return "default"
}

func startWorker(threads int, cmd *exec.Cmd, env ...string) (*worker, error) {
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "OPENBLAS_") && !strings.HasPrefix(e, "OMP_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = os.Stderr // why a process ended
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w := &worker{threads: threads, cmd: cmd, in: in, out: bufio.NewScanner(out)}
	return w, cmd.Start()
}

// ask sends a question and waits for the answer.
func (w *worker) ask(q question) (a answer, err error) {
	line, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	if _, err = w.in.Write(append(line, '\n')); err != nil {
		return a, err
	}
	if !w.out.Scan() {
		return a, errors.Join(errors.New("the process ended"), w.out.Err())
	}
	return a, json.Unmarshal(w.out.Bytes(), &a)
}

func (w *worker) close() {
	w.in.Close()
	w.cmd.Wait()
}

func (p *pair) close() {
	for _, w := range slices.Concat(p.ours, p.theirs) {
		w.close()
	}
	os.Remove(p.script)
	p.yaegi.close()
}

func (p *pair) hasTorch() bool { return len(p.theirs) > 0 }

const (
	batch = 0.02                  // seconds of a batch
	calm  = 35 * time.Millisecond // for which PyTorch's helpers spin after a sample
)

// measure lets the processes take turns at a row.
func (p *pair) measure(r row, rounds int) result {
	res := result{Name: r.name, Group: r.group, Ours: map[string]float64{}, Theirs: map[string]float64{}}
	sampleOf := func(w *worker, times map[string]float64) {
		a, err := w.ask(question{Name: r.name, Setup: r.setup, Expr: r.expr, Target: batch})
		if err != nil {
			a.Error = err.Error()
		}
		key := fmt.Sprint(w.threads)
		if a.Error != "" {
			res.Error = a.Error
		} else if t := times[key]; t == 0 || a.Seconds < t {
			times[key] = a.Seconds
		}
	}
	for range rounds {
		for _, w := range p.ours {
			sampleOf(w, res.Ours)
		}
		for _, w := range p.theirs {
			sampleOf(w, res.Theirs)
			time.Sleep(calm)
		}
	}
	if r.gonum != nil {
		times := map[string]float64{}
		r.name = "gonum " + r.name
		for range rounds {
			sampleOf(p.ours[0], times)
		}
		res.Gonum = best(times)
	}
	if r.program != nil {
		if p.yaegi == nil {
			p.yaegi = startYaegi()
		}
		res.Yaegi = p.yaegi.measure(r.program)
	}
	return res
}

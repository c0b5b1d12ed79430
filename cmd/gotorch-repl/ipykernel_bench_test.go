package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// peer is a kernel that is measured.
type peer struct {
	name    string
	argv    []string          // {connection_file} stands for the file
	cells   map[string]string // what to run, in its language
	signals bool              // it is interrupted by a signal, not by a message
}

// peers are this kernel, and Python's where it is installed.
func peers(b testing.TB) []peer {
	all := []peer{{"gotorch", []string{program(b), "kernel", "{connection_file}"}, map[string]string{
		"cell": "1 + %d", "writes": "for i := range 10000 { fmt.Println(i) }",
		"big": `fmt.Print(strings.Repeat("x", 10_000_000))`, "complete": "strings.Rep", "loop": "for { }",
	}, false}}
	for _, p := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(p, "-c", "import ipykernel").Run() == nil {
			return append(all, peer{"ipykernel", []string{p, "-m", "ipykernel_launcher", "-f", "{connection_file}"},
				map[string]string{
					"cell": "1 + %d", "writes": "import sys\nfor i in range(10000): sys.stdout.write(f'{i}\\n')",
					"big": "import sys\nsys.stdout.write('x' * 10_000_000)\nNone", "complete": "import os\nos.pat",
					"loop": "while True: pass",
				}, true})
		}
	}
	b.Log("without ipykernel (Debian: python3-ipykernel) nothing to compare with")
	return all
}

// start starts the kernel on TCP, as Jupyter does.
func (p peer) start(b testing.TB) (*exec.Cmd, *jupyterclient.Client) {
	b.Helper()
	dir := b.TempDir()
	ports, err := freePorts(5)
	if err != nil {
		b.Fatal(err)
	}
	info := jupyterclient.Info{Transport: "tcp", IP: "127.0.0.1", Key: "a key", SignatureScheme: "hmac-sha256",
		ShellPort: ports[0], IOPubPort: ports[1], StdinPort: ports[2], ControlPort: ports[3], HBPort: ports[4]}
	text, err := json.Marshal(info)
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(dir, "kernel.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.Fatal(err)
	}
	argv := slices.Clone(p.argv)
	argv[len(argv)-1] = file
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "IPYTHONDIR="+dir,
		"PYDEVD_DISABLE_FILE_VALIDATION=1")
	began := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for _, port := range ports { // a client of zmq4 that comes too early waits for a quarter of a second
		for {
			if c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
				c.Close()
				break
			}
			if time.Since(began) > wait {
				b.Fatalf("%s does not listen", p.name)
			}
			time.Sleep(200 * time.Microsecond)
		}
	}
	c, err := jupyterclient.DialAny(info, time.Minute)
	if err != nil {
		b.Fatalf("%s: %v", p.name, err)
	}
	b.Cleanup(c.Close)
	return cmd, c
}

// interrupt stops the cell that runs.
func (p peer) interrupt(cmd *exec.Cmd, c *jupyterclient.Client) {
	if p.signals {
		cmd.Process.Signal(syscall.SIGINT)
		return
	}
	c.Request(c.Control, "interrupt_request", map[string]any{}, wait)
}

// besides are the measurements: each does the thing once and says how long it took.
var besides = []struct {
	name string
	once func(b *testing.B, p peer, cmd *exec.Cmd, c *jupyterclient.Client, n int) time.Duration
}{
	{"cell", func(b *testing.B, p peer, _ *exec.Cmd, c *jupyterclient.Client, n int) time.Duration {
		return runs(b, c, fmt.Sprintf(p.cells["cell"], n))
	}},
	{"writes", func(b *testing.B, p peer, _ *exec.Cmd, c *jupyterclient.Client, _ int) time.Duration {
		return runs(b, c, p.cells["writes"])
	}},
	{"big", func(b *testing.B, p peer, _ *exec.Cmd, c *jupyterclient.Client, _ int) time.Duration {
		return runs(b, c, p.cells["big"])
	}},
	{"complete", func(b *testing.B, p peer, _ *exec.Cmd, c *jupyterclient.Client, _ int) time.Duration {
		start := time.Now()
		m := c.Request(c.Shell, "complete_request",
			map[string]any{"code": p.cells["complete"], "cursor_pos": len(p.cells["complete"])}, wait)
		if took := time.Since(start); m != nil && len(m.Content["matches"].([]any)) > 0 {
			return took
		}
		b.Fatal("nothing completes")
		return 0
	}},
	{"interrupt", func(b *testing.B, p peer, cmd *exec.Cmd, c *jupyterclient.Client, _ int) time.Duration {
		id := c.SendCell(p.cells["loop"], map[string]any{"stop_on_error": false}) // or Python's kernel drops the next one
		for m := c.IOPub.Recv(wait); m == nil || m.Type() != "execute_input"; m = c.IOPub.Recv(wait) {
			if m == nil {
				b.Fatal("the loop does not begin")
			}
		}
		time.Sleep(20 * time.Millisecond)
		start := time.Now()
		p.interrupt(cmd, c)
		ran := c.Collect(id, start, wait)
		if ran.Reply == nil || ran.Reply.Status() != "error" {
			b.Fatalf("the loop ended with %v", ran.Reply)
		}
		return ran.Took
	}},
}

// runs runs a cell, which must do.
func runs(b *testing.B, c *jupyterclient.Client, src string) time.Duration {
	ran := c.Execute(src, wait, nil)
	if ran.Reply == nil || ran.Reply.Status() != "ok" {
		b.Fatalf("%s: %v", src, ran.Reply)
	}
	return ran.Took
}

// BenchmarkBeside measures this kernel beside Python's, with one client in one run: the start up to the first answer,
// a trivial cell, 10,000 small writes, a text of 10 MB, a completion, the interruption of a loop. Python's lines say
// how many times as long as ours they took, by the medians.
//
//	go test ./cmd/gotorch-repl -run - -bench Beside
func BenchmarkBeside(b *testing.B) {
	all := peers(b)
	b.Run("start", func(b *testing.B) {
		compare(b, all, func(b *testing.B, p peer) func(int) time.Duration {
			return func(int) time.Duration {
				start := time.Now()
				cmd, c := p.start(b)
				took := time.Since(start)
				if kb := resident(cmd.Process.Pid); kb > 0 {
					b.ReportMetric(float64(kb)/1024, "MB")
				}
				c.Close()
				cmd.Process.Kill()
				return took
			}
		})
	})
	for _, a := range besides {
		b.Run(a.name, func(b *testing.B) {
			compare(b, all, func(b *testing.B, p peer) func(int) time.Duration {
				cmd, c := p.start(b)
				a.once(b, p, cmd, c, 0) // what is read and made once
				return func(n int) time.Duration { return a.once(b, p, cmd, c, n) }
			})
		})
	}
}

// compare benchmarks one thing with each kernel.
func compare(b *testing.B, all []peer, of func(b *testing.B, p peer) func(int) time.Duration) {
	ours := 0.0
	for _, p := range all {
		b.Run(p.name, func(b *testing.B) {
			once := of(b, p)
			var took []float64
			for b.Loop() {
				took = append(took, float64(once(len(took)+1))/float64(time.Millisecond))
			}
			slices.Sort(took)
			median := took[len(took)/2]
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median, "median-ms")
			b.ReportMetric(took[len(took)*95/100], "p95-ms")
			if ours == 0 {
				ours = median
			} else {
				b.ReportMetric(median/ours, "times-as-long")
			}
		})
	}
}

// resident is the memory of a process in KB, 0 where the system does not say.
func resident(pid int) (kb int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if _, after, ok := strings.Cut(string(text), "VmRSS:"); ok {
		fmt.Sscan(after, &kb)
	}
	return kb
}

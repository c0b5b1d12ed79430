package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotorch/internal/hostile"
	"gotorch/internal/jupyterclient"
)

// A hostile cell is interrupted after tolerance, and kept + 1 is to answer then. The limit is for machines that are
// busy; 3 s are what a quiet one needs at most.
const (
	tolerance = time.Second
	ending    = 60 * time.Second
	soon      = 3 * time.Second
)

// hostileEnd is a program with a session that runs hostile cells.
type hostileEnd interface {
	// run runs a cell, interrupts it where it takes longer than tolerance, and gives what came of it: "" while it runs.
	run(src string, tolerance time.Duration) string
	interrupt()
	process() int
	end()
}

// TestHostileFrontEnds: no cell of the table ends or blocks the prompt or the kernel, in the usual mode and in the
// restricted one: kept + 1 answers afterwards, and the process is no larger than its budget. It needs GOTORCH_ALL=1.
func TestHostileFrontEnds(t *testing.T) {
	if os.Getenv("GOTORCH_ALL") == "" {
		t.Skip("it takes an hour: GOTORCH_ALL=1")
	}
	dir, err := os.MkdirTemp("", "h") // others than the user who runs the test must be able to enter it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o777)
	fifo := filepath.Join(dir, "fifo.npy")
	if err := syscall.Mkfifo(fifo, 0o666); err != nil {
		t.Skip(err)
	}
	os.Chmod(fifo, 0o666)
	os.Chmod(filepath.Dir(program(t)), 0o755)
	for shift, c := range []struct {
		name  string
		start func(t *testing.T, dir string, flags ...string) hostileEnd
		flags []string
	}{
		{"kernel", hostileKernel, nil}, {"safe kernel", hostileKernel, []string{"--safe"}},
		{"prompt", hostilePrompt, nil}, {"safe prompt", hostilePrompt, []string{"--safe"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			flags := append(c.flags, "--memory", "1G")
			f := c.start(t, dir, flags...)
			defer func() { f.end() }()
			slow := 0
			for _, h := range hostile.Some(fifo, os.Getenv("HOSTILE"), 16, 4*shift) {
				took, fault := torment(f, h.Src)
				if took > soon {
					slow++
					t.Logf("%s: kept + 1 came %v after the cell", h.Src, took.Round(time.Millisecond))
				}
				if fault != "" {
					t.Errorf("%s: %.200s\n%s", h.Class, h.Src, fault)
				}
				if n := hostileSize(f.process()); fault != "" || n > 600<<20 { // the next cell begins with free memory
					f.end()
					f = c.start(t, dir, flags...)
				}
			}
			t.Logf("%d answers came after more than %v", slow, soon)
		})
	}
}

// torment runs a hostile cell and what comes after it; took is how long that had to wait.
func torment(f hostileEnd, src string) (took time.Duration, fault string) {
	if f.run(src, tolerance) == "" {
		f.interrupt()
	}
	start := time.Now()
	answer := ""
	for time.Since(start) < ending {
		if answer = f.run("kept + 1", ending-time.Since(start)); answer == "42" {
			break
		}
		if syscall.Kill(f.process(), 0) != nil {
			return 0, "the process has ended"
		}
		time.Sleep(20 * time.Millisecond)
	}
	took = time.Since(start)
	if answer != "42" {
		return took, "afterwards kept + 1 is " + answer
	}
	for start := time.Now(); hostileSize(f.process()) > 1280<<20; time.Sleep(100 * time.Millisecond) {
		if time.Since(start) > ending {
			return took, fmt.Sprintf("the process has %d MB", hostileSize(f.process())>>20)
		}
	}
	return took, ""
}

// hostileSize is how many bytes of memory a process has.
func hostileSize(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var all, resident int
	fmt.Sscan(string(text), &all, &resident)
	return resident * os.Getpagesize()
}

// powerless has a command run by a user who can change nothing, where the test's is the superuser.
func powerless(cmd *exec.Cmd, dir string) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "TMPDIR="+dir, "NO_COLOR=1", "TERM=xterm")
}

// kernelEnd is the kernel, as Jupyter speaks with it.
type kernelEnd struct {
	*jupyterclient.Client
	cmd     *exec.Cmd
	running string
	dir     string
}

func hostileKernel(t *testing.T, dir string, flags ...string) hostileEnd {
	t.Helper()
	sockets, err := os.MkdirTemp("", "k")
	if err != nil {
		t.Fatal(err)
	}
	os.Chmod(sockets, 0o777)
	info := jupyterclient.Info{Transport: "ipc", IP: filepath.Join(sockets, "s"), Key: "a key",
		SignatureScheme: "hmac-sha256", ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5}
	text, _ := json.Marshal(info)
	file := filepath.Join(sockets, "kernel.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	k := &kernelEnd{cmd: exec.Command(program(t), append(flags, "kernel", file)...), dir: sockets}
	powerless(k.cmd, dir)
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if k.Client, err = jupyterclient.Dial(info); err != nil {
		t.Fatal(err)
	}
	k.run("kept := 41", ending)
	return k
}

func (k *kernelEnd) process() int { return k.cmd.Process.Pid }

func (k *kernelEnd) end() {
	k.cmd.Process.Kill()
	k.cmd.Wait()
	k.Close()
	os.RemoveAll(k.dir)
}

func (k *kernelEnd) run(src string, tolerance time.Duration) string {
	k.running = k.SendCell(src, nil)
	return k.collect(tolerance)
}

func (k *kernelEnd) collect(tolerance time.Duration) string {
	ran := k.Collect(k.running, time.Now(), tolerance)
	if ran.Reply == nil {
		return ""
	}
	for _, m := range ran.Of("execute_result") {
		if data, ok := m.Content["data"].(map[string]any); ok {
			return fmt.Sprint(data["text/plain"])
		}
	}
	return fmt.Sprint(ran.Reply.Status(), " ", ran.Reply.Content["evalue"])
}

func (k *kernelEnd) interrupt() {
	k.Request(k.Control, "interrupt_request", map[string]any{}, ending)
	k.collect(ending)
}

// promptEnd is the prompt, on a terminal.
type promptEnd struct {
	*console
	n int // of the prompt that waits
}

func hostilePrompt(t *testing.T, dir string, flags ...string) hostileEnd {
	t.Helper()
	p := &promptEnd{n: 1}
	p.console = onTerminalWith(t, func(cmd *exec.Cmd) { powerless(cmd, dir) }, program(t), flags...)
	if !p.waits(ending) {
		t.Fatalf("no prompt: %s", p.text())
	}
	p.run("kept := 41", ending)
	return p
}

func (p *promptEnd) process() int { return p.cmd.Process.Pid }

func (p *promptEnd) end() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
	p.keys.Close()
}

// A prompt that begins turns pasting on: what the editor draws later, of the same prompt, does not.
var (
	promptNumber = regexp.MustCompile(`\x1b\[\?2004h[^\n]*In\[(\d+)\]: `)
	answered     = regexp.MustCompile(`(?m)^(\x1b\[\?2004l)?42\r?$`)
)

// waits waits for the prompt after the one that was last seen, or the same one once more.
func (p *promptEnd) waits(tolerance time.Duration) bool {
	for start := time.Now(); time.Since(start) < tolerance; time.Sleep(5 * time.Millisecond) {
		p.mu.Lock()
		text := p.out.String()[p.at:]
		m := promptNumber.FindStringSubmatchIndex(text)
		if m != nil {
			p.n, _ = strconv.Atoi(text[m[2]:m[3]])
		}
		p.mu.Unlock()
		if m != nil {
			return true
		}
	}
	return false
}

func (p *promptEnd) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()[p.at:]
}

func (p *promptEnd) run(src string, tolerance time.Duration) string {
	p.rests(30 * time.Millisecond) // the editor draws what was typed
	if strings.Contains(src, "\n") || len(src) > 1000 {
		src = "\x1b[200~" + src + "\x1b[201~" // as a terminal pastes
	}
	p.types(src)
	p.rests(100 * time.Millisecond)
	p.mu.Lock()
	p.at = p.out.Len()
	p.mu.Unlock()
	p.types("\r")
	if !p.waits(tolerance) {
		return ""
	}
	text := p.text()
	if src == "kept + 1" && answered.MatchString(text) {
		return "42"
	}
	return "it printed " + strings.TrimSpace(text)
}

func (p *promptEnd) interrupt() {
	p.types("\x03")
	p.waits(ending)
}

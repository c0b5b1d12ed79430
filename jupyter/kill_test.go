package jupyter_test

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// again starts a kernel process with a connection file and gives what it says and how it ended.
func again(t *testing.T, file string) (says string, err error) {
	t.Helper()
	cmd := exec.Command(os.Args[0], file)
	cmd.Env = append(os.Environ(), "FAKE_KERNEL=run")
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(wait, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err = cmd.Wait()
	return out.String(), err
}

func TestSigtermDuringACell(t *testing.T) {
	cmd, k := process(t, "run")
	id := k.SendCell("print before\nloop", nil)
	waitFor(t, k, id, "stream") // what it has printed arrives while it runs
	cmd.Process.Signal(syscall.SIGTERM)
	ended(t, cmd)
	noFiles(t, k)
}

// The kernel needs its connection file once. Whoever starts another without it is told why it fails.
func TestConnectionFileDeleted(t *testing.T) {
	cmd, k := process(t, "run")
	k.alive()
	if err := os.Remove(k.file); err != nil {
		t.Fatal(err)
	}
	k.run("set a 1", nil)
	equal(t, "a cell", k.run("get a", nil).Text("stdout"), "1\n")
	says, err := again(t, k.file)
	if err == nil || !strings.Contains(says, "connection file") || !strings.Contains(says, "no such file") ||
		strings.Contains(says, "goroutine") {
		t.Errorf("without its file: %v, %q", err, says)
	}
	k.alive()
	cmd.Process.Signal(syscall.SIGTERM)
	ended(t, cmd)
	noFiles(t, k)
}

func TestPortTakenAtRestart(t *testing.T) {
	info := newInfo(t, "tcp")
	l, err := net.Listen("tcp", strings.TrimPrefix(info.URL(info.ControlPort), "tcp://"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	says, err := again(t, writeInfo(t, info))
	if err == nil || !strings.Contains(says, "the control socket cannot listen on 127.0.0.1:") ||
		strings.Contains(says, "goroutine") {
		t.Errorf("%v, %q", err, says)
	}
	// It holds none of the other ports any more.
	other, err := net.Listen("tcp", strings.TrimPrefix(info.URL(info.ShellPort), "tcp://"))
	if err != nil {
		t.Fatal(err)
	}
	other.Close()
}

// A kernel that was killed leaves its sockets behind; the next one with the same file takes them over.
func TestRestartAfterAKill(t *testing.T) {
	cmd, k := process(t, "run")
	k.alive()
	cmd.Process.Kill()
	cmd.Wait()
	k.Close()
	next := exec.Command(os.Args[0], k.file)
	next.Env = append(os.Environ(), "FAKE_KERNEL=run")
	if err := next.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { next.Process.Kill() })
	var err error
	for end := time.Now().Add(wait); ; time.Sleep(10 * time.Millisecond) {
		if k.Client, err = jupyterclient.Dial(k.info); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	defer k.Close()
	k.alive()
	next.Process.Signal(syscall.SIGTERM)
	ended(t, next)
	noFiles(t, k)
}

// A full disk costs the history and nothing else; what was written before it is still read.
func TestDiskFullForHistory(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	cmd, k := process(t, "run", "FAKE_HISTORY=/dev/full")
	equal(t, "a cell", k.run("print a", nil).Text("stdout"), "a\n")
	m := k.Request(k.Shell, "history_request", map[string]any{"hist_access_type": "tail", "n": 5}, wait)
	equal(t, "the history of this session", len(m.Content["history"].([]any)), 1)
	cmd.Process.Signal(syscall.SIGTERM)
	ended(t, cmd)
	noFiles(t, k)

	// The disk fills up in the middle of a line.
	file := filepath.Join(t.TempDir(), "h")
	cut, _ := json.Marshal(map[string]any{"session": 1, "line": 2, "input": "lost"})
	os.WriteFile(file, append([]byte(`{"session":1,"line":1,"input":"kept"}`+"\n"), cut[:20]...), 0o600)
	cmd, k = process(t, "run", "FAKE_HISTORY="+file)
	k.run("print b", nil)
	m = k.Request(k.Shell, "history_request", map[string]any{"hist_access_type": "tail", "n": 5}, wait)
	if text := string(mustJSON(m.Content["history"])); !strings.Contains(text, "kept") ||
		!strings.Contains(text, "print b") {
		t.Errorf("history %s", text)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	ended(t, cmd)
	left, _ := os.ReadDir(filepath.Dir(file))
	equal(t, "files", len(left), 1)
	// The line that came after the cut one was not lost with it.
	cmd, k = process(t, "run", "FAKE_HISTORY="+file)
	m = k.Request(k.Shell, "history_request", map[string]any{"hist_access_type": "search", "pattern": "print*"}, wait)
	equal(t, "history of the session before", len(m.Content["history"].([]any)), 1)
	cmd.Process.Signal(syscall.SIGTERM)
	ended(t, cmd)
}

// What cells left for the history is in the file when the kernel has ended, whatever ended it.
func TestHistoryIsWrittenBeforeTheEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h")
	const cells = 20
	for i := range 2 {
		cmd, k := process(t, "run", "FAKE_HISTORY="+file)
		for range cells {
			k.run("print a", nil)
		}
		if i == 0 {
			cmd.Process.Signal(syscall.SIGTERM)
		} else {
			k.Send(k.Control, "shutdown_request", map[string]any{"restart": false})
		}
		ended(t, cmd)
		text, err := os.ReadFile(file)
		if n := bytes.Count(text, []byte(`"input":"print a"`)); n != cells*(i+1) || err != nil {
			t.Errorf("%d cells in the file after %d kernels: %v", n, i+1, err)
		}
	}
}

//go:build amd64 || arm64

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gotorch/internal/confine"
)

// breached builds the program with the tag breach: the restricted mode's list of names is off, and cells have package
// syscall.
var breached = sync.OnceValues(func() (string, error) {
	if _, err := built(); err != nil { // which makes the folder
		return "", err
	}
	name := filepath.Join(builtIn, "breached")
	out, err := exec.Command("go", "build", "-tags", "breach", "-o", name, ".").CombinedOutput()
	if err != nil {
		return "", &buildError{string(out)}
	}
	return name, nil
})

// TestBreach: where the list of names fails, the system still keeps cells from writing files, starting programs,
// signalling other processes and opening sockets. The same cells do harm without --safe, so the test can fail.
func TestBreach(t *testing.T) {
	t.Parallel() // it drives other processes
	if testing.Short() {
		t.Skip("it builds the program once more")
	}
	if r := confine.Available(); r.Files == "" || r.Calls == "" {
		t.Skip(r)
	}
	text, err := os.ReadFile("testdata/breach.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, cells, _ := strings.Cut(string(text), "\n")
	for _, safe := range []bool{true, false} {
		harmed := 0
		for _, src := range strings.Split(strings.TrimSuffix(cells, "\n"), "\n--\n") {
			if !safe && !strings.Contains(src, "FILE") {
				continue // no harm but to files: kill(-1) would end everything
			}
			if harm := breach(t, safe, src); harm != "" {
				harmed++
				if safe {
					t.Errorf("%s\n%s", src, harm)
				}
			}
			if !safe && harmed > 2 {
				break
			}
		}
		if !safe && harmed == 0 {
			t.Error("no cell does harm without --safe: the test cannot fail")
		}
	}
}

// breach runs a cell and says what harm it did.
func breach(t *testing.T, safe bool, src string) (harm string) {
	t.Helper()
	program, err := breached()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	old, file := filepath.Join(dir, "old"), filepath.Join(dir, "file")
	if err := os.WriteFile(old, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(old)
	other := exec.Command("sleep", "300")
	other.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := other.Start(); err != nil {
		t.Skip("no program sleep")
	}
	ended := make(chan error, 1)
	go func() { ended <- other.Wait() }()
	defer other.Process.Kill()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	src = strings.NewReplacer("FILE", file, "OLD", old, "DIR", dir, "PIDFD_OPEN", fmt.Sprint(unix.SYS_PIDFD_OPEN),
		"PIDFD_SEND_SIGNAL", fmt.Sprint(unix.SYS_PIDFD_SEND_SIGNAL), "PID", fmt.Sprint(other.Process.Pid),
		"TGKILL", fmt.Sprint(unix.SYS_TGKILL), "TKILL", fmt.Sprint(unix.SYS_TKILL), "KILL", fmt.Sprint(unix.SYS_KILL),
		"IO_URING_SETUP", fmt.Sprint(unix.SYS_IO_URING_SETUP), "PTRACE", fmt.Sprint(unix.SYS_PTRACE),
		"MEMFD_EXEC", fmt.Sprint(unix.SYS_EXECVEAT)).Replace(src)
	args := []string{"-c", src}
	if safe {
		args = append([]string{"--safe"}, args...)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, _ := cmd.CombinedOutput()
	if strings.Contains(string(out), "undefined") || strings.Contains(string(out), "no package") {
		t.Errorf("%s\nis no cell of this program: %s", src, out)
	}
	if strings.Contains(src, "Socket(") && strings.Count(string(out), "operation not permitted") < 4 {
		harm += "it opened a socket; "
	}
	time.Sleep(20 * time.Millisecond)
	select {
	case err := <-ended:
		harm += fmt.Sprintf("it ended a process: %v; ", err)
	default:
	}
	if text, err := os.ReadFile(old); err != nil || string(text) != "kept" {
		harm += fmt.Sprintf("it changed a file: %q, %v; ", text, err)
	} else if after, _ := os.Stat(old); after.Mode() != before.Mode() || after.ModTime() != before.ModTime() {
		harm += fmt.Sprintf("it changed a file's mode or time: %v; ", after.Mode())
	}
	names, _ := os.ReadDir(dir)
	if len(names) != 1 {
		harm += fmt.Sprintf("it made a file: %v; ", names)
	}
	if harm != "" {
		harm += string(out)
	}
	return harm
}

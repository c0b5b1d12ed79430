//go:build unix

package exec_test

import (
	"context"
	"errors"
	"fmt"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestProgramsEnd interrupts cells that wait for a program: the cell ends, and so does the program, with what it
// started.
func TestProgramsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	for _, c := range []struct{ name, program, cell string }{
		{"run", "exec sleep 100", `exec.Command("sh", "-c", SH).Run()`},
		{"output", "exec sleep 100", `exec.Command("sh", "-c", SH).Output()`},
		{"combined", "exec sleep 100", `exec.Command("sh", "-c", SH).CombinedOutput()`},
		{"wait", "exec sleep 100", "c := exec.Command(\"sh\", \"-c\", SH)\nc.Start()\nc.Wait()"},
		{"method value", "exec sleep 100", "f := exec.Command(\"sh\", \"-c\", SH).Run\nf()"},
		{"context", "exec sleep 100", `exec.CommandContext(context.Background(), "sh", "-c", SH).Run()`},
		{"pipe", "exec sleep 100", "c := exec.Command(\"sh\", \"-c\", SH)\nout, _ := c.StdoutPipe()\nc.Start()\nfor sc := " +
			"bufio.NewScanner(out); sc.Scan(); {}"},
		{"loop", "exec sleep 100", "exec.Command(\"sh\", \"-c\", SH).Start()\nfor {}"},
		{"below", "sleep 100; true", `exec.Command("sh", "-c", SH).Run()`},
		{"deaf", "trap '' INT; sleep 100; true", `exec.Command("sh", "-c", SH).Run()`},
		{"writer", "exec yes", "type W struct{}\nfunc (W) Write(p []byte) (int, error) { return len(p), nil }\nc := " +
			"exec.Command(\"sh\", \"-c\", SH)\nc.Stdout = W{}\nc.Run()"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := interp.New(interp.Options{})
			defer s.Close()
			file := filepath.Join(t.TempDir(), "pid")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan error, 1)
			go func() {
				_, err := s.Eval(ctx, strings.ReplaceAll(c.cell, "SH", fmt.Sprintf("%q", "echo $$ > "+file+"; "+c.program)),
					interp.Discard)
				done <- err
			}()
			pid := 0
			await(t, "the program to start", func() bool {
				b, _ := os.ReadFile(file)
				n, _ := fmt.Sscan(string(b), &pid)
				return n == 1 && strings.HasSuffix(string(b), "\n")
			})
			cancel()
			var e *interp.Error
			if err := <-done; !errors.As(err, &e) || e.Name != "Interrupted" {
				t.Errorf("%v", err)
			}
			await(t, "the program to end", func() bool { return !lives(pid) })
			if got := celltest.Cell(s, "1 + 1"); got != "2\n" {
				t.Errorf("then 1 + 1 is %q", got)
			}
		})
	}
}

// TestProgramsLive: an interrupt leaves the programs of earlier cells alone; the end of the session ends them.
func TestProgramsLive(t *testing.T) {
	s := interp.New(interp.Options{})
	pid := 0
	out := celltest.Cell(s, "c := exec.Command(\"sleep\", \"100\")\nfmt.Println(c.Start(), c.Process.Pid)")
	if _, err := fmt.Sscanf(out, "<nil> %d", &pid); err != nil {
		t.Fatal(out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	s.Eval(ctx, "for {}", interp.Discard)
	cancel()
	if got := celltest.Cell(s, "c.Process.Signal(os.Signal(nil)) != nil, c.ProcessState == nil"); !lives(pid) ||
		got != "true\ntrue\n" {
		t.Errorf("after an interrupt of another cell: %v, %q", lives(pid), got)
	}
	s.Close()
	await(t, "the program to end", func() bool { return !lives(pid) })
}

// lives reports whether a process is there and is no zombie.
func lives(pid int) bool {
	var status syscall.WaitStatus
	syscall.Wait4(pid, &status, syscall.WNOHANG, nil)
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil {
		_, rest, _ := strings.Cut(string(b), ") ")
		return !strings.HasPrefix(rest, "Z")
	}
	return syscall.Kill(-pid, 0) == nil
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %s", what)
		}
	}
}

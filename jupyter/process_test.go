package jupyter_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
	"gotorch/jupyter"
	"gotorch/jupyter/internal/fake"
)

// TestMain lets the test program be the kernel that it tests, in a process of its own.
//
//	FAKE_KERNEL=run     serves the connection file that is the last argument
//	FAKE_KERNEL=sleep   waits to be killed
//	FAKE_KERNEL=parent  starts such a kernel and waits to be killed
func TestMain(m *testing.M) {
	file := os.Args[len(os.Args)-1]
	switch os.Getenv("FAKE_KERNEL") {
	case "run":
		if err := jupyter.Run(context.Background(), file, fake.New(),
			jupyter.Options{HistoryFile: os.Getenv("FAKE_HISTORY")}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "sleep":
		time.Sleep(time.Hour)
	case "parent":
		cmd := exec.Command(os.Args[0], file)
		cmd.Env = append(os.Environ(), "FAKE_KERNEL=run", fmt.Sprintf("JPY_PARENT_PID=%d", os.Getpid()))
		// Standard error breaks when the parent dies, as it does under a notebook server.
		_, stderr, err := os.Pipe()
		cmd.Stderr = stderr
		if err != nil || cmd.Start() != nil {
			os.Exit(1)
		}
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

// process starts the test program as a kernel, or as the parent of one.
func process(t *testing.T, what string, env ...string) (*exec.Cmd, *running) {
	t.Helper()
	info := newInfo(t, "ipc")
	k := &running{t: t, info: info, file: writeInfo(t, info)}
	cmd := exec.Command(os.Args[0], k.file)
	cmd.Env = append(append(os.Environ(), "FAKE_KERNEL="+what), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	var err error
	if k.Client, err = jupyterclient.Dial(info); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	return cmd, k
}

func ended(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("the process ended with %v", err)
		}
	case <-time.After(wait):
		t.Fatal("the process does not end")
	}
}

func TestSignals(t *testing.T) {
	cmd, k := process(t, "run")
	cmd.Process.Signal(os.Interrupt) // idle: harmless
	k.run("set a 1", nil)
	id := k.SendCell("loop", nil)
	waitFor(t, k, id, "execute_input")
	cmd.Process.Signal(os.Interrupt)
	equal(t, "interrupted", k.Collect(id, time.Now(), wait).Reply.Content["ename"], "Interrupted")
	equal(t, "state", k.run("get a", nil).Text("stdout"), "1\n")
	cmd.Process.Signal(syscall.SIGTERM)
	ended(t, cmd)
	noFiles(t, k)
}

func noFiles(t *testing.T, k *running) {
	t.Helper()
	for i := range 5 {
		if _, err := os.Lstat(fmt.Sprintf("%s-%d", k.info.IP, i+1)); err == nil {
			t.Errorf("the socket %d is left behind", i+1)
		}
	}
}

func TestKernelEndsWithItsParent(t *testing.T) {
	cmd, k := process(t, "parent")
	k.alive()
	cmd.Process.Kill()
	cmd.Wait()
	for end := time.Now().Add(wait); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Lstat(k.info.IP + "-1"); err != nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the kernel outlives its parent")
		}
	}
	for end := time.Now().Add(wait); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Lstat(k.file); err != nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the connection file is left behind")
		}
	}
}

// Some launchers put a process between the server and the kernel.
func TestKernelEndsWithWhoeverStartedIt(t *testing.T) {
	server := exec.Command(os.Args[0])
	server.Env = append(os.Environ(), "FAKE_KERNEL=sleep")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer server.Process.Kill()
	cmd, k := process(t, "run", fmt.Sprintf("JPY_PARENT_PID=%d", server.Process.Pid))
	k.alive()
	server.Process.Kill()
	server.Wait()
	ended(t, cmd)
	noFiles(t, k)
}

// required reports whether GOTORCH_REQUIRE names what: then a test may not be skipped for its lack.
func required(what string) bool {
	return slices.Contains(strings.FieldsFunc(os.Getenv("GOTORCH_REQUIRE"),
		func(r rune) bool { return r == ',' || r == ' ' }), what)
}

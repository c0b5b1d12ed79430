//go:build amd64 || arm64

package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// The tests restrict a process of their own: this program, started again with GOTORCH_CONFINED set to what it is to
// do.
const confined = "GOTORCH_CONFINED"

type task struct {
	Name        string
	Rules       Rules
	Dir         string
	NoLandlock  bool
	OtherPID    int
	Destination string // of a connection
}

func TestMain(m *testing.M) {
	if text := os.Getenv(confined); text != "" {
		var t task
		if err := json.Unmarshal([]byte(text), &t); err != nil {
			fmt.Println(err)
			os.Exit(2)
		}
		os.Exit(attempt(t))
	}
	os.Exit(m.Run())
}

// attempt applies the rules and tries things; it says what came of each.
func attempt(t task) int {
	// Threads that are there before, one of which tries too.
	ask, answer := make(chan func() error), make(chan error)
	go func() {
		runtime.LockOSThread()
		for f := range ask {
			answer <- f()
		}
	}()
	opened, err := os.OpenFile(filepath.Join(t.Dir, "opened"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	if t.NoLandlock {
		err = calls(false)
	} else {
		_, err = Apply(t.Rules)
	}
	if err != nil {
		fmt.Println("apply:", err)
		return 3
	}
	path := func(name string) string { return filepath.Join(t.Dir, name) }
	say := func(name string, f func() error) {
		err := f()
		ask <- f
		other := <-answer
		fmt.Printf("%s: %v\n", name, err == nil || other == nil)
		if (err == nil) != (other == nil) {
			fmt.Printf("%s differs between threads: %v, %v\n", name, err, other)
		}
	}
	say("write a new file", func() error { return os.WriteFile(path("new"), nil, 0o600) })
	say("write an old file", func() error { return os.WriteFile(path("old"), []byte("x"), 0o600) })
	say("append", func() error { _, err := os.OpenFile(path("old"), os.O_APPEND|os.O_WRONLY, 0); return err })
	say("truncate", func() error { return os.Truncate(path("old"), 0) })
	say("write the allowed file", func() error {
		f, err := os.OpenFile(path("allowed"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString("x")
			f.Close()
		}
		return err
	})
	say("write what is open", func() error { _, err := opened.WriteString("x"); return err })
	say("remove", func() error { return os.Remove(path("old")) })
	say("rename", func() error { return os.Rename(path("old"), path("older")) })
	say("make a folder", func() error { return os.Mkdir(path("folder"), 0o700) })
	say("make a link", func() error { return os.Symlink("a", path("link")) })
	say("make a pipe", func() error { return syscall.Mkfifo(path("fifo"), 0o600) })
	say("change a mode", func() error { return os.Chmod(path("old"), 0o777) })
	say("change times", func() error { return os.Chtimes(path("old"), time.Now(), time.Now()) })
	say("change a mode by an open file", func() error { return opened.Chmod(0o777) })
	say("set an attribute", func() error { return unix.Setxattr(path("old"), "user.a", []byte("b"), 0) })
	say("write memory", func() error { _, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0); return err })
	say("read", func() error { _, err := os.ReadFile(path("old")); return err })
	say("read elsewhere", func() error { _, err := os.ReadFile("/etc/hostname"); return err })
	say("list", func() error { _, err := os.ReadDir(t.Dir); return err })
	say("look up a user", func() error { _, err := user.LookupId("0"); return err })
	say("exec", func() error { return exec.Command("/bin/true").Run() })
	say("exec in place", func() error {
		return syscall.Exec("/nowhere/no program", []string{"x"}, nil) // EPERM where forbidden, else ENOENT
	})
	say("fork", func() error {
		_, _, e := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD)|1<<40, 0, 0, 0, 0, 0)
		if e == syscall.EPERM {
			return e
		}
		return nil
	})
	say("signal another", func() error { return syscall.Kill(t.OtherPID, 0) })
	say("signal a group", func() error { return syscall.Kill(0, 0) })
	say("signal all", func() error { return syscall.Kill(-1, 0) })
	say("signal itself", func() error { return syscall.Kill(os.Getpid(), 0) })
	say("own a file's signals", func() error {
		_, err := unix.FcntlInt(opened.Fd(), unix.F_SETOWN, t.OtherPID)
		return err
	})
	say("connect", func() error {
		c, err := net.DialTimeout("tcp", t.Destination, time.Second)
		if err == nil {
			c.Close()
		}
		return err
	})
	say("listen", func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err })
	say("a unix socket", func() error { _, err := net.Listen("unix", path("socket")); return err })
	say("a packet", func() error { _, err := net.Dial("udp", "127.0.0.1:9"); return err })
	say("type into the terminal", func() error {
		_, _, e := syscall.Syscall(syscall.SYS_IOCTL, 0, unix.TIOCSTI, 0)
		if e == syscall.EPERM {
			return e
		}
		return nil
	})
	say("trace", func() error {
		_, _, e := syscall.RawSyscall(syscall.SYS_PTRACE, 0x4206, uintptr(t.OtherPID), 0)
		if e != 0 {
			return e
		}
		return nil
	})
	say("rings", func() error {
		if _, _, e := syscall.RawSyscall(unix.SYS_IO_URING_SETUP, 1, 0, 0); e == syscall.EPERM || e == syscall.ENOSYS {
			return e
		}
		return nil
	})
	say("work", func() error { return work() })
	return 0
}

// work is what goes on inside the process: threads, memory, clocks, pipes.
func work() error {
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			runtime.LockOSThread() // the thread ends with the goroutine
			time.Sleep(time.Millisecond)
			_ = make([]byte, 1<<20)
		})
	}
	wg.Wait()
	runtime.GC()
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	go w.Close()
	if _, err := r.Read(make([]byte, 1)); err == nil {
		return errors.New("read from a closed pipe")
	}
	if _, err := time.LoadLocation("UTC"); err != nil {
		return err
	}
	f, err := os.Open(os.DevNull)
	if err == nil {
		f.Close()
	}
	return err
}

// try runs a task in a process of its own and gives what was possible.
func try(t *testing.T, k task) map[string]bool {
	t.Helper()
	k.Dir = t.TempDir()
	for _, name := range []string{"old", "allowed"} {
		if err := os.WriteFile(filepath.Join(k.Dir, name), []byte("kept"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range k.Rules.Write {
		k.Rules.Write[i] = filepath.Join(k.Dir, k.Rules.Write[i])
	}
	for i := range k.Rules.Read {
		k.Rules.Read[i] = filepath.Join(k.Dir, k.Rules.Read[i])
	}
	other := exec.Command("sleep", "60")
	if err := other.Start(); err != nil {
		t.Skip("no program sleep")
	}
	defer other.Wait()
	defer other.Process.Kill()
	k.OtherPID = other.Process.Pid
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	k.Destination = l.Addr().String()
	text, _ := json.Marshal(k)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), confined+"="+string(text))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		name, yes, ok := strings.Cut(line, ": ")
		if !ok || yes != "true" && yes != "false" {
			t.Errorf("it says %q", line)
		}
		got[name] = yes == "true"
	}
	if text, err := os.ReadFile(filepath.Join(k.Dir, "old")); err != nil || string(text) != "kept" {
		t.Errorf("the file is now %q, %v", text, err)
	}
	return got
}

func check(t *testing.T, got map[string]bool, possible ...string) {
	t.Helper()
	want := map[string]bool{}
	for _, name := range possible {
		want[name] = true
	}
	if len(got) < 30 {
		t.Errorf("only %d answers", len(got))
	}
	for name, yes := range got {
		if yes != want[name] {
			t.Errorf("%s is possible: %v", name, yes)
		}
	}
}

// always is what stays possible under any rules.
var always = []string{"write what is open", "look up a user", "signal itself", "work"}

// TestApply: everything inside the process and reading goes on; nothing else does.
func TestApply(t *testing.T) {
	if r := Available(); r.Files == "" || r.Calls == "" {
		t.Skip(r)
	}
	all := append(always, "read", "list", "read elsewhere")
	check(t, try(t, task{}), all...)
	check(t, try(t, task{Rules: Rules{Write: []string{"allowed"}}}), append(all, "write the allowed file")...)
}

// TestRead restricts reading to a folder.
func TestRead(t *testing.T) {
	if Available().Files == "" {
		t.Skip(Available())
	}
	check(t, try(t, task{Rules: Rules{Read: []string{"."}}}), append(always, "read", "list")...)
	check(t, try(t, task{Rules: Rules{Read: []string{"allowed"}}}), always...)
}

// TestWithoutLandlock: the filter alone lets no file be written either.
func TestWithoutLandlock(t *testing.T) {
	if Available().Calls == "" {
		t.Skip(Available())
	}
	check(t, try(t, task{NoLandlock: true}), append(always, "read", "list", "read elsewhere")...)
}

// TestFilter runs the program of the filter, on calls whose arguments look like numbers of other calls.
func TestFilter(t *testing.T) {
	const pid = 77
	for _, landlocked := range []bool{true, false} {
		vm, err := bpf.NewVM(filter(pid, landlocked))
		if err != nil {
			t.Fatal(err)
		}
		run := func(architecture, call uint32, args ...uint64) uint32 {
			data := make([]byte, 64)
			be := func(at int, v uint32) { // the machine of the test is big-endian
				data[at], data[at+1], data[at+2], data[at+3] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
			}
			be(offNumber, call)
			be(offArch, architecture)
			for i, a := range args {
				be(offArgs+8*i, uint32(a))
				be(offArgs+8*i+4, uint32(a>>32))
			}
			n, err := vm.Run(data)
			if err != nil {
				t.Fatal(err)
			}
			return uint32(n)
		}
		for _, c := range []struct {
			call uint32
			args []uint64
			want bool
		}{
			{unix.SYS_READ, nil, true},
			{unix.SYS_EXECVE, nil, false},
			{unix.SYS_EXECVEAT, nil, false},
			{unix.SYS_SOCKET, nil, false},
			{unix.SYS_KILL, []uint64{pid}, true},
			{unix.SYS_KILL, []uint64{0}, false},
			{unix.SYS_KILL, []uint64{unix.SYS_READ}, false},
			{unix.SYS_TGKILL, []uint64{pid, pid}, true},
			{unix.SYS_TGKILL, []uint64{1, 1}, false},
			{unix.SYS_TKILL, []uint64{pid}, false},
			{unix.SYS_CLONE, []uint64{unix.CLONE_THREAD | unix.CLONE_VM}, true},
			{unix.SYS_CLONE, []uint64{unix.CLONE_VM}, false},
			{unix.SYS_CLONE, []uint64{1 << 48}, false},
			{unix.SYS_CLONE3, nil, false},
			{unix.SYS_IOCTL, []uint64{0, unix.TIOCSTI}, false},
			{unix.SYS_IOCTL, []uint64{0, 1<<32 | unix.TIOCSTI}, false},
			{unix.SYS_IOCTL, []uint64{0, unix.TCGETS}, true},
			{unix.SYS_FCNTL, []uint64{3, unix.F_SETOWN}, false},
			{unix.SYS_OPENAT, []uint64{0, 0, unix.O_RDONLY | unix.O_CLOEXEC}, true},
			{unix.SYS_OPENAT, []uint64{0, 0, unix.O_WRONLY}, landlocked},
			{unix.SYS_OPENAT, []uint64{0, 0, unix.O_CREAT}, landlocked},
			{unix.SYS_OPENAT, []uint64{0, 0, unix.O_TRUNC}, landlocked},
			{unix.SYS_OPENAT, []uint64{0, 0, unix.O_TMPFILE | unix.O_RDWR}, landlocked},
			{unix.SYS_OPENAT2, nil, false},
			{unix.SYS_UNLINKAT, nil, landlocked},
			{unix.SYS_FCHMOD, nil, false},
			{100_000, nil, false},
		} {
			if got := run(arch, c.call, c.args...) == permit; got != c.want {
				t.Errorf("call %d%v is let through: %v (Landlock: %v)", c.call, c.args, got, landlocked)
			}
			if run(unix.AUDIT_ARCH_I386, c.call, c.args...) == permit {
				t.Errorf("call %d of another architecture is let through", c.call)
			}
			if run(arch, c.call|0x40000000, c.args...) == permit {
				t.Errorf("call %d of x32 is let through", c.call)
			}
		}
	}
}

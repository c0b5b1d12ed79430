package std

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"gotorch/internal/parallel"
	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Packages os and runtime for cells: what would end the process, or take from the session what it needs itself.

// unavailable is a function that cells cannot have.
func unavailable[F any](name, why string) any {
	t := reflect.TypeFor[F]()
	return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
		panic(fmt.Sprintf("%s cannot be used in a cell: %s", name, why))
	}).Interface()
}

func patchRuntime(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Goexit":       task.Exit,
		"LockOSThread": lockThread(e), "UnlockOSThread": unlockThread(e),
		"GOMAXPROCS": func(n int) int {
			if most := 4 * runtime.NumCPU(); n > most {
				panic(fmt.Sprintf("runtime.GOMAXPROCS(%d): more than %d threads for %d processors would slow the "+
					"session down", n, most, runtime.NumCPU()))
			}
			return parallel.SetProcessors(n)
		},
		"NumGoroutine": func() int { return e.Engine.GoroutineCount() + 1 },
		"SetFinalizer": setFinalizer(e),
		"Breakpoint":   unavailable[func()]("runtime.Breakpoint", "no debugger is there to take it"),
	})
}

// mostThreads is how many threads cells may hold: the process ends when it has 10,000.
const mostThreads = 1000

// threads counts the calls of LockOSThread that hold a thread.
type threads struct{ held atomic.Int64 }

func newThreads() *threads { return new(threads) }

// lockThread counts a goroutine's locks as long as the goroutine lives.
func lockThread(e *env.Env) func() {
	held := env.State(e, newThreads)
	return func() {
		if held.held.Load() >= mostThreads {
			panic(fmt.Sprintf("runtime.LockOSThread: cells hold %d threads already; the process ends when it has too "+
				"many", mostThreads))
		}
		held.held.Add(1)
		runtime.LockOSThread()
	}
}

func unlockThread(e *env.Env) func() {
	held := env.State(e, newThreads)
	return func() {
		if held.held.Load() > 0 {
			held.held.Add(-1)
		}
		runtime.UnlockOSThread()
	}
}

func patchDebug(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"SetMaxStack":     func(n int) int { return n }, // the engine's limit stands
		"SetTraceback":    func(string) {},              // "crash" would end the process by a signal
		"SetPanicOnFault": func(bool) bool { return false },
		"SetMaxThreads":   unavailable[func(int) int]("debug.SetMaxThreads", "the process ends when it has more"),
		"WriteHeapDump": unavailable[func(uintptr)]("debug.WriteHeapDump",
			"it stops everything, the reader of its output included"),
		"SetMemoryLimit": func(n int64) int64 { return debug.SetMemoryLimit(-1) }, // the session's budget stands
	})
}

func patchOS(e *env.Env, t env.Table) {
	in, out, errs := e.OpenFiles()
	t.Set(map[string]any{
		"Exit": func(code int) { e.Engine.Exit(fmt.Sprintf("os.Exit(%d) ended the cell; the session goes on", code)) },
		"NewFile": func(fd uintptr, name string) *os.File {
			if f := e.File(fd); f != nil {
				return f
			}
			panic(fmt.Sprintf("os.NewFile cannot be used in a cell for descriptor %d: it may be the session's own",
				fd))
		},
		"ReadFile": readFile,
		"FindProcess": func(pid int) (*os.Process, error) {
			if pid == os.Getpid() {
				return nil, errors.New("os: this process is the session's own")
			}
			return os.FindProcess(pid)
		},
	})
	if out != nil && errs != nil {
		t["Stdout"], t["Stderr"] = reflect.ValueOf(out).Elem(), reflect.ValueOf(errs).Elem()
	}
	if in != nil {
		t["Stdin"] = reflect.ValueOf(in).Elem()
	}
}

// readFile is os.ReadFile.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		rt.Len(int(info.Size()), 1)
	}
	return readAll("os.ReadFile", env.Interruptible(f))
}

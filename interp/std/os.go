package std

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime/debug"

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
		"NumGoroutine": func() int { return e.Engine.GoroutineCount() + 1 },
		"SetFinalizer": unavailable[func(any, any)]("runtime.SetFinalizer", "its misuse ends the process"),
		"Breakpoint":   unavailable[func()]("runtime.Breakpoint", "no debugger is there to take it"),
	})
}

func patchDebug(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"SetMaxStack":     func(n int) int { return n }, // the engine's limit stands
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
	return io.ReadAll(env.Interruptible(f))
}

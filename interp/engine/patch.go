package engine

import (
	"fmt"
	"io"
	"log"
	"reflect"
	"strings"
	"time"

	"gotorch/interp/rt"
)

// patches are the names of compiled packages that mean something else to a
// cell than to a program: the session's streams, ways to end the process, waits
// that an interrupt must end, sizes that must be checked, and functions that
// look at a value's type.
var patches = map[string]func(e *Engine, t map[string]reflect.Value){
	"fmt": func(e *Engine, t map[string]reflect.Value) {
		out, in := writer{e, false}, reader{e}
		set(t, map[string]any{
			"Print":    func(a ...any) (int, error) { return fmt.Fprint(out, rt.Args(a)...) },
			"Println":  func(a ...any) (int, error) { return fmt.Fprintln(out, rt.Args(a)...) },
			"Printf":   func(f string, a ...any) (int, error) { f, a = rt.Format(f, a); return fmt.Fprintf(out, f, a...) },
			"Sprint":   func(a ...any) string { return fmt.Sprint(rt.Args(a)...) },
			"Sprintln": func(a ...any) string { return fmt.Sprintln(rt.Args(a)...) },
			"Sprintf":  func(f string, a ...any) string { f, a = rt.Format(f, a); return fmt.Sprintf(f, a...) },
			"Errorf":   func(f string, a ...any) error { f, a = rt.Format(f, errorArgs(a)); return fmt.Errorf(f, a...) },
			"Fprint":   func(w io.Writer, a ...any) (int, error) { return fmt.Fprint(e.target(w), rt.Args(a)...) },
			"Fprintln": func(w io.Writer, a ...any) (int, error) { return fmt.Fprintln(e.target(w), rt.Args(a)...) },
			"Fprintf": func(w io.Writer, f string, a ...any) (int, error) {
				f, a = rt.Format(f, a)
				return fmt.Fprintf(e.target(w), f, a...)
			},
			"Append":   func(b []byte, a ...any) []byte { return fmt.Append(b, rt.Args(a)...) },
			"Appendln": func(b []byte, a ...any) []byte { return fmt.Appendln(b, rt.Args(a)...) },
			"Appendf":  func(b []byte, f string, a ...any) []byte { f, a = rt.Format(f, a); return fmt.Appendf(b, f, a...) },
			"Scan":     func(a ...any) (int, error) { return fmt.Fscan(in, raw(a)...) },
			"Scanln":   func(a ...any) (int, error) { return fmt.Fscanln(in, raw(a)...) },
			"Scanf":    func(f string, a ...any) (int, error) { return fmt.Fscanf(in, f, raw(a)...) },
			"Sscan":    func(s string, a ...any) (int, error) { return fmt.Sscan(s, raw(a)...) },
			"Sscanln":  func(s string, a ...any) (int, error) { return fmt.Sscanln(s, raw(a)...) },
			"Sscanf":   func(s, f string, a ...any) (int, error) { return fmt.Sscanf(s, f, raw(a)...) },
			"Fscan":    func(r io.Reader, a ...any) (int, error) { return fmt.Fscan(r, raw(a)...) },
			"Fscanln":  func(r io.Reader, a ...any) (int, error) { return fmt.Fscanln(r, raw(a)...) },
			"Fscanf":   func(r io.Reader, f string, a ...any) (int, error) { return fmt.Fscanf(r, f, raw(a)...) },
		})
	},
	"encoding/json": patchJSON,
	"text/template": patchTemplate,
	"errors":        func(e *Engine, t map[string]reflect.Value) { set(t, map[string]any{"As": e.rt.ErrorsAs}) },
	"os": func(e *Engine, t map[string]reflect.Value) {
		e.stdout.open(e)
		set(t, map[string]any{"Exit": func(code int) { e.exit(fmt.Sprintf("os.Exit(%d) ended the cell; the session goes on", code)) }})
		if e.stdout.out != nil && e.stdout.err != nil {
			t["Stdout"], t["Stderr"] = reflect.ValueOf(&e.stdout.out.w).Elem(), reflect.ValueOf(&e.stdout.err.w).Elem()
		}
	},
	"log": func(e *Engine, t map[string]reflect.Value) {
		l := log.New(writer{e, true}, "", log.LstdFlags)
		fatal := func(s string) {
			l.Output(3, s)
			e.exit("log.Fatal ended the cell; the session goes on")
		}
		set(t, map[string]any{
			"Default": func() *log.Logger { return l },
			"Fatal":   func(a ...any) { fatal(fmt.Sprint(a...)) },
			"Fatalln": func(a ...any) { fatal(fmt.Sprintln(a...)) },
			"Fatalf":  func(f string, a ...any) { fatal(fmt.Sprintf(f, a...)) },
			"Print":   l.Print, "Println": l.Println, "Printf": l.Printf,
			"Panic": l.Panic, "Panicln": l.Panicln, "Panicf": l.Panicf,
			"Flags": l.Flags, "SetFlags": l.SetFlags, "Prefix": l.Prefix, "SetPrefix": l.SetPrefix,
			"Writer": l.Writer, "SetOutput": l.SetOutput, "Output": l.Output,
		})
	},
	"time": func(e *Engine, t map[string]reflect.Value) {
		set(t, map[string]any{"Sleep": func(d time.Duration) {
			timer := time.NewTimer(d)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-e.stopped():
			}
		}})
	},
	"sync": func(e *Engine, t map[string]reflect.Value) {
		t["Mutex"], t["RWMutex"], t["WaitGroup"] = reflect.ValueOf((*Mutex)(nil)), reflect.ValueOf((*RWMutex)(nil)), reflect.ValueOf((*WaitGroup)(nil))
	},
	"strings": func(e *Engine, t map[string]reflect.Value) {
		set(t, map[string]any{"Repeat": func(s string, n int) string { rt.Len(max(n, 0), len(s)); return strings.Repeat(s, n) }})
	},
	"runtime/debug": func(e *Engine, t map[string]reflect.Value) {
		set(t, map[string]any{
			"SetMaxStack":     func(n int) int { return n }, // the engine's limit stands
			"SetPanicOnFault": func(bool) bool { return false },
		})
	},
	"runtime": func(e *Engine, t map[string]reflect.Value) {
		set(t, map[string]any{"NumGoroutine": func() int { return len(e.Goroutines()) + 1 }})
	},
}

func set(t map[string]reflect.Value, fs map[string]any) {
	for name, f := range fs {
		t[name] = reflect.ValueOf(f)
	}
}

// raw is for functions that store through pointers.
func raw(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = rt.Raw(a)
	}
	return out
}

// errorArgs makes errors of boxes that are errors, so that %w can wrap them.
func errorArgs(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = rt.AsError(a)
	}
	return out
}

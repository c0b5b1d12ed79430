package yaegi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"reflect"
	"runtime/debug"
	"sort"
	"strings"
	"time"

	"gotorch/interp/rt"
)

// More patches: what would end the process or take from the session what it
// needs itself.

// refuse is a function that cells cannot have.
func refuse[F any](name, why string) any {
	t := reflect.TypeFor[F]()
	return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
		panic(fmt.Sprintf("%s cannot be used in a cell: %s", name, why))
	}).Interface()
}

func (e *Engine) patchRuntime(t map[string]reflect.Value) {
	set(t, map[string]any{
		"Goexit":       goexit,
		"NumGoroutine": func() int { return len(e.Goroutines()) + 1 },
		"SetFinalizer": refuse[func(any, any)]("runtime.SetFinalizer", "its misuse ends the process"),
		"Breakpoint":   refuse[func()]("runtime.Breakpoint", "no debugger is there to take it"),
	})
}

func (e *Engine) patchDebug(t map[string]reflect.Value) {
	set(t, map[string]any{
		"SetMaxStack":     func(n int) int { return n }, // the engine's limit stands
		"SetPanicOnFault": func(bool) bool { return false },
		"SetMaxThreads":   refuse[func(int) int]("debug.SetMaxThreads", "the process ends when it has more"),
		"WriteHeapDump":   refuse[func(uintptr)]("debug.WriteHeapDump", "it stops everything, the reader of its output included"),
		"SetMemoryLimit":  func(n int64) int64 { return debug.SetMemoryLimit(-1) }, // the session's budget stands
	})
}

func (e *Engine) patchOS(t map[string]reflect.Value) {
	e.stdout.open(e)
	set(t, map[string]any{
		"Exit": func(code int) { e.exit(fmt.Sprintf("os.Exit(%d) ended the cell; the session goes on", code)) },
		"NewFile": func(fd uintptr, name string) *os.File {
			switch fd {
			case 0:
				return e.stdout.in
			case 1:
				return e.stdout.out.w
			case 2:
				return e.stdout.err.w
			}
			panic(fmt.Sprintf("os.NewFile cannot be used in a cell for descriptor %d: it may be the session's own", fd))
		},
		"ReadFile": e.readFile,
		"FindProcess": func(pid int) (*os.Process, error) {
			if pid == os.Getpid() {
				return nil, errors.New("os: this process is the session's own")
			}
			return os.FindProcess(pid)
		},
	})
	if e.stdout.out != nil && e.stdout.err != nil {
		t["Stdout"], t["Stderr"] = reflect.ValueOf(&e.stdout.seen.out).Elem(), reflect.ValueOf(&e.stdout.seen.err).Elem()
	}
	if e.stdout.in != nil {
		t["Stdin"] = reflect.ValueOf(&e.stdout.seen.in).Elem()
	}
}

// Logger is log.Logger for cells: Fatal ends the cell, not the process.
type Logger struct {
	*log.Logger
	e *Engine
}

func (l *Logger) fatal(text string) {
	l.Logger.Output(3, text)
	l.e.exit("log.Fatal ended the cell; the session goes on")
}

// Print, Println and Printf print, as fmt's functions do in cells.
func (l *Logger) Print(a ...any)   { l.Logger.Output(2, text(a)) }
func (l *Logger) Println(a ...any) { l.Logger.Output(2, line(a)) }
func (l *Logger) Printf(f string, a ...any) {
	l.Logger.Output(2, formatted(f, a))
}

// Panic, Panicln and Panicf print and panic.
func (l *Logger) Panic(a ...any)   { l.panic(text(a)) }
func (l *Logger) Panicln(a ...any) { l.panic(line(a)) }
func (l *Logger) Panicf(f string, a ...any) {
	l.panic(formatted(f, a))
}

func (l *Logger) panic(text string) {
	l.Logger.Output(3, text)
	panic(text)
}

// Fatal, Fatalln and Fatalf print and end the cell.
func (l *Logger) Fatal(a ...any)   { l.fatal(text(a)) }
func (l *Logger) Fatalln(a ...any) { l.fatal(line(a)) }
func (l *Logger) Fatalf(f string, a ...any) {
	l.fatal(formatted(f, a))
}

func text(a []any) string { return fmt.Sprint(rt.Args(a)...) }
func line(a []any) string { return fmt.Sprintln(rt.Args(a)...) }

func formatted(f string, a []any) string {
	f, a = rt.Format(f, a)
	return fmt.Sprintf(f, a...)
}

// SetOutput says where the logger writes; nil is nowhere.
func (l *Logger) SetOutput(w io.Writer) {
	if w == nil {
		w = io.Discard
	}
	l.Logger.SetOutput(l.e.target(w))
}

func (e *Engine) patchLog(t map[string]reflect.Value) {
	l := e.log()
	t["Logger"] = reflect.ValueOf((*Logger)(nil))
	set(t, map[string]any{
		"New": func(w io.Writer, prefix string, flag int) *Logger {
			return &Logger{log.New(e.target(w), prefix, flag), e}
		},
		"Default": func() *Logger { return l },
		"Fatal":   l.Fatal, "Fatalln": l.Fatalln, "Fatalf": l.Fatalf,
		"Print": l.Print, "Println": l.Println, "Printf": l.Printf,
		"Panic": l.Panic, "Panicln": l.Panicln, "Panicf": l.Panicf,
		"Flags": l.Flags, "SetFlags": l.SetFlags, "Prefix": l.Prefix, "SetPrefix": l.SetPrefix,
		"Writer": l.Writer, "SetOutput": l.SetOutput, "Output": l.Output,
	})
}

func (e *Engine) patchTime(t map[string]reflect.Value) {
	set(t, map[string]any{
		"Sleep":     sleep,
		"AfterFunc": e.AfterFunc,
	})
}

func (e *Engine) patchContext(t map[string]reflect.Value) {
	set(t, map[string]any{"AfterFunc": func(ctx context.Context, f func()) func() bool {
		return context.AfterFunc(ctx, e.timer(f))
	}})
}

// AfterFunc is time.AfterFunc for functions of cells.
func (e *Engine) AfterFunc(d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, e.timer(f))
}

// timer makes of f what a timer calls: it runs as a goroutine of the cell that runs then, and prints under the one that made the timer.
func (e *Engine) timer(f func()) func() {
	streams := e.streamsHere()
	return func() { e.child(func() { me().streams = streams; f() })() }
}

func (e *Engine) patchSync(t map[string]reflect.Value) {
	t["Mutex"], t["RWMutex"], t["WaitGroup"] = reflect.ValueOf((*Mutex)(nil)), reflect.ValueOf((*RWMutex)(nil)), reflect.ValueOf((*WaitGroup)(nil))
	t["Once"], t["Cond"] = reflect.ValueOf((*Once)(nil)), reflect.ValueOf((*Cond)(nil))
	set(t, map[string]any{
		"NewCond":  NewCond,
		"OnceFunc": func(f func()) func() { o := new(Once); return func() { o.Do(f) } },
	})
}

// patchSort makes the sorts that call back leave at an interrupt.
func (e *Engine) patchSort(t map[string]reflect.Value) {
	set(t, map[string]any{
		"Slice": func(x any, less func(i, j int) bool) {
			stoppable(func(stop func()) { sort.Slice(x, func(i, j int) bool { stop(); return less(i, j) }) })
		},
		"SliceStable": func(x any, less func(i, j int) bool) {
			stoppable(func(stop func()) { sort.SliceStable(x, func(i, j int) bool { stop(); return less(i, j) }) })
		},
		"Sort":   func(x sort.Interface) { stoppable(func(stop func()) { sort.Sort(watched{x, stop}) }) },
		"Stable": func(x sort.Interface) { stoppable(func(stop func()) { sort.Stable(watched{x, stop}) }) },
		"Ints":   func(x []int) { sortInPieces(x) }, "Float64s": func(x []float64) { sortInPieces(x) }, "Strings": func(x []string) { sortInPieces(x) },
	})
}

type watched struct {
	sort.Interface
	stop func()
}

func (w watched) Less(i, j int) bool { w.stop(); return w.Interface.Less(i, j) }

// stopping is what stoppable's argument panics with.
type stopping struct{}

// stoppable runs compiled code that calls back; what it is given to call ends
// it when the run is stopped.
func stoppable(f func(stop func())) {
	c := here()
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(stopping); !ok {
				panic(v)
			}
			give()
		}
	}()
	f(func() {
		select {
		case <-c:
			panic(stopping{})
		default:
		}
	})
}

func (e *Engine) patchBufio(t map[string]reflect.Value) {
	set(t, map[string]any{
		"NewReader":     func(r io.Reader) *bufio.Reader { return bufio.NewReader(e.source(r)) },
		"NewReaderSize": func(r io.Reader, n int) *bufio.Reader { return bufio.NewReaderSize(e.source(r), rt.Len(n, 1)) },
		"NewScanner":    func(r io.Reader) *bufio.Scanner { return bufio.NewScanner(e.source(r)) },
		"NewWriterSize": func(w io.Writer, n int) *bufio.Writer { return bufio.NewWriterSize(w, rt.Len(n, 1)) },
	})
}

func (e *Engine) patchIO(t map[string]reflect.Value) {
	set(t, map[string]any{
		"ReadAll":  func(r io.Reader) ([]byte, error) { return io.ReadAll(e.source(r)) },
		"ReadFull": func(r io.Reader, b []byte) (int, error) { return io.ReadFull(e.source(r), b) },
		"Copy":     func(w io.Writer, r io.Reader) (int64, error) { return io.Copy(e.target(w), e.source(r)) },
		"CopyN":    func(w io.Writer, r io.Reader, n int64) (int64, error) { return io.CopyN(e.target(w), e.source(r), n) },
	})
}

func (e *Engine) patchSizes(t map[string]reflect.Value) {
	if t["MakeSlice"].IsValid() { // reflect
		size := func(x reflect.Type) int { return max(1, int(x.Elem().Size())) }
		set(t, map[string]any{
			"MakeSlice": func(x reflect.Type, n, c int) reflect.Value {
				rt.Len(max(n, c), size(x))
				return reflect.MakeSlice(x, n, c)
			},
			"MakeChan": func(x reflect.Type, n int) reflect.Value { return reflect.MakeChan(x, rt.Len(n, size(x))) },
			"MakeMapWithSize": func(x reflect.Type, n int) reflect.Value {
				return reflect.MakeMapWithSize(x, rt.Len(max(n, 0), 2*size(x)))
			},
			"ArrayOf": func(n int, x reflect.Type) reflect.Type { return reflect.ArrayOf(rt.Len(n, max(1, int(x.Size()))), x) },
		})
		return
	}
	set(t, map[string]any{
		"Repeat": func(s []byte, n int) []byte { rt.Len(max(n, 0), len(s)); return bytes.Repeat(s, n) },
		"Join": func(list [][]byte, sep []byte) []byte {
			rt.Fits("bytes.Join", joined(list, len(sep)))
			return bytes.Join(list, sep)
		},
		"Replace": func(s, old, new []byte, n int) []byte {
			rt.Fits("bytes.Replace", replaced(len(s), len(old), len(new), n, func() int { return bytes.Count(s, old) }))
			return bytes.Replace(s, old, new, n)
		},
		"ReplaceAll": func(s, old, new []byte) []byte {
			rt.Fits("bytes.ReplaceAll", replaced(len(s), len(old), len(new), -1, func() int { return bytes.Count(s, old) }))
			return bytes.ReplaceAll(s, old, new)
		},
	})
}

func (e *Engine) patchStrings(t map[string]reflect.Value) {
	set(t, map[string]any{
		"Repeat": func(s string, n int) string { rt.Len(max(n, 0), len(s)); return strings.Repeat(s, n) },
		"Join": func(list []string, sep string) string {
			rt.Fits("strings.Join", joined(list, len(sep)))
			return strings.Join(list, sep)
		},
		"Replace": func(s, old, new string, n int) string {
			rt.Fits("strings.Replace", replaced(len(s), len(old), len(new), n, func() int { return strings.Count(s, old) }))
			return strings.Replace(s, old, new, n)
		},
		"ReplaceAll": func(s, old, new string) string {
			rt.Fits("strings.ReplaceAll", replaced(len(s), len(old), len(new), -1, func() int { return strings.Count(s, old) }))
			return strings.ReplaceAll(s, old, new)
		},
		"Map": func(f func(rune) rune, s string) (out string) {
			stoppable(func(stop func()) { out = strings.Map(func(r rune) rune { stop(); return f(r) }, s) })
			return out
		},
	})
}

// joined is how many bytes a Join makes.
func joined[T string | []byte](list []T, sep int) int {
	n := sep * max(0, len(list)-1)
	for _, x := range list {
		n += len(x)
	}
	return n
}

// replaced is how many bytes a Replace makes, 0 where these are few.
func replaced(s, old, new, n int, count func() int) int {
	if s+1 < 1<<20/max(new, 1) && s < 1<<20 {
		return 0
	}
	k := count()
	if n >= 0 {
		k = min(k, n)
	}
	return s + k*(new-old)
}

package yaegi

import (
	"fmt"
	"io"
	"reflect"

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
	"os":            (*Engine).patchOS,
	"flag":          (*Engine).patchFlag,
	"log":           (*Engine).patchLog,
	"encoding/gob":  (*Engine).patchGob,
	"encoding/xml":  (*Engine).patchXML,
	"log/slog":      (*Engine).patchSlog,
	"time":          (*Engine).patchTime,
	"context":       (*Engine).patchContext,
	"sync":          (*Engine).patchSync,
	"sort":          (*Engine).patchSort,
	"strings":       (*Engine).patchStrings,
	"bytes":         (*Engine).patchSizes,
	"reflect":       (*Engine).patchSizes,
	"bufio":         (*Engine).patchBufio,
	"io":            (*Engine).patchIO,
	"runtime":       (*Engine).patchRuntime,
	"runtime/debug": (*Engine).patchDebug,
}

// patched gives a package's names as cells see them.
func (e *Engine) patched(path string, table map[string]reflect.Value) {
	own(path, table)
	if patch := patches[path]; patch != nil {
		patch(e, table)
	}
	if names := packed[path]; names != nil {
		set(table, names(e))
	}
	e.waitsIn(path, table)
}

// own gives cells variables of their own in place of a compiled package's, so that io.EOF = nil harms no compiled code. os.Args is the one that
// the session itself sets.
func own(path string, t map[string]reflect.Value) {
	for name, v := range t {
		if v.CanSet() && (path != "os" || name != "Args") {
			c := reflect.New(v.Type()).Elem()
			c.Set(v)
			t[name] = c
		}
	}
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

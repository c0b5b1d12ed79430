package std

import (
	"fmt"
	"io"
	"reflect"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// patchFmt: package fmt of cells writes to and reads from the session's streams and knows the types that cells
// declare.
func patchFmt(e *env.Env, t env.Table) {
	out, in := e.Stdout(), e.Stdin()
	t.Set(map[string]any{
		"Print": func(a ...any) (int, error) {
			defer rt.Printing("fmt.Print", a)()
			return fmt.Fprint(out, rt.Args(a)...)
		},
		"Println": func(a ...any) (int, error) {
			defer rt.Printing("fmt.Println", a)()
			return fmt.Fprintln(out, rt.Args(a)...)
		},
		"Printf": func(f string, a ...any) (int, error) {
			defer rt.PrintingBy("fmt.Printf", f, a)()
			f, a = rt.Format(f, a)
			return fmt.Fprintf(out, f, a...)
		},
		"Sprint": func(a ...any) string {
			return rt.Sprint("fmt.Sprint", a)
		},
		"Sprintln": func(a ...any) string {
			return rt.Sprintln("fmt.Sprintln", a)
		},
		"Sprintf": func(f string, a ...any) string {
			return rt.Sprintf("fmt.Sprintf", f, a)
		},
		"Errorf": func(f string, a ...any) error {
			defer rt.PrintingBy("fmt.Errorf", f, a)()
			f, a = rt.Format(f, errorArgs(a))
			return fmt.Errorf(f, a...)
		},
		"Fprint": func(w io.Writer, a ...any) (int, error) {
			defer rt.Printing("fmt.Fprint", a)()
			return fmt.Fprint(e.Target(w), rt.Args(a)...)
		},
		"Fprintln": func(w io.Writer, a ...any) (int, error) {
			defer rt.Printing("fmt.Fprintln", a)()
			return fmt.Fprintln(e.Target(w), rt.Args(a)...)
		},
		"Fprintf": func(w io.Writer, f string, a ...any) (int, error) {
			defer rt.PrintingBy("fmt.Fprintf", f, a)()
			f, a = rt.Format(f, a)
			return fmt.Fprintf(e.Target(w), f, a...)
		},
		"Append": func(b []byte, a ...any) []byte {
			defer rt.Printing("fmt.Append", a)()
			return fmt.Append(b, rt.Args(a)...)
		},
		"Appendln": func(b []byte, a ...any) []byte {
			defer rt.Printing("fmt.Appendln", a)()
			return fmt.Appendln(b, rt.Args(a)...)
		},
		"Appendf": func(b []byte, f string, a ...any) []byte {
			defer rt.PrintingBy("fmt.Appendf", f, a)()
			f, a = rt.Format(f, a)
			return fmt.Appendf(b, f, a...)
		},
		"Scan":    func(a ...any) (int, error) { return fmt.Fscan(in, raw(a)...) },
		"Scanln":  func(a ...any) (int, error) { return fmt.Fscanln(in, raw(a)...) },
		"Scanf":   func(f string, a ...any) (int, error) { return fmt.Fscanf(in, f, raw(a)...) },
		"Sscan":   func(s string, a ...any) (int, error) { return fmt.Sscan(s, raw(a)...) },
		"Sscanln": func(s string, a ...any) (int, error) { return fmt.Sscanln(s, raw(a)...) },
		"Sscanf":  func(s, f string, a ...any) (int, error) { return fmt.Sscanf(s, f, raw(a)...) },
		"Fscan":   func(r io.Reader, a ...any) (int, error) { return fmt.Fscan(r, raw(a)...) },
		"Fscanln": func(r io.Reader, a ...any) (int, error) { return fmt.Fscanln(r, raw(a)...) },
		"Fscanf":  func(r io.Reader, f string, a ...any) (int, error) { return fmt.Fscanf(r, f, raw(a)...) },
	})
}

// raw is for functions that scan: they store through pointers, or call a method Scan.
func raw(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		if b, ok := rt.Norm(a).(rt.Box); ok && b.T.Has("Scan", "func(fmt.ScanState,int32)(error)") {
			out[i] = scanned{b}
			continue
		}
		out[i] = rt.Raw(a)
	}
	return out
}

// scanned is a value whose type, a cell's, has a method Scan.
type scanned struct{ b rt.Box }

func (s scanned) Scan(state fmt.ScanState, verb rune) error {
	results := s.b.Bind("Scan").Call([]reflect.Value{reflect.ValueOf(&state).Elem(), reflect.ValueOf(verb)})
	err, _ := results[0].Interface().(error)
	return err
}

// errorArgs turns boxes whose types are errors into errors, so that %w can wrap them.
func errorArgs(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = rt.AsError(a)
	}
	return out
}

package std

import (
	"encoding"
	"errors"
	"flag"
	"io"
	"os"
	"reflect"
	"time"

	"gotorch/interp/std/env"
)

// FlagSet is flag.FlagSet for cells: wrong flags end the cell, not the process.
type FlagSet struct {
	*flag.FlagSet
	e    *env.Env
	kind flag.ErrorHandling
}

func newFlagSet(e *env.Env, name string, kind flag.ErrorHandling) *FlagSet {
	f := &FlagSet{flag.NewFlagSet(name, flag.ContinueOnError), e, kind}
	f.FlagSet.SetOutput(e.Stderr())
	return f
}

// Init sets the name and what wrong flags do.
func (f *FlagSet) Init(name string, kind flag.ErrorHandling) {
	f.FlagSet.Init(name, flag.ContinueOnError)
	f.kind = kind
}

// ErrorHandling is what wrong flags do.
func (f *FlagSet) ErrorHandling() flag.ErrorHandling { return f.kind }

// SetOutput says where messages are written; nil is standard error.
func (f *FlagSet) SetOutput(w io.Writer) {
	if w == nil {
		w = f.e.Stderr()
	}
	f.FlagSet.SetOutput(f.e.Target(w))
}

// Parse reads flags from a list of arguments.
func (f *FlagSet) Parse(arguments []string) error {
	err := f.FlagSet.Parse(arguments)
	switch {
	case err == nil || f.kind == flag.ContinueOnError:
		return err
	case f.kind == flag.PanicOnError:
		panic(err)
	case errors.Is(err, flag.ErrHelp):
		f.e.Engine.Exit("os.Exit(0) ended the cell, after the flags; the session goes on")
	default:
		f.e.Engine.Exit("os.Exit(2) ended the cell: " + err.Error())
	}
	return err
}

// Var defines a flag whose value is of a cell's type.
func (f *FlagSet) Var(v flag.Value, name, use string) { f.FlagSet.Var(flagValue{v}, name, use) }

// flagValue is a value of a cell's type. Package flag asks the zero value of a flag's type for its text, which
// without a value inside is empty.
type flagValue struct{ flag.Value }

func (v flagValue) String() string {
	if v.Value == nil {
		return ""
	}
	return v.Value.String()
}

// renew forgets a flag: a cell that runs again defines it again.
func (f *FlagSet) renew(name string) {
	if f.Lookup(name) == nil {
		return
	}
	old := f.FlagSet
	f.FlagSet = flag.NewFlagSet(old.Name(), flag.ContinueOnError)
	f.FlagSet.SetOutput(old.Output())
	f.Usage = old.Usage
	old.VisitAll(func(g *flag.Flag) {
		if g.Name != name {
			f.FlagSet.Var(g.Value, g.Name, g.Usage)
		}
	})
}

// patchFlag gives cells their own command line. The functions of package flag are those of its set.
func patchFlag(e *env.Env, t env.Table) {
	f := newFlagSet(e, os.Args[0], flag.ExitOnError)
	usage := func() {
		io.WriteString(f.Output(), "Usage of "+os.Args[0]+":\n")
		f.PrintDefaults()
	}
	f.Usage = func() { usage() }
	t["FlagSet"], t["Usage"] = reflect.ValueOf((*FlagSet)(nil)), reflect.ValueOf(&usage).Elem()
	t["CommandLine"] = reflect.ValueOf(&f).Elem()
	t.Set(map[string]any{
		"NewFlagSet": func(name string, kind flag.ErrorHandling) *FlagSet { return newFlagSet(e, name, kind) },
		"Parse":      func() { f.Parse(os.Args[1:]) },
		"Parsed":     func() bool { return f.Parsed() }, "PrintDefaults": func() { f.PrintDefaults() },
		"Arg": func(i int) string { return f.Arg(i) }, "Args": func() []string { return f.Args() },
		"NArg": func() int { return f.NArg() }, "NFlag": func() int { return f.NFlag() },
		"Lookup": func(name string) *flag.Flag { return f.Lookup(name) },
		"Set":    func(name, value string) error { return f.Set(name, value) },
		"Visit":  func(do func(*flag.Flag)) { f.Visit(do) }, "VisitAll": func(do func(*flag.Flag)) { f.VisitAll(do) },

		"Bool":    func(name string, v bool, use string) *bool { f.renew(name); return f.Bool(name, v, use) },
		"Int":     func(name string, v int, use string) *int { f.renew(name); return f.Int(name, v, use) },
		"Int64":   func(name string, v int64, use string) *int64 { f.renew(name); return f.Int64(name, v, use) },
		"Uint":    func(name string, v uint, use string) *uint { f.renew(name); return f.Uint(name, v, use) },
		"Uint64":  func(name string, v uint64, use string) *uint64 { f.renew(name); return f.Uint64(name, v, use) },
		"Float64": func(name string, v float64, use string) *float64 { f.renew(name); return f.Float64(name, v, use) },
		"String":  func(name string, v string, use string) *string { f.renew(name); return f.String(name, v, use) },
		"Duration": func(name string, v time.Duration, use string) *time.Duration {
			f.renew(name)
			return f.Duration(name, v, use)
		},

		"BoolVar":  func(p *bool, name string, v bool, use string) { f.renew(name); f.BoolVar(p, name, v, use) },
		"IntVar":   func(p *int, name string, v int, use string) { f.renew(name); f.IntVar(p, name, v, use) },
		"Int64Var": func(p *int64, name string, v int64, use string) { f.renew(name); f.Int64Var(p, name, v, use) },
		"UintVar":  func(p *uint, name string, v uint, use string) { f.renew(name); f.UintVar(p, name, v, use) },
		"Uint64Var": func(p *uint64, name string, v uint64,
			use string) {
			f.renew(name)
			f.Uint64Var(p, name, v, use)
		},
		"Float64Var": func(p *float64, name string, v float64,
			use string) {
			f.renew(name)
			f.Float64Var(p, name, v, use)
		},
		"StringVar": func(p *string, name string, v string,
			use string) {
			f.renew(name)
			f.StringVar(p, name, v, use)
		},
		"DurationVar": func(p *time.Duration, name string, v time.Duration, use string) {
			f.renew(name)
			f.DurationVar(p, name, v, use)
		},

		"Var":      func(v flag.Value, name, use string) { f.renew(name); f.Var(v, name, use) },
		"Func":     func(name, use string, fn func(string) error) { f.renew(name); f.Func(name, use, fn) },
		"BoolFunc": func(name, use string, fn func(string) error) { f.renew(name); f.BoolFunc(name, use, fn) },
		"TextVar": func(p encoding.TextUnmarshaler, name string, v encoding.TextMarshaler, use string) {
			f.renew(name)
			f.TextVar(p, name, v, use)
		},
	})
}

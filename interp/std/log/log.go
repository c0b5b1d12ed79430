// Package log is log for cells: Fatal ends the cell and not the process, and what cells print goes to the session's
// streams.
package log

import (
	"io"
	"log"
	"reflect"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// Patch is package log for cells.
var Patch = env.Patch{Names: names}

// New returns a logger of cells that stands on l.
func New(e *env.Env, l *log.Logger) *Logger { return &Logger{l, e} }

// Default is the cells' own standard logger.
func Default(e *env.Env) *Logger {
	return env.State(e, func() *Logger { return New(e, log.New(e.Stderr(), "", log.LstdFlags)) })
}

// Logger is log.Logger for cells: Fatal ends the cell, not the process.
type Logger struct {
	*log.Logger
	e *env.Env
}

func (l *Logger) fatal(text string) {
	l.Logger.Output(3, text)
	l.e.Engine.Exit("log.Fatal ended the cell; the session goes on")
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

func text(a []any) string                { return rt.Sprint("log.Print", a) }
func line(a []any) string                { return rt.Sprintln("log.Println", a) }
func formatted(f string, a []any) string { return rt.Sprintf("log.Printf", f, a) }

// SetOutput says where the logger writes; nil is nowhere.
func (l *Logger) SetOutput(w io.Writer) {
	if w == nil {
		w = io.Discard
	}
	l.Logger.SetOutput(l.e.Target(w))
}

func names(e *env.Env, t env.Table) {
	l := Default(e)
	t["Logger"] = reflect.ValueOf((*Logger)(nil))
	t.Set(map[string]any{
		"New": func(w io.Writer, prefix string, flag int) *Logger {
			return &Logger{log.New(e.Target(w), prefix, flag), e}
		},
		"Default": func() *Logger { return l },
		"Fatal":   l.Fatal, "Fatalln": l.Fatalln, "Fatalf": l.Fatalf,
		"Print": l.Print, "Println": l.Println, "Printf": l.Printf,
		"Panic": l.Panic, "Panicln": l.Panicln, "Panicf": l.Panicf,
		"Flags": l.Flags, "SetFlags": l.SetFlags, "Prefix": l.Prefix, "SetPrefix": l.SetPrefix,
		"Writer": l.Writer, "SetOutput": l.SetOutput, "Output": l.Output,
	})
}

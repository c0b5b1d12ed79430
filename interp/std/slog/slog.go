// Package slog is log/slog for cells: a default logger of the session's own, and handlers that write to the session's
// streams and see the methods of the types that cells declare.
package slog

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/std/log"
)

// Patch is package log/slog for cells.
var Patch = env.Patch{Names: names}

// sessionLog is what package slog's default is to a session: the cells' own log, until they set another.
type sessionLog struct {
	e      *env.Env
	logger atomic.Pointer[slog.Logger]
	level  *slog.LevelVar // of the default, as long as nothing else was set
}

// names gives cells their own default logger, and handlers that write to the session's streams and see the methods of
// cells' types.
func names(e *env.Env, t env.Table) {
	s := ofSession(e)
	attrs := func(f func(l *slog.Logger, ctx context.Context, level slog.Level, msg string, args ...any),
		level slog.Level) any {
		return func(msg string, args ...any) { f(s.logger.Load(), context.Background(), level, msg, args...) }
	}
	with := func(f func(l *slog.Logger, ctx context.Context, level slog.Level, msg string, args ...any),
		level slog.Level) any {
		return func(ctx context.Context, msg string, args ...any) { f(s.logger.Load(), ctx, level, msg, args...) }
	}
	put := (*slog.Logger).Log
	t.Set(map[string]any{
		"New":     newSlog,
		"Default": func() *slog.Logger { return s.logger.Load() }, "SetDefault": s.set,
		"With":  func(args ...any) *slog.Logger { return s.logger.Load().With(args...) },
		"Debug": attrs(put, slog.LevelDebug), "DebugContext": with(put, slog.LevelDebug),
		"Info": attrs(put, slog.LevelInfo), "InfoContext": with(put, slog.LevelInfo),
		"Warn": attrs(put, slog.LevelWarn), "WarnContext": with(put, slog.LevelWarn),
		"Error": attrs(put, slog.LevelError), "ErrorContext": with(put, slog.LevelError),
		"Log": func(ctx context.Context, level slog.Level, msg string, args ...any) {
			s.logger.Load().Log(ctx, level, msg, args...)
		},
		"LogAttrs": func(ctx context.Context, level slog.Level, msg string, as ...slog.Attr) {
			s.logger.Load().LogAttrs(ctx, level, msg, as...)
		},
		"SetLogLoggerLevel": func(l slog.Level) slog.Level { old := s.level.Level(); s.level.Set(l); return old },
		"NewTextHandler": func(w io.Writer, o *slog.HandlerOptions) *slog.TextHandler {
			return slog.NewTextHandler(e.Sink(w), o)
		},
		"NewJSONHandler": func(w io.Writer, o *slog.HandlerOptions) *slog.JSONHandler {
			return slog.NewJSONHandler(e.Sink(w), o)
		},
		"NewLogLogger": func(h slog.Handler, level slog.Level) *log.Logger {
			return log.New(e, slog.NewLogLogger(boxHandler{h}, level))
		},
	})
}

func ofSession(e *env.Env) *sessionLog {
	return env.State(e, func() *sessionLog {
		s := &sessionLog{e: e, level: new(slog.LevelVar)}
		s.logger.Store(newSlog(&logHandler{e: e, level: s.level}))
		return s
	})
}

// set makes l the default; package log writes to it from then on, as in a program.
func (s *sessionLog) set(l *slog.Logger) {
	if l == nil {
		panic(rt.NilError{})
	}
	s.logger.Store(l)
	if b, ok := l.Handler().(boxHandler); ok {
		if _, ok := b.Handler.(*logHandler); ok {
			return
		}
	}
	std := log.Default(s.e)
	std.Logger.SetOutput(slog.NewLogLogger(l.Handler(), slog.LevelInfo).Writer())
	std.SetFlags(0)
}

func newSlog(h slog.Handler) *slog.Logger {
	if h == nil {
		panic("nil Handler")
	}
	return slog.New(boxHandler{h})
}

// boxHandler returns a handler values of cells' types in a form whose methods it sees. The place in the source that a
// record names is one of the interpreter's: it is left out.
type boxHandler struct{ slog.Handler }

func (h boxHandler) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, r.Message, 0)
	r.Attrs(func(a slog.Attr) bool { out.AddAttrs(attr(a)); return true })
	return h.Handler.Handle(ctx, out)
}

func (h boxHandler) WithAttrs(as []slog.Attr) slog.Handler {
	out := make([]slog.Attr, len(as))
	for i, a := range as {
		out[i] = attr(a)
	}
	return boxHandler{h.Handler.WithAttrs(out)}
}

func (h boxHandler) WithGroup(name string) slog.Handler { return boxHandler{h.Handler.WithGroup(name)} }

// logHandler writes records through the cells' own log: a level, the message and the attributes as text.
type logHandler struct {
	e     *env.Env
	level *slog.LevelVar
	with  []func(slog.Handler) slog.Handler // attributes and groups, in order
}

func (h *logHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level.Level() }

func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	var b bytes.Buffer
	var text slog.Handler = slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.Level(-1 << 30),
		ReplaceAttr: dropBuiltin})
	for _, f := range h.with {
		text = f(text)
	}
	out := slog.NewRecord(time.Time{}, r.Level, "", 0)
	r.Attrs(func(a slog.Attr) bool { out.AddAttrs(a); return true })
	if err := text.Handle(ctx, out); err != nil {
		return err
	}
	line := r.Level.String() + " " + r.Message
	if as := bytes.TrimSuffix(b.Bytes(), []byte("\n")); len(as) > 0 {
		line += " " + string(as)
	}
	return log.Default(h.e).Logger.Output(4, line)
}

// dropBuiltin leaves the level and the message out of a line: the log writes them before it.
func dropBuiltin(groups []string, a slog.Attr) slog.Attr {
	if _, own := a.Value.Any().(slog.Level); len(groups) == 0 &&
		(a.Key == slog.LevelKey && own || a.Key == slog.MessageKey && a.Value.String() == "") {
		return slog.Attr{}
	}
	return a
}

func (h *logHandler) and(f func(slog.Handler) slog.Handler) slog.Handler {
	return &logHandler{h.e, h.level, append(h.with[:len(h.with):len(h.with)], f)}
}

func (h *logHandler) WithAttrs(as []slog.Attr) slog.Handler {
	return h.and(func(t slog.Handler) slog.Handler { return t.WithAttrs(as) })
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	return h.and(func(t slog.Handler) slog.Handler { return t.WithGroup(name) })
}

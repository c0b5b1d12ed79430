// Package display shows things from inside a cell: a picture, a table, a text
// that changes while the cell runs. What it shows is a bundle of
// representations, by MIME type, of which the front end takes the richest that
// it knows. It knows neither tensors nor front ends: the session says where to.
package display

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

// Bundle is one thing in several representations. A value of Data is a string,
// a []byte, or what encoding/json takes; text/plain is always among them when a
// Bundle is made by [Of].
type Bundle struct {
	Data     map[string]any
	Metadata map[string]any

	text func(color bool) string
	all  func() map[string]any // makes the representations, where Data does not have them yet
}

// All are the representations by MIME type. Those of a view are made when they are first asked for: a terminal asks
// for the text alone.
func (b Bundle) All() map[string]any {
	if b.all != nil {
		return b.all()
	}
	return b.Data
}

// Lazy is a bundle whose representations are made when a sink asks for them.
func Lazy(text func(color bool) string, all func() map[string]any) Bundle {
	return Bundle{text: text, all: sync.OnceValue(all)}
}

// Stepper is what a user goes through step by step: a prompt shows one of them and goes on as keys say. Step i is
// text, in colour if color is set, and whole in itself.
type Stepper interface {
	Steps() int
	Step(i int, color bool) string
}

// Text is what a terminal shows of the bundle, in colour where it takes some.
func (b Bundle) Text(color bool) string {
	if b.text != nil {
		return b.text(color)
	}
	if s, ok := b.Data["text/plain"].(string); ok {
		return s
	}
	return textOf(b.Data["text/plain"])
}

// Text is a bundle of plain text alone.
func Text(s string) Bundle { return Bundle{Data: map[string]any{"text/plain": s}} }

// Bundler is what displays itself.
type Bundler interface{ MIMEBundle() map[string]any }

// Of returns the bundle of a value: its own if it has a method MIMEBundle, else its text, as a cell shows it that ends
// with the value. A string is its own text.
func Of(v any) Bundle {
	switch v := v.(type) {
	case Bundle:
		return v
	case string:
		return Text(v)
	case Bundler:
		data := v.MIMEBundle()
		if _, ok := data["text/plain"]; !ok {
			with := map[string]any{"text/plain": textOf(v)}
			for k, x := range data {
				with[k] = x
			}
			data = with
		}
		b := Bundle{Data: data}
		if t, ok := v.(interface{ Text(color bool) string }); ok {
			b.text = t.Text
		}
		return b
	}
	return Text(textOf(v))
}

// Result is the bundle of a value that a cell ends with: [Of], but a string is quoted.
func Result(v any) Bundle {
	if s, ok := v.(string); ok {
		return Text(textOf(s))
	}
	return Of(v)
}

// Sink is where things are shown: a notebook, a terminal, a test.
type Sink interface {
	// Display shows a bundle. A non-empty id lets Update change it.
	Display(id string, b Bundle)

	// Update replaces what the displays of that id show.
	Update(id string, b Bundle)

	// Clear takes the cell's output away, at once or, with wait, when the
	// next output comes.
	Clear(wait bool)
}

// stdout is the sink of a program: the text, on standard output.
type stdout struct{}

func (stdout) Display(_ string, b Bundle)   { fmt.Fprintln(os.Stdout, b.Text(false)) }
func (s stdout) Update(id string, b Bundle) { s.Display(id, b) }
func (stdout) Clear(bool)                   {}

func current() Sink {
	if s := CurrentHost().Sink(); s != nil {
		return s
	}
	return stdout{}
}

// Current is the sink of the cell that runs.
func Current() Sink { return current() }

// Manner is how a sink shows what changes.
type Manner int

const (
	Lines    Manner = iota // what changes is shown once more, below: a file, a pipe
	Terminal               // the last line can be written over, after a \r
	InPlace                // Update changes what was shown: a notebook
)

// MannerOf returns the manner of a sink, which says it by a method Manner. One
// that stands for another (by a method Inner) has the manner of that.
func MannerOf(s Sink) Manner {
	for s != nil {
		if m, ok := s.(interface{ Manner() Manner }); ok {
			return m.Manner()
		}
		in, ok := s.(interface{ Inner() Sink })
		if !ok {
			break
		}
		s = in.Inner()
	}
	return Lines
}

// Redirect runs f; what it shows goes to the sink, what it prints to out. In a
// program without a session only f runs.
func Redirect(to Sink, out io.Writer, f func()) { CurrentHost().Redirect(to, out, f) }

func textOf(v any) string { return CurrentHost().Text(v) }

// Rich is [Of], but a value that a session shows in a way of its own, as a
// tensor's card, is shown so.
func Rich(v any) Bundle {
	b := rich(v)
	return Bundle{Data: b.All(), Metadata: b.Metadata, text: b.text}
}

// rich is [Rich] with the representations of a view not made yet.
func rich(v any) Bundle {
	if b, ok := CurrentHost().Rich(v); ok {
		return b
	}
	if v, ok := v.(view); ok {
		return Lazy(v.Text, v.MIMEBundle)
	}
	return Of(v)
}

// view is what is drawn in several forms.
type view interface {
	Bundler
	Text(color bool) string
	HTML() string
	SVG() string
}

// Handle is something shown that can be changed.
type Handle struct {
	id   string
	sink Sink
	soon Soon
}

// Sink is where it is shown.
func (h *Handle) Sink() Sink { return h.sink }

// ID is the name by which a front end knows the display.
func (h *Handle) ID() string { return h.id }

// Update shows v in place of what the handle showed.
func (h *Handle) Update(v any) { h.sink.Update(h.id, rich(v)) }

var ids atomic.Uint64

// Live is a value that goes on changing what it shows. It is told where it was
// shown, and changes that through the handle.
type Live interface{ Shown(h *Handle) }

// Show shows a value, as the end of a cell does, and returns a handle that can change it. The handle also works from
// other goroutines and later cells.
func Show(v any) *Handle {
	h := &Handle{id: "gotorch-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatUint(ids.Add(1), 10), sink: current()}
	h.sink.Display(h.id, rich(v))
	if l, ok := v.(Live); ok {
		l.Shown(h)
	}
	return h
}

// Display shows values, one after the other, each as the end of a cell does.
func Display(vs ...any) {
	for _, v := range vs {
		if _, ok := v.(Live); ok {
			Show(v)
			continue
		}
		current().Display("", rich(v))
	}
}

// HTML is HTML to show.
func HTML(s string) Bundle {
	return Bundle{Data: map[string]any{"text/html": s, "text/plain": "HTML"}}
}

// Markdown is Markdown to show.
func Markdown(s string) Bundle {
	return Bundle{Data: map[string]any{"text/markdown": s, "text/plain": s}}
}

// SVG is a picture to show.
func SVG(s string) Bundle {
	return Bundle{Data: map[string]any{"image/svg+xml": s, "text/plain": "SVG"}}
}

// PNG is a picture to show, as the bytes of its file.
func PNG(data []byte) Bundle {
	return Bundle{Data: map[string]any{"image/png": data, "text/plain": "PNG"}}
}

// Clear takes the cell's output away; with wait not before there is new.
func Clear(wait bool) { current().Clear(wait) }

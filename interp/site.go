package interp

import (
	"context"
	"io"
	"os"
	"sync/atomic"
	"time"

	"gotorch/internal/ask"
	"gotorch/interp/exportdata"
	"gotorch/interp/lower"
	"gotorch/interp/rt"
	"gotorch/interp/std"
	"gotorch/tensor"
	"gotorch/visualize"
	"gotorch/visualize/display"
	"gotorch/visualize/widgets"
)

// running is the session whose cell runs, or ran last: what tensor asks for
// places and display for a sink. Sessions of one process that run cells at the
// same time see each other's here.
var running atomic.Pointer[Session]

func init() {
	tensor.SetSite(func() tensor.Site {
		if s := running.Load(); s != nil {
			return s.site()
		}
		return tensor.Site{}
	})
	display.SetSink(func() display.Sink {
		if s := running.Load(); s != nil {
			if sink := s.sink.Load(); sink != nil {
				return *sink
			}
		}
		return nil
	})
	display.SetRedirect(func(to display.Sink, out io.Writer, f func()) {
		if s := running.Load(); s != nil {
			s.redirect(to, out, f)
			return
		}
		f()
	})
	display.SetRich(func(v any) (display.Bundle, bool) {
		switch v := v.(type) {
		case *tensor.Tensor:
			if v == nil {
				return display.Bundle{}, false
			}
			card := visualize.Card(v).MIMEBundle()
			delete(card, "image/svg+xml")           // of every tensor that ends a cell: nobody shows it beside the HTML
			return display.Bundle{Data: card}, true // a terminal shows the tensor's text alone, as at the end of a cell
		case rt.Box:
			return boxBundle(v), true
		}
		return display.Bundle{}, false
	})
	display.SetArgs(rt.Args)
	display.SetText(std.Text)
	display.SetAsk(func(prompt string, secret bool) (string, error) {
		if s := running.Load(); s != nil {
			return s.eng.Ask(prompt, secret)
		}
		return ask.Line(context.Background(), os.Stdin, os.Stdout, prompt, secret)
	})
	display.SetAfter(func(d time.Duration, f func()) *time.Timer {
		if s := running.Load(); s != nil {
			return s.eng.AfterFunc(d, f)
		}
		return time.AfterFunc(d, f)
	})
	widgets.SetParamNames(func(callee string) []string {
		if s := running.Load(); s != nil {
			return s.paramNames(callee)
		}
		return nil
	})
}

// boxBundle is a value of a type that a cell declares, by its method MIMEBundle if it has one.
func boxBundle(box rt.Box) display.Bundle {
	b := display.Of(box)
	if data, ok := box.Bundle(); ok {
		for k, x := range data {
			b.Data[k] = x
		}
	}
	return b
}

// site is the place of the statement that runs.
func (s *Session) site() tensor.Site {
	code := s.eng.Line()
	number, line := lower.Decode(code)
	site := tensor.Site{Line: line}
	if all := s.given.Load(); all != nil {
		if i := number - 1; i >= 0 && i < len(*all) {
			site.Cell, site.Name = (*all)[i].name, (*all)[i].assigns[code]
		}
	}
	return site
}

// barePackage is the package whose names cells write bare.
func barePackage() string {
	if exportdata.Has("gotorch/tensor") {
		return "gotorch/tensor"
	}
	return ""
}

package interp

import (
	"sync/atomic"

	"gotorch/interp/exportdata"
	"gotorch/interp/lower"
	"gotorch/tensor"
	"gotorch/visualize/display"
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

package shell

import (
	"context"
	"fmt"

	"gotorch/interp/result"
	"gotorch/visualize"
)

// timelineArgs is what %timeline takes.
const timelineArgs = "[--chrome FILE.json] EXPRESSION"

func timelineAround(run func()) (visualize.View, any) {
	t, panicked := visualize.RecordTimeline(run)
	if panicked != nil && len(t.Lanes) < 2 {
		return nil, panicked
	}
	return t, panicked
}

// timelineMagic shows what the host and the streams do while a cell runs, or writes it to a file.
func (s *Shell) timelineMagic(ctx context.Context, arg string, caption bool) ([]Value, *Error) {
	outputs, arg, ok := cutOutputs(arg, func(o string) bool { return o == "--chrome" }, nil)
	if !ok {
		return nil, usage("%%timeline %s", timelineArgs)
	}
	if len(outputs) == 0 {
		return s.Record(ctx, arg, captioned(timelineAround, caption), false)
	}
	if err := s.Restricted("%timeline --chrome"); err != nil {
		return nil, err
	}
	var t *visualize.StreamTimeline
	vals, err := s.Record(ctx, arg, func(run func()) (_ visualize.View, panicked any) {
		t, panicked = visualize.RecordTimeline(run)
		return nil, panicked
	}, false)
	if t == nil { // the cell does not compile
		return vals, err
	}
	for _, o := range outputs {
		if werr := visualize.WriteFile(o.file, t.Chrome); werr != nil {
			if err == nil {
				err = usage("%v", werr)
			}
			continue
		}
		n := 0
		for _, l := range t.Lanes {
			n += len(l.Spans)
		}
		vals = append(vals, result.Text(fmt.Sprintf("%s: %d spans", o.file, n))...)
	}
	return vals, err
}

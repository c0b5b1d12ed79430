package std

import (
	"gotorch/interp/rt"
	"gotorch/interp/task"
)

// Text is a value as a cell shows it: within the usual limits, and until the run that shows it is stopped: then it is
// nothing.
func Text(v any) (text string) {
	l := rt.Usual
	if task.Stop() == nil { // nobody could stop it: a pane of variables
		l.Scan = 1 << 20
	}
	task.Stoppable(func(check func()) {
		l.Look = check
		text = rt.ValueText(v, l, nil)
	})
	return text
}

package yaegi

import "gotorch/interp/rt"

// Halted says whether the run whose goroutine asks is to end.
func Halted() bool {
	select {
	case <-here():
		return true
	default:
		return false
	}
}

// Text is a value as a cell shows it: within the usual limits, and until the run that shows it is stopped:
// then it is nothing.
func Text(v any) (text string) {
	l := rt.Usual
	if here() == nil { // nobody could stop it: a pane of variables
		l.Scan = 1 << 20
	}
	stoppable(func(stop func()) {
		l.Look = stop
		text = l.Text(v)
	})
	return text
}

package tensor

import (
	"fmt"
	"strings"
)

// Error is what every operator panics with when its caller did something wrong. Any other panic out of the library is
// a bug.
type Error struct {
	Op   string // PyTorch's name of the operator: "add", "view"
	Arg  string // the argument that was wrong, "" where it is none in particular
	Msg  string // what was wrong, with the sizes
	Hint string // what would work, "" where nothing helps

	// Facts are the numbers behind Msg, from which package visualize draws a picture: a [BroadcastFacts], [ViewFacts] and
	// the like, nil where the text says all.
	Facts any
}

// Error gives the operator, what was wrong and the hint in one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	if e.Hint != "" {
		b.WriteString(" (")
		b.WriteString(e.Hint)
		b.WriteString(")")
	}
	return b.String()
}

// Errorf panics with an *Error of the operator op. It is for kernels and for packages that build on this one.
func Errorf(op, format string, args ...any) {
	panic(&Error{Op: op, Msg: fmt.Sprintf(format, args...)})
}

// Hintf panics with an *Error that has a hint.
func Hintf(op, hint, format string, args ...any) {
	panic(&Error{Op: op, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// failWith is Hintf with facts.
func failWith(facts any, op, hint, format string, args ...any) {
	panic(&Error{Op: op, Msg: fmt.Sprintf(format, args...), Hint: hint, Facts: facts})
}

// Try runs f and gives the *Error that it panicked with, if it did. Other panics go on.
func Try(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	f()
	return nil
}

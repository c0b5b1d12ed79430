package tensor

import (
	"fmt"
	"io/fs"
	"strings"
)

// Error is what every operator panics with when its caller did something wrong. Any other panic out of the library is
// a bug.
type Error struct {
	Op   string // PyTorch's name of the operator: "add", "view"
	Arg  string // the argument that was wrong, "" where it is none in particular
	Msg  string // what was wrong, with the sizes
	Hint string // what would work, "" where nothing helps

	// Details are the numbers behind Msg, from which package visualize draws a picture: a [BroadcastDetails],
	// [ViewDetails] and the like, nil where the text says all.
	Details any

	late bool // of work that was asked for before: operators that wait meanwhile are not to blame
}

// Late marks the error as one of work that was asked for earlier; it keeps its operator.
//
//gotorch:internal
func (e *Error) Late() *Error { e.late = true; return e }

// Error returns the operator, what was wrong and the hint in one line.
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

// Errorf is the error of the operator op with a formatted message. The caller panics with it:
//
//	panic(tensor.Errorf("clip", "lo %v is greater than hi %v", lo, hi).OnArg("lo").WithHint("exchange them"))
//
//gotorch:internal
func Errorf(op, format string, args ...any) *Error {
	for i, a := range args {
		args[i] = shortened(a)
	}
	return &Error{Op: shortened(op).(string), Msg: fmt.Sprintf(format, args...)}
}

// longText is how many bytes of a text an error shows whole; of a longer one it shows as many as textShown.
const (
	longText  = 1 << 16
	textShown = 80
)

// shortened is an argument of a message, with the beginning and the length of a text that is long: somebody's file
// name, say.
func shortened(arg any) any {
	switch a := arg.(type) {
	case string:
		if len(a) > longText {
			return fmt.Sprintf("%.*s… (%d bytes)", textShown, a, len(a))
		}
	case *fs.PathError:
		if len(a.Path) > longText {
			return &fs.PathError{Op: a.Op, Path: shortened(a.Path).(string), Err: a.Err}
		}
	}
	return arg
}

// OnArg sets which argument was wrong.
func (e *Error) OnArg(name string) *Error { e.Arg = name; return e }

// WithHint sets what would work.
func (e *Error) WithHint(hint string) *Error { e.Hint = shortened(hint).(string); return e }

// WithDetails sets the numbers behind the message.
func (e *Error) WithDetails(details any) *Error { e.Details = details; return e }

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

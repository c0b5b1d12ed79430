package std

import (
	"errors"
	"io"
	"reflect"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// patchErrors has errors.As know the types of cells, and errors.Join refuse what would be too long as a text: errors
// that are joined with themselves again and again.
func patchErrors(e *env.Env, t env.Table) {
	t.Set(map[string]any{"As": e.Runtime.ErrorsAs, "Join": func(errs ...error) error {
		err, joined := errors.Join(errs...), 0
		for _, x := range errs {
			if reflect.TypeOf(x) == joinType {
				joined++
			}
		}
		if joined > 1 { // one alone does not double
			rt.Fits("errors.Join", 8*leaves(err, map[error]int{}))
		}
		return err
	}})
}

var joinType = reflect.TypeOf(errors.Join(io.EOF))

// leaves is how many errors are joined in one, each as often as its text is written; of very many some.
func leaves(err error, known map[error]int) (n int) {
	if reflect.TypeOf(err) != joinType || len(known) > 100_000 {
		return 1
	}
	if n, ok := known[err]; ok {
		return n
	}
	known[err] = 1
	for _, x := range err.(interface{ Unwrap() []error }).Unwrap() {
		n = min(n+leaves(x, known), 1<<50)
	}
	known[err] = n
	return n
}

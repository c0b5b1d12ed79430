package std

import (
	"io"
	"text/tabwriter"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// widest is how wide a cell of a table, and the space around it, may be made: the writer writes so many blanks one by
// one.
const widest = 1 << 16

func checkWidths(name string, widths ...int) {
	for _, n := range widths {
		if n > widest {
			panic(rt.Fault(name + ": a width of " + rt.Count(n) + " is more than " + rt.Count(widest)))
		}
	}
}

func patchTabwriter(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"NewWriter": func(w io.Writer, minimum, tab, padding int, c byte, flags uint) *tabwriter.Writer {
			checkWidths("text/tabwriter.NewWriter", minimum, tab, padding)
			return tabwriter.NewWriter(w, minimum, tab, padding, c, flags)
		},
	})
}

var tabwriterMethods = map[string]func(*env.Env) any{
	"Writer.Init": func(*env.Env) any {
		return func(t *tabwriter.Writer, w io.Writer, minimum, tab, padding int, c byte,
			flags uint) *tabwriter.Writer {
			checkWidths("text/tabwriter.Writer.Init", minimum, tab, padding)
			return t.Init(w, minimum, tab, padding, c, flags)
		}
	},
}

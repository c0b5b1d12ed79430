package interp

import (
	"context"
	"fmt"
	"io"
	"strings"

	"gotorch/visualize"
)

// traceOptions are the files that %trace writes, by option.
var traceOptions = map[string]func(t *visualize.Trace) func(io.Writer) error{
	"-o":       func(t *visualize.Trace) func(io.Writer) error { return t.Write },
	"--chrome": func(t *visualize.Trace) func(io.Writer) error { return t.Chrome },
}

// traceArgs is what %trace takes.
const traceArgs = "[-o FILE.jsonl] [--chrome FILE.json] EXPRESSION"

// traceMagic shows the trace of a cell, or writes it to files.
func (s *Session) traceMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	type output struct{ option, file string }
	var outputs []output
	for {
		lead := arg[:len(arg)-len(strings.TrimLeft(arg, " \t\r\n"))]
		option, rest := cutWord(arg[len(lead):])
		if traceOptions[option] == nil {
			break
		}
		file, rest := cutWord(rest)
		if file == "" {
			return nil, usage("%%trace %s", traceArgs)
		}
		outputs = append(outputs, output{option, file})
		arg = lead + rest // lines keep their numbers
	}
	if arg = strings.TrimRight(arg, " \t\r\n"); strings.TrimSpace(arg) == "" {
		return nil, usage("%%trace %s", traceArgs)
	}
	if len(outputs) == 0 {
		return s.around(ctx, s.cellName(n), arg, viewMagic{around: traceAround})
	}
	var trace *visualize.Trace
	vals, err := s.around(ctx, s.cellName(n), arg, viewMagic{around: func(run func()) (visualize.View, any) {
		t, panicked := visualize.Record(run)
		trace = t
		return nil, panicked
	}})
	if trace == nil { // the cell does not compile
		return vals, err
	}
	for _, o := range outputs {
		if werr := visualize.WriteFile(o.file, traceOptions[o.option](trace)); werr != nil {
			if err == nil {
				err = usage("%v", werr)
			}
			continue
		}
		vals = append(vals, textValue(fmt.Sprintf("%s: %d events", o.file, trace.Count()-trace.More))...)
	}
	return vals, err
}

// cutWord takes the first word off a line, a quoted one whole; rest is what follows it, with the end of its line.
func cutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return s[1 : end+1], s[end+2:]
		}
	}
	if end := strings.IndexAny(s, " \t\r\n"); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

package shell

import (
	"context"
	"fmt"
	"io"
	"strings"

	"gotorch/interp/result"
	"gotorch/interp/split"
	"gotorch/visualize"
)

// traceOptions are the files that %trace writes, by option.
var traceOptions = map[string]func(t *visualize.Trace) func(io.Writer) error{
	"-o":       func(t *visualize.Trace) func(io.Writer) error { return t.Write },
	"--chrome": func(t *visualize.Trace) func(io.Writer) error { return t.Chrome },
}

// traceArgs is what %trace takes.
const traceArgs = "[--all] [-o FILE.jsonl] [--chrome FILE.json] EXPRESSION"

// allOption shows each call with its keys, however many they are.
const allOption = "--all"

// output is a file that an option names.
type output struct{ option, file string }

// cutOutputs takes options from the beginning of what was typed: those that name files, and those that are set in
// flags. It is false where what is left is nothing, or an option has no file.
func cutOutputs(arg string, named func(option string) bool, flags map[string]*bool) (outputs []output, rest string,
	ok bool) {
	for {
		lead := arg[:len(arg)-len(strings.TrimLeft(arg, " \t\r\n"))]
		option, rest := split.CutWord(arg[len(lead):])
		if set := flags[option]; set != nil {
			*set, arg = true, lead+rest
			continue
		}
		if !named(option) {
			break
		}
		file, rest := split.CutWord(rest)
		if file == "" {
			return nil, "", false
		}
		outputs = append(outputs, output{option, file})
		arg = lead + rest // lines keep their numbers
	}
	arg = strings.TrimRight(arg, " \t\r\n")
	return outputs, arg, strings.TrimSpace(arg) != ""
}

// traceMagic shows the trace of a cell, or writes it to files.
func (s *Shell) traceMagic(ctx context.Context, arg string, caption bool) ([]Value, *Error) {
	all := false
	outputs, arg, ok := cutOutputs(arg, func(o string) bool { return traceOptions[o] != nil },
		map[string]*bool{allOption: &all})
	if !ok {
		return nil, usage("%%trace %s", traceArgs)
	}
	if len(outputs) > 0 {
		if err := s.Restricted("%trace " + outputs[0].option); err != nil {
			return nil, err
		}
	} else {
		around := func(run func()) (visualize.View, any) { return traceAround(run, all) }
		return s.Record(ctx, arg, captioned(around, caption), false)
	}
	var trace *visualize.Trace
	vals, err := s.Record(ctx, arg, func(run func()) (visualize.View, any) {
		t, panicked := visualize.Record(run)
		trace = t
		return nil, panicked
	}, false)
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
		vals = append(vals, result.Text(fmt.Sprintf("%s: %d events", o.file, trace.Count()-trace.More))...)
	}
	return vals, err
}

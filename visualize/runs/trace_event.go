package runs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"gotorch/internal/bytesize"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: trace files. A trace file is text, a JSON object a line. A line with "op" is a call of an operator: calls
// have the numbers 0, 1, 2, …, in the order in which they began, and come in that order, each after the one that it
// was made by. A line with "worker" is the part of a goroutine in a loop, one with "end" the sum at the end, without
// which the file was cut off.

// fileCall is the line of a call.
type fileCall struct {
	ID     int  `json:"id"`
	Parent *int `json:"parent"` // null for calls of the function itself
	*TracedCall
	Inner []*TracedCall `json:"calls,omitempty"` // hides the tree of the call: parents are told by number
}

// fileLine is any line, as it is read.
type fileLine struct {
	ID     *int     `json:"id"`
	Op     *string  `json:"op"`
	Worker *int     `json:"worker"`
	End    *fileEnd `json:"end"`
}

// fileEnd is what the last line says.
type fileEnd struct {
	Calls     int    `json:"calls"`
	More      int    `json:"more,omitempty"`
	Nanos     int64  `json:"ns"`
	Recording int64  `json:"recording_ns"`
	Error     string `json:"error,omitempty"`
}

// Write writes the trace as lines of JSON, which [ReadTrace] reads: an object for each call, with its number, the
// number of the call around it, operator, arguments, dtypes and shapes, keys, times in nanoseconds, cell and line;
// then the work of goroutines, and the sum.
func (t *Trace) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	var err error
	n := 0
	put := func(v any) {
		if err == nil {
			err = e.Encode(v)
		}
	}
	var calls func(parent *int, list []*TracedCall)
	calls = func(parent *int, list []*TracedCall) {
		for _, c := range list {
			id := n
			n++
			put(fileCall{ID: id, Parent: parent, TracedCall: c})
			calls(&id, c.Inner)
		}
	}
	calls(nil, t.Calls)
	for _, s := range t.Spans {
		put(s)
	}
	put(map[string]fileEnd{"end": {n, t.More, t.Nanos, t.Recording, t.Error}})
	if err != nil {
		return err
	}
	return b.Flush()
}

// maxTraceLine is how long a line of a trace file may be.
const maxTraceLine = 4 << 20

// maxTraceCalls is how many calls of a file are read; more are counted.
const maxTraceCalls = 200_000

// ReadTrace reads what [Trace.Write] wrote. A file that was cut off after a whole line gives the calls that are
// there, and the trace's Error says so. Where a line is wrong the error tells its number.
func ReadTrace(r io.Reader) (*Trace, error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), maxTraceLine)
	f := traceFile{t: new(Trace)}
	for s.Scan() {
		f.line++
		line := bytes.TrimSpace(s.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := f.add(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", f.line, err)
		}
	}
	switch err := s.Err(); {
	case err == bufio.ErrTooLong:
		return nil, fmt.Errorf("line %d: longer than %s", f.line+1, bytesize.Text(maxTraceLine))
	case err != nil:
		return nil, err
	case f.line == 0:
		return nil, fmt.Errorf("line 1: there is nothing in the file")
	case !f.ended:
		f.t.Error = "the file ends before the trace does"
		for _, c := range f.calls {
			f.t.Nanos = max(f.t.Nanos, c.Start+c.Nanos)
		}
	}
	return f.t, nil
}

// traceFile is a file that is being read.
type traceFile struct {
	t     *Trace
	line  int
	calls []*TracedCall
	depth []int
	left  int // calls beyond maxTraceCalls
	ended bool
}

func (f *traceFile) add(line []byte) error {
	if f.ended {
		return fmt.Errorf("there is more after the end")
	}
	var l fileLine
	if err := json.Unmarshal(line, &l); err != nil {
		return fmt.Errorf("no event: %w", err)
	}
	switch {
	case l.Op != nil:
		return f.call(line)
	case l.Worker != nil:
		var s Span
		if err := json.Unmarshal(line, &s); err != nil {
			return fmt.Errorf("no worker: %w", err)
		}
		if s.Worker < 0 || s.Nanos < 0 || s.Start < 0 || s.Chunks < 0 || s.Call < 0 || s.Call >= len(f.calls)+f.left {
			return fmt.Errorf("the worker's numbers are out of range")
		}
		f.t.Spans = append(f.t.Spans, s)
	case l.End != nil:
		if l.End.Calls != len(f.calls)+f.left {
			return fmt.Errorf("the end speaks of %d calls, %d are there", l.End.Calls, len(f.calls)+f.left)
		}
		if l.End.More < 0 || l.End.Nanos < 0 || l.End.Recording < 0 {
			return fmt.Errorf("the end's numbers are negative")
		}
		f.ended = true
		f.t.More, f.t.Nanos, f.t.Recording, f.t.Error = l.End.More+f.left, l.End.Nanos, l.End.Recording,
			draw.Tidy(l.End.Error)
	default:
		return fmt.Errorf(`no event: it has neither "op" nor "worker" nor "end"`)
	}
	return nil
}

func (f *traceFile) call(line []byte) error {
	c := fileCall{ID: -1, TracedCall: new(TracedCall)}
	if err := json.Unmarshal(line, &c); err != nil {
		return fmt.Errorf("no call: %w", err)
	}
	c.TracedCall.tidy()
	id := len(f.calls) + f.left
	switch {
	case c.ID != id:
		return fmt.Errorf("call %d stands where call %d is expected", c.ID, id)
	case c.Op == "":
		return fmt.Errorf("a call without an operator")
	case c.Start < 0 || c.Nanos < 0 || c.Kernel < 0 || c.Bytes < 0 || c.Moved < 0:
		return fmt.Errorf("call %d: negative numbers", id)
	case c.Parent != nil && (*c.Parent < 0 || *c.Parent >= id):
		return fmt.Errorf("call %d: its parent %d does not come before it", id, *c.Parent)
	case len(f.calls) >= maxTraceCalls:
		f.left++
		return nil
	}
	depth := 0
	if p := c.Parent; p == nil {
		f.t.Calls = append(f.t.Calls, c.TracedCall)
	} else {
		depth = f.depth[*p] + 1
		if depth > 2*maxDepth {
			return fmt.Errorf("call %d: nested deeper than %d", id, 2*maxDepth)
		}
		around := f.calls[*p]
		around.Inner = append(around.Inner, c.TracedCall)
	}
	f.calls = append(f.calls, c.TracedCall)
	f.depth = append(f.depth, depth)
	return nil
}

// tidy tidies the strings of a call that was read: the file may come from anywhere.
func (c *TracedCall) tidy() {
	for _, s := range []*string{&c.Op, &c.Cell, &c.Func, &c.Of, &c.Note, &c.Error} {
		*s = draw.Tidy(*s)
	}
	for _, list := range []*[]string{&c.Args, &c.Keys, &c.Modes, &c.Modules, &c.Result} {
		*list = draw.TidyLists([][]string{*list})[0]
	}
	for i := range c.Steps {
		s := &c.Steps[i]
		s.Key, s.Kind, s.What, s.Left = draw.Tidy(s.Key), draw.Tidy(s.Kind), draw.Tidy(s.What), draw.Tidy(s.Left)
	}
	for _, list := range [][]Sized{c.Inputs, c.Outputs} {
		for i := range list {
			list[i].Dtype = draw.Tidy(list[i].Dtype)
		}
	}
}

// WriteFile makes a file, or empties it, and lets write fill it: t.Write or t.Chrome.
func WriteFile(name string, write func(io.Writer) error) error {
	f, err := createFile(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// createFile is tensor.CreateFile with an error that is returned.
func createFile(name string) (f *tensor.File, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *tensor.Error:
			err = v
		default:
			panic(v)
		}
	}()
	return tensor.CreateFile("write_file", name), nil
}

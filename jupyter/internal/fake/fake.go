// Package fake is a session with a language of a word a line, to try a kernel with.
package fake

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gotorch/jupyter"
)

// Session keeps values by name.
type Session struct {
	mu     sync.Mutex
	values map[string]string
}

// New returns an empty session.
func New() *Session { return &Session{values: map[string]string{}} }

func (s *Session) set(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[name] = value
}

// Info describes the language.
func (s *Session) Info() jupyter.Info {
	return jupyter.Info{
		Implementation: "fake", ImplementationVersion: "1.0", Banner: "a word a line",
		Language:  jupyter.Language{Name: "words", Version: "1.0", MimeType: "text/plain", FileExtension: ".words"},
		HelpLinks: []jupyter.HelpLink{{Text: "Jupyter", URL: "https://docs.jupyter.org"}},
	}
}

// run is what a command gets: the session, the cell's output, and what stands after the word.
type run struct {
	*Session
	ctx  context.Context
	out  jupyter.Output
	rest string
}

func (r run) number() int {
	n, _ := strconv.Atoi(strings.Fields(r.rest + " 0")[0])
	return n
}

// after is what stands after the first word of rest.
func (r run) after() string {
	_, text, _ := strings.Cut(r.rest, " ")
	return text
}

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// The words. A word that is not here fails with NameError.
var words = map[string]func(run) *jupyter.Failure{
	"print": func(r run) *jupyter.Failure { fmt.Fprintln(r.out.Stdout(), r.rest); return nil },
	"raw": func(r run) *jupyter.Failure {
		s, _ := strconv.Unquote(r.rest)
		fmt.Fprint(r.out.Stdout(), s)
		return nil
	},
	"err":    func(r run) *jupyter.Failure { fmt.Fprintln(r.out.Stderr(), r.rest); return nil },
	"many":   many,
	"swap":   swap,
	"big":    func(r run) *jupyter.Failure { fmt.Fprint(r.out.Stdout(), strings.Repeat("x", r.number())); return nil },
	"flood":  flood,
	"ticks":  ticks,
	"result": func(r run) *jupyter.Failure { r.out.Result(jupyter.Text(r.rest)); return nil },
	"html": func(r run) *jupyter.Failure {
		r.out.Display("", jupyter.Bundle{Data: map[string]any{"text/html": "<b>" + r.rest + "</b>", "text/plain": r.rest}})
		return nil
	},
	"image": image,
	"show": func(r run) *jupyter.Failure {
		r.out.Display(strings.Fields(r.rest)[0], jupyter.Text(r.after()))
		return nil
	},
	"update": func(r run) *jupyter.Failure {
		r.out.Update(strings.Fields(r.rest)[0], jupyter.Text(r.after()))
		return nil
	},
	"clear":  func(r run) *jupyter.Failure { r.out.Clear(r.rest == "wait"); return nil },
	"page":   func(r run) *jupyter.Failure { r.out.Page(jupyter.Text(r.rest)); return nil },
	"next":   func(r run) *jupyter.Failure { r.out.SetNextInput(r.rest, false); return nil },
	"sleep":  func(r run) *jupyter.Failure { return r.wait(time.Duration(r.number()) * time.Millisecond) },
	"loop":   func(r run) *jupyter.Failure { return r.wait(time.Hour) },
	"fail":   func(r run) *jupyter.Failure { return &jupyter.Failure{Name: "Failed", Value: r.rest} },
	"panic":  func(r run) *jupyter.Failure { panic(r.rest) },
	"late":   late,
	"input":  func(r run) *jupyter.Failure { return r.input(false) },
	"comm":   comm,
	"secret": func(r run) *jupyter.Failure { return r.input(true) },
	"set":    func(r run) *jupyter.Failure { r.set(strings.Fields(r.rest)[0], r.after()); return nil },
	"get": func(r run) *jupyter.Failure {
		b, _ := r.Look(r.rest)
		fmt.Fprintln(r.out.Stdout(), b.Data["text/plain"])
		return nil
	},
}

// comm sends a message: comm TYPE ID TARGET.
func comm(r run) *jupyter.Failure {
	f := strings.Fields(r.rest + " - -")
	if err := r.out.Comm(jupyter.CommMessage{Type: f[0], ID: f[1], Target: f[2], Data: map[string]string{"said": "hello"},
		Buffers: [][]byte{{0, 255}}}); err != nil {
		return &jupyter.Failure{Name: "CommError", Value: err.Error()}
	}
	return nil
}

// Comm knows the target echo: what is said over it is said back, with its buffers; "wait" says so, waits to be
// interrupted and shows an error then.
func (s *Session) Comm(ctx context.Context, m jupyter.CommMessage, out jupyter.Output) bool {
	if m.Type == "comm_open" {
		return m.Target == "echo"
	}
	if m.Type != "comm_msg" {
		return true
	}
	if text := string(m.Data.(json.RawMessage)); text == `"wait"` {
		out.Comm(jupyter.CommMessage{Type: "comm_msg", ID: m.ID, Data: "begun"})
		<-ctx.Done()
		out.Fail(&jupyter.Failure{Name: "Interrupted", Value: "in a comm"})
	} else if text == `"panic"` {
		panic("in a comm")
	}
	out.Comm(jupyter.CommMessage{Type: "comm_msg", ID: m.ID, Data: m.Data, Buffers: m.Buffers})
	return true
}

func many(r run) *jupyter.Failure {
	w := r.out.Stdout()
	for i := range r.number() {
		fmt.Fprintf(w, "%d\n", i)
	}
	return nil
}

func swap(r run) *jupyter.Failure {
	for i := range r.number() {
		fmt.Fprintf(r.out.Stdout(), "o%d\n", i)
		fmt.Fprintf(r.out.Stderr(), "e%d\n", i)
	}
	return nil
}

// flood prints so many lines of 1,000 bytes.
func flood(r run) *jupyter.Failure {
	line := []byte(strings.Repeat("x", 999) + "\n")
	for range r.number() {
		r.out.Stdout().Write(line)
	}
	return nil
}

func ticks(r run) *jupyter.Failure {
	for i := range 5 {
		fmt.Fprintln(r.out.Stdout(), "tick", i)
		if f := r.wait(200 * time.Millisecond); f != nil {
			return f
		}
	}
	return nil
}

func image(r run) *jupyter.Failure {
	png, _ := base64.StdEncoding.DecodeString(pixel)
	r.out.Display("", jupyter.Bundle{
		Data:     map[string]any{"image/png": png, "text/plain": "a pixel", "application/json": map[string]any{"w": 1}},
		Metadata: map[string]any{"image/png": map[string]any{"width": 1}},
	})
	return nil
}

func late(r run) *jupyter.Failure {
	n, text := r.number(), r.after()
	time.AfterFunc(time.Duration(n)*time.Millisecond, func() { fmt.Fprintln(r.out.Stdout(), text) })
	return nil
}

func (r run) wait(d time.Duration) *jupyter.Failure {
	select {
	case <-time.After(d):
		return nil
	case <-r.ctx.Done():
		return &jupyter.Failure{Name: "Interrupted", Value: "by the user"}
	}
}

func (r run) input(secret bool) *jupyter.Failure {
	s, err := r.out.Input(r.ctx, r.rest, secret)
	switch {
	case errors.Is(err, jupyter.ErrNoInput):
		return &jupyter.Failure{Name: "NoInput", Value: err.Error()}
	case err != nil:
		return &jupyter.Failure{Name: "Interrupted", Value: err.Error()}
	}
	fmt.Fprintln(r.out.Stdout(), "got", s)
	return nil
}

// Execute does the words of a cell, line by line.
func (s *Session) Execute(ctx context.Context, cell jupyter.Cell, out jupyter.Output) *jupyter.Failure {
	for line := range strings.Lines(cell.Code) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" || word == "{" || word == "}" {
			continue
		}
		f := words[word]
		if f == nil {
			return &jupyter.Failure{Name: "NameError", Value: word, Traceback: []string{"there is no word", word}}
		}
		if fail := f(run{s, ctx, out, rest}); fail != nil {
			return fail
		}
	}
	return nil
}

// Evaluate returns the value of a name.
func (s *Session) Evaluate(_ context.Context, expr string) (jupyter.Bundle, *jupyter.Failure) {
	if expr == "panic" {
		panic("evaluating")
	}
	b, ok := s.Look(expr)
	if !ok {
		return jupyter.Bundle{}, &jupyter.Failure{Name: "NameError", Value: expr}
	}
	return b, nil
}

// Complete lists the words that begin as the one before the cursor does.
func (s *Session) Complete(_ context.Context, code string, cursor int) jupyter.Completion {
	before := []rune(code)[:cursor]
	start := cursor
	for start > 0 && before[start-1] >= 'a' && before[start-1] <= 'z' {
		start--
	}
	prefix := string(before[start:])
	if prefix == "boom" {
		panic("completing")
	}
	c := jupyter.Completion{Start: start, End: cursor}
	for _, w := range []string{"page", "panic", "print"} {
		if strings.HasPrefix(w, prefix) {
			c.Matches = append(c.Matches, jupyter.Match{Text: w, Type: "function", Signature: "(text)"})
		}
	}
	return c
}

// Inspect knows the words.
func (s *Session) Inspect(_ context.Context, code string, cursor, detail int) (jupyter.Bundle, bool) {
	word := strings.Fields(code + " .")[0]
	if words[word] == nil {
		return jupyter.Bundle{}, false
	}
	return jupyter.Text(fmt.Sprintf("%s is a word (cursor %d, detail %d)", word, cursor, detail)), true
}

// Look knows the names that cells have set.
func (s *Session) Look(code string) (jupyter.Bundle, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.values[strings.TrimSpace(code)]
	return jupyter.Text(v), ok
}

// Variables lists what cells have set.
func (s *Session) Variables() []jupyter.Variable {
	s.mu.Lock()
	defer s.mu.Unlock()
	var vs []jupyter.Variable
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		vs = append(vs, jupyter.Variable{Name: name, Type: "word", Value: s.values[name], Shape: []int{len(s.values[name])},
			Dtype: "letters", Size: len(s.values[name])})
	}
	return vs
}

// Variable shows one.
func (s *Session) Variable(name string) (jupyter.Bundle, bool) { return s.Look(name) }

// IsComplete counts braces.
func (s *Session) IsComplete(code string) (jupyter.Completeness, string) {
	switch n := strings.Count(code, "{") - strings.Count(code, "}"); {
	case n > 0:
		return jupyter.Incomplete, strings.Repeat("  ", n)
	case n < 0:
		return jupyter.Invalid, ""
	}
	return jupyter.Complete, ""
}

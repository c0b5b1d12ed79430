package std

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"sync"
	"text/template"
	"text/template/parse"

	"gotorch/internal/lazyre"
	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Template is template.Template for cells: where a template asks for a method of a type that a cell declares, which
// it cannot see, the error says so.
type Template struct{ *template.Template }

// Execute applies a template to data.
func (t *Template) Execute(w io.Writer, data any) error {
	return execute(data, func(data any) error { return t.ready().Execute(leaving(w), data) })
}

// ExecuteTemplate applies the template of that name to data.
func (t *Template) ExecuteTemplate(w io.Writer, name string, data any) error {
	return execute(data, func(data any) error { return t.ready().ExecuteTemplate(leaving(w), name, data) })
}

// execute calls what applies a template to data. Where a channel is in the data, which a range may wait for, an
// interrupt leaves that alone.
func execute(data any, apply func(data any) error) (err error) {
	defer rt.Printing("template", []any{data})()
	if looks := 1000; hasChannel(reflect.ValueOf(data), &looks) {
		var ours error
		if !task.Detach(func() { ours = apply(rt.Raw(data)) }) {
			return errStopped
		}
		err = ours
	} else {
		err = apply(rt.Raw(data))
	}
	return explainTemplate(err, data)
}

var errStopped = errors.New("template: stopped")

// hasChannel reports whether there is a channel in a value, as far as that can be found in some looks.
func hasChannel(v reflect.Value, looks *int) bool {
	if *looks--; *looks < 0 || !v.IsValid() {
		return false
	}
	if v.CanInterface() {
		if b, ok := rt.Norm(v.Interface()).(rt.Box); ok {
			v = reflect.ValueOf(b.V)
		}
	}
	switch v.Kind() {
	case reflect.Chan:
		return true
	case reflect.Interface, reflect.Pointer:
		return hasChannel(v.Elem(), looks)
	case reflect.Struct:
		for i := range v.NumField() {
			if hasChannel(v.Field(i), looks) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && *looks > 0 && composite(v.Type().Elem()); i++ {
			if hasChannel(v.Index(i), looks) {
				return true
			}
		}
	case reflect.Map:
		release, ok := task.Reading(v.Pointer())
		if !ok || !composite(v.Type().Elem()) {
			return false
		}
		defer release()
		for r := v.MapRange(); *looks > 0 && r.Next(); {
			if hasChannel(r.Value(), looks) {
				return true
			}
		}
	}
	return false
}

// composite reports whether a value of a type may hold a channel.
func composite(t reflect.Type) bool {
	return t.Kind() > reflect.Complex128 && t.Kind() != reflect.String
}

// Note: templates that can be interrupted
//
// A range in a range in a range may go on for years without a call of a cell's code. What a template writes passes a
// writer that gives an error once the cell is stopped, which ends the template; and at the end of the body of each
// range and of each template an empty text is added, so that each of their rounds writes.

// ready is the template with these texts.
func (t *Template) ready() *template.Template {
	if t.Template == nil {
		return nil
	}
	rounds.Lock()
	defer rounds.Unlock()
	for _, x := range append(t.Template.Templates(), t.Template) {
		if x.Tree != nil {
			addRound(x.Tree.Root)
			addRounds(x.Tree.Root)
		}
	}
	return t.Template
}

// rounds is held while trees are changed.
var rounds sync.Mutex

// round is the text that is added.
var round = &parse.TextNode{NodeType: parse.NodeText}

func addRound(l *parse.ListNode) {
	if l != nil && !slices.Contains(l.Nodes, parse.Node(round)) {
		l.Nodes = append(l.Nodes, round)
	}
}

// addRounds adds the texts inside of a list.
func addRounds(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		var b *parse.BranchNode
		switch n := n.(type) {
		case *parse.RangeNode:
			b = &n.BranchNode
			addRound(b.List)
		case *parse.IfNode:
			b = &n.BranchNode
		case *parse.WithNode:
			b = &n.BranchNode
		default:
			continue
		}
		addRounds(b.List)
		addRounds(b.ElseList)
	}
}

// escapers are the functions of templates that make a text up to six times as long.
var escapers = template.FuncMap{
	"html":     escaper(template.HTMLEscaper),
	"js":       escaper(template.JSEscaper),
	"urlquery": escaper(template.URLQueryEscaper),
}

func escaper(f func(...any) string) func(...any) string {
	return func(args ...any) string {
		n := 0
		for _, a := range args {
			if v := reflect.ValueOf(a); v.Kind() == reflect.String {
				n += v.Len()
			}
		}
		if n >= 1<<20 {
			rt.Fits("template", 16*n) // six times as long, twice, and what grew to that
		}
		return f(args...)
	}
}

// leaver is a writer that fails when the cell is stopped.
type leaver struct {
	w      io.Writer
	writes int
}

// leaving makes one.
func leaving(w io.Writer) io.Writer { return &leaver{w: w} }

func (l *leaver) Write(b []byte) (int, error) {
	if l.writes++; l.writes&255 == 0 && task.Stopped() {
		return 0, errStopped
	}
	if len(b) == 0 {
		return 0, nil
	}
	return l.w.Write(b)
}

var noField = lazyre.New(`can't evaluate field (\w+) in type`)

func explainTemplate(err error, data any) error {
	if err == nil {
		return nil
	}
	m := noField.FindStringSubmatch(err.Error())
	if b, ok := rt.Norm(data).(rt.Box); ok && m != nil {
		if why := b.T.Hidden(m[1]); why != "" {
			return fmt.Errorf("%w: %s", err, why)
		}
	}
	return err
}

func wrapTemplate(t *template.Template, err error) (*Template, error) {
	if t == nil {
		return nil, err
	}
	return &Template{t}, err
}

// Functions that return a template return one of these.

func (t *Template) New(name string) *Template { return &Template{t.Template.New(name)} }

func (t *Template) Parse(text string) (*Template, error) {
	_, err := t.Template.Parse(text)
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Template) Funcs(m template.FuncMap) *Template { t.Template.Funcs(m); return t }

func (t *Template) Delims(left, right string) *Template { t.Template.Delims(left, right); return t }

func (t *Template) Option(opt ...string) *Template { t.Template.Option(opt...); return t }

func (t *Template) Clone() (*Template, error) { return wrapTemplate(t.Template.Clone()) }

func (t *Template) Lookup(name string) *Template {
	found, _ := wrapTemplate(t.Template.Lookup(name), nil)
	return found
}

func (t *Template) ParseFiles(names ...string) (*Template, error) {
	return templateFiles(t.Template, names...)
}

func (t *Template) ParseGlob(pattern string) (*Template, error) {
	return templateGlob(t.Template, pattern)
}

func (t *Template) ParseFS(f fs.FS, patterns ...string) (*Template, error) {
	return wrapTemplate(t.Template.ParseFS(f, patterns...))
}

func (t *Template) Templates() []*Template {
	var out []*Template
	for _, x := range t.Template.Templates() {
		out = append(out, &Template{x})
	}
	return out
}

func patchTemplate(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Template": (*Template)(nil),
		"New":      func(name string) *Template { return &Template{template.New(name).Funcs(escapers)} },
		"Must": func(t *Template, err error) *Template {
			if err != nil {
				panic(err)
			}
			return t
		},
		"ParseFiles": func(names ...string) (*Template, error) { return templateFiles(nil, names...) },
		"ParseGlob":  func(p string) (*Template, error) { return templateGlob(nil, p) },
		"ParseFS":    func(f fs.FS, p ...string) (*Template, error) { return wrapTemplate(template.ParseFS(f, p...)) },
	})
}

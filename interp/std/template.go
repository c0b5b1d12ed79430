package std

import (
	"fmt"
	"io"
	"io/fs"
	"text/template"

	"gotorch/internal/lazyre"
	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// Template is template.Template for cells: where a template asks for a method of a type that a cell declares, which
// it cannot see, the error says so.
type Template struct{ *template.Template }

// Execute applies a template to data.
func (t *Template) Execute(w io.Writer, data any) error {
	defer rt.Printing("template", []any{data})()
	return explainTemplate(t.Template.Execute(w, rt.Raw(data)), data)
}

// ExecuteTemplate applies the template of that name to data.
func (t *Template) ExecuteTemplate(w io.Writer, name string, data any) error {
	defer rt.Printing("template", []any{data})()
	return explainTemplate(t.Template.ExecuteTemplate(w, name, rt.Raw(data)), data)
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

// What returns a template returns one of these.

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
	return wrapTemplate(t.Template.ParseFiles(names...))
}

func (t *Template) ParseGlob(pattern string) (*Template, error) {
	return wrapTemplate(t.Template.ParseGlob(pattern))
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
		"New":      func(name string) *Template { return &Template{template.New(name)} },
		"Must": func(t *Template, err error) *Template {
			if err != nil {
				panic(err)
			}
			return t
		},
		"ParseFiles": func(names ...string) (*Template, error) { return wrapTemplate(template.ParseFiles(names...)) },
		"ParseGlob":  func(p string) (*Template, error) { return wrapTemplate(template.ParseGlob(p)) },
		"ParseFS":    func(f fs.FS, p ...string) (*Template, error) { return wrapTemplate(template.ParseFS(f, p...)) },
	})
}

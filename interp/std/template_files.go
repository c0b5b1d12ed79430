package std

import (
	"errors"
	"fmt"
	"path/filepath"
	"text/template"
)

// templateFiles is template.ParseFiles, and the method of t where that is not nil. The files are read as os.ReadFile
// for cells reads them: an interrupt ends that, and what is read must fit into memory.
func templateFiles(t *template.Template, names ...string) (*Template, error) {
	if len(names) == 0 {
		return wrapTemplate(nil, errors.New("template: no files named in call to ParseFiles"))
	}
	for _, name := range names {
		text, err := readFile(name)
		if err != nil {
			return wrapTemplate(nil, err)
		}
		base := filepath.Base(name)
		if t == nil {
			t = template.New(base)
		}
		of := t
		if base != t.Name() {
			of = t.New(base)
		}
		if _, err := of.Parse(string(text)); err != nil {
			return wrapTemplate(nil, err)
		}
	}
	return wrapTemplate(t, nil)
}

// templateGlob is template.ParseGlob, and the method of t where that is not nil.
func templateGlob(t *template.Template, pattern string) (*Template, error) {
	names, err := filepath.Glob(pattern)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("template: pattern matches no files: %#q", pattern)
	}
	if err != nil {
		return wrapTemplate(nil, err)
	}
	return templateFiles(t, names...)
}

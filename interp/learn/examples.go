package learn

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"gotorch/internal/ipynb"
)

// examplePictures are pictures of notebooks that there are anyway, by the notebook, from the folder of examples.
var examplePictures = map[string]string{
	"01-strides.ipynb":      "../docs/gallery/02-strides-1.svg",
	"02-autograd.ipynb":     "../docs/gallery/07-graph-1.svg",
	"03-picture.ipynb":      "harbor.svg",
	"gallery.ipynb":         "../docs/gallery/10-trace-1.svg",
	"learn/essay.ipynb":     "../docs/gallery/08-backward-1.svg",
	"training/1-line.ipynb": "../docs/gallery/21-plots-1.svg",
}

// coursePictures are those of the notebooks of a course.
var coursePictures = map[string]string{
	"strides":  "../docs/gallery/02-strides-2.svg",
	"add":      "../docs/gallery/11-table-1.svg",
	"autograd": "../docs/gallery/08-backward-2.svg",
	"numbers":  "../docs/gallery/16-bits-1.svg",
	"training": "../docs/gallery/21-plots-2.svg",
}

// ExamplesIndex is the page that lists all notebooks of the folder of examples, each with a sentence: that of a lesson
// says what it is about, that of another is the first of the notebook.
func (lib *Library) ExamplesIndex(examples fs.FS) (string, error) {
	var b strings.Builder
	b.WriteString("# Notebooks\n\nThey run with the kernel that `gotorch-repl install` makes known to Jupyter; " +
		"`gotorch-repl run FILE.ipynb` runs one without. `go test ./interp/learn -update` writes this list.\n")
	lessons := map[string]*Lesson{}
	for l := range lib.All() {
		lessons["learn/"+l.NotebookFile()] = l
	}
	section := func(title, picture string) {
		b.WriteString("\n## " + title + "\n\n")
		if picture != "" {
			fmt.Fprintf(&b, "![%s](%s)\n\n", title, picture)
		}
	}
	rows := func(pattern string) error {
		names, err := fs.Glob(examples, pattern) // sorted
		if err != nil {
			return err
		}
		for _, name := range names {
			title, sentence, err := about(examples, name, lessons[name])
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "- [%s](%s): %s\n", title, name, sentence)
			if p := examplePictures[name]; p != "" {
				fmt.Fprintf(&b, "\n  ![%s](%s)\n\n", title, p)
			}
		}
		return nil
	}
	section("Tours", "")
	if err := rows("*.ipynb"); err != nil {
		return "", err
	}
	section("The essay", "")
	if err := rows("learn/*.ipynb"); err != nil {
		return "", err
	}
	section("Training", "")
	if err := rows("training/*.ipynb"); err != nil {
		return "", err
	}
	section("Extending", "")
	if err := rows("extending/*.ipynb"); err != nil {
		return "", err
	}
	for _, c := range lib.Courses {
		section("Lessons: "+c.Title, coursePictures[c.Name])
		if err := rows("learn/" + c.Name + "/*.ipynb"); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// about is a notebook's title, and a sentence about it.
func about(examples fs.FS, name string, l *Lesson) (title, sentence string, err error) {
	if l != nil && len(l.Ideas) > 0 {
		ideas := strings.Join(l.Ideas, "; ")
		return l.Title, "about " + strings.ToLower(ideas[:1]) + ideas[1:] + ".", nil
	}
	text, err := fs.ReadFile(examples, name)
	if err != nil {
		return "", "", err
	}
	_, cells, err := ipynb.Parse(text)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", name, err)
	}
	title = strings.TrimSuffix(path.Base(name), ".ipynb")
	if len(cells) == 0 {
		return title, "", nil
	}
	head, rest, _ := strings.Cut(ipynb.Source(cells[0]), "\n")
	if t := strings.TrimLeft(head, "#"); strings.HasPrefix(t, " ") {
		title = t[1:]
	}
	if l != nil { // the first sentence of a lesson sets a scene
		return title, "a lesson of some " + fmt.Sprint(l.Minutes) + " minutes.", nil
	}
	rest = strings.Join(strings.Fields(rest), " ")
	if at := strings.Index(rest, ". "); at >= 0 {
		rest = rest[:at+1]
	}
	return title, strings.ToLower(rest[:min(1, len(rest))]) + rest[min(1, len(rest)):], nil
}

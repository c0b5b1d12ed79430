package learn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"gotorch/internal/ipynb"
)

// notebook collects cells of nbformat 4.5.
type notebook struct {
	id    string
	cells []any
}

func (n *notebook) add(kind, text string) map[string]any {
	c := map[string]any{"cell_type": kind, "id": fmt.Sprintf("%s-%d", n.id, len(n.cells)+1), "metadata": map[string]any{},
		"source": ipynb.Lines(strings.TrimSpace(text))}
	if kind == "code" {
		c["outputs"], c["execution_count"] = []any{}, nil
	}
	n.cells = append(n.cells, c)
	return c
}

func (n *notebook) bytes() []byte {
	nb := map[string]any{
		"cells": n.cells,
		"metadata": map[string]any{
			"kernelspec":    map[string]any{"display_name": "gotorch", "language": "go", "name": "gotorch"},
			"language_info": map[string]any{"name": "go", "file_extension": ".go", "mimetype": "text/x-go"},
		},
		"nbformat": 4, "nbformat_minor": 5,
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(nb); err != nil {
		panic(err) // texts and maps
	}
	return b.Bytes()
}

func newNotebook(l *Lesson) *notebook {
	return &notebook{id: strings.NewReplacer("/", "-", "_", "-").Replace(l.ID)}
}

// NotebookFile is where a lesson lies in a folder of notebooks: strides/01-storage.ipynb.
func (l *Lesson) NotebookFile() string {
	return strings.TrimSuffix(strings.TrimPrefix(l.File, "lessons/"), ".md") + ".ipynb"
}

// Notebook is a lesson as a notebook, whose cells have not been run.
func (lib *Library) Notebook(l *Lesson) []byte {
	n := newNotebook(l)
	text := "# " + l.Title + "\n\n"
	var prose []string
	flush := func() {
		if t := strings.TrimSpace(text + strings.Join(prose, "\n\n")); t != "" {
			n.add("markdown", t)
		}
		text, prose = "", nil
	}
	for _, s := range l.Steps {
		switch s.Kind {
		case Prose:
			prose = append(prose, s.Text)
		case Code:
			flush()
			c := n.add("code", s.Text)
			if s.Fails {
				c["metadata"] = map[string]any{"tags": []any{"raises-exception"}}
			}
		case Ask:
			prose = append(prose, s.Question.page())
		case Task:
			x := s.Exercise
			prose = append(prose, fmt.Sprintf("**Exercise.** Write `%[1]s`. The cell below it, `%%check %[1]s`, tries it on "+
				"%[2]d cases; `%%hint %[1]s` helps, `%%solution %[1]s` shows a solution.", x.Name, len(x.Cases)))
			flush()
			n.add("code", s.Exercise.Starter)
			n.add("code", "%check "+s.Exercise.Name)
		}
	}
	if next := lib.After(l); next != nil {
		prose = append(prose, "Next: *"+next.Title+"* ("+next.ID+").")
	}
	flush()
	return n.bytes()
}

// page is a question where nobody answers: the answer unfolds.
func (q *Question) page() string {
	var b strings.Builder
	b.WriteString("**Question.** " + q.Text + "\n\n")
	answer := "`" + q.Answer + "`."
	for i, c := range q.Choices {
		b.WriteString("- " + letter(i) + ") " + c.Text + "\n")
		if c.Right {
			answer = letter(i) + "). " + c.Why
		}
	}
	b.WriteString("\n<details><summary>Answer</summary>\n\n" + strings.TrimSpace(answer+" "+q.Why) + "\n\n</details>")
	return b.String()
}

// SummaryNotebook is a lesson with what the learner typed in it, each cell beneath the prose that it followed.
func SummaryNotebook(l *Lesson, r *Record) []byte {
	n := newNotebook(l)
	n.add("markdown", "# "+l.Title+"\n\nWhat you typed in the lesson "+l.ID+".")
	var prose []string
	for i, s := range l.Steps {
		switch s.Kind {
		case Prose:
			prose = append(prose, s.Text)
			continue
		case Ask:
			prose = append(prose, s.Question.Markdown())
		case Task:
			prose = append(prose, "**Exercise.** Write `"+s.Exercise.Name+"`.")
		}
		var typed []Typed
		for _, t := range r.Typed {
			if t.Step == i {
				typed = append(typed, t)
			}
		}
		if len(prose) > 0 {
			n.add("markdown", strings.Join(prose, "\n\n"))
			prose = nil
		}
		for _, t := range typed {
			if answer, ok := strings.CutPrefix(t.Text, "%answer "); ok {
				n.add("markdown", "Your answer: `"+answer+"`"+map[bool]string{true: " (not so)", false: " (right)"}[t.Failed])
				continue
			}
			c := n.add("code", t.Text)
			if t.Failed {
				c["metadata"] = map[string]any{"tags": []any{"raises-exception"}}
			}
		}
	}
	if len(prose) > 0 {
		n.add("markdown", strings.Join(prose, "\n\n"))
	}
	return n.bytes()
}

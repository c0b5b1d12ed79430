package learn

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Page is a lesson as a page of documentation: its prose, its cells and what they showed, by step. Where a cell showed
// pictures, the text is folded.
func (lib *Library) Page(l *Lesson, outputs map[int]Output) string {
	var b strings.Builder
	picture := 0
	b.WriteString("# " + l.Title + "\n\n")
	if lib.byID[l.ID] == nil { // a page that is no lesson
		fmt.Fprintf(&b, "*%d cells, some %d minutes.*\n", l.Cells(), l.Minutes)
	} else {
		fmt.Fprintf(&b, "*Lesson `%[1]s`: %[2]d cells, some %[3]d minutes. `gotorch-repl learn %[1]s` runs it.*\n", l.ID,
			l.Cells(), l.Minutes)
	}
	for i, s := range l.Steps {
		b.WriteByte('\n')
		switch s.Kind {
		case Prose:
			b.WriteString(s.Text + "\n")
		case Code:
			b.WriteString("```go\n" + s.Text + "\n```\n")
			out := outputs[i]
			for range out.Pictures {
				picture++
				up := strings.Repeat("../", strings.Count(path.Clean(pageFile(l)), "/"))
				fmt.Fprintf(&b, "\n![%s](%s%s)\n", s.pictured(), up, pictureFile(l, picture))
			}
			if out.Text == "" {
				break
			}
			text := "```text\n" + out.Text + "\n```\n"
			if s.Varies {
				text = varies + "\n" + text
			}
			if len(out.Pictures) > 0 {
				text = "<details><summary>As text</summary>\n\n" + text + "\n</details>\n"
			}
			b.WriteString("\n" + text)
		case Ask:
			b.WriteString(s.Question.page() + "\n")
		case Task:
			x := s.Exercise
			fmt.Fprintf(&b, "**Exercise.** Write `%s`; in the lesson `%%check` tries it on %d cases.\n\n```go\n%s\n```\n",
				x.Name, len(x.Cases), x.Starter)
			for n, h := range x.Hints {
				fmt.Fprintf(&b, "\n<details><summary>Hint %d</summary>\n\n%s\n\n</details>\n", n+1, h)
			}
		}
	}
	if next := lib.After(l); next != nil {
		fmt.Fprintf(&b, "\nNext: [%s](%s)\n", next.Title, pageLink(l, next))
	}
	return b.String()
}

// Pictures are those of the page of a lesson, by the name of the file. Those that are others each time are not steady.
func (lib *Library) Pictures(l *Lesson, outputs map[int]Output) (steady, others map[string]string) {
	steady, others = map[string]string{}, map[string]string{}
	picture := 0
	for i, s := range l.Steps {
		for _, svg := range outputs[i].Pictures {
			picture++
			if s.Varies {
				others[pictureFile(l, picture)] = svg
			} else {
				steady[pictureFile(l, picture)] = svg
			}
		}
	}
	return steady, others
}

// pictureFile is where picture i of a lesson's page lies in the folder of pages.
func pictureFile(l *Lesson, i int) string {
	return fmt.Sprintf("pictures/%s-%d.svg", strings.ReplaceAll(path.Clean(l.ID), "/", "-"), i)
}

// pictured is what the pictures of a cell are of: its last line.
func (s Step) pictured() string {
	lines := strings.Split(strings.TrimSpace(s.Text), "\n")
	return strings.NewReplacer("[", "(", "]", ")").Replace(lines[len(lines)-1])
}

// varies stands before an output that is another each time.
const varies = "<!-- varies -->"

// Stable is a page without what is another each time or on another machine.
func Stable(page string) string {
	return instructions.ReplaceAllString(varying.ReplaceAllString(page, ""), "$1 …,")
}

// instructions are those of a kernel, which are others on another machine.
var instructions = regexp.MustCompile(`(kernel: \w+) (?:go|avx2|avx512),`)

var varying = regexp.MustCompile("(?s)" + varies + "\n```text\n.*?\n```\n")

// pageFile is where a lesson's page lies in the folder of pages.
func pageFile(l *Lesson) string { return l.ID + ".md" }

func pageLink(from, to *Lesson) string {
	if from.Course == to.Course {
		return strings.TrimPrefix(pageFile(to), to.Course+"/")
	}
	return "../" + pageFile(to)
}

// Index is the page that lists the lessons, and the ideas with the lesson that shows each.
func (lib *Library) Index() string {
	var b strings.Builder
	b.WriteString("# Lessons\n\nThey run in the prompt and in a notebook: `gotorch-repl learn`, or `%learn`. " +
		"These pages are generated from them, with the outputs of their cells.\n")
	for _, c := range lib.Courses {
		fmt.Fprintf(&b, "\n## %s\n\n%s%s.\n\n| lesson | minutes | needs | words explained |\n|---|---|---|---|\n", c.Title,
			strings.ToUpper(c.About[:1]), c.About[1:])
		for _, l := range c.Lessons {
			title := "[" + l.Title + "](" + pageFile(l) + ")"
			minutes := fmt.Sprint(l.Minutes)
			if l.Planned {
				title, minutes = l.Title, "planned"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", title, minutes, strings.Join(l.Needs, ", "), strings.Join(l.Terms, ", "))
		}
	}
	b.WriteString("\nThe words are in the [glossary](glossary.md). [The essay, seven years on](essay.md) says what " +
		"still holds of \"PyTorch internals\".\n\n## Ideas\n\nC marks the core, S what is strong beside it.\n" +
		lib.ideasTable())
	b.WriteString("\n## What the lessons are about\n\n| idea | lesson | views |\n|---|---|---|\n")
	for l := range lib.All() {
		if l.Planned {
			continue
		}
		for _, idea := range l.Ideas {
			fmt.Fprintf(&b, "| %s | [%s](%s) | %s |\n", idea, l.Title, pageFile(l), strings.Join(l.views(), " "))
		}
	}
	return b.String()
}

// views are the commands and functions that draw the pictures of a lesson.
func (l *Lesson) views() (all []string) {
	seen := map[string]bool{}
	for _, s := range l.Steps {
		if s.Kind != Code {
			continue
		}
		for _, m := range viewCall.FindAllString(s.Text, -1) {
			if m = strings.TrimSpace(m); !seen[m] {
				seen[m] = true
				all = append(all, "`"+m+"`")
			}
		}
	}
	return all
}

// WritePages writes the pages of all lessons; newBench makes the session that runs one.
func (lib *Library) WritePages(ctx context.Context, dir string, newBench func() (Bench, func())) error {
	write := func(name, text string) error {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text), 0o666)
	}
	for l := range lib.All() {
		if l.Planned {
			continue
		}
		b, done := newBench()
		problems, outputs := lib.Verify(ctx, l, b)
		done()
		if len(problems) > 0 {
			return fmt.Errorf("%s", strings.Join(problems, "\n"))
		}
		if err := write(pageFile(l), lib.Page(l, outputs)); err != nil {
			return err
		}
		steady, others := lib.Pictures(l, outputs)
		maps.Copy(steady, others)
		for name, svg := range steady {
			if err := write(name, svg); err != nil {
				return err
			}
		}
	}
	if err := write("glossary.md", lib.GlossaryPage()); err != nil {
		return err
	}
	return write("README.md", lib.Index())
}

// viewCall is where a cell draws a picture.
var viewCall = regexp.MustCompile(`(?m)^%[a-z]+|\bvisualize\.[A-Z]\w*`)

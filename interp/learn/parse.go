package learn

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// reader reads a lesson's file line by line.
type reader struct {
	file  string
	lines []string
	at    int
	l     *Lesson
}

func (r *reader) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, line, fmt.Sprintf(format, args...))
}

// Parse reads a lesson. The name of its folder is its course, and its own name, without number, the rest of its ID.
func Parse(file, text string) (*Lesson, error) {
	course := path.Base(path.Dir(file))
	name := strings.TrimSuffix(path.Base(file), ".md")
	if number, rest, ok := strings.Cut(name, "-"); ok && strings.Trim(number, "0123456789") == "" {
		name = rest
	}
	l := &Lesson{ID: course + "/" + name, Course: course, File: file}
	r := &reader{file: file, lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), l: l}
	if err := r.front(); err != nil {
		return nil, err
	}
	for r.at < len(r.lines) {
		if err := r.step(); err != nil {
			return nil, err
		}
	}
	switch {
	case l.Planned && len(l.Steps) > 0:
		return nil, r.errorf(1, "a lesson that is planned has no text")
	case !l.Planned && len(l.Steps) == 0:
		return nil, r.errorf(r.at, "the lesson has no text")
	}
	return l, nil
}

// front reads what stands between the two lines of ---.
func (r *reader) front() error {
	if len(r.lines) == 0 || r.lines[0] != "---" {
		return r.errorf(1, "a lesson begins with --- and its front matter")
	}
	for r.at = 1; ; r.at++ {
		if r.at >= len(r.lines) {
			return r.errorf(r.at, "the front matter has no end")
		}
		line := r.lines[r.at]
		if line == "---" {
			r.at++
			break
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			return r.errorf(r.at+1, "%q is no line KEY: VALUE", line)
		}
		if err := r.setting(key, strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	if r.l.Title == "" {
		return r.errorf(1, "the front matter has no title")
	}
	return nil
}

func (r *reader) setting(key, value string) (err error) {
	l := r.l
	switch key {
	case "title":
		l.Title = value
	case "needs":
		l.Needs = list(value, ",")
	case "terms":
		l.Terms = list(value, ",")
	case "ideas":
		l.Ideas = list(value, ";")
	case "plain":
		l.Plain = list(value, ",")
	case "next":
		l.Next = value
	case "minutes":
		l.Minutes, err = strconv.Atoi(value)
	case "planned":
		l.Planned, err = strconv.ParseBool(value)
	default:
		return r.errorf(r.at+1, "the front matter has no %q: it has title, needs, terms, ideas, plain, minutes, next, "+
			"planned", key)
	}
	if err != nil {
		return r.errorf(r.at+1, "%s: %q is no value for it", key, value)
	}
	return nil
}

func list(text, separator string) (all []string) {
	for _, w := range strings.Split(text, separator) {
		if w = strings.TrimSpace(w); w != "" {
			all = append(all, w)
		}
	}
	return all
}

// step reads prose up to the next block, or a block.
func (r *reader) step() error {
	begin := r.at
	if !strings.HasPrefix(r.lines[r.at], "```") {
		for r.at < len(r.lines) && !strings.HasPrefix(r.lines[r.at], "```") {
			r.at++
		}
		if text := strings.Trim(strings.Join(r.lines[begin:r.at], "\n"), "\n "); text != "" {
			r.l.Steps = append(r.l.Steps, Step{Kind: Prose, Line: begin + 1, Text: text})
		}
		return nil
	}
	b, err := r.block()
	if err != nil {
		return err
	}
	switch b.kind {
	case "go":
		s := Step{Kind: Code, Line: b.line, Text: b.text, Shows: b.attrs["shows"]}
		for _, w := range b.words {
			switch w {
			case "fails":
				s.Fails = true
			case "varies":
				s.Varies = true
			default:
				return r.errorf(b.line, "a cell is no %q: fails or varies; starter, solution and wrong follow an exercise", w)
			}
		}
		if b.attrs["wrong"] != nil {
			return r.errorf(b.line, "a wrong answer follows an exercise")
		}
		r.l.Steps = append(r.l.Steps, s)
	case "question":
		q, err := r.question(b)
		if err != nil {
			return err
		}
		r.l.Steps = append(r.l.Steps, Step{Kind: Ask, Line: b.line, Question: q})
	case "exercise":
		e, err := r.exercise(b)
		if err != nil {
			return err
		}
		r.l.Steps = append(r.l.Steps, Step{Kind: Task, Line: b.line, Exercise: e})
	case "text": // a figure of the prose
		r.l.Steps = append(r.l.Steps, Step{Kind: Prose, Line: b.line, Text: "```text\n" + b.text + "\n```"})
	default:
		return r.errorf(b.line, "a block of kind %q: there are go, question, exercise and text", b.kind)
	}
	return nil
}

// block is what stands between two lines of ```.
type block struct {
	line  int // of its first ```
	kind  string
	words []string
	attrs map[string][]string // shows="…", as often as it stands there
	text  string
}

var attribute = regexp.MustCompile(`([a-z]+)="((?:[^"\\]|\\.)*)"|(\S+)`)

func (r *reader) block() (b block, err error) {
	b = block{line: r.at + 1, attrs: map[string][]string{}}
	kind, rest, _ := strings.Cut(strings.TrimPrefix(r.lines[r.at], "```"), " ")
	b.kind = kind
	for _, m := range attribute.FindAllStringSubmatch(rest, -1) {
		if m[3] != "" {
			b.words = append(b.words, m[3])
			continue
		}
		text, err := strconv.Unquote(`"` + m[2] + `"`)
		if err != nil {
			return b, r.errorf(b.line, "%s=\"%s\": %v", m[1], m[2], err)
		}
		if m[1] != "shows" && m[1] != "wrong" {
			return b, r.errorf(b.line, "a block has no %s=: there are shows and wrong", m[1])
		}
		b.attrs[m[1]] = append(b.attrs[m[1]], text)
	}
	r.at++
	begin := r.at
	for ; ; r.at++ {
		if r.at >= len(r.lines) {
			return b, r.errorf(b.line, "the block has no end")
		}
		if r.lines[r.at] == "```" {
			break
		}
	}
	b.text = strings.TrimRight(strings.Join(r.lines[begin:r.at], "\n"), "\n ")
	r.at++
	return b, nil
}

package learn

import (
	"regexp"
	"strconv"
	"strings"
)

// entry is a line KEY: VALUE of a block, with the indented lines that go on with it.
type entry struct {
	line       int
	key, value string
}

// entries divides a block into its first text and its entries; of other keys than those given a line is text.
func (b block) entries(keys ...string) (text string, all []entry) {
	var free []string
	for i, line := range strings.Split(b.text, "\n") {
		key, value, ok := strings.Cut(line, ":")
		word, _, _ := strings.Cut(key, " ")
		known := false
		for _, k := range keys {
			known = known || k == word
		}
		switch {
		case ok && known:
			all = append(all, entry{b.line + 1 + i, key, strings.TrimSpace(value)})
		case strings.HasPrefix(line, "- ["):
			all = append(all, entry{b.line + 1 + i, "-", strings.TrimPrefix(line, "- ")})
		case strings.HasPrefix(line, "  ") && len(all) > 0:
			all[len(all)-1].value += " " + strings.TrimSpace(line)
		default:
			free = append(free, line)
		}
	}
	return strings.TrimSpace(strings.Join(free, "\n")), all
}

func (r *reader) question(b block) (*Question, error) {
	q := &Question{}
	var all []entry
	q.Text, all = b.entries("answer", "hint", "why", "wrong")
	for _, e := range all {
		switch e.key {
		case "answer":
			q.Answer = e.value
		case "hint":
			q.Hint = e.value
		case "why":
			q.Why = e.value
		case "wrong":
			code, hint, ok := strings.Cut(e.value, "::")
			if !ok {
				return nil, r.errorf(e.line, "a wrong answer is EXPRESSION :: HINT")
			}
			q.Wrong = append(q.Wrong, Mistake{strings.TrimSpace(code), strings.TrimSpace(hint), e.line})
		case "-":
			text, why, _ := strings.Cut(e.value[len("[x]"):], "::")
			right := strings.HasPrefix(e.value, "[x]")
			q.Choices = append(q.Choices, Choice{strings.TrimSpace(text), strings.TrimSpace(why), right})
		}
	}
	for i, c := range q.Choices {
		if c.Right {
			if q.Answer != "" {
				return nil, r.errorf(b.line, "a question has one answer")
			}
			q.Answer = letter(i)
		}
	}
	switch {
	case q.Text == "":
		return nil, r.errorf(b.line, "the question has no text")
	case q.Answer == "":
		return nil, r.errorf(b.line, "the question has no answer: EXPRESSION, and no choice - [x]")
	case q.Hint == "" && len(q.Choices) == 0:
		return nil, r.errorf(b.line, "the question has no hint")
	}
	return q, nil
}

// letter names a choice: a, b, c.
func letter(i int) string { return string(rune('a' + i)) }

// judges are what an exercise may compare besides values, shapes and dtypes.
var judges = map[string]bool{"strides": true, "storage": true}

func (r *reader) exercise(b block) (*Exercise, error) {
	x := &Exercise{Seconds: 5}
	text, all := b.entries("name", "judge", "seconds", "hint", "case")
	if text != "" {
		return nil, r.errorf(b.line, "an exercise's task stands before its block, not in it: %q", text)
	}
	for _, e := range all {
		switch key, count, _ := strings.Cut(e.key, " "); key {
		case "name":
			x.Name = e.value
		case "judge":
			x.Judge = list(e.value, ",")
			for _, j := range x.Judge {
				if !judges[j] {
					return nil, r.errorf(e.line, "judge: strides and storage, not %q", j)
				}
			}
		case "seconds":
			n, err := strconv.Atoi(e.value)
			if err != nil || n < 1 || n > 60 {
				return nil, r.errorf(e.line, "seconds: from 1 to 60")
			}
			x.Seconds = n
		case "hint":
			x.Hints = append(x.Hints, e.value)
		case "case":
			times := 1
			if count != "" {
				n, err := strconv.Atoi(count)
				if err != nil || n < 1 || n > 20 {
					return nil, r.errorf(e.line, "case N: from 1 to 20 cases")
				}
				times = n
			}
			args, name, ok := cutComment(e.value)
			if !ok {
				return nil, r.errorf(e.line, "a case is ARGUMENTS // what it is, in words")
			}
			for range times {
				x.Cases = append(x.Cases, Case{Args: args, Name: name, Seed: 1000 + len(x.Cases)})
			}
		default:
			return nil, r.errorf(e.line, "an exercise has name, judge, seconds, hint and case, not %q", e.key)
		}
	}
	for {
		for r.at < len(r.lines) && strings.TrimSpace(r.lines[r.at]) == "" {
			r.at++
		}
		if r.at >= len(r.lines) || !partOfExercise.MatchString(r.lines[r.at]) {
			break
		}
		c, err := r.block()
		if err != nil {
			return nil, err
		}
		switch {
		case c.attrs["wrong"] != nil:
			x.Wrong = append(x.Wrong, Mistake{c.text, c.attrs["wrong"][0], c.line})
		case c.words[0] == "starter":
			x.Starter = c.text
		default:
			x.Solution = c.text
		}
	}
	return x, r.complete(b, x)
}

// cutComment divides ARGUMENTS // words.
func cutComment(text string) (args, name string, ok bool) {
	at := strings.LastIndex(text, "//")
	if at < 0 {
		return "", "", false
	}
	return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+2:]), true
}

// partOfExercise is the first line of a block that belongs to the exercise before it.
var partOfExercise = regexp.MustCompile("^```go (starter|solution|wrong=)")

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// complete says what an exercise lacks.
func (r *reader) complete(b block, x *Exercise) error {
	lacks := ""
	switch {
	case !identifier.MatchString(x.Name):
		lacks = "name: the function's name"
	case x.Starter == "":
		lacks = "```go starter"
	case x.Solution == "":
		lacks = "```go solution"
	case len(x.Hints) != 3:
		lacks = "three lines of hint: from a nudge to nearly the solution"
	case len(x.Cases) < 3:
		lacks = "three or more lines of case"
	}
	if lacks != "" {
		return r.errorf(b.line, "the exercise lacks %s", lacks)
	}
	if _, err := signatureOf(x.Name, x.Starter); err != nil {
		return r.errorf(b.line, "the starter: %v", err)
	}
	if _, err := signatureOf(x.Name, x.Solution); err != nil {
		return r.errorf(b.line, "the solution: %v", err)
	}
	return nil
}

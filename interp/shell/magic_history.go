package shell

import (
	"cmp"
	"context"
	"fmt"
	"gotorch/interp/result"
	"gotorch/interp/split"
	"io"
	"slices"
	"strconv"
	"strings"
)

// historyWanted is what %history is asked for.
type historyWanted struct {
	numbers []int
	pattern string
	outputs bool
}

// historyOptions reads -g TEXT, -o, -l N, -n and numbers of cells.
func historyOptions(arg string, most int) (w historyWanted, err *Error) {
	var plain []string
	for rest := arg; strings.TrimSpace(rest) != ""; {
		var word string
		word, rest = split.CutWord(strings.TrimSpace(rest))
		switch word {
		case "-g", "-gu": // those that hold a text
			if w.pattern, rest = strings.TrimSpace(rest), ""; w.pattern == "" {
				return w, usage("%%history -g TEXT")
			}
		case "-o":
			w.outputs = true
		case "-l": // the last ones
			var count string
			if count, rest = split.CutWord(strings.TrimSpace(rest)); count == "" {
				count = "10"
			}
			n, err := number(count)
			if err != nil {
				return w, usage("%%history -l N")
			}
			plain = append(plain, fmt.Sprintf("%d-%d", max(most-n+1, 1), most))
		case "-n", "-p", "-t", "-u": // IPython's: numbers stand there anyway, prompts do not, and what was typed is shown
		case "-f":
			return w, usage("%%save FILE writes cells to a file")
		default:
			if strings.HasPrefix(word, "~") || strings.Contains(word, "/") {
				return w, usage("only this session's cells have numbers; Ctrl-R searches those of earlier ones too")
			}
			plain = append(plain, word)
		}
	}
	w.numbers, err = ranges(strings.Join(plain, " "), most)
	return w, err
}

func (s *Shell) historyMagic(_ context.Context, arg string) ([]Value, *Error) {
	n := s.Count()
	w, err := historyOptions(arg, n-1)
	if err != nil {
		return nil, err
	}
	in := s.Cells()
	var b strings.Builder
	wide := len(strconv.Itoa(n))
	indented := func(text string) string {
		return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+strings.Repeat(" ", wide+2))
	}
	for _, i := range w.numbers {
		src, ok := in[i]
		if !ok || !strings.Contains(src, w.pattern) {
			continue
		}
		fmt.Fprintf(&b, "%*d: %s\n", wide, i, indented(src))
		if v, shown := s.Shown(i); w.outputs && shown {
			fmt.Fprintf(&b, "%*s  %s\n", wide, "", indented(v.Text))
		}
	}
	if b.Len() == 0 {
		return result.Text("no cells"), nil
	}
	return result.Text(strings.TrimRight(b.String(), "\n")), nil
}

// rerunMagic runs cells again, and writes what it runs before.
func (s *Shell) rerunMagic(ctx context.Context, arg string) ([]Value, *Error) {
	w, err := historyOptions(cmp.Or(strings.TrimSpace(arg), "-l 1"), s.Count()-1)
	if err != nil {
		return nil, err
	}
	in := s.Cells()
	if w.pattern != "" { // the newest that holds the text
		w.numbers = slices.DeleteFunc(w.numbers, func(i int) bool {
			return !strings.Contains(in[i], w.pattern) || reruns(in[i])
		})
		w.numbers = w.numbers[max(len(w.numbers)-1, 0):]
	}
	var all []Value
	ran := false
	for _, i := range w.numbers {
		src, ok := in[i]
		if !ok || reruns(src) {
			continue
		}
		ran = true
		io.WriteString(s.Stdout(), strings.Trim(src, "\n")+"\n")
		vals, err := s.Eval(ctx, src)
		if all = append(all, vals...); err != nil {
			return all, err
		}
	}
	if !ran {
		return nil, usage("there is no such cell; %%history lists them")
	}
	return all, nil
}

// reruns: a cell that runs others again is not run again, or it would run itself.
func reruns(src string) bool { return strings.Contains(src, "%rerun") }

// recallMagic puts a cell where the next one is typed.
func (s *Shell) recallMagic(_ context.Context, arg string) ([]Value, *Error) {
	w, err := historyOptions(cmp.Or(strings.TrimSpace(arg), "-l 1"), s.Count()-1)
	if err != nil {
		return nil, err
	}
	in := s.Cells()
	var texts []string
	for _, i := range w.numbers {
		if src, ok := in[i]; ok && strings.Contains(src, w.pattern) {
			texts = append(texts, strings.Trim(src, "\n"))
		}
	}
	if w.pattern != "" {
		texts = texts[max(len(texts)-1, 0):]
	}
	if len(texts) == 0 {
		return nil, usage("there is no such cell; %%history lists them")
	}
	text := strings.Join(texts, "\n")
	return s.typeNext(text)
}

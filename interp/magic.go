package interp

import (
	"context"
	"fmt"
	"strings"

	"gotorch/visualize/display"
)

// magic is a command of the session's own: %name at the beginning of a line takes the rest of the line, %%name on a
// cell's first line takes the cell.
type magic struct {
	name, args, doc string
	run             func(s *Session, ctx context.Context, n int, arg string) ([]Value, *Error)
}

// magicGroup is magics that belong together.
type magicGroup struct {
	title string
	rows  []magic
}

// magicGroups is the table of all, in the order in which %help lists them.
var magicGroups []magicGroup

func init() { // the table refers to itself through help
	views := magicGroup{title: "to look inside"}
	for _, m := range viewMagics {
		views.rows = append(views.rows, m.magic())
	}
	magicGroups = []magicGroup{
		{"the session", []magic{
			{"help", "[COMMAND]", "this list, or what one command does", (*Session).helpMagic},
			{"who", "[TYPE …]", "the names that cells have defined, or those of some types: %who tensor func", (*Session).whoMagic},
			{"history", "[N | N-M …]", "the cells that were typed, or some; -g TEXT: that hold it, -l N: the last, -o: what they showed", (*Session).historyMagic},
			{"rerun", "[N | N-M …]", "runs cells again, or the last one; -g TEXT: the newest that holds it", (*Session).rerunMagic},
			{"recall", "[N | N-M …]", "puts cells where the next one is typed", (*Session).recallMagic},
			{"capture", "[NAME]", "with %% before it: the cell under it shows nothing; what it prints is NAME's value", (*Session).captureMagic},
			{"go", "[CODE]", "the plain Go of the last cell, or of CODE, which is not run", (*Session).goMagic},
			{"reset", "[NAME …]", "forgets the names given, or all, In and Out", (*Session).resetMagic},
			{"keep", "[N]", "how many shown values Out keeps", (*Session).keepMagic},
			{"precision", "[N]", "how many digits tensors are written with", (*Session).precisionMagic},
			{"depth", "[BYTES]", "how much stack a cell may use: 8MB are some 14,000 nested calls", (*Session).depthMagic},
		}},
		{"time and memory", []magic{
			{"time", "STATEMENT", "runs it and says how long it took by the clock and of processors", (*Session).timeMagic},
			{"timeit", "[-n N] STATEMENT", "runs it many times: mean and deviation; -n loops, in -r runs; %%timeit SETUP times the cell under it", (*Session).timeitMagic},
			{"prof", "[-o FILE] STATEMENT", "where its time goes: lines of cells, and functions", (*Session).profMagic},
			{"mem", "", "the tensors that names hold: shape, storage, bytes", (*Session).memMagic},
			{"goroutines", "[stop]", "the goroutines of cells that still run; stop ends them", (*Session).goroutinesMagic},
		}},
		views,
		{"files and the system", []magic{
			{"run", "FILE [ARGUMENT …]", "runs a Go program, a file of cells or a notebook here", (*Session).runMagic},
			{"load", "FILE", "puts a file where the next cell is typed", (*Session).loadMagic},
			{"save", "FILE [N | N-M …]", "writes cells that ran to a file; -a adds to one", (*Session).saveMagic},
			{"writefile", "FILE", "with %% before it: writes the cell under it to a file; -a adds to one", (*Session).writefileMagic},
			{"edit", "[FILE | N | NAME]", "opens $EDITOR, then runs what was written", (*Session).editMagic},
			{"env", "[NAME[=VALUE]]", "environment variables", (*Session).envMagic},
			{"cd", "[DIR]", "changes the directory; - goes back", (*Session).cdMagic},
			{"pwd", "", "the directory", (*Session).pwdMagic},
		}},
	}
}

// magicNamed finds a row of the table.
func magicNamed(name string) (magic, bool) {
	if other := magicAliases[name]; other != "" {
		name = other
	}
	for _, g := range magicGroups {
		for _, m := range g.rows {
			if m.name == name {
				return m, true
			}
		}
	}
	return magic{}, false
}

// invocation is a magic as it was typed.
type invocation struct{ name, arg string }

// magicOf finds a magic at the beginning of a text; rest is what follows its
// line, with empty lines for those before it, so that line numbers stay.
func magicOf(src string) (m invocation, rest string, ok bool) {
	blank := 0
	text := src
	for {
		line, after, more := strings.Cut(text, "\n")
		if strings.TrimSpace(line) != "" || !more {
			break
		}
		text = after
		blank++
	}
	line, after, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(line)
	pad := strings.Repeat("\n", blank+1)
	switch {
	case strings.HasPrefix(line, "%%"):
		name, arg := cutWord(line[2:])
		if arg = strings.TrimSpace(arg); arg == "" {
			arg = " " // so that the line is told from empty ones before it
		}
		return invocation{name, strings.Repeat("\n", blank) + arg + "\n" + after}, "", true
	case strings.HasPrefix(line, "!") && isCommand(line):
		return invocation{"!", line[1:]}, pad + after, true
	case strings.HasPrefix(line, "%") && isWord(strings.TrimRight(line[1:], "?")) && strings.HasSuffix(line, "?"): // %time?
		return invocation{"?" + help(line), strings.Trim(line, "? ")}, pad + after, true
	case strings.HasPrefix(line, "%"):
		name, arg := cutWord(line[1:])
		return invocation{name, strings.TrimSpace(arg)}, pad + after, true
	case strings.HasPrefix(line, "?"):
		return invocation{"?" + help(line), strings.Trim(line, "? ")}, pad + after, true
	case strings.HasSuffix(line, "?") && !strings.ContainsAny(line, "\"`/'"):
		return invocation{"?" + help(line), strings.Trim(line, "? ")}, pad + after, true
	}
	return invocation{}, "", false
}

// help is empty for ?, and ? for ??.
func help(line string) string {
	if strings.HasPrefix(line, "??") || strings.HasSuffix(line, "??") {
		return "?"
	}
	return ""
}

func (s *Session) magic(ctx context.Context, n int, m invocation) ([]Value, *Error) {
	if strings.HasPrefix(m.name, "?") {
		return s.question(ctx, m)
	}
	if m.name == "!" {
		return s.shell(ctx, n, m.arg, false)
	}
	if row, ok := magicNamed(m.name); ok {
		if filling[row.name] {
			arg, err := s.fill(ctx, n, m.arg)
			if err != nil {
				return nil, err
			}
			m.arg = arg
		}
		return row.run(s, ctx, n, m.arg)
	}
	if strings.HasPrefix(magicAliases[m.name], "?") {
		return s.question(ctx, invocation{magicAliases[m.name], strings.TrimSpace(m.arg)})
	}
	if other := magicAliases[m.name]; shellMagics[other] {
		m.name = other
	}
	if shellMagics[m.name] {
		return s.shell(ctx, n, programText(m), strings.Contains(m.arg, "\n"))
	}
	return nil, noCommand(m.name)
}

func isWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

func noCommand(name string) *Error {
	if name == "" {
		return usage("the name of a command follows %%; %%help lists them")
	}
	if say := commandHabits[name]; say != "" {
		return usage("there is no %%%s: %s", name, say)
	}
	e := usage("there is no %%%s; %%help lists what there is", name)
	if near := nearestCommands(name); len(near) > 0 {
		e.Value += "; perhaps " + strings.Join(near, " or ")
	}
	return e
}

func usage(format string, args ...any) *Error {
	return &Error{Name: "UsageError", Value: fmt.Sprintf(format, args...)}
}

func textValue(text string) []Value {
	return []Value{{Text: text, Bundle: display.Text(text)}}
}

func (s *Session) helpMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	if arg = strings.TrimLeft(strings.TrimSpace(arg), "%"); arg != "" {
		m, ok := magicNamed(arg)
		if !ok {
			return nil, noCommand(arg)
		}
		return textValue(m.describe()), nil
	}
	var b strings.Builder
	b.WriteString("Cells are Go; on tensors also x[1:, ::2], a @ b, a < 0 and x.Sum(dim=0).\n" +
		"?name, name? and name.Method? describe, name?? shows the source. Out[n], _n and _ are what was shown.\n" +
		"A line with % before it is a command; %% on the first line gives it the whole cell; ! before a line runs it in the shell.\n" +
		"{x} and $x in such a line, and in what a command about files is told, are the value of x.\n")
	for _, g := range magicGroups {
		b.WriteString("\n" + g.title + "\n")
		for _, m := range g.rows {
			fmt.Fprintf(&b, "  %%%-24s %s\n", strings.TrimSpace(m.name+" "+m.args), m.doc)
		}
	}
	return textValue(strings.TrimRight(b.String(), "\n")), nil
}

// describe is what ?%name shows.
func (m magic) describe() string { return "%" + strings.TrimSpace(m.name+" "+m.args) + "\n" + m.doc }

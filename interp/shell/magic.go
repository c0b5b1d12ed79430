package shell

import (
	"context"
	"fmt"
	"gotorch/interp/learn"
	"gotorch/interp/result"
	"gotorch/interp/split"
	"strings"
)

// magic is a command of the session's own: %name at the beginning of a line takes the rest of the line, %%name on a
// cell's first line takes the cell.
type magic struct {
	name, args, doc string
	run             func(s *Shell, ctx context.Context, arg string) ([]Value, *Error)
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
	views.rows = append(views.rows, magic{"interactive", "",
		"links the views of a notebook: what is alike is lit together, large pictures zoom", (*Shell).interactiveMagic})
	magicGroups = []magicGroup{
		{"the session", []magic{
			{"help", "[COMMAND]", "this list, or what one command does", (*Shell).helpMagic},
			{"who", "[TYPE …]", "the names that cells have defined, or those of some types: %who tensor func",
				(*Shell).whoMagic},
			{"history", "[N | N-M …]",
				"the cells that were typed, or some; -g TEXT: that hold it, -l N: the last, -o: what they showed",
				(*Shell).historyMagic},
			{"rerun", "[N | N-M …]", "runs cells again, or the last one; -g TEXT: the newest that holds it",
				(*Shell).rerunMagic},
			{"recall", "[N | N-M …]", "puts cells where the next one is typed", (*Shell).recallMagic},
			{"capture", "[NAME]", "with %% before it: the cell under it shows nothing; what it prints is NAME's value",
				(*Shell).captureMagic},
			{"page", "", "shows the last value again, all of it", (*Shell).pageMagic},
			{"go", "[CODE]", "the plain Go of the last cell, or of CODE, which is not run", (*Shell).goMagic},
			{"reset", "[NAME …]", "forgets the names given, or all, In and Out", (*Shell).resetMagic},
			{"restore", "", "runs the cells of a session whose process was ended again", (*Shell).restoreMagic},
			{"keep", "[N]", "how many shown values Out keeps", (*Shell).keepMagic},
			{"precision", "[N]", "how many digits tensors are written with", (*Shell).precisionMagic},
			{"depth", "[BYTES]", "how much stack a cell may use: 8MB are some 14,000 nested calls", (*Shell).depthMagic},
		}},
		{"cells that are no Go", textMagics()},
		{"to learn", learnMagics},
		{"time and memory", []magic{
			{"time", "STATEMENT", "runs it and says how long it took by the clock and of processors", (*Shell).timeMagic},
			{"timeit", "[-n N] STATEMENT",
				"runs it many times: mean and deviation; -n loops, in -r runs; %%timeit SETUP times the cell under it",
				(*Shell).timeitMagic},
			{"prof", "[-o FILE] STATEMENT", "where its time goes: lines of cells, and functions", (*Shell).profMagic},
			{"mem", "", "the tensors that names hold: shape, storage, bytes", (*Shell).memMagic},
			{"goroutines", "[stop]", "the goroutines of cells that still run; stop ends them", (*Shell).goroutinesMagic},
		}},
		views,
		{"files and the system", []magic{
			{"run", "FILE [ARGUMENT …]", "runs a Go program, a file of cells or a notebook here", (*Shell).runMagic},
			{"load", "FILE", "puts a file where the next cell is typed", (*Shell).loadMagic},
			{"save", "FILE [N | N-M …]", "writes cells that ran to a file; -a adds to one", (*Shell).saveMagic},
			{"writefile", "FILE", "with %% before it: writes the cell under it to a file; -a adds to one",
				(*Shell).writefileMagic},
			{"edit", "[FILE | N | NAME]", "opens $EDITOR, then runs what was written", (*Shell).editMagic},
			{"env", "[NAME[=VALUE]]", "environment variables", (*Shell).envMagic},
			{"autoreload", "[on | off | now]",
				"reads imported packages again whose files have changed: before each cell, or now", (*Shell).autoreloadMagic},
			{"cd", "[DIR]", "changes the directory; - goes back", (*Shell).cdMagic},
			{"pwd", "", "the directory", (*Shell).pwdMagic},
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

// Run runs a part of a cell that is no Go.
func (s *Shell) Run(ctx context.Context, p split.Part) ([]Value, *Error) {
	switch p.Kind {
	case split.Help:
		return s.question(ctx, p.Name, p.Text)
	case split.Shell:
		return s.line(ctx, p.Text)
	case split.Capture:
		return s.capture(ctx, p)
	}
	name, arg := p.Name, p.Text
	if row, ok := magicNamed(name); ok {
		if expanding[row.name] {
			var err *Error
			if arg, err = s.expand(ctx, arg); err != nil {
				return nil, err
			}
		}
		return row.run(s, ctx, arg)
	}
	if other := magicAliases[name]; other == "?" || other == "??" {
		return s.question(ctx, other, strings.TrimSpace(arg))
	} else if shellMagics[other] {
		name = other
	}
	switch {
	case !shellMagics[name]:
		return nil, noCommand(name)
	case p.Kind == split.CellMagic:
		return s.script(ctx, programText(name, arg))
	}
	return s.line(ctx, programText(name, arg))
}

func noCommand(name string) *Error {
	if name == "" {
		return usage("the name of a command follows %%; %%help lists them")
	}
	if say := commandHints[name]; say != "" {
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

func (s *Shell) helpMagic(_ context.Context, arg string) ([]Value, *Error) {
	if arg = strings.TrimLeft(strings.TrimSpace(arg), "%"); arg != "" {
		m, ok := magicNamed(arg)
		if !ok {
			return nil, noCommand(arg)
		}
		return result.Text(m.describe() + aboutView(m.name) + learn.Builtin().ViewWords(m.name)), nil
	}
	var b strings.Builder
	b.WriteString(firstQuestions)
	b.WriteString("Cells are Go; on tensors also x[1:, ::2], a @ b, a < 0 and x.Sum(dim=0).\n" +
		"?name, name? and name.Method? describe, name?? shows the source. Out[n], _n and _ are what was shown.\n" +
		"A line with % before it is a command; %% on the first line gives it the whole cell; ! before a line runs it in " +
		"the shell.\n" +
		"{x} and $x in such a line, and in what a command about files is told, are the value of x.\n")
	for _, g := range magicGroups {
		b.WriteString("\n" + g.title + "\n")
		for _, m := range g.rows {
			fmt.Fprintf(&b, "  %%%-24s %s\n", strings.TrimSpace(m.name+" "+m.args), m.doc)
		}
	}
	return result.Text(strings.TrimRight(b.String(), "\n")), nil
}

// describe is what ?%name shows.
func (m magic) describe() string { return "%" + strings.TrimSpace(m.name+" "+m.args) + "\n" + m.doc }

// HelpAt describes the magic whose name is before the cursor.
func HelpAt(src string, cursor int) (h Help, ok bool) {
	name := strings.TrimLeft(strings.TrimSpace(src), "%")
	if name == strings.TrimSpace(src) {
		return h, false
	}
	name, _, _ = strings.Cut(name, " ")
	m, ok := magicNamed(name)
	return Help{Sig: m.describe()}, ok && cursor <= strings.Index(src, name)+len(name)
}

package shell

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gotorch/autograd"
	"gotorch/interp/check"
	"gotorch/interp/learn"
	"gotorch/interp/result"
	"gotorch/interp/values"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize"
)

// Help is what is known of a name. Fields may be empty.
type Help struct {
	Sig    string // its declaration, or what a command takes
	Doc    string // each paragraph is one line
	Cell   string // where it is defined: "In[3]"
	Value  string // of a variable, in a few words
	More   string // the value as it is printed; of an operator, PyTorch's name, an example and the derivative
	Source string // the text of that cell

	Operator string         // the full name of the operator that it is
	Code     visualize.View // of an operator, where detail was asked for: its parts in gotorch's source
}

// String is all of it.
func (h Help) String() string {
	parts := []string{h.Sig, h.Doc}
	if h.Cell != "" {
		text := "defined in " + h.Cell
		if h.Value != "" {
			text += "\nvalue: " + h.Value
		}
		parts = append(parts, text)
	}
	parts = append(parts, h.More, h.Source)
	if h.Code != nil {
		parts = append(parts, h.Code.Text(false))
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n")
}

// operatorNamed is the operator of a Go name: Tensor.Sum, Sum_, MaxDim.
func operatorNamed(name string) *tensor.Op {
	for _, o := range tensor.Defined() {
		if o.GoName() == name {
			return o
		}
	}
	_, name, _ = strings.Cut("."+name, ".")
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		name = name[at+1:]
	}
	var found *tensor.Op
	for _, o := range tensor.Ops() {
		if o.IsPrivate() {
			continue
		}
		if o.GoName() == name {
			return o
		}
		if o.Tags.Has(opdef.InPlace) && o.GoName()+"_" == name {
			found = o
		}
	}
	return found
}

// AboutOperator adds to help what there is to say of an operator, by its Go name, beyond its documentation; with
// detail also its source.
func (h *Help) AboutOperator(name string, method, detail bool) {
	o := operatorNamed(name)
	if o == nil {
		return
	}
	h.Operator, h.More = o.Full, aboutOperator(o, method, detail && !o.IsDefined())
	if detail && !o.IsDefined() {
		h.Code = visualize.Source(o.Full)
	}
}

// aboutOperator is its names, an example, and its derivative; with detail without the derivative's text, which the
// source has.
func aboutOperator(o *tensor.Op, method, detail bool) string {

	var rows [][2]string
	row := func(title, text string) {
		if text != "" {
			rows = append(rows, [2]string{title, text})
		}
	}
	var names []string
	if o.IsDefined() {
		row("defined", "in "+o.Site.String())
	} else if o.HasFunction() {
		names = append(names, "torch."+o.Name)
	}
	if o.HasMethod() {
		names = append(names, "Tensor."+o.Name[strings.LastIndexByte(o.Name, '.')+1:])
	}
	row("PyTorch", strings.Join(names, ", "))
	row("example", Example(o, method))
	text, file, line := autograd.FormulaSource(o)
	switch {
	case o.IsDefined() && autograd.HasFormula(o):
		row("derivative", "given by the definition")
	case file != "":
		row("derivative", fmt.Sprintf("autograd/%s:%d", file, line))
	case o.Tags.Class() == opdef.Composite:
		row("derivative", "that of the operators that it is made of")
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%-11s %s\n", r[0], r[1])
	}
	if text != "" && !detail {
		lines := strings.Split(strings.ReplaceAll(strings.TrimRight(text, ","), "\n", "\n    "), "\n")
		if most := 12; len(lines) > most {
			lines = append(lines[:most], fmt.Sprintf("    … %d lines more: ?? shows all", len(lines)-most))
		}
		b.WriteString("    " + strings.Join(lines, "\n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// unknownName is the error for a name of which nothing is known, with names that are near to it.
func (s *Shell) unknownName(name string) *Error {
	e := usage("nothing is known of %s", name)
	if near := s.nearest(name); len(near) > 0 {
		e.Value += "; there is " + strings.Join(near, ", ")
	}
	return e
}

// nearest lists up to three names that are written nearly as one that is not known: of what stands before its last
// dot, else of all.
func (s *Shell) nearest(name string) []string {
	if rest, ok := strings.CutPrefix(name, "%"); ok {
		return nearestCommands(rest)
	}
	at := strings.LastIndexByte(name, '.') + 1
	if len(name)-at < 3 { // every name is near to one of a letter or two
		return nil
	}
	env, done := s.Env()
	defer done()
	var all []string
	for _, c := range check.Complete(env, name[:at], at).Candidates {
		if c.Type != "keyword" && !values.IsOut(c.Text) {
			all = append(all, name[:at]+c.Text)
		}
	}
	return check.Nearest(all, name)
}

// nearestCommands are those written nearly as one that is not there.
func nearestCommands(name string) (near []string) {
	var all []string
	for _, g := range magicGroups {
		for _, m := range g.rows {
			all = append(all, m.name)
		}
	}
	for _, n := range check.Nearest(all, name) {
		near = append(near, "%"+n)
	}
	return near
}

// tour is what ? alone shows.
const tour = `Type Go, and on tensors what PyTorch has; the last line's value is shown.

    x := Arange(12.0).View(3, 4)         names may be defined anew; no import is needed
    x[:, 1:3], x[..., 0], x[x > 4]       ranges, steps, masks, lists of indices, None
    x @ x.T() + 1                        operators: + - * / % @ < == & | ^ and +=
    x.Sum(dim=0, keepdim=true)           keywords as in PyTorch; dtype=Float64
    New([[1, 2], [3, 4.5]])              lists become tensors
    w := Randn(4, 2).RequiresGrad_()     gradients: (x @ w).Sum().Backward(); w.Grad()
    for i := range 3 { fmt.Println(i) }  all of Go, some forty packages of its library
    func f(t *Tensor) *Tensor { … }      functions, types and methods, redefined at will
    _, _3, Out[3], In[3]                 what was shown last, what cell 3 showed, its text

To see inside:
    visualize.Graph(y), %graph y         the graph of a backward pass
    %strides x   %trace x.Sum()          how it lies in memory, what an operator does
    %timeit x @ x.T()   %prof f(x)       time

To learn how it works:
    %learn                               lessons that run here; ?stride explains a word

For help:
    Tab                                  completes; in a call it shows what can be given
    ?x  ?x.Sum  ?opt.Dim  ?fmt.Println   what it is; ??f shows the source
    ?torch.cumsum                        PyTorch's names lead to Go's
    %help                                all commands`

// firstQuestions are those of somebody who is new here: %help begins with them.
const firstQuestions = `New here?
  what can I type?       Go, and x := Arange(6).View(2, 3), x[1:], x @ x.T(); ? shows more
  how do I learn it?     %learn begins the first lesson; ?stride explains a word
  what does it have?     Tab completes; ?Sum and ?torch.sum describe; %ops lists operators
  what is in x?          x shows it; %strides x how it lies in memory, %graph x its history
  what was wrong?        an error says it with a hint; %help NAME explains a command
  how do I keep my work? %save FILE; %history shows it, %who what is defined
  how do I leave?        Ctrl-D

`

// question answers ?name; without a name, it is the tour.
func (s *Shell) question(ctx context.Context, sign, name string) ([]Value, *Error) {
	if name == "" {
		return result.Text(tour), nil
	}
	if isPattern(name) {
		return s.matching(name)
	}
	help, ok := s.Describe(name, sign == "??")
	if t := learn.Builtin().Glossary.Term(name); t != nil && !(ok && s.defines(name)) {
		return result.Text(learn.Builtin().Describe(t)), nil
	}
	if !ok {
		return nil, s.unknownName(name)
	}
	if help.Code == nil {
		return result.Text(help.String()), nil
	}
	help.Code = nil // it is shown in its own way
	vals, err := s.Go(ctx, "visualize.Source("+strconv.Quote(help.Operator)+")")
	return append(result.Text(help.String()), vals...), err
}

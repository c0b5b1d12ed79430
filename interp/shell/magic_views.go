package shell

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"gotorch/interp/split"
	"gotorch/interp/syntax"
	"gotorch/tensor"
	"gotorch/visualize"
)

// viewMagic is a magic that shows a view. It is short for a call that a user could type, and runs as a cell of that
// call.
type viewMagic struct {
	name, args, doc string

	// call is the function of package visualize that is called: with the arguments as they were typed, or with the words
	// as strings.
	call  string
	words bool
	// rewrite makes the list of arguments from what was typed, where it is neither.
	rewrite func(arg string) string

	// around runs the cell, and returns the view of what happened and the panic that ended it.
	around Recorder

	// about is what %help says of it besides.
	about string

	// mute: there is no sentence to go with it, for this reason.
	mute string

	// run is a magic of its own, where it takes options; with caption, a sentence stands beneath its picture.
	run func(s *Shell, ctx context.Context, arg string, caption bool) ([]Value, *Error)
}

// captionOption is the option of every view: a sentence beneath its picture.
const captionOption = "-caption"

// viewMagics is the table of them, in the order in which %help lists them. Optional arguments stand in brackets.
var viewMagics = []viewMagic{
	{name: "strides", args: "X, …", doc: "the storage cell by cell, and how each view walks it", call: "Strides"},
	{name: "header", args: "X", doc: "the fields of the object that a tensor is, next to PyTorch's", call: "Header"},
	{name: "address", args: "X I J …", doc: "where one element lies: offset + index · stride", call: "Address"},
	{name: "explore", args: "X", doc: "the views that a storage allows; sliders in a notebook", call: "Explore",
		mute: "its picture changes under your hand"},
	{name: "alias", args: "[-all | X, …]", run: (*Shell).aliasMagic,
		doc: "storages, and which names look into each; without X, those that names share"},
	{name: "versions", args: "X", doc: "who wrote to its storage, and what was saved before", call: "Versions"},
	{name: "order", args: "X, …", doc: "the order in which loops touch memory, and the cache lines that they fetch",
		call: "Order"},
	{name: "plan", args: "EXPRESSION", doc: "how its operators walk memory: promoted, broadcast, permuted, coalesced",
		around: plansAround},
	{name: "broadcast", args: "X, Y, …",
		doc: "shapes aligned at the right, and what is broadcast; also of x @ y and Einsum(…)",
		run: (*Shell).broadcastMagic},
	{name: "table", args: "OPERATOR …", doc: "what the dispatcher has for it at each key, and its derivative",
		call: "Table", words: true},
	{name: "where", args: "OPERATOR …", doc: "where its parts stand in gotorch's source; ??NAME prints them",
		call: "Where", words: true},
	{name: "support", args: "OPERATOR …", doc: "the devices and dtypes that it takes", call: "Support", words: true},
	{name: "branches", args: "EXPRESSION",
		doc:    "the two choices of a call, by key and by dtype; the cube of devices, layouts and dtypes",
		around: branchesAround},
	{name: "chain", args: "EXPRESSION",
		doc:    "a call from schema and binding to kernel and derivative, each with its place in the source",
		around: chainAround},
	{name: "shapes", args: "F(X, …) [with X=[B, …], …]",
		doc: "what shapes go through it; of letters, rules for all sizes",
		run: (*Shell).shapesMagic, about: aboutShapes},
	{name: "graph", args: "Y, …", doc: "the graph that a backward pass will walk", call: "Graph"},
	{name: "backward", args: "Y, …", doc: "the backward pass step by step, changing nothing", call: "Backward"},
	{name: "bits", args: "NUMBER [DTYPE …]", doc: "how a number is stored, bit by bit, and its neighbours", call: "Bits",
		rewrite: bitsArguments},
	{name: "rng", args: "[GENERATOR, …]", doc: "the random numbers' seed and state, and which call drew which",
		call: "RNG"},
	{name: "device", args: "[DEVICE …]", doc: "what a device is: of the CPU its caches, vectors and measured speed",
		call: "Devices", words: true},
	{name: "allocator", args: "[DEVICE …]",
		doc: "memory of async:0: segments, their blocks, who has them, what is lost", call: "Allocator",
		rewrite: deviceArguments},
	{name: "program", args: "EXPRESSION", doc: "its calls as a small typed program", around: programAround},
	{name: "ops", args: "[CLASS | TEXT …]", doc: "the operators by topic, or those of a shape class or with a text",
		call: "Operators", words: true},
	{name: "mincut", args: "F(X, …)", doc: "what to save for the backward pass, what to compute again: a minimum cut",
		call: "MinCut", rewrite: functionAndArguments},
	{name: "gradcheck", args: "F(X, …)", doc: "its derivatives, by formulas and by differences, and where they differ",
		call: "Gradcheck", rewrite: functionAndArguments},
	{name: "derive", args: "F(X, …)", doc: "its gradient as Go source", call: "Derive", rewrite: functionAndArguments,
		mute: "it is Go, and its comments say what it is"},
	{name: "trace", args: "[-o FILE] EXPRESSION", doc: "the path of its operators through the dispatcher; to a file",
		run: (*Shell).traceMagic},
	{name: "timeline", args: "[--chrome FILE] EXPRESSION",
		doc: "what the host and each stream did, and who waited for whom; to a file",
		run: (*Shell).timelineMagic},
	{name: "flame", args: "EXPRESSION", doc: "where its time went: lines, operators, kernels, workers",
		around: flameAround},
	{name: "memory", args: "EXPRESSION", doc: "the bytes of its tensors after each call, and what is held for backward",
		around: memoryAround},
}

func plansAround(run func()) (visualize.View, any) {
	v, panicked := visualize.RecordPlans(run)
	if panicked != nil && len(v.Calls) == 0 {
		return nil, panicked
	}
	return v, panicked
}

func branchesAround(run func()) (visualize.View, any) {
	ended := false
	v, panicked := visualize.RecordBranches(func() { run(); ended = true })
	switch {
	case v == nil && ended: // no operator: the command says so, for it is no line of the cell that is wrong
		return nil, nil
	case v == nil:
		return nil, panicked
	}
	return v, panicked
}

func chainAround(run func()) (visualize.View, any) {
	ended := false
	v, panicked := visualize.RecordChain(func() { run(); ended = true })
	switch {
	case v == nil && ended:
		return nil, nil
	case v == nil:
		return nil, panicked
	}
	return v, panicked
}

func shapesAround(run func()) (visualize.View, any) {
	v, panicked := visualize.RecordShapes(run)
	if panicked != nil && v.Calls == 0 {
		return nil, panicked
	}
	return v, panicked
}

func traceAround(run func(), all bool) (visualize.View, any) {
	t, panicked := visualize.Record(run)
	t.All = all
	if panicked != nil && len(t.Calls) == 0 {
		return nil, panicked
	}
	return t, panicked
}

func programAround(run func()) (visualize.View, any) {
	p, panicked := visualize.RecordProgram(run)
	if panicked != nil && len(p.Steps) == 0 {
		return nil, panicked
	}
	return p, panicked
}

func flameAround(run func()) (visualize.View, any) {
	t, panicked := visualize.RecordFlame(run)
	if panicked != nil && (t == nil || t.Calls == 0) {
		return nil, panicked
	}
	return t, panicked
}

func memoryAround(run func()) (visualize.View, any) {
	t, panicked := visualize.RecordMemory(run)
	if panicked != nil && (t == nil || len(t.Storages) == 0) {
		return nil, panicked
	}
	return t, panicked
}

// magic is the row of the table of all magics.
func (m viewMagic) magic() magic {
	return magic{m.name, m.args, m.doc, func(s *Shell, ctx context.Context, arg string) ([]Value, *Error) {
		arg, caption := cutOption(arg, captionOption)
		rest, last := strings.CutSuffix(strings.TrimRight(arg, " \t\r\n"), " "+captionOption)
		if last && !s.defines("caption") {
			arg, caption = rest, true
		}
		if caption && m.mute != "" {
			return nil, usage("%%%s takes no %s: %s", m.name, captionOption, m.mute)
		}
		if m.run != nil {
			return m.run(s, ctx, arg, caption)
		}
		arg = strings.TrimRight(arg, " \t\r\n") // lines before it keep their numbers
		if strings.TrimSpace(arg) == "" && m.args != "" && !strings.HasPrefix(m.args, "[") {
			return nil, usage("%%%s %s", m.name, m.args)
		}
		if m.around != nil {
			vals, err := s.Record(ctx, arg, captioned(m.around, caption), false)
			if err == nil && len(vals) == 0 {
				return nil, usage("%%%s: no operator was called; x + y, x.Sum() and other expressions of tensors call one", m.name)
			}
			return vals, err
		}
		return s.Go(ctx, viewCall(m.call, m.arguments(arg), caption))
	}}
}

// interactiveMagic shows the script that links the views of a page.
func (s *Shell) interactiveMagic(_ context.Context, arg string) ([]Value, *Error) {
	if strings.TrimSpace(arg) != "" {
		return nil, usage("%%interactive takes nothing: it links the views that the notebook shows from here on")
	}
	script := visualize.Interactive()
	return []Value{{Text: script.Text(false), Bundle: script}}, nil
}

// aboutView is what %help says of what all views take, "" for other commands.
func aboutView(name string) string {
	for _, m := range viewMagics {
		if m.name == name && m.mute == "" {
			return m.about + "\n" + captionOption +
				" before or after the arguments: a sentence beneath the picture, about this very case."
		}
	}
	return ""
}

// cutOption takes an option from the beginning of what was typed.
func cutOption(arg, option string) (rest string, given bool) {
	lead := arg[:len(arg)-len(strings.TrimLeft(arg, " \t\r\n"))]
	word, rest := split.CutWord(arg[len(lead):])
	if word != option {
		return arg, false
	}
	return lead + rest, true // lines keep their numbers
}

// viewCall is the call of a function of package visualize.
func viewCall(name, arguments string, caption bool) string {
	call := "visualize." + name + "(" + arguments + ")"
	if caption {
		call = "visualize.Caption(" + call + ")"
	}
	return call
}

// captioned puts a sentence beneath what a recorder gives, where it is asked for.
func captioned(around Recorder, caption bool) Recorder {
	if !caption {
		return around
	}
	return func(run func()) (visualize.View, any) {
		v, panicked := around(run)
		if v == nil {
			return v, panicked
		}
		return visualize.Caption(v), panicked
	}
}

// broadcastMagic shows how shapes are aligned; of a matrix product and of Einsum how their dimensions meet.
func (s *Shell) broadcastMagic(ctx context.Context, arg string, caption bool) ([]Value, *Error) {
	if arg = strings.TrimSpace(arg); arg == "" {
		return nil, usage("%%broadcast X, Y, …; %%broadcast X @ Y; %%broadcast Einsum(EQUATION, X, …)")
	}
	if strings.HasPrefix(arg, "Einsum(") && strings.HasSuffix(arg, ")") {
		return s.Go(ctx, viewCall("Einsum", arg[len("Einsum("):len(arg)-1], caption))
	}
	if at := outerProduct(arg); at > 0 {
		return s.Go(ctx, viewCall("Matmul", strings.TrimSpace(arg[:at])+", "+strings.TrimSpace(arg[at+1:]), caption))
	}
	return s.Go(ctx, viewCall("Broadcast", arguments(arg), caption))
}

// outerProduct is the place of the last @ that no bracket encloses, -1 where there is none, or a comma beside it.
func outerProduct(arg string) int {
	depth, at := 0, -1
	for i, r := range arg {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				return -1
			}
		case '@':
			if depth == 0 {
				at = i
			}
		}
	}
	return at
}

// deviceArguments quotes names of devices: of async:0 d it makes "async:0", d.
func deviceArguments(arg string) string {
	words := strings.FieldsFunc(arg, func(r rune) bool { return r == ' ' || r == ',' })
	for i, w := range words {
		if _, ok := tensor.ParseDevice(w); ok {
			words[i] = strconv.Quote(w)
		}
	}
	return strings.Join(words, ", ")
}

// aliasMagic shows the storages that are shared, all storages, or those of some tensors.
func (s *Shell) aliasMagic(ctx context.Context, arg string, caption bool) ([]Value, *Error) {
	switch arg = strings.TrimSpace(arg); arg {
	case "", "-shared":
		return s.Go(ctx, viewCall("Shared", "", caption))
	case "-all":
		arg = ""
	}
	return s.Go(ctx, viewCall("Aliases", arguments(arg), caption))
}

// functionAndArguments makes f, x of f(x).
func functionAndArguments(arg string) string {
	e, err := parser.ParseExpr(arg)
	if c, ok := e.(*ast.CallExpr); err == nil && ok {
		return arg[:c.Lparen-1] + ", " + arg[c.Lparen:c.Rparen-1]
	}
	if text := strings.TrimSpace(arg); err != nil && strings.HasSuffix(text, ")") { // lists and slices of tensors
		depth := 0
		for i := len(text) - 1; i > 0; i-- {
			switch text[i] {
			case ')', ']', '}':
				depth++
			case '(', '[', '{':
				if depth--; depth == 0 {
					return text[:i] + ", " + text[i+1:len(text)-1]
				}
			}
		}
	}
	return arg
}

// arguments are those of the call.
func (m viewMagic) arguments(arg string) string {
	arg = strings.TrimSpace(arg)
	switch {
	case m.rewrite != nil:
		return m.rewrite(arg)
	case !m.words:
		return arguments(arg)
	}
	words := strings.FieldsFunc(arg, func(r rune) bool { return r == ' ' || r == ',' })
	for i, w := range words {
		words[i] = strconv.Quote(strings.Trim(w, "\"`"))
	}
	return strings.Join(words, ", ")
}

// arguments makes a list of arguments of what was typed: x, y as it is, and also x y, where x and y are expressions by
// themselves.
func arguments(arg string) string {
	if isArguments(arg) {
		return arg
	}
	var list []string
	left := ""
	for _, word := range strings.Fields(arg) {
		if left += word; isArguments(left) {
			list = append(list, left)
			left = ""
			continue
		}
		left += " "
	}
	if left != "" { // an error to be told as it was typed
		return arg
	}
	return strings.Join(list, ", ")
}

func isArguments(text string) bool {
	_, err := syntax.Parse(token.NewFileSet(), "cell", "f("+text+"\n)")
	if err != nil { // a last argument that ends its line wants a comma in Go
		_, err = syntax.Parse(token.NewFileSet(), "cell", "f("+text+")")
	}
	return err == nil
}

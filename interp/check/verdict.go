package check

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"sort"
	"strings"
	"sync"

	"gotorch/internal/lazyre"
	"gotorch/interp/syntax"
)

// Note: messages
//
// What the resolver says comes first: go/types' own complaints about the same
// statement are consequences and are dropped. The others are put into the words
// of the text typed: expressions that were made are quoted as what they were
// made of, hidden names lose their marks.

// verdict collects what is wrong with a cell.
func (u *unit) verdict() syntax.Diagnostics {
	r := u.res
	u.unused()
	u.overflow()
	ds := u.problems
	for _, p := range r.problems {
		ds = append(ds, u.cell.At(p.at, p.of.hi, p.msg))
	}
	own := len(ds) > 0
	shown := u.shownSpans()
	var late, internal []string
	var latePos token.Pos
	rewrite := sync.OnceValue(r.rewriter)
	said := map[token.Pos]bool{}
	for _, e := range u.errs {
		if e.Pos < u.at || e.Pos > u.at+token.Pos(u.cell.File.Size()) {
			internal = append(internal, e.Msg)
			continue
		}
		if u.droppable(e, own, shown) || strings.HasPrefix(e.Msg, cycle) { // which is told in words of its own
			continue
		}
		switch {
		case strings.Contains(e.Msg, "invalid syntax tree"): // @ on what has no type, which is said elsewhere
			late, latePos = append(late, "@ is the product of two tensors"), e.Pos
			continue
		case u.isCarrier(e):
			late, latePos = append(late,
				"nothing here says what this list holds: write New([…]) for a tensor, []T{…} for a Go slice"), e.Pos
			continue
		}
		if !said[e.Pos] {
			said[e.Pos] = true
			ds = append(ds, u.cell.At(e.Pos, e.Pos, u.words(e, rewrite())))
		}
	}
	if len(ds) == 0 && len(late) > 0 {
		ds = append(ds, u.cell.At(latePos, latePos, late[0]))
	}
	if len(ds) == 0 { // nothing may get lost silently
		for _, keys := range u.cell.Keywords {
			ds = append(ds, u.cell.At(keys[0].Name.Pos(), keys[0].Name.End(),
				"keywords cannot be given here: what is called takes none"))
		}
	}
	if len(ds) == 0 && len(internal) > 0 {
		ds = append(ds, u.cell.At(u.at, u.at, "what an earlier cell defined no longer checks: "+plainText(internal[0])))
	}
	return ds.Sort()
}

// droppable: a complaint that is none in a cell, or that follows from another.
func (u *unit) droppable(e types.Error, own bool, shown []span) bool {
	if name, ok := strings.CutPrefix(e.Msg, "declared and not used: "); ok {
		// an earlier cell's, which this one declares again
		if own || strings.Contains(name, "·") || u.outer[name] != nil && e.Pos == u.at {
			return true
		}
		if o := u.topScope().Lookup(name); o != nil && o.Pos() == e.Pos { // a later cell may use it
			return true
		}
	}
	if strings.Contains(e.Msg, "is not used") && u.isShown(e.Pos, shown) {
		return true
	}
	for _, p := range u.res.problems {
		if u.covers(p, e.Pos) {
			return true
		}
	}
	if strings.HasPrefix(e.Msg, "\t") { // more of the one before
		return true
	}
	tensor := strings.Contains(e.Msg, "of type *tensor.Tensor")
	if tensor && (strings.Contains(e.Msg, "cannot index ") || strings.Contains(e.Msg, "cannot slice ")) {
		return len(u.errs) > 1 || own // one of its parts is wrong, and complained of
	}
	return false
}

// isShown: pos is in a final expression, and not in a function inside of it.
func (u *unit) isShown(pos token.Pos, shown []span) bool {
	for i, s := range shown {
		if pos < s.lo || s.hi < pos {
			continue
		}
		inside := false
		list := u.statements().List
		ast.Inspect(list[len(list)-len(shown)+i], func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncLit); ok && f.Body.Lbrace < pos && pos < f.Body.Rbrace {
				inside = true
			}
			return !inside
		})
		return !inside
	}
	return false
}

// overflow rejects final constants that no value of their default type can be.
func (u *unit) overflow() {
	list := u.statements().List
	for _, s := range list[len(list)-len(u.cell.Show):] {
		es, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		tv := u.info.Types[es.X]
		if tv.Value == nil || tv.Type != types.Typ[types.UntypedInt] {
			continue
		}
		if _, exact := constant.Int64Val(constant.ToInt(tv.Value)); !exact {
			u.problem(es.X.Pos(), es.X.End(), "%s is more than an int holds: write float64(…), or use math/big",
				u.res.text(es.X))
		}
	}
}

// shownSpans are the final expressions: they need not be used.
func (u *unit) shownSpans() (spans []span) {
	list := u.statements().List
	for _, s := range list[len(list)-len(u.cell.Show):] {
		if es, ok := s.(*ast.ExprStmt); ok {
			sp := u.res.spanOf(es.X)
			spans = append(spans, span{min(sp.lo, es.X.Pos()), max(sp.hi, es.X.End())})
		}
	}
	return spans
}

// unused complains of tensor expressions that nothing uses. As calls they are
// legal statements.
func (u *unit) unused() {
	r := u.res
	list := u.statements().List
	shown := map[ast.Stmt]bool{}
	for _, s := range list[len(list)-len(u.cell.Show):] {
		shown[s] = true
	}
	check := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			es, ok := n.(*ast.ExprStmt)
			if !ok || shown[es] {
				return true
			}
			_, assigned := r.spans[es]
			if s, made := r.origin[es.X]; made && assigned && (r.ops[es.X] != 0 || strings.HasSuffix(r.textOf(s), "]")) {
				r.problems = append(r.problems, located{s.lo, s, r.textOf(s) + " is computed and not used"})
			}
			return true
		})
	}
	for _, d := range u.file.Decls[u.firstDecl():] {
		check(d)
	}
}

// isCarrier: the complaint is about a list that nothing typed, or about
// another form whose operands are wrong.
func (u *unit) isCarrier(e types.Error) bool {
	if !strings.Contains(e.Msg, "composite literal") {
		return false
	}
	for c := range u.cell.Kinds {
		if c.Pos() == e.Pos {
			return true
		}
	}
	return false
}

// covers: a complaint at pos is about the same statement line as p.
func (u *unit) covers(p located, pos token.Pos) bool {
	src := u.cell.Src
	at := min(max(int(p.at-u.at), 0), len(src))
	end := min(max(int(p.of.hi-u.at), at), len(src))
	lo := strings.LastIndexAny(src[:at], "\n;") + 1
	hi := len(src)
	if n := strings.IndexAny(src[end:], "\n;"); n >= 0 {
		hi = end + n
	}
	off := int(pos - u.at)
	return lo <= off && off <= hi
}

// rewriter replaces expressions that were made by the text they came from, the
// longest first.
func (r *resolver) rewriter() *strings.Replacer {
	type pair struct{ from, to string }
	var ps []pair
	for n, s := range r.origin {
		if e, ok := n.(ast.Expr); ok {
			if from, to := types.ExprString(e), r.textOf(s); from != to && len(from) > 1 {
				ps = append(ps, pair{from, to})
			}
		}
	}
	sort.Slice(ps, func(i, j int) bool {
		if len(ps[i].from) != len(ps[j].from) {
			return len(ps[i].from) > len(ps[j].from)
		}
		return ps[i].from < ps[j].from
	})
	var args []string
	for _, p := range ps {
		args = append(args, p.from, p.to)
	}
	return strings.NewReplacer(args...)
}

var (
	hiddenMark   = lazyre.New(`([\pL_][\pL\pN_]*)·+(\d*)`)
	hiddenImp    = lazyre.New(`\b(\pL[\pL\pN_]*)·+\.`)
	versioned    = lazyre.New(`[\pL_][\pL\pN_]*·\d+`)
	inArgument   = lazyre.New(` in argument to opt·\.(\w+)`)
	tensorName   = lazyre.New(`\btensor\.([A-Z])`)
	afterDot     = lazyre.New(`^\.(\w+)`)
	noList       = lazyre.New(`^cannot use (.*) \(.* of type \*Tensor\) as \[\]\*Tensor value in argument to (\w+)$`)
	noLen        = lazyre.New(`^invalid argument: (.*) \(.* of type \*Tensor\) for built-in len$`)
	noCall       = lazyre.New(`^cannot (index|slice|range over) (.*\.\w+) \(value of type func\(\)`)
	tooMany      = lazyre.New(`^too many arguments in call to (.*)\.(\w+)\n`)
	packageAlone = lazyre.New(`^use of package (\w+) not in selector$`)
	undefinedIn  = lazyre.New(`^(.*)\.(\w+) undefined \((.*)\)$`)
)

// plainText takes hidden marks off the names in a message.
func plainText(s string) string {
	if !strings.Contains(s, "·") {
		return s
	}
	s = strings.ReplaceAll(s, hidTensor+".", "")
	s = hiddenImp.ReplaceAllString(s, "$1.")
	return hiddenMark.ReplaceAllString(s, "$1")
}

// words puts a complaint of go/types into those of the text.
func (u *unit) words(e types.Error, rewrite *strings.Replacer) string {
	msg := e.Msg
	if m := inArgument.FindStringSubmatch(msg); m != nil {
		msg = strings.Replace(msg, m[0], " for "+snake(m[1])+"=", 1)
	}
	msg = rewrite.Replace(msg)
	msg = strings.TrimPrefix(msg, "invalid operation: ")
	msg = versioned.ReplaceAllStringFunc(msg, func(name string) string {
		if d := u.stubs[name]; d != nil && d.Kind == Type {
			return d.Name + " of " + d.Cell // another type goes by the name now
		}
		return name
	})
	msg = plainText(msg)
	if u.tensor != nil {
		msg = tensorName.ReplaceAllString(msg, "$1")
	}
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok && u.tensor != nil {
		off := min(max(int(e.Pos-u.at)+len(name), 0), len(u.cell.Src))
		if m := afterDot.FindStringSubmatch(u.cell.Src[off:]); m != nil && pythonModules[name] {
			g := camel(m[1])
			if m[1] == "tensor" {
				g = "New"
			}
			if u.tensor.Scope().Lookup(g) != nil {
				return fmt.Sprintf("%s.%s is %s here: the names of package tensor stand alone", name, m[1], g)
			}
		}
	}
	if strings.HasPrefix(msg, "undefined: ") && u.res.assigned[e.Pos] {
		return msg + " (a new name is declared with :=)"
	}
	return u.pythonName(msg)
}

// pythonModules are what Python's tutorials write before a dot.
var pythonModules = map[string]bool{"torch": true, "np": true, "numpy": true, "F": true}

// pythonWords are names of Python that are none here.
var pythonWords = map[string]string{
	"torch": "torch is Python's: at the prompt the names stand alone, Zeros(2, 3), x.View(3, 2)",
	"np":    "np is Python's: at the prompt the names stand alone, Zeros(2, 3), x.View(3, 2)",
	"True":  "undefined: True: Go writes true",
	"False": "undefined: False: Go writes false",
	"print": "undefined: print: Go writes fmt.Println(…)",
	"range": "undefined: range",
	"self":  "undefined: self: a method names its receiver, func (t T) M()",
	"str":   "undefined: str: Go writes fmt.Sprint(…)",
	"float": "undefined: float: Go has float64 and float32, and the dtypes are Float64 and Float32",
	"help":  "undefined: help: ?x explains x, ? shows what can be typed",
	"dir":   "undefined: dir: Tab behind x. lists what x has",
	"ls":    "undefined: ls: !ls runs it in the shell",
}

// pythonName explains a name in PyTorch's own case, a method that lacks its
// call, and what a tensor has not.
func (u *unit) pythonName(msg string) string {
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
		if w := pythonWords[name]; w != "" {
			return w
		}
		if g := camel(name); u.tensor != nil && g != name && len(name) > 1 && u.tensor.Scope().Lookup(g) != nil {
			return name + " is PyTorch's name: Go's is " + g
		}
		if strings.ContainsAny(name, ". ") {
			return msg
		}
		var live []Candidate
		for _, d := range u.env.Names() {
			live = append(live, Candidate{Text: d.Name})
		}
		for o := range u.declared {
			live = append(live, Candidate{Text: o})
		}
		for _, n := range types.Universe.Names() {
			live = append(live, Candidate{Text: n})
		}
		for n := range u.env.cfg.Auto {
			live = append(live, Candidate{Text: n})
		}
		return msg + meant(append(live, bareNames(u.env)...), name)
	}
	if m := packageAlone.FindStringSubmatch(msg); m != nil && u.tensor != nil {
		if m[1] == "tensor" {
			return "tensor is a package here: PyTorch's tensor([1, 2]) is New([1, 2])"
		}
		if g := camel(m[1]); u.tensor.Scope().Lookup(g) != nil {
			return fmt.Sprintf("%s is a package here: PyTorch's %s is %s", m[1], m[1], g)
		}
	}
	if m := noList.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("%s takes a list of tensors: write %s([%s, …])", m[2], m[2], m[1])
	}
	if m := noLen.FindStringSubmatch(msg); m != nil && u.tensor != nil {
		return fmt.Sprintf(
			"len does not take a tensor: %s.Size(0) is its first dimension, %s.Numel() the number of elements", m[1], m[1])
	}
	if m := noCall.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("%s is a method: write %s()", m[2], m[2])
	}
	if m := tooMany.FindStringSubmatch(msg); m != nil && u.tensor != nil {
		if o, _, _ := types.LookupFieldOrMethod(u.res.tensor, true, u.pkg, m[2]+"Dim"); o != nil {
			return fmt.Sprintf("%s takes no argument; along a dimension it is %s.%sDim", m[2], m[1], m[2])
		}
	}
	m := undefinedIn.FindStringSubmatch(msg)
	if m == nil {
		return msg
	}
	recv, name, why := m[1], m[2], m[3]
	switch {
	case strings.HasPrefix(why, "type func("):
		return fmt.Sprintf("%s is a method: write %s()", recv, recv)
	case u.tensor != nil && strings.HasPrefix(why, "type *Tensor"):
		if name == "data" {
			return fmt.Sprintf("a tensor has no data of its own to assign: %s.Detach() shares it without history, "+
				"autograd.NoGrad(func() { … }) writes without one", recv)
		}
		if g := camel(name); g != name {
			if o, _, _ := types.LookupFieldOrMethod(u.res.tensor, true, u.pkg, g); o != nil {
				return fmt.Sprintf("%s is PyTorch's name: Go's is %s", name, g)
			}
		}
		if strings.Contains(why, "but does have method ") {
			return fmt.Sprintf("%s: a tensor has no %s, but %s", recv+"."+name, name, why[strings.LastIndex(why, " ")+1:])
		}
		o := operand{env: u.env, typ: u.res.tensor}
		return fmt.Sprintf("%s: a tensor has no %s", recv+"."+name, name) + meant(o.members(), name)
	}
	return msg
}

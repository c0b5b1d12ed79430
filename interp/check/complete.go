package check

import (
	"go/types"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"gotorch/interp/exportdata"
	"gotorch/interp/syntax"
)

// Candidate is one way to go on at the cursor.
type Candidate struct {
	Text string // what replaces the text from Start to End of the Completion
	Type string // "func", "method", "var", "const", "type", "field", "package", "keyword", "argument", "label", "path", …
	Sig  string // its type or signature, in the words of a cell
	Def  *Def   // of what an earlier cell has defined

	obj types.Object // gives the Sig, once it is wanted
}

// Completion is the answer to Complete.
type Completion struct {
	Start, End int // the bytes of src that a candidate replaces
	Candidates []Candidate
}

// Complete returns what can be typed at the cursor (a byte offset into src): members of what stands before a dot,
// keyword arguments inside a call and the values that they take, fields inside a literal of a struct, labels after
// break, paths of packages in an import; else names of this cell and of earlier ones, of packages, of package tensor,
// and of Go. A PyTorch name in its own case completes to Go's. What follows the cursor, and what is wrong before it,
// does not matter.
func Complete(e *Env, src string, cursor int) (c Completion) {
	cursor = clamp(src, cursor)
	start := nameStart(src, cursor)
	c.Start, c.End = start, cursor
	defer func() { // of go/types
		if r := recover(); r != nil {

			c.Candidates = nil
		}
	}()
	prefix := src[start:cursor]
	if inText(src[:start]) {
		if from, _, ok := StringAt(src, cursor); ok && isImport(src[:from-1]) {
			c.Start = from
			for _, p := range exportdata.Paths() {
				c.Candidates = append(c.Candidates, Candidate{Text: p, Type: "path"})
			}
			c.Candidates = filter(c.Candidates, src[from:cursor])
		}
		return c
	}
	if start > 0 && src[start-1] == '.' && !strings.HasSuffix(src[:start], "...") {
		if list, ok := completeDefined(e, src, start-1); ok {
			c.Candidates = filter(list, prefix)
		} else if o := infer(e, src, start-1); o != nil {
			c.Candidates = filter(o.members(), prefix)
		} else if at, ok := torchName(e, src, start-1); ok { // torch.zer is Zer
			c.Start = at
			c.Candidates = filter(bareNames(e), prefix)
		}
		return c
	}
	if list, ok := labelsAt(src, start); ok {
		c.Candidates = filter(list, prefix)
		return c
	}
	if list := fieldsAt(e, src, start); len(list) > 0 {
		if c.Candidates = filter(list, prefix); len(c.Candidates) > 0 {
			return c
		}
	}
	call := callAt(e, src, start, false)
	if list := call.values(); len(list) > 0 {
		if c.Candidates = filter(list, prefix); len(c.Candidates) > 0 {
			return c
		}
	}
	c.Candidates = filter(append(call.keywords(), namesAt(e, src, start)...), prefix)
	return c
}

// torchName: the operand that ends at end is torch, as in Python, where nothing has that name; and where it begins.
func torchName(e *Env, src string, end int) (start int, ok bool) {
	const name = "torch"
	start = nameStart(src, end)
	return start, src[start:end] == name && e.Lookup(name) == nil
}

func candidate(o types.Object) Candidate {
	return Candidate{Text: o.Name(), Type: kindOf(o), obj: o}
}

// signatures are those of what packages export, which stays what it is: writing one takes microseconds, and a tensor
// has 500 methods. They are known by name, since each session reads its packages again.
var signatures sync.Map // exportedAs → string

// exportedAs is the name of what a package exports, in a type or by itself.
type exportedAs struct{ path, in, name string }

// lasting returns the name of an object, if it is one that means the same in all sessions.
func lasting(o types.Object) (as exportedAs, ok bool) {
	if o.Pkg() == nil || o.Pkg().Path() == "main" {
		return as, false
	}
	as = exportedAs{path: o.Pkg().Path(), name: o.Name()}
	if o.Pkg().Scope().Lookup(o.Name()) == o {
		return as, true
	}
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return as, false
	}
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	if !ok || n.TypeArgs().Len() > 0 {
		return as, false
	}
	as.in = n.Obj().Name()
	return as, true
}

// sign writes the Sig.
func (c *Candidate) sign() {
	o := c.obj
	c.obj = nil
	switch o.(type) {
	case nil, *types.PkgName, *types.Label:
		return
	}
	as, lasts := lasting(o)
	if lasts {
		if s, ok := signatures.Load(as); ok {
			c.Sig = s.(string)
			return
		}
	}
	if t, ok := o.(*types.TypeName); ok {
		if c.Sig = typeText(t.Type().Underlying()); len(c.Sig) > 60 {
			c.Sig, _, _ = strings.Cut(c.Sig, "{")
		}
	} else {
		c.Sig = strings.TrimPrefix(typeText(o.Type()), "untyped ")
	}
	if lasts {
		signatures.Store(as, c.Sig)
	}
}

func kindOf(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		if o.Signature().Recv() != nil {
			return "method"
		}
		return "func"
	case *types.Builtin:
		return "func"
	case *types.TypeName:
		return "type"
	case *types.Const, *types.Nil:
		return "const"
	case *types.PkgName:
		return "package"
	case *types.Label:
		return "label"
	case *types.Var:
		if o.IsField() {
			return "field"
		}
	}
	return "var"
}

// filter keeps what begins with the prefix: as typed, else in another case, as
// PyTorch's names are. What is not for people is kept where nothing else is; and
// where that is not either, what has the letters somewhere.
func filter(list []Candidate, prefix string) []Candidate {
	out := []Candidate{}
	keep := func(deep bool, same func(s string) bool) bool {
		for _, c := range list {
			if same(c.Text) && deep == (c.obj != nil && isInternal(c.obj)) {
				c.sign()
				out = append(out, c)
			}
		}
		return len(out) > 0
	}
	as, in := camel(prefix), strings.ToLower(prefix)
	for _, deep := range []bool{false, true} {
		if keep(deep, func(s string) bool { return strings.HasPrefix(s, prefix) }) || keep(deep, func(s string) bool {
			return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) || strings.HasPrefix(s, as)
		}) {
			return out
		}
	}
	if utf8.RuneCountInString(prefix) < 3 {
		return out
	}
	if !keep(false, func(s string) bool { return strings.Contains(strings.ToLower(s), in) }) {
		keep(false, func(s string) bool { return scattered(s, in) })
	}
	return out
}

// scattered: s has the letters, which are lower case, in their order, the first of them first.
func scattered(s, letters string) bool {
	for i, r := range strings.ToLower(s) {
		want, n := utf8.DecodeRuneInString(letters)
		if r == want {
			letters = letters[n:]
		} else if i == 0 {
			return false
		}
		if letters == "" {
			return true
		}
	}
	return false
}

func clamp(src string, cursor int) int {
	cursor = min(max(cursor, 0), len(src))
	for cursor > 0 && cursor < len(src) && !utf8.RuneStart(src[cursor]) {
		cursor--
	}
	return cursor
}

func isNameByte(src string, at int) bool {
	r, _ := utf8.DecodeRuneInString(src[at:])
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// nameStart is where the name that ends at end begins.
func nameStart(src string, end int) int {
	start := end
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(src[:start])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		start -= n
	}
	if start < end && src[start] >= '0' && src[start] <= '9' {
		return end // a number
	}
	return start
}

// inText: the text ends inside of a string or a comment.
func inText(text string) bool { return syntax.EndsInText(text) }

package learn

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// signature is that of an exercise's function.
type signature struct {
	params  string   // as written: x *Tensor, i, j int
	names   []string // of the parameters
	values  []string // of those that are not functions: functions cannot be compared
	spread  bool     // the last one is variadic
	results int
	text    string // all of it
}

// declaration is the beginning of a function at the margin of a cell; its parameters may go on in lines with a tab.
var declaration = regexp.MustCompile(`(?m)^func ([A-Za-z_]\w*)(\((?:.|\n\t)*?)\{[ \t]*$` +
	`|^func ([A-Za-z_]\w*)(\(.*)\{(.*)\}[ \t]*$`)

// signatureOf finds a function in the text of a cell.
func signatureOf(name, cell string) (s signature, err error) {
	for _, m := range declaration.FindAllStringSubmatch(cell, -1) {
		if m[1]+m[3] != name {
			continue
		}
		text := strings.TrimSpace(m[2] + m[4])
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc "+name+text+" {}", 0)
		if err != nil {
			return s, fmt.Errorf("func %s%s: %w", name, text, err)
		}
		return describe(text, f.Decls[0].(*ast.FuncDecl).Type)
	}
	return s, fmt.Errorf("it declares no func %s(…) at the margin", name)
}

func describe(text string, t *ast.FuncType) (s signature, err error) {
	s.text = text
	depth, end := 0, 0
	for i, c := range text {
		if c == '(' {
			depth++
		} else if c == ')' {
			if depth--; depth == 0 {
				end = i
				break
			}
		}
	}
	s.params = text[1:end]
	for _, p := range t.Params.List {
		if len(p.Names) == 0 {
			return s, fmt.Errorf("its parameters have no names: %s", text)
		}
		for _, n := range p.Names {
			s.names = append(s.names, n.Name)
			if _, is := p.Type.(*ast.FuncType); !is {
				s.values = append(s.values, n.Name)
			}
		}
		_, s.spread = p.Type.(*ast.Ellipsis)
	}
	if t.Results != nil {
		s.results = t.Results.NumFields()
	}
	return s, nil
}

// closures turns the functions that a cell declares into variables, so that the cell can stand inside of a function.
func closures(cell string) string {
	var names []string
	body := declaration.ReplaceAllStringFunc(cell, func(line string) string {
		m := declaration.FindStringSubmatch(line)
		name, rest := m[1]+m[3], strings.TrimSpace(m[2]+m[4])
		names = append(names, "var "+name+" func"+rest)
		return strings.Replace(line, "func "+name, name+" = func", 1)
	})
	return strings.Join(names, "\n") + "\n" + body
}

// helpers are functions that cases may call.
var helpers = []struct{ name, code string }{
	// pick(lo, hi) is a random whole number from lo to hi.
	{"pick", `pick := func(lo, hi int) int { return int(Randint(lo, hi+1, 1).Item()) }`},
	// strided(x) has x's elements at random strides: row-major, column-major, every second place, or backwards.
	{"strided", `strided := func(x *Tensor) *Tensor {
	kind := int(Randint(0, 4, 1).Item())
	switch {
	case x.Dim() == 0 || kind == 0:
		return x
	case kind == 1:
		order := make([]int, x.Dim())
		for i := range order { order[i] = x.Dim() - 1 - i }
		return x.Permute(order...).Contiguous().Permute(order...)
	case kind == 2:
		return Stack([x, x], dim=-1)[..., 0]
	}
	return x.Flip(0)[::-1]
}`},
}

// program is Go, an expression, that calls the function of an exercise on cases. Its value has a []any for
// each case: the results, then the arguments as they are after the call. With a text of code the function is the one
// declared there; without, that of the session.
func program(x *Exercise, cases []Case, code string) string {
	s, err := signatureOf(x.Name, x.Solution)
	if err != nil {
		panic(err) // the parser has seen it
	}
	var results []string
	for i := range s.results {
		results = append(results, fmt.Sprintf("result%d", i))
	}
	call := x.Name + "(" + strings.Join(s.names, ", ")
	if s.spread {
		call += "..."
	}
	call += ")"
	if len(results) > 0 {
		call = strings.Join(results, ", ") + " := " + call
	}
	var args strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&args, "ManualSeed(%d)\nall = append(all, call(%s))\n", c.Seed, c.Args)
	}
	var b strings.Builder
	b.WriteString("func() [][]any {\n")
	for _, h := range helpers {
		if regexp.MustCompile(`\b` + h.name + `\(`).MatchString(args.String()) {
			b.WriteString(h.code + "\n")
		}
	}
	if code != "" {
		b.WriteString(closures(code) + "\n")
	}
	all := strings.Join(append(results, s.values...), ", ")
	fmt.Fprintf(&b, "call := func(%s) []any {\n%s\nreturn []any{%s}\n}\n", s.params, call, all)
	fmt.Fprintf(&b, "var all [][]any\n%sreturn all\n}()", args.String())
	return b.String()
}

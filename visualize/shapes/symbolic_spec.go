package shapes

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"

	"gotorch/internal/sizes"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// symbolicInput is a tensor, or a number, whose sizes have letters.
type symbolicInput struct {
	name   string
	dtype  tensor.Dtype
	typed  bool // the dtype was given
	dims   []sizes.Expr
	number bool // it is the number dims[0]
}

// letters are those of all inputs, in the order in which they were met.
type letters struct{ names []string }

// maxLetters is how many letters there may be.
const maxLetters = 8

func (l *letters) get(name string) sizes.Expr {
	i := slices.Index(l.names, name)
	if i < 0 {
		i = len(l.names)
		if l.names = append(l.names, name); i == maxLetters {
			panic(tensor.Errorf("shapes", "there may be %d letters, and %s is one more", maxLetters, name))
		}
	}
	return sizes.Letter(name, i)
}

// parseInputs reads x=[B, 3, H, W], t=int64[B], n=N.
func (l *letters) parseInputs(spec string) (ins []symbolicInput) {
	const example = "as in x=[B, 3, H, W], t=int64[B]"
	for _, part := range splitOutside(spec) {
		name, shape, ok := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); !ok || !token.IsIdentifier(name) {
			panic(tensor.Errorf("shapes", "%q gives no name a shape", draw.OneLine(part, 60)).WithHint(example))
		}
		if slices.ContainsFunc(ins, func(in symbolicInput) bool { return in.name == name }) {
			panic(tensor.Errorf("shapes", "%s is given twice", name))
		}
		in := l.parseInput(shape)
		in.name = name
		ins = append(ins, in)
	}
	if len(ins) == 0 {
		panic(tensor.Errorf("shapes", "no name is given a shape").WithHint(example))
	}
	return ins
}

// splitOutside splits at the commas outside of brackets.
func splitOutside(s string) (parts []string) {
	depth, from := 0, 0
	for i, r := range s {
		switch r {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		}
	}
	if last := strings.TrimSpace(s[from:]); last != "" || len(parts) > 0 {
		parts = append(parts, s[from:])
	}
	return parts
}

// parseInput reads [B, 3, H, W], float32[B, 2*K], or N.
func (l *letters) parseInput(shape string) (in symbolicInput) {
	in.dtype = tensor.Float32
	shape = strings.TrimSpace(shape)
	open := strings.IndexByte(shape, '[')
	if open < 0 {
		in.number = true
		in.dims = []sizes.Expr{l.parseDim(shape, shape)}
		return in
	}
	if !strings.HasSuffix(shape, "]") {
		panic(tensor.Errorf("shapes", "%q is no shape", draw.OneLine(shape, 60)).WithHint("as in [B, 3, H, W]"))
	}
	if dtype := strings.TrimSpace(shape[:open]); dtype != "" {
		dt, ok := tensor.ParseDtype(dtype)
		if !ok {
			panic(tensor.Errorf("shapes", "there is no dtype %s", draw.OneLine(dtype, 40)).
				WithHint("as in int64[B, T]"))
		}
		in.dtype, in.typed = dt, true
	}
	for _, dim := range splitOutside(shape[open+1 : len(shape)-1]) {
		in.dims = append(in.dims, l.parseDim(dim, shape))
	}
	return in
}

// parseDim reads B, 3, 2*K, H + 1.
func (l *letters) parseDim(dim, shape string) sizes.Expr {
	wrong := func() *tensor.Error {
		return tensor.Errorf("shapes", "%q is no size in %s", strings.TrimSpace(dim), draw.OneLine(shape, 60)).
			WithHint("a size is a number, a letter, or a sum or product of these; commas stand between them")
	}
	e, err := parser.ParseExpr(strings.TrimSpace(dim))
	if err != nil {
		panic(wrong())
	}
	var read func(e ast.Expr) sizes.Expr
	read = func(e ast.Expr) sizes.Expr {
		switch e := e.(type) {
		case *ast.Ident:
			return l.get(e.Name)
		case *ast.ParenExpr:
			return read(e.X)
		case *ast.BasicLit:
			if n, err := strconv.Atoi(e.Value); err == nil && n < 1<<20 {
				return sizes.Const(n)
			}
		case *ast.BinaryExpr:
			switch e.Op {
			case token.ADD:
				return read(e.X).Add(read(e.Y))
			case token.SUB:
				return read(e.X).Sub(read(e.Y))
			case token.MUL:
				return read(e.X).Mul(read(e.Y))
			}
		}
		panic(wrong())
	}
	return read(e)
}

// bind finds the letters' values where in has the shape of x, which is what the session knows by that name. It panics
// where the shapes contradict each other.
func (l *letters) bind(values map[int]int, in symbolicInput, x *tensor.Tensor) {
	shape := x.Shape()
	refuse := func(format string, args ...any) {
		panic(tensor.Errorf("shapes", "%s is %s and cannot be %s: %s", in.name, draw.DtypeShape(x), in.shape(),
			fmt.Sprintf(format, args...)).WithHint("give a name that no tensor has, or %shapes the shape that it has"))
	}
	if len(shape) != len(in.dims) {
		refuse("it has %s", draw.Counted(len(shape), "dimension"))
	}
	for d, e := range in.dims {
		i, letter := e.IsLetter()
		if !letter {
			continue
		}
		if n, known := values[i]; known && n != shape[d] {
			refuse("%s would be both %d and %d", l.names[i], n, shape[d])
		}
		values[i] = shape[d]
	}
	v := make([]int, len(l.names))
	for i, n := range values {
		v[i] = n
	}
	for d, e := range in.dims {
		mark := map[int]bool{}
		e.Letters(mark)
		known := true
		for i := range mark {
			_, ok := values[i]
			known = known && ok
		}
		if n, ok := e.Eval(v); known && (!ok || n != shape[d]) {
			refuse("dimension %d has size %d, not %s", d, shape[d], e)
		}
	}
}

// shape is [B, 3, H, W].
func (in symbolicInput) shape() string {
	var dims []string
	for _, e := range in.dims {
		dims = append(dims, e.String())
	}
	if in.number {
		return dims[0]
	}
	return "[" + strings.Join(dims, ", ") + "]"
}

// make makes the input for values of the letters: a tensor on the meta device, or an int. ok is false where a size is
// below zero.
func (in symbolicInput) make(values []int) (x any, ok bool) {
	shape := make([]int, len(in.dims))
	for d, e := range in.dims {
		if shape[d], ok = e.Eval(values); !ok || shape[d] < 0 && !in.number {
			return nil, false
		}
	}
	if in.number {
		return shape[0], true
	}
	n := int64(1)
	for _, s := range shape {
		if n *= int64(s); n > min(int64(1<<40), math.MaxInt/16) {
			return nil, false
		}
	}
	stride := make([]int, len(shape))
	step := 1
	for d := len(shape) - 1; d >= 0; d-- {
		stride[d] = step
		step *= max(1, shape[d])
	}
	st := tensor.NewStorage(tensor.Meta, nil, int(n)*in.dtype.Size(), nil)
	return tensor.FromStorage("shapes", st, shape, stride, 0, in.dtype), true
}

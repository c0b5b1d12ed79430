package tensor

import (
	"fmt"
	"slices"
	"strings"
)

// Note: einsum. Every letter, and every dimension that an ellipsis stands for, is a label. Each operand is brought to
// the order of all labels, those of the result first, with size 1 where it has none. Operands are then multiplied from
// left to right as batches of matrices; a label that is not in the result is summed with the last operand that has it.

func init() {
	composites(map[string]Kernel{"einsum": einsumBody})
}

// einsumEllipsis stands for an ellipsis among the letters of an operand.
const einsumEllipsis = '.'

type einsum struct {
	c        *Call
	terms    [][]rune // the letters of each operand
	output   []rune
	explicit bool
	ellipsis int // dimensions that an ellipsis stands for
}

func (e *einsum) fail(format string, args ...any) { panic(Errorf(e.c.Name(), format, args...)) }

func einsumBody(c *Call) {
	ops := c.Tensors(1)
	if len(ops) == 0 {
		panic(Errorf(c.Name(), "must be given at least one operand"))
	}
	e := &einsum{c: c}
	e.parse(c.Str(0))
	if len(e.terms) != len(ops) {
		few := "more"
		if len(ops) < len(e.terms) {
			few = "fewer"
		}
		e.fail("%s operands were given (%d) than the equation %q has (%d)", few, len(ops), c.Str(0), len(e.terms))
	}
	e.checkOperands(ops)
	labels, kept := e.labels()
	place := map[rune]int{}
	for i, l := range labels {
		place[l] = i + e.ellipsisBefore(labels, i)
	}
	total := len(labels)
	if slices.Contains(labels, einsumEllipsis) {
		total += e.ellipsis - 1
	}
	nOut := kept
	if slices.Contains(labels[:kept], einsumEllipsis) {
		nOut += e.ellipsis - 1
	}
	aligned := make([]*Tensor, len(ops))
	last := make([]int, total) // the last operand that has each dimension
	for i, x := range ops {
		aligned[i] = e.align(i, x, place, total, last)
	}
	e.checkSizes(aligned)
	out := aligned[0]
	sums := func(i int) (dims []int) {
		for d := nOut; d < total; d++ {
			if last[d] == i {
				dims = append(dims, d)
			}
		}
		return dims
	}
	if s := sums(0); len(s) > 0 {
		out = out.Sum(optDim(s...), optKeepdim(true))
	}
	for i := 1; i < len(aligned); i++ {
		out = contract(out, aligned[i], sums(i))
	}
	for d := total - 1; d >= nOut; d-- {
		out = out.Squeeze(d)
	}
	c.Return(out)
}

// parse reads the equation.
func (e *einsum) parse(equation string) {
	left, right, explicit := strings.Cut(equation, "->")
	e.explicit = explicit
	at := 0
	read := func(s string) []rune {
		var term []rune
		for i := 0; i < len(s); i++ {
			switch ch := s[i]; {
			case ch == ' ':
			case ch == '.':
				if !strings.HasPrefix(s[i:], "...") {
					e.fail("found '.' at index %d of the equation %q that is not part of an ellipsis", at+i, equation)
				}
				if slices.Contains(term, einsumEllipsis) {
					e.fail("found a second ellipsis at index %d of the equation %q; an operand has one at most", at+i, equation)
				}
				term = append(term, einsumEllipsis)
				i += 2
			case ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z':
				term = append(term, rune(ch))
			default:
				e.fail("invalid subscript %q at index %d of the equation %q: subscripts are letters, a-z and A-Z", ch,
					at+i, equation)
			}
		}
		at += len(s) + 1
		return term
	}
	for _, s := range strings.Split(left, ",") {
		e.terms = append(e.terms, read(s))
	}
	if explicit {
		at++
		e.output = read(right)
	}
}

// checkOperands finds how many dimensions the ellipsis stands for, and checks numbers of dimensions.
func (e *einsum) checkOperands(ops []*Tensor) {
	for i, term := range e.terms {
		n, letters := len(ops[i].shape), len(term)
		if slices.Contains(term, einsumEllipsis) {
			letters--
			if letters > n {
				e.fail("the number of subscripts in the equation (%d) is more than the number of dimensions (%d) of operand %d",
					letters, n, i)
			}
			e.ellipsis = max(e.ellipsis, n-letters)
		} else if letters != n {
			e.fail("the number of subscripts in the equation (%d) does not match the number of dimensions (%d) of operand %d "+
				"and no ellipsis was given", letters, n, i)
		}
	}
}

// labels lists all labels, those of the result first; kept is the number of these.
func (e *einsum) labels() (labels []rune, kept int) {
	uses := map[rune]int{}
	for _, term := range e.terms {
		for _, l := range term {
			uses[l]++
		}
	}
	var all []rune
	for l := range uses {
		all = append(all, l)
	}
	slices.Sort(all) // the ellipsis comes first, capitals before small letters
	if e.explicit {
		for i, l := range e.output {
			switch {
			case l != einsumEllipsis && uses[l] == 0:
				e.fail("output subscript %c does not appear in the equation for any input operand", l)
			case slices.Contains(e.output[:i], l):
				e.fail("output subscript %c appears more than once in the output", l)
			}
		}
		labels = slices.Clone(e.output)
	} else {
		for _, l := range all {
			if l == einsumEllipsis || uses[l] == 1 {
				labels = append(labels, l)
			}
		}
	}
	kept = len(labels)
	for _, l := range all {
		if !slices.Contains(labels, l) {
			labels = append(labels, l)
		}
	}
	return labels, kept
}

// ellipsisBefore is how many more dimensions than one the ellipsis takes before place i.
func (e *einsum) ellipsisBefore(labels []rune, i int) int {
	if j := slices.Index(labels, einsumEllipsis); j >= 0 && j < i {
		return e.ellipsis - 1
	}
	return 0
}

// align takes the diagonals of repeated labels, and puts the dimensions in the order of all labels.
func (e *einsum) align(op int, x *Tensor, place map[rune]int, total int, last []int) *Tensor {
	dimOf := make([]int, total) // the dimension of x at each place, -1 for none
	for i := range dimOf {
		dimOf[i] = -1
	}
	dim := 0
	for _, l := range e.terms[op] {
		if l == einsumEllipsis {
			n := len(x.shape) - (len(e.terms[op]) - 1) + e.taken(op, l)
			for j := range n {
				p := place[l] + e.ellipsis - n + j
				dimOf[p], last[p] = dim, op
				dim++
			}
			continue
		}
		p := place[l]
		if first := dimOf[p]; first >= 0 { // repeated: the diagonal goes to the end, and then back to where the first was
			if x.shape[first] != x.shape[dim] {
				e.fail("subscript %c is repeated for operand %d but the sizes don't match, %d != %d", l, op, x.shape[dim],
					x.shape[first])
			}
			x = x.Diagonal(optDim1(first), optDim2(dim)).Movedim(-1, first)
			continue
		}
		dimOf[p], last[p] = dim, op
		dim++
	}
	perm := make([]int, 0, len(x.shape))
	for _, d := range dimOf {
		if d >= 0 {
			perm = append(perm, d)
		}
	}
	x = x.Permute(perm...)
	for p, d := range dimOf {
		if d < 0 {
			x = x.Unsqueeze(p)
		}
	}
	return x
}

// taken is how many dimensions of the operand diagonals have taken away before label l is met.
func (e *einsum) taken(op int, l rune) int {
	n := 0
	for i, m := range e.terms[op] {
		if m == l {
			break
		}
		if slices.Contains(e.terms[op][:i], m) {
			n++
		}
	}
	return n
}

// checkSizes panics where two operands have sizes of one label that do not broadcast.
func (e *einsum) checkSizes(xs []*Tensor) {
	for d := range xs[0].shape {
		size := 1
		for i, x := range xs {
			n := x.shape[d]
			if n != 1 && size != 1 && n != size {
				var shapes []string
				for _, t := range e.c.Tensors(1) {
					shapes = append(shapes, fmt.Sprint(t.shape))
				}
				e.fail("operands do not broadcast: operand %d has size %d where another has %d (shapes %s)", i, n, size,
					strings.Join(shapes, ", "))
			}
			if n != 1 {
				size = n
			}
		}
	}
}

// contract multiplies two tensors of as many dimensions and sums along sum, which stay with size 1.
func contract(a, b *Tensor, sum []int) *Tensor {
	var both, onlyA, onlyB, summed []int
	shape := make([]int, len(a.shape))
	batch, rows, cols, inner := 1, 1, 1, 1
	for d := range a.shape {
		n, m := a.shape[d], b.shape[d]
		shape[d] = n
		switch isSum := slices.Contains(sum, d); {
		case isSum && n != 1 && m != 1:
			summed, inner, shape[d] = append(summed, d), inner*n, 1
		case isSum && n != 1:
			a, shape[d] = a.Sum(optDim(d), optKeepdim(true)), 1
			summed = append(summed, d)
		case isSum && m != 1:
			b, shape[d] = b.Sum(optDim(d), optKeepdim(true)), 1
			summed = append(summed, d)
		case isSum:
			summed = append(summed, d)
		case n != 1 && m != 1:
			both, batch = append(both, d), batch*n
		case n != 1:
			onlyA, rows = append(onlyA, d), rows*n
		default:
			onlyB, cols, shape[d] = append(onlyB, d), cols*m, m
		}
	}
	order := slices.Concat(both, onlyA, summed, onlyB)
	x := a.Permute(order...).Reshape(batch, rows, inner)
	y := b.Permute(slices.Concat(both, summed, onlyB, onlyA)...).Reshape(batch, inner, cols)
	sizes, back := make([]int, len(order)), make([]int, len(order))
	for i, d := range order {
		sizes[i], back[d] = shape[d], i
	}
	return x.Bmm(y).View(sizes...).Permute(back...)
}

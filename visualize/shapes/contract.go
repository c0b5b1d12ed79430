package shapes

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Contraction shows a product of tensors dimension by dimension: each has a letter, those of the result come first,
// and over the others is summed.
type Contraction struct {
	Equation string             `json:"equation"` // as in Einsum
	Letters  []ContractedLetter `json:"letters"`  // those of the result in its order, then those that are summed over
	Operands []ContractedRow    `json:"operands"`
	Result   []int              `json:"result"`
	Terms    int                `json:"terms"`  // products that each element of the result is the sum of
	Matrix   bool               `json:"matrix"` // it is a product of matrices
}

// ContractedLetter is one dimension of all operands.
type ContractedLetter struct {
	Letter string `json:"letter"`
	Size   int    `json:"size"`
	Summed bool   `json:"summed,omitempty"`
	Role   string `json:"role"` // batch, row, column, inner, summed, kept
}

// ContractedRow is one operand.
type ContractedRow struct {
	Name   string `json:"name"`
	Shape  []int  `json:"shape"`
	Sizes  []int  `json:"sizes"`  // by letter; 0 where it has no such dimension
	Absent []bool `json:"absent"` // by letter
}

// Matmul shows how the dimensions of a @ b meet: those of the batch, which broadcast, the inner ones, over which is
// summed, and those that the result keeps. Where sizes do not meet, it is the picture of that error.
//
//	visualize.Matmul(x, w)   // in a cell: %broadcast x @ w
func Matmul(a, b *tensor.Tensor) draw.View {
	names := draw.Labels("Matmul", draw.LiveNames(), []*tensor.Tensor{a, b})
	for i, x := range []*tensor.Tensor{a, b} {
		if x == nil || x.Dim() == 0 {
			what := "nil"
			if x != nil {
				what = "a single number"
			}
			panic(tensor.Errorf("matmul", "%s is %s, which has no rows and columns", names[i], what).OnArg("a b"[2*i : 2*i+1]))
		}
	}
	if p := product(names, a.Shape(), b.Shape()); p != nil {
		return p
	}
	batch := max(a.Dim(), b.Dim()) - 2
	letters := func(n int, last string) string {
		if n == 1 {
			return "k"
		}
		return batchLetters(batch)[batch-(n-2):] + last
	}
	result := batchLetters(max(batch, 0))
	if a.Dim() > 1 {
		result += "i"
	}
	if b.Dim() > 1 {
		result += "j"
	}
	c := contract([]string{letters(a.Dim(), "ik"), letters(b.Dim(), "kj")}, result, names, []*tensor.Tensor{a, b})
	c.Matrix = true
	roles := map[string]string{"i": "row", "j": "column", "k": "inner"}
	for i := range c.Letters {
		if c.Letters[i].Role = roles[c.Letters[i].Letter]; c.Letters[i].Role == "" {
			c.Letters[i].Role = "batch"
		}
	}
	return c
}

// batchLetters name the dimensions of the batch.
func batchLetters(n int) string { return "abcdefghlmnopqrstuvwxyz"[:min(max(n, 0), 23)] }

// Einsum shows what an equation does to the dimensions of its operands: each letter in its colour, which of them the
// result has, and over which is summed. An equation that does not fit the operands panics with an *Error.
//
//	visualize.Einsum("bik,bkj->bij", x, w)   // in a cell: %broadcast Einsum("bik,bkj->bij", x, w)
func Einsum(equation string, xs ...*tensor.Tensor) *Contraction {
	names := draw.Labels("", draw.LiveNames(), xs)
	if typed := draw.TypedTexts("Einsum"); len(typed) == len(xs)+1 {
		copy(names, typed[1:])
	}
	inputs, result, err := readEquation(equation)
	switch {
	case err != "":
		panic(tensor.Errorf("einsum", "the equation %q %s", draw.Clip(equation, 60), err).OnArg("equation"))
	case len(inputs) != len(xs):
		panic(tensor.Errorf("einsum", "the equation %q is for %s, and there are %d", equation,
			draw.Counted(len(inputs), "tensor"), len(xs)).OnArg("equation"))
	}
	for i, x := range xs {
		if x == nil || x.Dim() != len(inputs[i]) {
			what := "is nil"
			if x != nil {
				what = "has the shape " + fmt.Sprint(x.Shape())
			}
			panic(tensor.Errorf("einsum", "the equation names %s of %s, which %s",
				draw.Counted(len(inputs[i]), "dimension"), names[i], what).OnArg("operands"))
		}
	}
	return contract(inputs, result, names, xs)
}

// readEquation divides an equation; err says what is wrong with it.
func readEquation(equation string) (inputs []string, result, err string) {
	text := strings.ReplaceAll(equation, " ", "")
	left, result, given := strings.Cut(text, "->")
	inputs = strings.Split(left, ",")
	count := map[rune]int{}
	for _, r := range strings.Join(inputs, "") + result {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return nil, "", fmt.Sprintf("has %q: dimensions are letters, and ... is not shown", string(r))
		}
	}
	for _, r := range strings.Join(inputs, "") {
		count[r]++
	}
	if !given { // those that stand there once, in order
		var once []string
		for r, n := range count {
			if n == 1 {
				once = append(once, string(r))
			}
		}
		slices.Sort(once)
		result = strings.Join(once, "")
	}
	for i, r := range result {
		if count[r] == 0 {
			return nil, "", fmt.Sprintf("gives %q, which no operand has", string(r))
		}
		if strings.ContainsRune(result[:i], r) {
			return nil, "", fmt.Sprintf("gives %q twice", string(r))
		}
	}
	return inputs, result, ""
}

// contract finds the sizes of all letters, and panics where they do not meet.
func contract(inputs []string, result string, names []string, xs []*tensor.Tensor) *Contraction {
	c := &Contraction{Equation: strings.Join(inputs, ",") + "->" + result, Terms: 1}
	var summed []string
	for _, r := range strings.Join(inputs, "") {
		if s := string(r); !strings.Contains(result, s) && !slices.Contains(summed, s) {
			summed = append(summed, s)
		}
	}
	size, by := map[string]int{}, map[string]string{}
	for i, in := range inputs {
		for d, r := range in {
			n, l := xs[i].Shape()[d], string(r)
			if was, ok := size[l]; ok && was != n && was != 1 && n != 1 {
				panic(tensor.Errorf("einsum", "the dimension %s has size %d in %s and %d in %s", l, was, by[l], n, names[i]).
					OnArg("operands"))
			} else if !ok || was == 1 {
				size[l], by[l] = n, names[i]
			}
		}
	}
	for _, l := range append(strings.Split(result, ""), summed...) {
		if l == "" {
			continue
		}
		letter := ContractedLetter{Letter: l, Size: size[l], Summed: slices.Contains(summed, l), Role: "kept"}
		if letter.Summed {
			letter.Role = "summed"
			c.Terms *= size[l]
		} else {
			c.Result = append(c.Result, size[l])
		}
		c.Letters = append(c.Letters, letter)
	}
	for i, in := range inputs {
		row := ContractedRow{Name: draw.Clip(names[i], draw.MaxName), Shape: slices.Clone(xs[i].Shape())}
		for _, l := range c.Letters {
			d := strings.Index(in, l.Letter)
			row.Absent = append(row.Absent, d < 0)
			n := 0
			if d >= 0 {
				n = row.Shape[d]
			}
			row.Sizes = append(row.Sizes, n)
		}
		c.Operands = append(c.Operands, row)
	}
	return c
}

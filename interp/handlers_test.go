package interp

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"gotorch/interp/internal/celltest"
)

// What a handler may do, as a cell writes it: forward, answer, answer nonsense, panic, and call itself.
var handlerSteps = []string{
	`c.Next()`,
	`c.Next(); c.Next()`,
	`c.Again(nil, nil)`,
	`c.Return(c.Again(nil, nil)...)`,
	`c.Return()`,
	`c.Return(nil)`,
	`c.Return(Ones(3))`,
	`c.Return(Ones(2), Ones(2))`,
	`c.Return(Zeros(2, device="meta"))`,
	`c.Return(Ones(2, dtype=Int64).ToSparse())`,
	`c.Return(c.Tensor(0))`,
	`c.Return(c.Results()...)`,
	`c.Tensor(99)`,
	`c.Ret(3).Add_(1)`,
	`var p *Tensor; p.Exp()`,
	`var xs []int; fmt.Println(xs[c.NumArgs()])`,
	`panic("boom")`,
	`panic(nil)`,
	`panic(tensor.Errorf(c.Name(), "no"))`,
	`handle(c)`,
	`Ones(2).Exp()`,
	`if n++; n < 5 { c.Next() }`,
	`WithMode(handle, func() { Ones(2).Mul(2) }, "again")`,
	`go func() { recover() }()`,
	``,
}

// What is computed meanwhile.
var handlerPrograms = []string{
	`Ones(2).Add(1)`,
	`Ones(2).Add_(1)`,
	`(Ones(2).RequiresGrad_() * 3).Sum().Backward()`,
	`autograd.Vmap(func(x *Tensor) *Tensor { return x.Exp() })(Ones(2, 2))`,
	`Ones(2, 2).Softmax(1).Matmul(Ones(2)).Var()`,
	`New([2.0, 1.0]).Sort(); Cat([Ones(2), Zeros(2)]).Split(2)`,
	`Ones(2)[0] = 5`,
	`fmt.Println(Ones(2))`,
	`nn.NewLinear(2, 2).Forward(Ones(1, 2))`,
}

// TestHandlers: modes and wrappers whose handlers do anything end in a value or an error of their cell, and the
// session goes on, without a mode that is left over and with the tensors that it had.
func TestHandlers(t *testing.T) {
	celltest.Single(t)
	for seed := range 40 {
		tryHandler(t, int64(seed))
	}
}

func FuzzHandlers(f *testing.F) {
	f.Add(int64(1))
	f.Fuzz(tryHandler)
}

func tryHandler(t *testing.T, seed int64) {
	r := rand.New(rand.NewSource(seed))
	s := New(Options{})
	defer s.Close()
	body := ""
	for range 1 + r.Intn(3) {
		body += "\t" + handlerSteps[r.Intn(len(handlerSteps))] + "\n"
	}
	program := handlerPrograms[r.Intn(len(handlerPrograms))]
	cell(s, "keep := Arange(3)\nn := 0")
	src := fmt.Sprintf("func handle(c *tensor.Call) {\n%s}\n", body)
	if seed%2 == 0 {
		src += fmt.Sprintf("WithMode(handle, func() {\n\t%s\n}, \"m\")", program)
	} else {
		src = "type Wrap struct{ X *Tensor }\nfunc (w Wrap) Name() string { return \"Wrap\" }\n" +
			"func (w Wrap) Dense() *Tensor { return w.X }\nfunc (w Wrap) Handle(c *tensor.Call) { handle(c) }\n" + src +
			"func wrapped() *Tensor { return NewWrapper(Wrap{Ones(2)}, Ones(2)) }\n" +
			strings.ReplaceAll(program, "Ones(2)", "wrapped()")
	}
	got := cell(s, src)
	if strings.Contains(got, "internal error") || strings.Contains(got, "goroutine ") {
		t.Errorf("seed %d\n%s\n%s", seed, src, got)
	}
	for src, want := range map[string]string{"Modes()": "[]", "keep": "tensor([0, 1, 2])",
		"Ones(2).Add(1).Sum()": "tensor(4.)"} {
		if got := cell(s, src); strings.TrimSpace(got) != want {
			t.Errorf("seed %d: then %s is %s\n%s", seed, src, got, body)
		}
	}
}

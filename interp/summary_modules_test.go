package interp

import (
	"strings"
	"testing"

	"gotorch/interp/internal/celltest"
)

const summaryModels = `func act(x *Tensor) *Tensor { return x.Tanh() }
type Pre struct { L *nn.Linear }
func (p *Pre) Forward(x *Tensor) *Tensor { return p.L.Forward(x.Relu()) }
type Copy struct { L *nn.Linear }
func (c Copy) Forward(x *Tensor) *Tensor { return act(c.L.Forward(x)) }
type First struct { Pre Pre; Out *nn.Linear }
func (m *First) Forward(x *Tensor) *Tensor { return m.Out.Forward(m.Pre.Forward(x.Sin())).Cos() }
lin := func() *nn.Linear { return nn.NewLinear(4, 4) }
show := func(m nn.Module) {
	s := nn.Summary(m, Zeros(2, 4))
	fmt.Println(s.Name)
	for _, r := range s.Rows {
		if r.Group { fmt.Println("group", r.Name, r.Kind) } else { fmt.Println(r.Name, r.Kind, r.Ops) }
	}
}
type Plain struct { Pres []*Pre }
func (n *Plain) Forward(x *Tensor) *Tensor {
	for _, p := range n.Pres { x = p.Forward(x) }
	return n.Pres[0].Forward((x.Sigmoid()))
}
type Funcs struct { Copy Copy }
func (n *Funcs) Forward(x *Tensor) *Tensor { return act(n.Copy.Forward(x).Exp()).Square() }
type Mixed struct { Seq nn.Sequential; Any nn.Module }
func (n *Mixed) Forward(x *Tensor) *Tensor {
	x = n.Seq.Forward(x).Abs()
	f := func(x *Tensor) *Tensor { return n.Any.Forward(x).Neg() }
	return f(f(x))
}
type Nested struct { Inner *Nested; L *nn.Linear }
func (n *Nested) Forward(x *Tensor) *Tensor {
	if n.Inner != nil { x = n.Inner.Forward(x.Exp()).Log() }
	return n.L.Forward(x)
}
`

// TestSummaryOfCells: an operator without parameters belongs to the module whose method called it, where cells declare
// the model and its modules: blocks that begin with such an operator, calls between the modules, functions that are no
// methods, receivers that are copies, modules in interfaces and in those of the library, a module in one of its own
// type, one that is where its first field is.
func TestSummaryOfCells(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	if out := celltest.Cell(s, summaryModels); strings.Contains(out, "error") {
		t.Fatal(out)
	}
	for _, test := range []struct{ model, want string }{
		{"&Plain{[]*Pre{{lin()}, {lin()}}}", `Plain
group pres 
group pres.0 Pre
pres.0  [relu]
pres.0.l Linear [linear]
group pres.1 Pre
pres.1  [relu]
pres.1.l Linear [linear]
  [sigmoid]
group pres 
group pres.0 Pre
pres.0  [relu]
pres.0.l Linear [linear]`},
		{"&Funcs{Copy{lin()}}", `Funcs
group copy Copy
copy.l Linear [linear]
copy  [tanh]
  [exp tanh square]`},
		{"&Mixed{nn.NewSequential(&Pre{lin()}, Copy{lin()}), &Pre{lin()}}", `Mixed
group seq 
group seq.0 Pre
seq.0  [relu]
seq.0.l Linear [linear]
group seq.1 Copy
seq.1.l Linear [linear]
seq.1  [tanh]
  [abs]
group any Pre
any  [relu]
any.l Linear [linear]
  [neg]
group any Pre
any  [relu]
any.l Linear [linear]
  [neg]`},
		{"&First{Pre{lin()}, lin()}", `First
  [sin]
group pre Pre
pre  [relu]
pre.l Linear [linear]
out Linear [linear]
  [cos]`},
		{"&Nested{&Nested{&Nested{nil, lin()}, lin()}, lin()}", `Nested
  [exp]
group inner Nested
inner  [exp]
group inner.inner Nested
inner.inner.l Linear [linear]
inner  [log]
inner.l Linear [linear]
  [log]
l Linear [linear]`},
	} {
		if got := strings.TrimSpace(celltest.Cell(s, "show("+test.model+")")); got != test.want {
			t.Errorf("%s:\n%s", test.model, got)
		}
	}
}

// TestSummaryWhileOthersRun: goroutines that run methods of cells meanwhile change nothing of it; two summaries at
// once are both right where they know, and neither ends the session.
func TestSummaryWhileOthersRun(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	celltest.Cell(s, summaryModels)
	got := celltest.Cell(s, `done := make(chan string, 4)
m := &Plain{[]*Pre{{lin()}, {lin()}}}
want := nn.Summary(m, Zeros(2, 4)).String()
for range 4 {
	go func() {
		for range 20 { m.Forward(Zeros(2, 4)) }
		n := nn.Summary(m, Zeros(2, 4))
		done <- fmt.Sprint(n.Params, n.Flops)
	}()
}
same := true
for range 20 { same = same && nn.Summary(m, Zeros(2, 4)).Params == 40 }
for range 4 { fmt.Println(<-done) }
fmt.Println(same, nn.Summary(m, Zeros(2, 4)).String() == want)`)
	if want := strings.Repeat("40 248\n", 4) + "true true\n"; got != want {
		t.Error(got)
	}
}

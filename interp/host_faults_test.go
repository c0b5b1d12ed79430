package interp

import (
	"context"
	"strings"
	"testing"
	"time"
)

// Host code that would end the process, or never end, is not called, or its panic is the cell's.
func TestHostFaults(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`type B struct{ A any }; x := []any{nil}; x[0] = B{x}; json.Marshal(x)`, "encountered a cycle via []"},
		{`type B struct{ A any }; b := &B{}; b.A = b; json.NewEncoder(io.Discard).Encode(b)`,
			"encountered a cycle via *main.B"},
		{`type B struct{ A any }; b := &B{}; b.A = b; json.MarshalIndent(b, "", " ")`, "encountered a cycle via *main.B"},
		{`type B struct{ A any }; b := &B{}; string(must(json.Marshal([]any{b, b})))`, `[{"A":null},{"A":null}]`},
		{`type T []T; t := T{}; for range 64 { t = T{t, t} }; fmt.Println(t)`, "the result takes"},
		{`type T []T; t := T{}; for range 64 { t = T{t, t} }; json.Marshal(t)`, "the result takes"},
		{`var x any = []any{}; for range 64 { x = []any{x, x} }; fmt.Sprint(x)`, "the result takes"},
		{`mat.NewDense(1<<20, 1<<20, nil)`, "NewDense: the result takes 8 TiB"},
		{`mat.NewSymDense(1<<20, nil)`, "NewSymDense: the result takes 8 TiB"},
		{`mat.NewDense(2, 2, nil).Grow(1<<40, 1<<40)`, "Dense.Grow: the result takes"},
		{`v := mat.NewVecDense(1<<20, nil); var d mat.Dense; d.Outer(1, v, v)`, "Dense.Outer: the result takes 8 TiB"},
		{`v := mat.NewVecDense(1<<20, nil); var d mat.Dense; d.Mul(v, v.T())`, "Dense.Mul: the result takes 8 TiB"},
		{`v := mat.NewVecDense(1<<20, nil); var d mat.Dense; d.Mul(v.T(), v); d.Dims()`, "1\n1\n"},
		{`var d mat.Dense; d.CloneFrom(mat.NewDiagDense(1<<20, nil))`, "Dense.CloneFrom: the result takes"},
		{`stat.CovarianceMatrix(new(mat.SymDense), mat.NewDense(2, 100000, nil), nil)`, "the result takes 74.5 GiB"},
		{`optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { panic("f") }}, []float64{1}, nil, nil)`,
			"panic: f"},
		{`optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return x[7] }}, []float64{1}, nil, nil)`,
			"index out of range [7] with length 1"},
		{`s := &optimize.Settings{Concurrent: 1 << 40}
optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return x[0] }}, []float64{1}, s, nil)`,
			"elements take"},
		{`p := optimize.Problem{Func: func(x []float64) float64 { return (x[0] - 3) * (x[0] - 3) }}
r, err := optimize.Minimize(p, []float64{1}, nil, nil); fmt.Sprintf("%.3f %v", r.X[0], err)`, "3.000 <nil>"},
		{`testing.Benchmark(func(b *testing.B) { panic("b") })`, "panic: b"},
		{`testing.Benchmark(func(b *testing.B) { b.RunParallel(func(*testing.PB) { panic("p") }) })`, "panic: p"},
		{`testing.Benchmark(nil)`, "the function is nil"},
		{`r := ring.New(3); n := 0; r.Do(func(any) { n++ }); n`, "3"},
		{"t := template.Must(template.New(`t`).Parse(`{{range .}}<{{.}}>{{else}}none{{end}}{{with 1}}{{.}}{{end}}`))\n" +
			"t.Execute(os.Stdout, []int{1, 2}); t.Execute(os.Stdout, []int{})", "<1><2>1none1"},
	} {
		s := New(Options{})
		cell(s, "func must(b []byte, err error) []byte { if err != nil { panic(err) }; return b }")
		if got := cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %s, not %s", c.src, got, c.want)
		}
		s.Close()
	}
}

// An interrupt ends a template that never calls a function of a cell.
func TestInterruptedTemplate(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, body := range []string{"", "x", "{{if .}}{{end}}"} {
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		text := strings.Repeat("{{range $}}", 9) + body + strings.Repeat("{{end}}", 9)
		s.Eval(ctx, "template.Must(template.New(`t`).Parse(`"+text+"`)).Execute(io.Discard, make([]int, 1000))", nil)
		cancel()
		if got := cell(s, "40 + 2"); got != "42\n" {
			t.Errorf("with %q in it: %s", body, got)
		}
	}
}

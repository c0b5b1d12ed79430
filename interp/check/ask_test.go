package check

import (
	"strings"
	"testing"
)

// askSession has a few names to ask about.
func askSession(t testing.TB) *session {
	s := newSession()
	for _, c := range []string{
		"x := Randn(2, 3)", "xs := []int{1, 2}", "type Point struct{ X, Y float64; hidden int }\nfunc (p Point) Norm() float64 { return p.X }",
		"pt := Point{1, 2, 3}", "func scale(v *Tensor, by float64) *Tensor { return v * by }", `import str "strings"`,
	} {
		if got := s.run(c); strings.HasPrefix(got, "error") {
			t.Fatalf("%s: %s", c, got)
		}
	}
	return s
}

func TestComplete(t *testing.T) {
	s := askSession(t)
	for _, tc := range []struct{ src, want string }{ // | is the cursor; want are some that must come, -x must not
		{"x.Su|", "Sum Sub -Add"},
		{"x.requires_gr|", "RequiresGrad_"},
		{"(x @ x.T()).Su|", "Sum"},
		{"x[0, :].Sha|", "Shape"},
		{"y := x + x.Sum().Me|", "Mean"},
		{"x.Shape().|", "-Sum"},
		{"pt.|", "X Y hidden Norm"},
		{"str.ToU|", "ToUpper"},
		{"strings.ToU|", "ToUpper ToUpperSpecial"},
		{"fmt.Fpr|", "Fprintln"},
		{"x.Sum(di|", "dim="},
		{"x.Sum(|", "dim= keepdim= dtype= x"},
		{"x.Sum(dim=0, ke|", "keepdim="},
		{"scale(x, b|", "by="},
		{"Softm|", "Softmax"},
		{"sca|", "scale"},
		{"xs[|", "x xs"},
		{"Ara|", "Arange"},
		{"fu|", "func"},
		{"z := 3\nfor i := range z {\n\tw := \"a\"\n\tw|", "w"},
		{"func f(arg *Tensor) { arg.Su|", "Sum"},
		{"func f(arg *Tensor) { ar|", "arg"},
		{"if x.Equ|", "Equal"},
		{"for i := range x.Sha|", "Shape"},
		{"\"x.Su|", "-Sum"},
		{"// x.Su|", "-Sum"},
		{"x.Sum(opt.Dim(0)).Ma|", "Max"},
		{"q := Zeros(2)\nq.Ad|", "Add Addmm"},
	} {
		at := strings.IndexByte(tc.src, '|')
		src := strings.Replace(tc.src, "|", "", 1)
		c := Complete(s.env, src, at)
		have := map[string]bool{}
		for _, x := range c.Candidates {
			have[x.Text] = true
		}
		for _, w := range strings.Fields(tc.want) {
			if n, not := strings.CutPrefix(w, "-"); not && have[n] || !not && !have[w] {
				t.Errorf("%s: %s: got %v", tc.src, w, c.Candidates[:min(len(c.Candidates), 12)])
			}
		}
		if c.Start > at || c.End != at {
			t.Errorf("%s: replaces %d:%d", tc.src, c.Start, c.End)
		}
	}
}

func TestDescribe(t *testing.T) {
	s := askSession(t)
	for _, tc := range [][4]string{ // source with cursor, name, start of the signature, start of the documentation
		{"x.Su|m", "Tensor.Sum", "func (x *Tensor) Sum(opts ...Option) *Tensor", "Sum adds"},
		{"x.Sum(|", "Tensor.Sum", "func (x *Tensor) Sum(", "Sum adds"},
		{"fmt.Println|", "fmt.Println", "func fmt.Println(a ...any) (n int, err error)", "Println formats"},
		{"fmt|", "fmt", "package fmt", "Package fmt"},
		{"x|", "x", "var x *Tensor", ""},
		{"scale|", "scale", "func scale(v *Tensor, by float64) *Tensor", ""},
		{"Arange|", "Arange", "func Arange(limits ...Number) *Tensor", "Arange"},
		{"pt.Norm|", "Point.Norm", "func (p Point) Norm() float64", ""},
		{"time.Second.String|", "Duration.String", "func (d time.Duration) String() string", "String returns"},
		{"log_softmax|", "LogSoftmax", "func LogSoftmax(", "LogSoftmax"},
		{"x.Sum(keep|dim=true)", "opt.Keepdim", "func opt.Keepdim(keepdim bool) Option", "Keepdim is the keyword"},
		{"x.log_soft|max", "Tensor.LogSoftmax", "func (x *Tensor) LogSoftmax(", "LogSoftmax"},
		{"len|", "len", "builtin len", ""},
	} {
		at := strings.IndexByte(tc[0], '|')
		d, ok := Describe(s.env, strings.Replace(tc[0], "|", "", 1), at)
		if !ok || d.Name != tc[1] || !strings.HasPrefix(d.Sig, tc[2]) || !strings.HasPrefix(d.Doc, tc[3]) || tc[3] == "" && d.Doc != "" {
			t.Errorf("%s: %v %+v", tc[0], ok, d)
		}
	}
	if d, ok := Describe(s.env, "nosuchname", 3); ok {
		t.Errorf("%+v", d)
	}
}

func BenchmarkComplete(b *testing.B) {
	s := askSession(b)
	for b.Loop() {
		if c := Complete(s.env, "y := x.Su", 9); len(c.Candidates) == 0 {
			b.Fatal("nothing")
		}
	}
}

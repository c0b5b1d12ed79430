package check

import (
	"fmt"
	"strings"
	"testing"
)

// askSession has a few names to ask about.
func askSession(t testing.TB) *session {
	s := newSession()
	for _, c := range []string{
		"x := Randn(2, 3)", "xs := []int{1, 2}",
		"type Point struct{ X, Y float64; hidden int }\nfunc (p Point) Norm() float64 { return p.X }",
		"pt := Point{1, 2, 3}", "func scale(v *Tensor, by float64) *Tensor { return v * by }", `import str "strings"`,
		"pts := []Point{pt}", "fn := func(v *Tensor) *Tensor { return v }",
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
		// values of keywords
		{"x.Sum(dtype=|", "Float32 Bool -Flip"},
		{"Zeros(2, dtype=fl|", "Float16 Float32 -float32 -Flip"},
		{"x.Sum(keepdim=t|", "true"},
		{"x.Sum(dim=0, |", "keepdim= -dim="},
		{"x.Add(x, |", "alpha= -other="},
		// after index expressions and calls
		{"x[0].Su|", "Sum"}, {"fn(x).Su|", "Sum"}, {"pts[0].|", "X Norm"}, {"pts[1:][0].N|", "Norm"},
		{"(x @ x).T().Su|", "Sum"}, {"New([[1, 2]]).Su|", "Sum"},
		// in texts that are no Go
		{"y := (x.Su|", "Sum"}, {"nope(x.Su|)\nfor {", "Sum"}, {"a := (\nx.Su|", "Sum"},
		{"for i := range {\n\tx.Su|", "Sum"}, {"y := )\nx.Su|", "Sum"},
		{"z := x if\nx.Su|", "Sum"}, {"go func() { x.Su|", "Sum"}, {"defer x.Su|", "Sum"}, {"var q = [\nx.Su|", "Sum"},
		{"return x.Su|", "Sum"},
		// in closures
		{"f := func(v *Tensor) *Tensor {\n\tw := v.Sum()\n\tw.Mea|", "Mean"}, {"f := func(v *Tensor, kk int) {\n\tk|", "kk"},
		{"go func(loc int) { lo|", "loc"}, {"func (p Point) Foo() { p.|", "X Norm"},
		// literals, imports, labels
		{"Point{|", "X: Y: hidden:"}, {"Point{X: 1, |", "Y: -X:"}, {"[]Point{{X|", "X:"}, {"p := &Point{Y|", "Y:"},
		{"if pt.X > 0 {|", "-X:"},
		{"import \"enc|", "encoding/json"}, {"import (\n\t\"fmt\"\n\tj \"enc|", "encoding/json"},
		{"fmt.Println(\"enc|", "-encoding/json"},
		{"outer:\nfor {\n\tfor {\n\t\tbreak |", "outer -x"}, {"outer:\nfor {\n\tcontinue o|", "outer -opt"},
		// nearly
		{"torch.zer|", "Zeros"}, {"torch.nn|", "-Zeros"}, {"x.requires|", "RequiresGrad_"}, {"x.reshpe|", "-Sum"},
		{"x.rshp|", "Reshape"}, {"x.softmax|", "Softmax"},
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
		if !ok || d.Name != tc[1] || !strings.HasPrefix(d.Sig, tc[2]) || !strings.HasPrefix(d.Doc, tc[3]) ||
			tc[3] == "" && d.Doc != "" {
			t.Errorf("%s: %v %+v", tc[0], ok, d)
		}
	}
	if d, ok := Describe(s.env, "nosuchname", 3); ok {
		t.Errorf("%+v", d)
	}
}

// TestSignature is the call that is shown while its arguments are typed.
func TestSignature(t *testing.T) {
	s := askSession(t)
	for _, tc := range []struct{ src, want string }{ // the argument that is being typed stands between ‹ and ›
		{"x.Sum(|", "Sum(‹dim=[]int›, keepdim=bool, dtype=Dtype) *Tensor"},
		{"x.Sum(keepdim=tr|", "Sum(dim=[]int, ‹keepdim=bool›, dtype=Dtype) *Tensor"},
		{"x.Sum(0, |", "Sum(dim=[]int, ‹keepdim=bool›, dtype=Dtype) *Tensor"},
		{"scale(x, (1 + |", "scale(v *Tensor, ‹by float64›) *Tensor"},
		{"scale(x[0, |", "scale(‹v *Tensor›, by float64) *Tensor"},
		{"scale(fn(|", "fn(‹v *Tensor›) *Tensor"},
		{"fmt.Println(1, 2, 3|", "Println(‹a ...any›) (n int, err error)"},
		{"strings.Split(\"a,b(\", |", "Split(s string, ‹sep string›) []string"},
		{"for {\n\tx.View(2, |", "View(‹size ...int›) *Tensor"},
		{"append(xs, |", "append(slice []T, ‹elems ...T›) []T"},
		{"x.Sum()|", ""}, {"(1 + |", ""}, {"if (x|", ""}, {"func f(a |", ""}, {"[]int(|", ""}, {"fn(func() {|", ""},
		{"nope(|", ""},
	} {
		at := strings.IndexByte(tc.src, '|')
		sig, ok := SignatureAt(s.env, strings.Replace(tc.src, "|", "", 1), at)
		got := ""
		if ok {
			got = sig.Text("‹", "›")
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", tc.src, got, tc.want)
		}
	}
}

// BenchmarkComplete must stay under a millisecond, all of it.
func BenchmarkComplete(b *testing.B) {
	s := askSession(b)
	for i := range 300 {
		s.run(fmt.Sprintf("v%d := %d", i, i))
	}
	for _, bc := range []struct{ name, src string }{
		{"method", "y := x.Su"}, {"index", "y := x[0, 1:].Su"}, {"all methods", "x."}, {"name", "Ara"},
		{"all names", "y := "}, {"package", "strings."}, {"argument", "x.Sum(d"},
		{"all arguments", "x.Sum("}, {"value", "x.Sum(dtype="},
		{"closure", "f := func(v *Tensor, k int) *Tensor {\n\tw := v.Sum()\n\tw.M"}, {"broken", "for i := range {\n\tx.Su"},
		{"nearly", "x.rshp"},
	} {
		b.Run(bc.name, func(b *testing.B) {
			for b.Loop() {
				if c := Complete(s.env, bc.src, len(bc.src)); len(c.Candidates) == 0 {
					b.Fatal("nothing")
				}
			}
		})
	}
}

func BenchmarkSignature(b *testing.B) {
	s := askSession(b)
	for b.Loop() {
		if _, ok := SignatureAt(s.env, "x.Sum(0, ", 9); !ok {
			b.Fatal("nothing")
		}
	}
}

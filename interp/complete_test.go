package interp

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestAsk is what is asked about cells of a session that are being typed.
func TestAsk(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"data.csv": "1,2", "data set.txt": "", ".hidden": ""} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	os.MkdirAll("deep/er", 0o777)
	for _, src := range []string{"x := Zeros(3, 4)", "m := map[string]int{\"alpha\": 1, \"al\\\"x\": 2}",
		"n := 3", "x.T()"} {
		if _, err := s.Eval(t.Context(), src, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct{ src, want string }{ // | is the cursor; all of want come, -x does not
		{"x|", "x:float32[3 4]"}, {"n|", "n:int = 3"}, {"%ti|", "%time %timeit"}, {"%%ti|", "%%timeit"},
		{"%timeit x.Sum|", "Sum"}, {"%time y := x.Sum(k|", "keepdim="},
		{"%%time a\nx.Sum|", "Sum"}, {"?x.Su|", "Sum"}, {"??x.Su|", "Sum"}, {"?%ti|", "%timeit"}, {"%help ti|", "timeit"},
		{"x.Su| ?", "Sum"},
		{"os.ReadFile(\"da|", "data.csv -.hidden"}, {"%run da|", "data.csv"}, {"%cd de|", "deep/"}, {"!cat da|", "data.csv"},
		{"os.Open(\"deep/|", "er/"},
		{"%load .h|", ".hidden"}, {"m[\"al|", "alpha al\\\"x"}, {"_.Sh|", "Shape"}, {"y := _.Su|", "Sum"},
		{"Out[4].Sh|", "Shape"}, {">>> x.Su|", "Sum"},
		{">>> for i := range 3 {\n...     x.Su|", "Sum"}, {"%cd deep\nx.Su|", "Sum"}, {"%strides x|", "x"},
		{"fmt.Println(\"x.Su|", "-Sum"}, {"%trace -o da|", "data.csv"},
	} {
		at := strings.IndexByte(tc.src, '|')
		c := s.Complete(strings.Replace(tc.src, "|", "", 1), at)
		have := map[string]bool{}
		for _, k := range c.Candidates {
			have[k.Text] = true
			have[k.Text+":"+strings.ReplaceAll(k.Sig, " ", "_")] = true
		}
		want := strings.Fields(tc.want)
		if strings.Contains(tc.want, ":") {
			want = []string{strings.ReplaceAll(tc.want, " ", "_")}
		}
		for _, w := range want {
			if n, not := strings.CutPrefix(w, "-"); not && have[n] || !not && !have[w] {
				t.Errorf("%s: %s: got %v", tc.src, w, c.Candidates[:min(len(c.Candidates), 12)])
			}
		}
		if c.Start > at || c.End != at {
			t.Errorf("%s: replaces %d:%d", tc.src, c.Start, c.End)
		}
	}
	for _, tc := range [][2]string{ // what help says
		{"?x", "float32[3 4], stride [4 1]"}, {"?x", "tensor([[0., 0."}, {"?x.Sum", "PyTorch     torch.sum, Tensor.sum"},
		{"?x.Sum", ".Sum(dim=0)"},
		{"?x.Sum", "derivative  autograd/formulas_reductions.go:"}, {"?Sum", "sum(Tensor self, int[]? dim=None"},
		{"?opt.Dim", "func opt.Dim(dim ...int) Option"},
		{"?fmt.Println", "Println formats"}, {"?%timeit", "%timeit"}, {"?", "For help:"}, {"x.Sum?", "Sum adds"},
		{"?torch.sum", "func Sum("}, {"?torch.linalg.cross", "LinalgCross"},
		{"?torch.Tensor.view", "View returns"}, {"?x.Sun", "nothing is known of x.Sun; there is x.S"},
		{"?Softmx", "there is Softmax"}, {"?fmt.Printn", "fmt.Println"},
		{"%timit 3", "perhaps %timeit"}, {"?zzzzzzzz", "nothing is known of zzzzzzzz"}, {"?_.Sum", "Sum adds"},
	} {
		vals, err := s.Eval(t.Context(), tc[0], nil)
		text := fmt.Sprint(err)
		for _, v := range vals {
			text += v.Text
		}
		if !strings.Contains(text, tc[1]) {
			t.Errorf("%s: no %q in\n%s", tc[0], tc[1], text)
		}
	}
	for _, tc := range []struct{ src, want string }{ // Shift-Tab
		{"x.Sum(dim=0, |", "func (x *Tensor) Sum("}, {"x.Sum(|)", "func (x *Tensor) Sum("},
		{"x.Sum(0|", "func (x *Tensor) Sum("}, {"fmt.Println(x|)", "var x *Tensor"},
		{"fmt.Println(x, |)", "func fmt.Println("}, {"%time x.Sum(|", "func (x *Tensor) Sum("}, {"len(|", "builtin len"},
		{"x.Su|m(dim=0)", "func (x *Tensor) Sum("},
	} {
		h, _ := s.Inspect(strings.Replace(tc.src, "|", "", 1), strings.IndexByte(tc.src, '|'), false)
		if !strings.HasPrefix(h.Sig, tc.want) {
			t.Errorf("%s: %.100q", tc.src, h.Sig)
		}
	}
}

package visualize

import (
	"bytes"
	"encoding/json"
	"flag"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

var update = flag.Bool("update", false, "rewrite testdata")

// exampleView is a view that the common tests look at.
type exampleView struct {
	name string
	make func(s *viewtest.Session) View
}

// addExamples is how the files of other views add theirs.
func addExamples(es ...exampleView) { examples = append(examples, es...) }

// examples are one of each view and of what is special about it.
var examples = []exampleView{
	{"strides", func(s *viewtest.Session) View {
		x := viewtest.Floats(3, 4)
		s.Typed = []string{"x", "x.T()", "x[1:, ::2]"}
		return Strides(x, x.T(), viewtest.Window(x, []int{2, 2}, []int{4, 2}, 4))
	}},
	{"strides_backwards", func(s *viewtest.Session) View {
		x := viewtest.Floats(2, 3)
		s.Name("x", x)
		s.Typed = []string{"x", "x[::-1]", "x[:, ::-1]"}
		return Strides(x, viewtest.Window(x, []int{2, 3}, []int{-3, 1}, 3), viewtest.Window(x, []int{2, 3}, []int{3, -1}, 2))
	}},
	{"strides_windows", func(s *viewtest.Session) View {
		x := tensor.FromSlice([]int64{3, 1, 4, 1, 5, 9, 2, 6}, 8)
		s.Typed = []string{"x", "windows", "row"}
		return Strides(x, viewtest.Window(x, []int{4, 3}, []int{1, 1}, 1), viewtest.Window(x, []int{3, 4}, []int{0, 2}, 0))
	}},
	{"strides_long", func(s *viewtest.Session) View {
		x := tensor.Arange(1 << 20)
		s.Typed = []string{"x", "x.View(1024, 1024).T()", "every"}
		return Strides(x, x.View(1024, 1024).T(), viewtest.Window(x, []int{1 << 19}, []int{-2}, 1<<20-1))
	}},
	{"strides_activations", func(s *viewtest.Session) View {
		x := tensor.Arange(64*128*768).View(64, 128, 768)
		s.Typed = []string{"act", "act.Transpose(1, 2)", "act[:, ::2]"}
		return Strides(x, x.Transpose(1, 2), x.Slice(opt.Dim(1), opt.Step(2)))
	}},
	{"strides_overlap", func(s *viewtest.Session) View {
		x := tensor.Arange(200)
		s.Typed = []string{"windows", "x.Expand(1000, 200)", "back"}
		return Strides(x.Unfold(0, 16, 4), x.Expand(1000, 200), viewtest.Window(x, []int{10, 10}, []int{-20, -1}, 199))
	}},
	{"address", func(s *viewtest.Session) View {
		x := tensor.Arange(3*224*224).View(3, 224, 224)
		s.Typed = []string{"img", "1", "100", "-1"}
		return Address(x, 1, 100, -1)
	}},
	{"address_small", func(s *viewtest.Session) View {
		s.Name("x.T()", viewtest.Floats(3, 4))
		return Address(viewtest.Floats(3, 4).T(), 2, 1)
	}},
	{"strides_dtypes", func(s *viewtest.Session) View {
		x := tensor.FromSlice([]float64{1, -2, 0.5}, 3)
		s.Typed = []string{"x", "bits", "scalar", "nothing", "elsewhere"}
		bits := tensor.FromStorage("test", x.Storage(), []int{6}, []int{1}, 0, tensor.Int32)
		return Strides(x, bits, viewtest.Window(x, nil, nil, 2), viewtest.Window(x, []int{0, 3}, []int{3, 1}, 0),
			tensor.ZerosLike(tensor.Zeros(2, 2), opt.Device(tensor.Meta)))
	}},
	{"card", func(s *viewtest.Session) View {
		x := s.Name("x", viewtest.Floats(3, 4))
		s.At("In[2]", 1, "")
		return Card(s.Name("y", x.T()))
	}},
	{"card_values", func(s *viewtest.Session) View {
		inf := float32(math.Inf(1))
		x := tensor.FromSlice([]float32{0, 1, -2.5, inf, 0, inf - inf, 3, 3, 3.25}, 9).RequiresGrad_()
		x.Mul(2).Sum().Backward()
		return Card(s.Name("<b>&\"", x))
	}},
	{"card_held", func(s *viewtest.Session) View {
		x := tensor.Zeros(1 << 19)
		return Card(x.Narrow(0, 7, 4))
	}},
	{"card_dims", func(s *viewtest.Session) View { return Card(tensor.Zeros(7, 7, 7, 7, 7, 7)) }},
	{"graph_mlp", func(s *viewtest.Session) View { return Graph(mlp(s)) }},
	{"graph_shared", func(s *viewtest.Session) View {
		a := s.Leaf("a", 1, 2)
		s.At("In[2]", 1, "e")
		e := a.Exp()
		s.At("In[2]", 2, "y")
		s.Typed = []string{"y", "e"}
		return Graph(e.Mul(e).Add(a).Mul(e.Sin()), e)
	}},
	{"graph_write", func(s *viewtest.Session) View {
		a, b := s.Leaf("a", 1, 2, 3), s.Leaf("b", 2, 3)
		s.At("In[2]", 1, "h")
		h := a.Mul(2)
		s.At("In[2]", 2, "")
		h.Select(0, 1).Mul_(b)
		s.At("In[2]", 3, "y")
		s.Typed = []string{"y"}
		return Graph(h.Sum())
	}},
	{"graph_views", func(s *viewtest.Session) View {
		a := s.Leaf("a", 1, 2, 3)
		s.At("In[2]", 1, "y")
		s.Typed = []string{"y"}
		return Graph(a.T().Narrow(0, 1, 2).Exp().Unsqueeze(0))
	}},
	{"graph_second", func(s *viewtest.Session) View {
		x := s.Leaf("x", 1, 2)
		s.At("In[2]", 1, "y")
		y := s.Name("y", x.Mul(x).Mul(x).Sum())
		s.At("In[2]", 2, "g")
		g := autograd.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, opt.CreateGraph(true))
		s.Typed = []string{"g"}
		return Graph(g[0])
	}},
	{"graph_residual", func(s *viewtest.Session) View {
		x := s.Leaf("x", 1, 4)
		h := x
		for i := range 3 {
			s.At("In[2]", 2, "f")
			f := h.Tanh().Mul(0.5)
			s.At("In[2]", 3+i, "h")
			h = h.Add(f)
		}
		s.Typed = []string{"h"}
		return Graph(h)
	}},
	{"graph_loop", func(s *viewtest.Session) View {
		w := s.Leaf("w", 1, 4, 4)
		h, sum := viewtest.Floats(4, 4), tensor.Zeros()
		for range 100 {
			s.At("In[2]", 2, "h")
			h = h.Matmul(w).Tanh()
			s.At("In[2]", 3, "sum")
			sum = sum.Add(h.Mean())
		}
		s.Typed = []string{"sum"}
		return Graph(sum)
	}},
	{"graph_stale", func(s *viewtest.Session) View {
		x := s.Leaf("x", 1, 3)
		s.At("In[2]", 1, "y")
		y := x.Exp()
		s.At("In[3]", 1, "")
		y.Mul_(2)
		s.At("In[4]", 1, "")
		s.Typed = []string{"y.Sum()"}
		return Graph(y.Sum())
	}},
	{"graph_freed", func(s *viewtest.Session) View {
		x := s.Leaf("x", 1, 3)
		s.At("In[2]", 1, "y")
		y := x.Exp().Sum()
		y.Backward()
		s.Typed = []string{"y"}
		return Graph(y)
	}},
	{"graph_none", func(s *viewtest.Session) View { return Graph(tensor.Ones(2)) }},
	{"trace", func(s *viewtest.Session) View {
		x, y := s.Name("x", viewtest.Floats(2, 3)), s.Name("y", tensor.Ones())
		return TraceFunc(func() { s.At("In[4]", 1, "z"); x.Mul(y) })
	}},
	{"trace_autograd", func(s *viewtest.Session) View {
		x, y := s.Leaf("x", 1, 2, 3), s.Name("y", tensor.Ones())
		return TraceFunc(func() { s.At("In[4]", 1, "z"); s.Name("z", x.Mul(y)).Sum().Backward() })
	}},
	{"trace_body", func(s *viewtest.Session) View {
		x := s.Name("x", viewtest.Floats(2, 3))
		return TraceFunc(func() { s.At("In[4]", 1, ""); x.Double().T() })
	}},
	{"trace_folded", func(s *viewtest.Session) View {
		x := s.Name("x", viewtest.Floats(2, 3))
		return TraceFunc(func() {
			for range 50 {
				s.At("In[4]", 2, "h")
				x.Add(1).Exp_()
			}
			for range 3 {
				x.Neg()
			}
		})
	}},
	{"trace_error", func(s *viewtest.Session) View {
		x := s.Name("x", viewtest.Floats(2, 3))
		view, _ := Record(func() { s.At("In[4]", 1, ""); x.Exp().Add(viewtest.Floats(4)) })
		return view
	}},
	{"trace_none", func(s *viewtest.Session) View { return TraceFunc(func() {}) }},
	{"image", func(s *viewtest.Session) View {
		return Image(s.Name("ramp", viewtest.Floats(4, 1)).Div(3).Expand(4, 6))
	}},
	{"image_grid", func(s *viewtest.Session) View { return Image(viewtest.Floats(5, 3, 8, 8).Div(240)) }},
}

func mlp(s *viewtest.Session) *tensor.Tensor {
	x, y := s.Name("x", viewtest.Floats(5, 2)), s.Name("y", viewtest.Floats(5, 1))
	w1, b1 := s.Leaf("w1", 2, 2, 8), s.Leaf("b1", 3, 8)
	w2, b2 := s.Leaf("w2", 4, 8, 1), s.Leaf("b2", 5, 1)
	s.At("In[2]", 1, "h")
	h := x.Matmul(w1).Add(b1).Relu()
	s.At("In[2]", 2, "out")
	out := h.Matmul(w2).Add(b2)
	s.At("In[2]", 3, "loss")
	s.Typed = []string{"loss"}
	return out.Sub(y).Square().Mean()
}

var changing = []struct{ find, put string }{
	{` avx(2|512)\b`, ""}, // of notes of kernels, by machine
	{`storage #\d+`, "storage #1"},
	{`\d+(\.\d+)? (ns|µs|ms)\b`, "1 µs"},
	{`((?:autograd|tensor|backends|internal)/[\w/]+\.go):\d+`, "$1:1"},
	{`(?s)│\n● loop .*?\n│\n`, "│\n"},            // which differs by machine
	{`(CPU +\w+ [a-z]+\d+), .*?   `, "$1, …   "}, // the kernel's own words
}

// TestGolden holds the text of every view.
func TestGolden(t *testing.T) {
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			got := e.make(viewtest.NewSession(t)).Text(false) + "\n"
			for _, c := range changing {
				got = regexp.MustCompile(c.find).ReplaceAllString(got, c.put)
			}
			file := filepath.Join("testdata", e.name+".txt")
			if *update {
				os.MkdirAll("testdata", 0o755)
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestForms: every form of every view is well formed, bounded, without script, and equal when it is made again; its
// data go through JSON. With GOTORCH_PICTURES=DIR the pictures are written there, to be looked at.
func TestForms(t *testing.T) {
	dir := os.Getenv("GOTORCH_PICTURES")
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			v := e.make(viewtest.NewSession(t))
			viewtest.CheckForms(t, v)
			back := reflect.New(reflect.TypeOf(v).Elem()).Interface().(View)
			data, err := JSON(v)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, back); err != nil {
				t.Fatal(err)
			}
			if back.HTML() != v.HTML() || back.Text(true) != v.Text(true) || back.SVG() != v.SVG() {
				t.Error("the view is another after JSON")
			}
			if dir != "" {
				os.WriteFile(filepath.Join(dir, e.name+".svg"), []byte(v.SVG()), 0o644)
				os.WriteFile(filepath.Join(dir, e.name+".html"), []byte(v.HTML()), 0o644)
			}
		})
	}
}

// TestPictureText: in colour a picture is half blocks, two rows of pixels a line; small pictures are enlarged in the
// file alone.
func TestPictureText(t *testing.T) {
	viewtest.NewSession(t)
	t.Setenv("COLORTERM", "truecolor")
	p := Image(tensor.FromSlice([]float32{0, 1, 1, 0, 1, 1}, 3, 2), Scale(5))
	want := "\x1b[38;2;0;0;0m\x1b[48;2;255;255;255m▀\x1b[38;2;255;255;255m\x1b[48;2;0;0;0m▀\x1b[0m\n" +
		"\x1b[38;2;255;255;255m▀\x1b[38;2;255;255;255m▀\x1b[0m\n\x1b[2mimage 2 × 3  float32[3 2]  0 to 1\x1b[0m"
	if got := p.Text(true); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil || img.Bounds().Dx() != 10 || img.Bounds().Dy() != 15 {
		t.Fatalf("the file is %v, %v", img.Bounds(), err)
	}
	for _, c := range []struct{ x, y, level int }{{0, 0, 0}, {4, 4, 0}, {5, 4, 255}, {4, 5, 255}, {9, 9, 0},
		{9, 10, 255}} {
		if r, _, _, _ := img.At(c.x, c.y).RGBA(); int(r>>8) != c.level {
			t.Errorf("pixel %d, %d is %d", c.x, c.y, r>>8)
		}
	}
}

// TestPictureSizes: what an image tensor may be, and what is said of others.
func TestPictureSizes(t *testing.T) {
	viewtest.NewSession(t)
	for _, c := range []struct {
		x    *tensor.Tensor
		want string
	}{
		{viewtest.Floats(2, 3), ""}, {viewtest.Floats(3, 2, 3), ""}, {viewtest.Floats(4, 1, 2, 3), ""},
		{tensor.ZerosLike(tensor.Zeros(2, 2), opt.Dtype(tensor.Uint8)), ""},
		{viewtest.Floats(3), "[H W], [C H W] or [N C H W]"},
		{viewtest.Floats(5, 6, 3), "Permute(2, 0, 1)"},
		{viewtest.Floats(2, 6, 6, 3), "Permute(0, 3, 1, 2)"},
		{viewtest.Floats(2, 5, 5), "1, 3 or 4 channels"},
		{tensor.ZerosLike(tensor.Zeros(2, 2), opt.Dtype(tensor.Int64)), "uint8"},
		{tensor.Zeros(0, 2), "no pixels"},
		{tensor.ZerosLike(tensor.Zeros(2, 2), opt.Device(tensor.Meta)), "meta"},
	} {
		var p *Picture
		err := tensor.Try(func() { p = Image(c.x) })
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%v: %v", c.x.Shape(), err)
		case c.want == "":
			if !bytes.HasPrefix(p.PNG, []byte("\x89PNG")) {
				t.Errorf("%v: no PNG", c.x.Shape())
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%v: %v, want %s", c.x.Shape(), err, c.want)
		}
	}
}

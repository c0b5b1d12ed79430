package visualize

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"image/png"
	"io"
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
)

var update = flag.Bool("update", false, "rewrite testdata")

// session stands for the prompt: where the code stands, and what variables hold.
type session struct {
	t     testing.TB
	site  tensor.Site
	names map[*tensor.Tensor]string
	typed []string
}

// newSession sets the hooks for one test.
func newSession(t testing.TB) *session {
	s := &session{t: t, names: map[*tensor.Tensor]string{}}
	tensor.SetSite(func() tensor.Site { return s.site })
	SetNamer(func() map[*tensor.Tensor]string { return s.names })
	SetArgTexts(func(string) []string { return s.typed })
	t.Cleanup(func() {
		tensor.SetSite(nil)
		SetNamer(nil)
		SetArgTexts(nil)
	})
	return s
}

// at says that a cell's line runs, which assigns to name.
func (s *session) at(cell string, line int, name string) {
	s.site = tensor.Site{Cell: cell, Line: line, Name: name}
}

// name gives x a name.
func (s *session) name(name string, x *tensor.Tensor) *tensor.Tensor {
	s.names[x] = name
	return x
}

func floats(shape ...int) *tensor.Tensor {
	n := 1
	for _, d := range shape {
		n *= d
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i) / 4
	}
	return tensor.FromSlice(v, shape...)
}

func window(x *tensor.Tensor, shape, stride []int, offset int) *tensor.Tensor {
	return tensor.FromStorage("test", x.Storage(), shape, stride, offset, x.Dtype())
}

// exampleView is a view that the common tests look at.
type exampleView struct {
	name string
	make func(s *session) View
}

// addExamples is how the files of other views add theirs.
func addExamples(es ...exampleView) { examples = append(examples, es...) }

// examples are one of each view and of what is special about it.
var examples = []exampleView{
	{"strides", func(s *session) View {
		x := floats(3, 4)
		s.typed = []string{"x", "x.T()", "x[1:, ::2]"}
		return Strides(x, x.T(), window(x, []int{2, 2}, []int{4, 2}, 4))
	}},
	{"strides_backwards", func(s *session) View {
		x := floats(2, 3)
		s.name("x", x)
		s.typed = []string{"x", "x[::-1]", "x[:, ::-1]"}
		return Strides(x, window(x, []int{2, 3}, []int{-3, 1}, 3), window(x, []int{2, 3}, []int{3, -1}, 2))
	}},
	{"strides_windows", func(s *session) View {
		x := tensor.FromSlice([]int64{3, 1, 4, 1, 5, 9, 2, 6}, 8)
		s.typed = []string{"x", "windows", "row"}
		return Strides(x, window(x, []int{4, 3}, []int{1, 1}, 1), window(x, []int{3, 4}, []int{0, 2}, 0))
	}},
	{"strides_long", func(s *session) View {
		x := tensor.Arange(1 << 20)
		s.typed = []string{"x", "x.View(1024, 1024).T()", "every"}
		return Strides(x, x.View(1024, 1024).T(), window(x, []int{1 << 19}, []int{-2}, 1<<20-1))
	}},
	{"strides_dtypes", func(s *session) View {
		x := tensor.FromSlice([]float64{1, -2, 0.5}, 3)
		s.typed = []string{"x", "bits", "scalar", "nothing", "elsewhere"}
		bits := tensor.FromStorage("test", x.Storage(), []int{6}, []int{1}, 0, tensor.Int32)
		return Strides(x, bits, window(x, nil, nil, 2), window(x, []int{0, 3}, []int{3, 1}, 0), tensor.ZerosLike(tensor.Zeros(2, 2), opt.Device(tensor.Meta)))
	}},
	{"card", func(s *session) View {
		x := s.name("x", floats(3, 4))
		s.at("In[2]", 1, "")
		return Card(s.name("y", x.T()))
	}},
	{"card_values", func(s *session) View {
		inf := float32(math.Inf(1))
		x := tensor.FromSlice([]float32{0, 1, -2.5, inf, 0, inf - inf, 3, 3, 3.25}, 9).RequiresGrad_()
		x.Mul(2).Sum().Backward()
		return Card(s.name("<b>&\"", x))
	}},
	{"card_held", func(s *session) View {
		x := tensor.Zeros(1 << 19)
		return Card(x.Narrow(0, 7, 4))
	}},
	{"card_dims", func(s *session) View { return Card(tensor.Zeros(7, 7, 7, 7, 7, 7)) }},
	{"graph_mlp", func(s *session) View { return Graph(mlp(s)) }},
	{"graph_shared", func(s *session) View {
		a := s.leaf("a", 1, 2)
		s.at("In[2]", 1, "e")
		e := a.Exp()
		s.at("In[2]", 2, "y")
		s.typed = []string{"y", "e"}
		return Graph(e.Mul(e).Add(a).Mul(e.Sin()), e)
	}},
	{"graph_write", func(s *session) View {
		a, b := s.leaf("a", 1, 2, 3), s.leaf("b", 2, 3)
		s.at("In[2]", 1, "h")
		h := a.Mul(2)
		s.at("In[2]", 2, "")
		h.Select(0, 1).Mul_(b)
		s.at("In[2]", 3, "y")
		s.typed = []string{"y"}
		return Graph(h.Sum())
	}},
	{"graph_views", func(s *session) View {
		a := s.leaf("a", 1, 2, 3)
		s.at("In[2]", 1, "y")
		s.typed = []string{"y"}
		return Graph(a.T().Narrow(0, 1, 2).Exp().Unsqueeze(0))
	}},
	{"graph_second", func(s *session) View {
		x := s.leaf("x", 1, 2)
		s.at("In[2]", 1, "y")
		y := s.name("y", x.Mul(x).Mul(x).Sum())
		s.at("In[2]", 2, "g")
		g := autograd.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, opt.CreateGraph(true))
		s.typed = []string{"g"}
		return Graph(g[0])
	}},
	{"graph_residual", func(s *session) View {
		x := s.leaf("x", 1, 4)
		h := x
		for i := range 3 {
			s.at("In[2]", 2, "f")
			f := h.Tanh().Mul(0.5)
			s.at("In[2]", 3+i, "h")
			h = h.Add(f)
		}
		s.typed = []string{"h"}
		return Graph(h)
	}},
	{"graph_loop", func(s *session) View {
		w := s.leaf("w", 1, 4, 4)
		h, sum := floats(4, 4), tensor.Zeros()
		for range 100 {
			s.at("In[2]", 2, "h")
			h = h.Matmul(w).Tanh()
			s.at("In[2]", 3, "sum")
			sum = sum.Add(h.Mean())
		}
		s.typed = []string{"sum"}
		return Graph(sum)
	}},
	{"graph_stale", func(s *session) View {
		x := s.leaf("x", 1, 3)
		s.at("In[2]", 1, "y")
		y := x.Exp()
		s.at("In[3]", 1, "")
		y.Mul_(2)
		s.at("In[4]", 1, "")
		s.typed = []string{"y.Sum()"}
		return Graph(y.Sum())
	}},
	{"graph_freed", func(s *session) View {
		x := s.leaf("x", 1, 3)
		s.at("In[2]", 1, "y")
		y := x.Exp().Sum()
		y.Backward()
		s.typed = []string{"y"}
		return Graph(y)
	}},
	{"graph_none", func(s *session) View { return Graph(tensor.Ones(2)) }},
	{"trace", func(s *session) View {
		x, y := s.name("x", floats(2, 3)), s.name("y", tensor.Ones())
		return TraceFunc(func() { s.at("In[4]", 1, "z"); x.Mul(y) })
	}},
	{"trace_autograd", func(s *session) View {
		x, y := s.leaf("x", 1, 2, 3), s.name("y", tensor.Ones())
		return TraceFunc(func() { s.at("In[4]", 1, "z"); s.name("z", x.Mul(y)).Sum().Backward() })
	}},
	{"trace_body", func(s *session) View {
		x := s.name("x", floats(2, 3))
		return TraceFunc(func() { s.at("In[4]", 1, ""); x.Double().T() })
	}},
	{"trace_folded", func(s *session) View {
		x := s.name("x", floats(2, 3))
		return TraceFunc(func() {
			for range 50 {
				s.at("In[4]", 2, "h")
				x.Add(1).Exp_()
			}
			for range 3 {
				x.Neg()
			}
		})
	}},
	{"trace_error", func(s *session) View {
		x := s.name("x", floats(2, 3))
		view, _ := Record(func() { s.at("In[4]", 1, ""); x.Exp().Add(floats(4)) })
		return view
	}},
	{"trace_none", func(s *session) View { return TraceFunc(func() {}) }},
	{"image", func(s *session) View { return Image(s.name("ramp", floats(4, 1)).Div(3).Expand(4, 6)) }},
	{"image_grid", func(s *session) View { return Image(floats(5, 3, 8, 8).Div(240)) }},
}

// leaf makes a leaf with a name.
func (s *session) leaf(name string, line int, shape ...int) *tensor.Tensor {
	s.at("In[1]", line, name)
	return s.name(name, floats(shape...).RequiresGrad_())
}

func mlp(s *session) *tensor.Tensor {
	x, y := s.name("x", floats(5, 2)), s.name("y", floats(5, 1))
	w1, b1 := s.leaf("w1", 2, 2, 8), s.leaf("b1", 3, 8)
	w2, b2 := s.leaf("w2", 4, 8, 1), s.leaf("b2", 5, 1)
	s.at("In[2]", 1, "h")
	h := x.Matmul(w1).Add(b1).Relu()
	s.at("In[2]", 2, "out")
	out := h.Matmul(w2).Add(b2)
	s.at("In[2]", 3, "loss")
	s.typed = []string{"loss"}
	return out.Sub(y).Square().Mean()
}

var changing = []struct{ find, put string }{
	{` avx(2|512)\b`, ""}, // of notes of kernels, by machine
	{`storage #\d+`, "storage #1"},
	{`\d+(\.\d+)? (ns|µs|ms)\b`, "1 µs"},
	{`(autograd/\w+\.go):\d+`, "$1:1"},
	{`(CPU +\w+ [a-z]+\d+), .*?   `, "$1, …   "}, // the kernel's own words
}

// TestGolden holds the text of every view.
func TestGolden(t *testing.T) {
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			got := e.make(newSession(t)).Text(false) + "\n"
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

// TestForms: every form of every view is well formed, bounded, without script, and equal when it is made again; its data go through JSON.
// With GOTORCH_PICTURES=DIR the pictures are written there, to be looked at.
func TestForms(t *testing.T) {
	dir := os.Getenv("GOTORCH_PICTURES")
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			v := e.make(newSession(t))
			checkForms(t, v)
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

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// checkForms checks what holds for every view of any tensor.
func checkForms(t testing.TB, v View) {
	t.Helper()
	text := v.Text(false)
	if _, err := JSON(v); err != nil {
		t.Error(err)
	}
	if strings.Contains(text, "\x1b") {
		t.Error("text without colour has escapes")
	}
	_, picture := v.(*Picture)
	_, grid := v.(*PictureGrid)
	if !picture && !grid { // whose colours are pixels
		if plain := escapes.ReplaceAllString(v.Text(true), ""); plain != text {
			t.Errorf("colour says more than the text:\n%s\n%s", plain, text)
		}
	}
	forms := map[string]string{"text": text, "HTML": v.HTML(), "SVG": v.SVG()}
	for name, s := range forms {
		if len(s) > maxHTML {
			t.Errorf("%s has %d bytes", name, len(s))
		}
		if name == "text" {
			continue
		}
		wellFormed(t, name, s)
		checkHTML(t, name, s)
		for _, bad := range []string{"<script", "NaN\"", "Inf\""} {
			if strings.Contains(s, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
	if text, ok := v.MIMEBundle()["text/plain"].(string); !ok || text == "" {
		t.Error("no text in the bundle")
	}
}

// wellFormed reads s as XML, which what we write is, in HTML too: every tag closed, every attribute quoted.
func wellFormed(t testing.TB, name, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	d.Entity = map[string]string{}
	for depth, roots := 0, 0; ; {
		tok, err := d.Token()
		if err == io.EOF {
			if depth != 0 || roots != 1 {
				t.Errorf("%s: %d elements are open at the end, %d at the top", name, depth, roots)
			}
			return
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if depth++; depth == 1 {
				roots++
			}
			for _, a := range tok.Attr {
				if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") {
					t.Errorf("%s: attribute %s", name, a.Name.Local)
				}
			}
		case xml.EndElement:
			depth--
		}
	}
}

// TestPictureText: in colour a picture is half blocks, two rows of pixels a line; small pictures are enlarged in the file alone.
func TestPictureText(t *testing.T) {
	newSession(t)
	defer func(f func() bool) { manyColours = f }(manyColours)
	manyColours = func() bool { return true }
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
	for _, c := range []struct{ x, y, level int }{{0, 0, 0}, {4, 4, 0}, {5, 4, 255}, {4, 5, 255}, {9, 9, 0}, {9, 10, 255}} {
		if r, _, _, _ := img.At(c.x, c.y).RGBA(); int(r>>8) != c.level {
			t.Errorf("pixel %d, %d is %d", c.x, c.y, r>>8)
		}
	}
}

// TestPictureSizes: what an image tensor may be, and what is said of others.
func TestPictureSizes(t *testing.T) {
	newSession(t)
	for _, c := range []struct {
		x    *tensor.Tensor
		want string
	}{
		{floats(2, 3), ""}, {floats(3, 2, 3), ""}, {floats(4, 1, 2, 3), ""}, {tensor.ZerosLike(tensor.Zeros(2, 2), opt.Dtype(tensor.Uint8)), ""},
		{floats(3), "[H W], [C H W] or [N C H W]"},
		{floats(5, 6, 3), "Permute(2, 0, 1)"},
		{floats(2, 6, 6, 3), "Permute(0, 3, 1, 2)"},
		{floats(2, 5, 5), "1, 3 or 4 channels"},
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

package visualize_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotorch/nn"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// sight is one view of a subject.
type sight struct {
	name string
	make func() visualize.View
}

// ofTensor are the views of a tensor.
func ofTensor(x *tensor.Tensor) []sight {
	views := []sight{
		{"card", func() visualize.View { return visualize.Card(x) }},
		{"strides", func() visualize.View { return visualize.Strides(x, x.Transpose(0, -1)) }},
		{"address", func() visualize.View { return visualize.Address(x, make([]int, x.Dim())...) }},
		{"address within", func() visualize.View { return visualize.Address(x, middle(x)...) }},
		{"strides apart", func() visualize.View { return visualize.Strides(x.Slice(opt.Dim(-1), opt.Step(2))) }},
		{"alias", func() visualize.View { return visualize.Aliases(x, x.Narrow(0, 0, 1)) }},
		{"order", func() visualize.View { return visualize.Order(x, x.Transpose(0, -1)) }},
		{"plans", func() visualize.View { return visualize.Plans(func() { x.Transpose(0, -1).Add(1) }) }},
		{"explore", func() visualize.View { return visualize.Explore(x) }},
		{"versions", func() visualize.View { return visualize.Versions(x) }},
		{"hist", func() visualize.View { return visualize.Hist(x) }},
		{"plot", func() visualize.View { return visualize.Plot(x.Flatten()) }},
	}
	if x.Dim() > 1 {
		rows := x.Reshape(-1, x.Size(-1))
		views = append(views, sight{"heatmap", func() visualize.View { return visualize.Heatmap(rows) }},
			sight{"columns", func() visualize.View { return visualize.Plot(rows) }})
	}
	return views
}

// middle is the index of an element far from the edges of its dimensions.
func middle(x *tensor.Tensor) (index []int) {
	for _, n := range x.Shape() {
		index = append(index, n/2)
	}
	return index
}

// ofRun are the views of a function that gives a loss.
func ofRun(f func() *tensor.Tensor) []sight {
	return []sight{
		{"graph", func() visualize.View { return visualize.Graph(f()) }},
		{"backward", func() visualize.View { return visualize.Backward(f()) }},
		{"trace", func() visualize.View { return visualize.TraceFunc(func() { f() }) }},
		{"shapes", func() visualize.View { v, _ := visualize.RecordShapes(func() { f() }); return v }},
		{"program", func() visualize.View { v, _ := visualize.RecordProgram(func() { f() }); return v }},
		{"plans", func() visualize.View { return visualize.Plans(func() { f() }) }},
		{"flame", func() visualize.View { return visualize.Flame(func() { f().Backward() }) }},
		{"memory", func() visualize.View { return visualize.Memory(func() { f().Backward() }) }},
	}
}

// residual is a network of convolutions with steps around them.
func residual(blocks int) (forward func() *tensor.Tensor, parameters []*tensor.Tensor) {
	stem := nn.NewConv2d(3, 8, 3, opt.Padding(1))
	head := nn.NewLinear(8, 10)
	parameters = append(nn.Params(stem).Tensors(), nn.Params(head).Tensors()...)
	var convs []*nn.Conv
	var norms []*nn.BatchNorm
	for range 2 * blocks {
		convs = append(convs, nn.NewConv2d(8, 8, 3, opt.Padding(1)))
		norms = append(norms, nn.NewBatchNorm2d(8))
		parameters = append(parameters, nn.Params(convs[len(convs)-1]).Tensors()...)
	}
	x := tensor.Rand(2, 3, 16, 16)
	return func() *tensor.Tensor {
		h := stem.Forward(x)
		for i := 0; i < 2*blocks; i += 2 {
			y := norms[i].Forward(convs[i].Forward(h)).Relu()
			h = norms[i+1].Forward(convs[i+1].Forward(y)).Add(h).Relu()
		}
		return head.Forward(h.Mean(opt.Dim(2, 3))).Square().Mean()
	}, parameters
}

// lifeSize are subjects that people have in a notebook.
func lifeSize(t testing.TB) map[string][]sight {
	tensor.ManualSeed(1)
	hidden := tensor.Rand(10_000_000)
	hidden.Narrow(0, 5_000_001, 1).Fill_(math.NaN())
	image := tensor.LoadImage("../examples/harbor.png")
	image = image.Narrow(-2, 0, min(224, image.Size(-2))).Narrow(-1, 0, min(224, image.Size(-1))).Contiguous()
	kernels := tensor.Randn(64, 3, 7, 7).Mul(0.1)
	block := nn.NewTransformerEncoderLayer(64, 4)
	six := nn.NewTransformerEncoder(block, 6)
	words := tensor.Randn(10, 2, 64)
	resnet, _ := residual(8)
	train, parameters := residual(2)
	sgd := optim.NewSGD(parameters, opt.Lr(0.1))
	pictures := func(x *tensor.Tensor) []sight {
		return []sight{{"image", func() visualize.View { return visualize.Image(x) }}}
	}
	return map[string][]sight{
		"image":       append(ofTensor(image), pictures(image)...),
		"activations": ofTensor(tensor.Randn(64, 128, 768)),
		"kernels": append(ofTensor(kernels), append(pictures(kernels),
			sight{"grid", func() visualize.View { return visualize.ImageGrid(kernels) }})...),
		"one NaN": ofTensor(hidden),
		"resnet":  ofRun(resnet),
		"block":   ofRun(func() *tensor.Tensor { return block.Forward(words).Square().Mean() }),
		"six blocks": ofRun(func() *tensor.Tensor {
			return six.Forward(words).Square().Mean()
		}),
		"step": ofRun(func() *tensor.Tensor {
			sgd.ZeroGrad()
			loss := train()
			return loss
		}),
	}
}

// cutNumber is a number whose last digits are left out, which is another number.
var cutNumber = regexp.MustCompile(`>[^<]*[0-9.]…</text>`)

var pictureSize = regexp.MustCompile(`^<svg [^>]*?width="(\d+)" height="(\d+)"`)

// pictureExtent is how wide and how high a picture is.
func pictureExtent(t *testing.T, svg string) (wide, high int) {
	t.Helper()
	m := pictureSize.FindStringSubmatch(svg)
	if m == nil {
		t.Fatalf("no picture: %.200s", svg)
	}
	wide, _ = strconv.Atoi(m[1])
	high, _ = strconv.Atoi(m[2])
	return wide, high
}

// TestLifeSize: every view of every subject takes at most 150 KB, and its picture fits one screen.
func TestLifeSize(t *testing.T) {
	dir := os.Getenv("GOTORCH_PICTURES")
	viewtest.NewSession(t)
	for subject, views := range lifeSize(t) {
		for _, s := range views {
			v := s.make()
			viewtest.CheckForms(t, v)
			html := v.HTML()
			if dir != "" {
				name := strings.ReplaceAll(subject+" "+s.name, " ", "_") + ".html"
				os.WriteFile(filepath.Join(dir, name), []byte(html), 0o644)
			}
			if len(html) > draw.MaxHTML {
				t.Errorf("%s of %s: %d bytes of HTML", s.name, subject, len(html))
			}
			if n := len(v.Text(false)); n > draw.MaxHTML {
				t.Errorf("%s of %s: %d bytes of text", s.name, subject, n)
			}
			wide, high := pictureExtent(t, v.SVG())
			if wide > draw.NarrowWidth && strings.Contains(v.SVG(), "</text>") { // of seven pixels on a page of 420
				t.Errorf("%s of %s is %d wide", s.name, subject, wide)
			}
			if high > 1200 && s.name != "explore" { // its SVG has all frames, one below the other
				t.Errorf("%s of %s is %d high", s.name, subject, high)
			}
			if cut := cutNumber.FindString(v.SVG()); cut != "" {
				t.Errorf("%s of %s: %s", s.name, subject, cut)
			}
			t.Logf("%-12s %-9s %4d × %-5d %7d bytes", subject, s.name, wide, high, len(html))
		}
	}
}

// BenchmarkLifeSize is the time that each view of each subject takes, drawn as a notebook shows it.
func BenchmarkLifeSize(b *testing.B) {
	viewtest.NewSession(b)
	for subject, views := range lifeSize(b) {
		for _, s := range views {
			b.Run(subject+"/"+s.name, func(b *testing.B) {
				for b.Loop() {
					s.make().MIMEBundle()
				}
			})
		}
	}
}

package interp

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotorch/interp/internal/celltest"
	"gotorch/visualize/draw"
)

// encoderSession has a transformer of some layers in enc, and an input.
func encoderSession(t *testing.T, layers int) *Session {
	s := New(Options{})
	t.Cleanup(s.Close)
	celltest.Cell(s, fmt.Sprintf("enc := nn.NewTransformerEncoder(nn.NewTransformerEncoderLayer(16, 2), %d)\n"+
		"x := Randn([5, 2, 16])", layers))
	return s
}

// TestTraceByModule: the trace of a model is an outline of a screen by module, with totals; its backward pass has
// one of its own; --all shows every call.
func TestTraceByModule(t *testing.T) {
	s := encoderSession(t, 12)
	got := celltest.Cell(s, "%%trace\nloss := enc.Forward(x).Square().Mean()\nloss.Backward()")
	for _, want := range []string{`\nenc  324 calls +\S+ MiB  `,
		`\n  layers\.0 … layers\.11 × 12  27 calls each, 324 in all  +\S+ MiB`, `\n    self_attn  17 calls  `,
		`\n    norm1  layer_norm  float32\[5 2 16\]`, `\nbackward  \d+ calls`, `\n  enc  \d+ calls`,
		`\n    layers\.11 … layers\.1 × 11  `, `\n    layers\.0  `, `\nmean → loss float32\[\]  @ In\[2\]:2`,
		`\n  div → float32\[5 2 16\]  of In\[2\]:2`, `%trace --all`} {
		if n := len(regexp.MustCompile(want).FindAllString(got, -1)); n != 1 {
			t.Errorf("%s is there %d times:\n%s", want, n, got)
		}
	}
	lines := strings.Split(got, "\n")
	if len(lines) > 64 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if draw.Width(l) > 80 {
			t.Errorf("%d columns: %s", draw.Width(l), l)
		}
	}
	all := celltest.Cell(s, "%trace --all enc.Forward(x)")
	if !strings.Contains(all, "keys {CPU}") && !strings.Contains(all, "keys {Autograd CPU}") ||
		strings.Count(all, "\n") < 100 {
		t.Errorf("not all: %s", all)
	}
	html := celltest.Cell(s, "fmt.Println(visualize.TraceFunc(func() { enc.Forward(x) }).HTML())")
	if strings.Count(html, "<details") < 10 || !strings.Contains(html, "keys") {
		t.Errorf("calls do not unfold: %s", html)
	}
}

// TestTraceLoop: the steps of a training loop are one, times their number.
func TestTraceLoop(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	got := celltest.Cell(s, `net := nn.NewSequential(nn.NewLinear(4, 8), nn.ReLU, nn.NewLinear(8, 2)); x := Randn(3, 4)
o := optim.NewSGD(nn.Params(net), lr=0.1)`) + celltest.Cell(s, `%%trace
for range 10 {
	o.ZeroGrad()
	loss := net.Forward(x).Square().Mean()
	loss.Backward()
	o.Step()
}`)
	for _, want := range []string{"net … backward × 10  ", "  net  3 calls", "    net.0  linear  float32[3 8]",
		"  backward  ", "      net.2  "} {
		if strings.Count(got, "\n"+want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, got)
		}
	}
}

var flameShare = regexp.MustCompile(`(?m)^( *)(\S.*?)  +[█▉▊▋▌▍▎▏·]+ +<?(\d+) %`)

// TestFlameByModule: bars of modules stand above operators, twelve layers are one bar; what the backward pass
// computes stands in the module and on the line whose derivative it is.
func TestFlameByModule(t *testing.T) {
	s := encoderSession(t, 12)
	got := celltest.Cell(s, "%%flame\nloss := enc.Forward(x).Square().Mean()\nloss.Backward()")
	depth := map[string]int{}
	for _, m := range flameShare.FindAllStringSubmatch(got, -1) {
		if _, known := depth[m[2]]; !known {
			depth[m[2]] = len(m[1]) / 2
		}
		if n, _ := strconv.Atoi(m[3]); n > 100 {
			t.Error(m[0])
		}
	}
	for name, want := range map[string]int{"enc": 0, "layers.0 … layers.11 × 12": 1, "self_attn × 12": 2,
		"linear1 × 12": 2} {
		if d, ok := depth[name]; !ok || d != want {
			t.Errorf("%q is at depth %d (%v), not %d:\n%s", name, d, ok, want, got)
		}
	}
	if !strings.Contains(got, "\n      backward × 12 ") || !strings.Contains(got, "of them backward") ||
		strings.Contains(got, "layers.3") {
		t.Error(got)
	}
	svg := celltest.Cell(s, "fmt.Println(visualize.Flame(func() { enc.Forward(x).Sum().Backward() }).SVG())")
	if !regexp.MustCompile(`<title>module  linear1 × 12\n[^<]* % of the function`).MatchString(svg) {
		t.Error("a bar says nothing where the pointer rests")
	}
}

// TestFlameByFunction: a function of a cell is a bar around its lines.
func TestFlameByFunction(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	celltest.Cell(s, `func square(x *Tensor) *Tensor {
	y := x * x
	return y.Exp()
}
w := Randn([40, 40]).RequiresGrad_()`)
	got := celltest.Cell(s, "%flame square(w).Sum().Backward()")
	for _, want := range []string{`(?m)^func square `, `(?m)^  In\[1\]:2 `, `(?m)^    mul `, `(?m)^    backward `} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s is not there:\n%s", want, got)
		}
	}
}

// TestBackwardByModule: the backward pass of a model is an outline by module, layers that are alike once.
func TestBackwardByModule(t *testing.T) {
	s := encoderSession(t, 12)
	got := celltest.Cell(s, "visualize.Backward(enc.Forward(x).Square().Mean())")
	for _, want := range []string{`\nenc  \d+ steps +frees `,
		`\n  layers\.11 … layers\.\d+ × 1[12]  \d+ steps each, \d+ in all +frees `,
		`\n    self_attn  \d+ steps`, `\nstep 1  Mean → ∂`} {
		if n := len(regexp.MustCompile(want).FindAllString(got, -1)); n != 1 {
			t.Errorf("%s is there %d times:\n%s", want, n, got)
		}
	}
	if n := strings.Count(got, "\n"); n > 64 {
		t.Errorf("%d lines", n)
	}
}

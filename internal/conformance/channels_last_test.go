package conformance

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// layoutInput makes an input of testdata/channels_last.txt: "x 2,4,5,6 cl".
func layoutInput(t *testing.T, line string) (name string, x *tensor.Tensor) {
	f := strings.Fields(line)
	var shape []int
	for n := range strings.SplitSeq(f[1], ",") {
		i, err := strconv.Atoi(n)
		if err != nil {
			t.Fatal(err)
		}
		shape = append(shape, i)
	}
	x = tensor.Randn(shape...)
	switch f[2] {
	case "cl":
		x = x.Contiguous(opt.MemoryFormat(tensor.ChannelsLast))
	case "cl3":
		x = x.Contiguous(opt.MemoryFormat(tensor.ChannelsLast3d))
	case "transposed":
		x = x.Transpose(-1, -2).Contiguous().Transpose(-1, -2)
	}
	return f[0], x.RequiresGrad_()
}

// stridesText is how the rows write strides: "(24, 1, 12)", and "(3,)" as Python does.
func stridesText(x *tensor.Tensor) string {
	var parts []string
	for _, s := range x.Stride() {
		parts = append(parts, strconv.Itoa(s))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Why the strides of some rows are not PyTorch's. The elements are.
const (
	otherOperand = "the gradient takes the layout of another operand of the formula"
	keptByClone  = "PyTorch writes into a contiguous copy, gotorch into a clone, which keeps the strides"
	otherSteps   = "PyTorch joins or turns the dimensions in other steps"
	ownBuffer    = "PyTorch's kernel fills a contiguous buffer"
	oneChannel   = "with one channel the strides are those of both formats"
)

// layoutDifferences are the rows that are known to differ.
var layoutDifferences = map[string]string{
	`F.conv2d(x, wd, groups=4)`:     oneChannel,
	`F.conv_transpose2d(x, wtc, b)`: otherOperand,
	`F.conv_transpose2d(c, wtc, b)`: otherOperand,
	`F.adaptive_avg_pool2d(x, 1)`:   otherOperand,
	`F.pixel_shuffle(x, 2)`:         otherSteps,
	`F.pixel_unshuffle(e, 2)`:       otherOperand,
	`F.relu(x)`:                     otherOperand,
	`F.elu(x)`:                      otherOperand,
	`F.selu(x)`:                     otherOperand,
	`F.celu(x)`:                     otherOperand,
	`F.hardtanh(x)`:                 otherOperand,
	`F.hardswish(x)`:                otherOperand,
	`F.hardsigmoid(x)`:              otherOperand,
	`F.softplus(x)`:                 otherOperand,
	`F.softshrink(x)`:               otherOperand,
	`F.hardshrink(x)`:               otherOperand,
	`F.logsigmoid(x)`:               ownBuffer,
	`F.rrelu(x, training=True)`:     ownBuffer,
	`F.glu(x, 1)`:                   otherOperand,
	`torch.stack([x, x], 1)`:        otherSteps,
	`x.rot90(1, (2, 3))`:            otherSteps,
	`x.take(torch.tensor([0, 5]))`:  otherOperand,
	`x.scatter(1, torch.zeros(2, 1, 5, 6, dtype=torch.int64), 2.)`: keptByClone,
	`x.index_add(1, torch.tensor([0]), c[:, :1])`:                  keptByClone,
	`x.masked_fill(x > 0, 1)`:                                      keptByClone,
	`F.mse_loss(x, c, reduction="none")`:                           otherOperand,
	`F.smooth_l1_loss(x, c, reduction="none")`:                     otherOperand,
	`F.huber_loss(x, c, reduction="none")`:                         otherOperand,
	`F.mse_loss(x, c)`:                                             otherOperand,
	`torch.renorm(x, 2, 1, 1.)`:                                    keptByClone,
	`torch.cross(x[:, :3], c[:, :3], 1)`:                           keptByClone,
	`x.sgn()`:                                                      otherOperand,
	`x.erfinv()`:                                                   otherOperand,
	`torch.xlogy(x, c)`:                                            otherOperand,
	`torch.copysign(x, c)`:                                         otherOperand,
}

// TestChannelsLast holds the strides of results and gradients against those of PyTorch, which
// testdata/channels_last.py recorded, for inputs in channels_last and mixtures of layouts.
func TestChannelsLast(t *testing.T) {
	text, err := os.ReadFile("testdata/channels_last.txt")
	if err != nil {
		t.Fatal(err)
	}
	var inputs []string
	rows := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if in, ok := strings.CutPrefix(line, "input "); ok {
			inputs = append(inputs, in)
			continue
		}
		row := strings.Split(line, " | ")
		for len(row) < 4 {
			row = append(row, "")
		}
		rows++
		names := map[string]any{}
		xs := map[string]*tensor.Tensor{}
		for _, in := range inputs {
			name, x := layoutInput(t, in)
			names[name], xs[name] = x, x
		}
		var differs error
		for i, contiguous := range []bool{false, true} {
			err := attempt(func() error {
				v, err := evaluate(row[0], names)
				if err != nil {
					return err
				}
				if list, ok := v.([]any); ok {
					v = list[0]
				}
				y := v.(*tensor.Tensor)
				if got := stridesText(y); got != row[1] {
					return fmt.Errorf("strides %s, in PyTorch %s", got, row[1])
				}
				return gradStrides(y, xs, row[2+i], contiguous)
			})
			if err != nil {
				differs = err
				break
			}
		}
		switch why := layoutDifferences[row[0]]; {
		case differs != nil && (why == "" || !strings.Contains(differs.Error(), "PyTorch")):
			t.Errorf("%s: %v", row[0], differs)
		case differs == nil && why != "":
			t.Errorf("%s is as in PyTorch now: take it out of layoutDifferences", row[0])
		}
	}
	if rows < 100 {
		t.Errorf("%d rows", rows)
	}
}

// gradStrides compares the strides of gradients with those that want states: "x(120, 30, 6, 1) b(1)".
func gradStrides(y *tensor.Tensor, xs map[string]*tensor.Tensor, want string, contiguous bool) error {
	for want != "" {
		name, rest, _ := strings.Cut(want, "(")
		strides, rest, _ := strings.Cut(rest, ")")
		want = strings.TrimPrefix(rest, " ")
		g := tensor.OnesLike(y.Detach())
		if contiguous {
			g = tensor.With(y.Dtype()).Ones(y.Shape()...)
		}
		got := autograd.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{xs[name]}, opt.GradOutputs(g), opt.RetainGraph(true),
			opt.AllowUnused(true))[0]
		if got == nil {
			return fmt.Errorf("no gradient of %s", name)
		}
		if text := stridesText(got); text != "("+strides+")" {
			how := "laid out as the result"
			if contiguous {
				how = "contiguous"
			}
			return fmt.Errorf("for a gradient that is %s, that of %s has strides %s, in PyTorch (%s)", how, name, text, strides)
		}
	}
	return nil
}

package nn_test

import (
	"fmt"
	"testing"

	"gotorch/nn"
	"gotorch/tensor/opt"
)

// TestModuleTexts: modules are printed by their sizes.
func TestModuleTexts(t *testing.T) {
	for _, row := range []struct {
		m    any
		want string
	}{
		{nn.NewLinear(3, 2, nn.Bias(false)), "Linear(in_features=3, out_features=2, bias=false)"},
		{nn.NewBilinear(3, 4, 2), "Bilinear(in1_features=3, in2_features=4, out_features=2, bias=true)"},
		{nn.NewConv1d(4, 6, 3, opt.Groups(2)), "Conv1d(4, 6, kernel_size=(3,), stride=(1,), groups=2)"},
		{nn.NewConv2d(3, 4, []int{3, 2}, opt.Padding([]int{1, 0}), opt.Dilation(2, 1)),
			"Conv2d(3, 4, kernel_size=(3, 2), stride=(1, 1), padding=(1, 0), dilation=(2, 1))"},
		{nn.NewConv2d(2, 3, 4, opt.Padding("same")), "Conv2d(2, 3, kernel_size=(4, 4), stride=(1, 1), padding=same)"},
		{nn.NewConvTranspose2d(4, 2, 3, opt.Stride(2), opt.Groups(2), opt.OutputPadding(1), nn.Bias(false)),
			"ConvTranspose2d(4, 2, kernel_size=(3, 3), stride=(2, 2), output_padding=(1, 1), groups=2, bias=false)"},
		{nn.NewBatchNorm2d(3), "BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=true, track_running_stats=true)"},
		{nn.NewLayerNorm([]int{3, 4}), "LayerNorm((3, 4), eps=1e-05, elementwise_affine=true)"},
		{nn.NewGroupNorm(2, 4), "GroupNorm(2, 4, eps=1e-05, affine=true)"},
		{nn.NewEmbedding(7, 3, opt.PaddingIdx(-5)), "Embedding(7, 3, padding_idx=2)"},
		{nn.NewDropout(0.5), "Dropout(p=0.5)"},
		{nn.NewDropout2d(0.25), "Dropout2d(p=0.25)"},
		{nn.NewLSTM(3, 4, opt.NumLayers(2), opt.BatchFirst(true)), "LSTM(3, 4, num_layers=2, batch_first=true)"},
		{nn.NewMultiheadAttention(8, 2), "MultiheadAttention(8, 2, batch_first=false)"},
		{nn.Sequential{nn.NewLinear(1, 1), nn.Sequential{nn.ReLU}, &nn.Conv{}},
			"Sequential(\n  (0): Linear(in_features=1, out_features=1, bias=true)\n" +
				"  (1): Sequential(\n    (0): ReLU\n  )\n  (2): Conv()\n)"},
		{&nn.Linear{}, "Linear(in_features=0, out_features=0, bias=false)"},
		{&nn.MultiheadAttention{}, "MultiheadAttention(0, 0, batch_first=false)"},
	} {
		if got := fmt.Sprint(row.m); got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
	}
}

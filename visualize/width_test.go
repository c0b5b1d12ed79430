package visualize

import (
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// TestTextWidth: in a narrow terminal pictures of characters fit; without one they are as wide as ever.
func TestTextWidth(t *testing.T) {
	x := tensor.Arange(12).View(3, 4)
	views := map[string]View{"plot": Plot(x.Flatten()), "hist": Hist(tensor.Arange(300)),
		"heatmap": Heatmap(tensor.Zeros(8, 72)), "scatter": Scatter(x.Flatten(), x.Flatten())}
	wide := func() (most map[string]int) {
		most = map[string]int{}
		for name, v := range views {
			for _, l := range strings.Split(v.Text(false), "\n") {
				most[name] = max(most[name], draw.Width(l))
			}
		}
		return most
	}
	usual := wide()
	defer SetTextWidth(0)
	SetTextWidth(40)
	for name, n := range wide() {
		if n > 40 || usual[name] <= 60 {
			t.Errorf("%s takes %d columns of 40, and %d elsewhere", name, n, usual[name])
		}
	}
	if text := Strides(x).Text(false); strings.Count(text, "addr") != 2 {
		t.Errorf("the map has not two blocks of rows:\n%s", text)
	}
	SetTextWidth(300)
	for name, n := range wide() {
		if n != usual[name] {
			t.Errorf("%s takes %d columns in a wide terminal, %d elsewhere", name, n, usual[name])
		}
	}
}

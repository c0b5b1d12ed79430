package visualize_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize"
	"gotorch/visualize/draw"
)

var numberMark = regexp.MustCompile(`<span data-b="(\d+) (\d+) (\d+)">([^<]*)</span>`)

// TestNumbersOfCards: each number of a card has the mark of the bytes that it is read from, whatever the strides.
func TestNumbersOfCards(t *testing.T) {
	base := tensor.Arange(240)
	for _, x := range []*tensor.Tensor{
		base.Narrow(0, 3, 7), base.View(12, 20).Narrow(1, 4, 8).T(), base.View(2, 10, 12).Permute(2, 0, 1), base.Flip(0),
		base.Narrow(0, 0, 6).Unsqueeze(0).Expand(4, 6), base.View(15, 16).Gt(7), tensor.Ones(1, 1).To(tensor.Complex64),
		base.Narrow(0, 0, 1),
	} {
		marks := numberMark.FindAllStringSubmatch(visualize.Page("x", visualize.Card(x)), -1)
		if len(marks) != x.Numel() {
			t.Errorf("%v: %d marks", x.Shape(), len(marks))
			continue
		}
		data := tensor.Flatten(x.Contiguous())
		for i, m := range marks {
			var at, size int
			fmt.Sscan(m[2], &at)
			fmt.Sscan(m[3], &size)
			one := tensor.FromStorage("test", x.Storage(), []int{1}, []int{1}, at/size, x.Dtype())
			if m[1] != fmt.Sprint(x.Storage().ID()) || size != x.Dtype().Size() ||
				one.String() != data.Narrow(0, i, 1).String() {
				t.Fatalf("%v: element %d is %v, not %s of %v", x.Shape(), i, data.Narrow(0, i, 1), m[0], one)
			}
		}
	}
}

// TestRowsOfCards: of many numbers the rows are marked, of a text without all of them nothing, and a view with gaps
// has no mark as a whole.
func TestRowsOfCards(t *testing.T) {
	x := tensor.Arange(600).View(60, 10)
	html := visualize.Page("x", visualize.Card(x))
	id := x.Storage().ID()
	for _, want := range []string{
		fmt.Sprintf(`<b data-b="%d 0 4800">`, id),
		fmt.Sprintf(`<span data-b="%d 4720 80">`, id),
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(html, "<span data-b"); n != 60 {
		t.Errorf("%d rows are marked", n)
	}
	if html := visualize.Page("x", visualize.Card(tensor.Arange(5000))); strings.Contains(html, "<span data-b") {
		t.Error("a part of the numbers is marked")
	}
	if html := visualize.Page("x", visualize.Card(x.Narrow(1, 0, 5))); strings.Contains(html, "<b data-b") {
		t.Error("a view with gaps is marked as a whole")
	}
}

// TestMarksFit: what is linked stays within the limit of a view.
func TestMarksFit(t *testing.T) {
	x := tensor.Rand(4, 10, 20)
	for name, v := range map[string]visualize.View{
		"image": visualize.Image(x), "heat map": visualize.Heatmap(x.Select(0, 0).Repeat(2, 1)),
		"large heat map": visualize.Heatmap(tensor.Rand(128, 128)), "card": visualize.Card(tensor.Rand(16, 16)),
	} {
		if n := len(visualize.Page("x", v)) - len(visualize.Page("x")); n > draw.MaxHTML {
			t.Errorf("%s: %d bytes", name, n)
		}
		if strings.Contains(v.HTML(), "data-b") {
			t.Errorf("%s has marks where nothing is linked", name)
		}
	}
}

package visualize

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// TestCaptions: the sentence of every view is a sentence, stands in each of its forms, and is the one in
// testdata/captions.txt.
func TestCaptions(t *testing.T) {
	var all strings.Builder
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			v := e.make(viewtest.NewSession(t))
			c, ok := v.(Captioner)
			if !ok {
				return
			}
			said := c.Caption()
			if said == "" {
				fmt.Fprintf(&all, "%s\n", e.name)
				return
			}
			if !strings.HasSuffix(said, ".") || len([]rune(said)) > 300 || strings.Contains(said, "\n") ||
				strings.Contains(said, "%!") || strings.Contains(said, "  ") {
				t.Errorf("this is no sentence: %q", said)
			}
			with := Caption(v)
			viewtest.CheckForms(t, with)
			oneLine := func(s string) string { return strings.Join(strings.Fields(s), " ") }
			if !strings.HasSuffix(oneLine(with.Text(false)), oneLine(said)) {
				t.Errorf("the text has no %q:\n%s", said, with.Text(false))
			}
			if !strings.Contains(withoutAbbr.ReplaceAllString(with.HTML(), ""), draw.Escape(said)) {
				t.Errorf("the HTML has no %q", said)
			}
			svg := regexp.MustCompile(`</text><text [^>]*>`).ReplaceAllString(with.SVG(), " ")
			if !strings.Contains(svg, draw.Escape(said)) {
				t.Errorf("the SVG has no %q", said)
			}
			fmt.Fprintf(&all, "%s: %s\n", e.name, said)
		})
	}
	got := all.String()
	for _, c := range changing {
		got = regexp.MustCompile(c.find).ReplaceAllString(got, c.put)
	}
	got = regexp.MustCompile(`\d+ % of the time`).ReplaceAllString(got, "1 % of the time")
	file := filepath.Join("testdata", "captions.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, _ := os.ReadFile(file); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCaptionOption: false leaves a view alone, twice is once, and some views have no sentence.
func TestCaptionOption(t *testing.T) {
	viewtest.NewSession(t)
	v := Strides(viewtest.Floats(3, 4))
	if Caption(v, false) != View(v) {
		t.Error("Caption(v, false) is not v")
	}
	if c := Caption(v, true); Caption(c) != c {
		t.Error("a captioned view is captioned again")
	}
	err := tensor.Try(func() { Caption(Devices()) })
	if err == nil || !strings.Contains(err.Error(), "runs.DevicesView has no sentence") {
		t.Errorf("devices: %v", err)
	}
	if s := Caption(Backward(leafLoss())).(*Captioned); s.Steps() == 0 || !strings.Contains(s.Step(0, false), "reached") {
		t.Error("a captioned backward pass has no steps")
	}
}

var withoutAbbr = regexp.MustCompile(`</?abbr[^>]*>`)

func leafLoss() *tensor.Tensor { return viewtest.Floats(3).RequiresGrad_().Exp().Sum() }

// numbersOf are the numbers of a sentence in their order, those in words as well; of a list in brackets each.
func numbersOf(sentence string) (all []int) {
	words := map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
		"nine": 9,
		"ten":  10, "eleven": 11, "twelve": 12}
	for _, w := range regexp.MustCompile(`-?\d+|[a-z]+`).FindAllString(sentence, -1) {
		if n, err := strconv.Atoi(w); err == nil {
			all = append(all, n)
		} else if n, ok := words[w]; ok {
			all = append(all, n)
		}
	}
	return all
}

// TestCaptionNumbers: the numbers that sentences say are those of the tensors, whatever their shapes and strides.
func TestCaptionNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for range 300 {
		s := viewtest.NewSession(t)
		shape := make([]int, 2)
		for d := range shape {
			shape[d] = 2 + r.IntN(5)
		}
		n := shape[0] * shape[1]
		x := tensor.Arange(n+5).Slice(opt.Dim(0), opt.End(n)).View(shape...)
		y := x
		switch r.IntN(4) {
		case 0:
			y = x.T()
		case 1:
			y = x.Narrow(r.IntN(2), 1, 1)
		case 2:
			y = x.Select(0, r.IntN(shape[0])).Expand(3, shape[1])
		case 3:
			y = x.Slice(opt.Dim(1), opt.Step(2))
		}
		places := map[int]bool{}
		for i := range y.Size(0) {
			for j := range y.Size(1) {
				places[y.StorageOffset()+i*y.Stride()[0]+j*y.Stride()[1]] = true
			}
		}
		s.Typed = []string{"a", "b"}
		said := Strides(x, y).Caption()
		got := numbersOf(said)
		if !slices.Contains(got, len(places)) {
			t.Fatalf("%v %v: %d places, and it says %q", y.Shape(), y.Stride(), len(places), said)
		}
		if last := got[len(got)-2:]; !slices.Equal(last, y.Stride()) {
			t.Fatalf("strides %v, and it says %q", y.Stride(), said)
		}
		if o := y.StorageOffset(); o != 0 && !slices.Contains(got, o) {
			t.Fatalf("offset %d, and it says %q", o, said)
		}

		i, j := r.IntN(y.Size(0)), r.IntN(y.Size(1))
		s.Typed = []string{"y", "i", "j"}
		said = Address(y, i, j).Caption()
		at := y.StorageOffset() + i*y.Stride()[0] + j*y.Stride()[1]
		want := []int{i, j, at, y.StorageOffset(), i, y.Stride()[0], j, y.Stride()[1], at, 8 * at, int(y.At(i, j).(int64))}
		if got := numbersOf(strings.ReplaceAll(said, "the one at", "that at")); !slices.Equal(got, want) {
			t.Fatalf("it says %q: %v, not %v", said, got, want)
		}

		row := tensor.Arange(y.Size(1))
		s.Typed = []string{"y", "row"}
		said = Broadcast(y, row).Caption()
		want = []int{y.Size(0), y.Size(1), y.Size(1), y.Size(0), 0}
		if y.Size(0) == 1 {
			want = []int{1, y.Size(1), y.Size(1), 1, 0}
		}
		if got := numbersOf(said); !slices.Equal(got, want) {
			t.Fatalf("%v and %v: it says %q: %v, not %v", y.Shape(), row.Shape(), said, got, want)
		}

		s.Typed = []string{"y"}
		said = Header(y).Caption()
		want = append(append(append([]int{8 * (n + 5)}, y.Shape()...), y.Stride()...), y.StorageOffset())
		if got := numbersOf(strings.ReplaceAll(said, " one", "")); !slices.Equal(got[1:], want) {
			t.Fatalf("it says %q: %v, not %v", said, got, want)
		}
	}
}

// TestCaptionSources: a number in digits stands in the picture's text or its data, but for those that are computed.
func TestCaptionSources(t *testing.T) {
	computed := map[string]string{"broadcast": "how often an operand is read", "flame": "a share of the time",
		"trace": "how many calls there are", "support": "how many dtypes there are", "order": "", "gradcheck": "",
		"allocator": "bytes lost to rounding", "timeline": "rounded", "plot": "rounded", "schedule": "rounded",
		"scatter": "rounded", "hist": "rounded", "heatmap": "rounded"}
	number := regexp.MustCompile(`-?\d+(\.\d+)?`)
	for _, e := range examples {
		v := e.make(viewtest.NewSession(t))
		c, ok := v.(Captioner)
		name, _, _ := strings.Cut(e.name, "_")
		if _, free := computed[name]; !ok || free {
			continue
		}
		data, err := JSON(v)
		if err != nil {
			t.Fatal(err)
		}
		there := map[string]bool{}
		for _, n := range number.FindAllString(v.Text(false)+string(data), -1) {
			there[n] = true
		}
		for _, n := range number.FindAllString(c.Caption(), -1) {
			if !there[n] {
				t.Errorf("%s: %s is not in the picture: %s", e.name, n, c.Caption())
			}
		}
	}
}

package visualize

import (
	"fmt"
	"math"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotorch/internal/bytesize"
	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// each calls f with every index of a shape.
func each(shape []int, f func(index []int)) {
	index := make([]int, len(shape))
	for _, n := range shape {
		if n == 0 {
			return
		}
	}
	for {
		f(index)
		d := len(shape) - 1
		for ; d >= 0; d-- {
			if index[d]++; index[d] < shape[d] {
				break
			}
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// near reports whether a number is printed as what it is, to three digits.
func near(text string, want float64) bool {
	got, err := strconv.ParseFloat(text, 64)
	return err == nil && math.Abs(got-want) <= 0.006*math.Abs(want)
}

var (
	worked = regexp.MustCompile(`\[([-0-9,]*)\] → (-?\d+(?: [-+] .*?)?) = (\d+) → \+(\d+) B(?: → (\S+))?`)
	facts  = regexp.MustCompile(`min (\S+)  mean (\S+)  max (\S+)  std (\S+)`)
	held   = regexp.MustCompile(`(?m)^storage #\d+  (\S+ \S+) kept, (.* to )?(\S+ \S+) used`)
	zeros  = regexp.MustCompile(`zeros (\d+)`)
)

// TestFiguresOfStorages: at both scales, the places and values that an address prints are those of the element, the
// extremes, mean, deviation and zeros of a card those of all elements, and the bytes of an alias map those of the
// storage and of what is reached. The elements of x are the numbers of their places in the storage.
func TestFiguresOfStorages(t *testing.T) {
	s := viewtest.NewSession(t)
	small, large, sums := 0, 0, 0
	for seed := range int64(400) {
		x := viewtest.AnyTensor(seed)
		if x.Device().Virtual() || x.Numel() == 0 {
			continue
		}
		if x.Storage().Nbytes() > 64*4 {
			large++
		} else {
			small++
		}
		r := rand.New(rand.NewSource(seed))
		index := make([]int, x.Dim())
		for d, n := range x.Shape() {
			index[d] = r.Intn(n)
		}
		s.Typed = append([]string{"x"}, make([]string, len(index))...)
		place := int(x.At(index...).(float64))
		text := Address(x, index...).String()
		for _, m := range worked.FindAllStringSubmatch(text, -1) {
			if m[3] != strconv.Itoa(place) || m[4] != strconv.Itoa(4*place) || m[5] != "" && !near(m[5], float64(place)) {
				t.Errorf("%v %v %v lies at %d: %q", x.Shape(), x.Stride(), index, place, m[0])
			}
			sums++
		}
		want := fmt.Sprintf("element %d of the storage, bytes %d to %d", place, 4*place, 4*place+3)
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
		checkHeld(t, x)
		if x.Numel() > 1 {
			checkFacts(t, x)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d small storages, %d large ones, %d sums", small, large, sums)
	if small == 0 || large == 0 || sums == 0 {
		t.Error("nothing was compared at one of the scales")
	}
}

// checkHeld holds the head line of an alias map against the storage and the elements, counted one by one.
func checkHeld(t *testing.T, x *tensor.Tensor) {
	places := map[int]bool{}
	each(x.Shape(), func(index []int) { places[int(x.At(index...).(float64))] = true })
	m := held.FindStringSubmatch(Aliases(x).String())
	if m == nil {
		t.Fatal(Aliases(x))
	}
	if want := bytesize.Text(x.Storage().Nbytes()); m[1] != want {
		t.Errorf("%v %v: %q, the storage has %s", x.Shape(), x.Stride(), m[0], want)
	}
	if want := bytesize.Text(4 * len(places)); m[2] == "" && m[3] != want {
		t.Errorf("%v %v: %q, %s are used", x.Shape(), x.Stride(), m[0], want)
	}
}

// checkFacts holds the line of a card against its elements.
func checkFacts(t *testing.T, x *tensor.Tensor) {
	n, sum, square, lo, hi, none := 0.0, 0.0, 0.0, math.Inf(1), math.Inf(-1), 0
	each(x.Shape(), func(index []int) {
		v := x.At(index...).(float64)
		n, sum, square, lo, hi = n+1, sum+v, square+v*v, min(lo, v), max(hi, v)
		if v == 0 {
			none++
		}
	})
	text := Card(x).String()
	m := facts.FindStringSubmatch(text)
	if m == nil {
		return // one line, or equal values
	}
	mean := sum / n
	for i, want := range []float64{lo, mean, hi, math.Sqrt(max(0, square-n*mean*mean) / (n - 1))} {
		if got, err := strconv.ParseFloat(m[i+1], 64); err != nil || math.Abs(got-want) > 1e-3*math.Abs(want)+1e-4 {
			t.Errorf("%v %v: %s is %q, it is %g", x.Shape(), x.Stride(), []string{"min", "mean", "max", "std"}[i], m[i+1], want)
		}
	}
	got := 0
	if m := zeros.FindStringSubmatch(text); m != nil {
		got, _ = strconv.Atoi(m[1])
	}
	if got != none {
		t.Errorf("%v %v: %d zeros, there are %d", x.Shape(), x.Stride(), got, none)
	}
}

// TestFiguresOfHeatmaps: at both scales a cell is the mean of the elements that it is said to be of.
func TestFiguresOfHeatmaps(t *testing.T) {
	viewtest.NewSession(t)
	says := regexp.MustCompile(`(\d+) × (\d+) elements; a cell is the mean of (\d+) × (\d+)`)
	for _, shape := range [][2]int{{3, 5}, {7, 64}, {129, 20}, {300, 700}, {5, 1000}} {
		x := tensor.Rand(shape[0], shape[1])
		h := Heatmap(x)
		rows, cols := 1, 1
		if m := says.FindStringSubmatch(h.String()); m != nil {
			if m[1] != strconv.Itoa(shape[0]) || m[2] != strconv.Itoa(shape[1]) {
				t.Errorf("%v: %q", shape, m[0])
			}
			rows, _ = strconv.Atoi(m[3])
			cols, _ = strconv.Atoi(m[4])
		}
		if rows*h.Rows < shape[0] || cols*h.Columns < shape[1] {
			t.Errorf("%v: %d × %d cells of %d × %d", shape, h.Rows, h.Columns, rows, cols)
		}
		for i, v := range h.Values {
			r, c, sum, n := i/h.Columns*rows, i%h.Columns*cols, 0.0, 0.0
			for a := r; a < min(r+rows, shape[0]); a++ {
				for b := c; b < min(c+cols, shape[1]); b++ {
					sum, n = sum+x.At(a, b).(float64), n+1
				}
			}
			if v == nil || math.Abs(*v-sum/n) > 1e-6 {
				t.Fatalf("%v: cell %d is %v, the mean of its elements %g", shape, i, v, sum/n)
			}
		}
	}
}

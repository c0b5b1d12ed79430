package data_test

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	_ "gotorch"
	"gotorch/nn/data"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

type T = *tensor.Tensor

// numbers is the data set of 0 up to but not including n.
func numbers(n int) data.Dataset { return data.Tensors(tensor.Arange(n)) }

func lists(b data.Batches) (out [][]int) {
	for s := range b {
		out = append(out, tensor.Data[int](s.X.To(tensor.Int64)))
	}
	return out
}

// TestOrder: the order is that of PyTorch's DataLoader after the same seed, epoch by epoch, with any number of
// workers.
func TestOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 4} {
		tensor.ManualSeed(7)
		l := data.Loader(numbers(10), opt.Batch(4), opt.Shuffle(true), opt.Workers(workers))
		got := [][][]int{lists(l), lists(l)}
		want := [][][]int{{{3, 2, 7, 8}, {6, 1, 5, 9}, {0, 4}}, {{1, 3, 5, 2}, {8, 9, 6, 7}, {4, 0}}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: %v, want %v", workers, got, want)
		}
		l = data.Loader(numbers(10), opt.Batch(4), opt.Shuffle(true), opt.Seed(3), opt.DropLast(true), opt.Workers(workers))
		got = [][][]int{lists(l), lists(l)}
		want = [][][]int{{{7, 4, 2, 9}, {1, 5, 0, 8}}, {{1, 2, 0, 5}, {9, 4, 8, 3}}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("seed 3, %d workers: %v, want %v", workers, got, want)
		}
	}
}

// slow hides that a data set can gather, so that batches are made sample by sample.
type slow struct{ data.Dataset }

// TestWorkersChangeNothing: random transforms draw the same, batch by batch.
func TestWorkersChangeNothing(t *testing.T) {
	x := tensor.Rand(37, 3, 8, 8)
	ds := data.Map(data.Concat(slow{data.Tensors(x, tensor.Arange(37))}, data.Tensors(x, tensor.Arange(37))),
		data.RandomCrop(6, 6, 1), data.RandomHorizontalFlip(0.5), data.RandomVerticalFlip(0.5), data.Noise(0.1),
		data.Normalize([]float64{0.5, 0.4, 0.3}, []float64{1, 2, 3}))
	var want []data.Batch
	for _, workers := range []int{0, 1, 4} {
		l := data.Loader(ds, opt.Batch(5), opt.Shuffle(true), opt.Seed(11), opt.Workers(workers))
		i := 0
		for range 2 {
			for b := range l {
				if workers == 0 {
					want = append(want, b)
				} else if !tensor.Equal(b.X, want[i].X) || !tensor.Equal(b.Y, want[i].Y) {
					t.Fatalf("%d workers: batch %d differs", workers, i)
				}
				i++
			}
		}
		if i != len(want) {
			t.Errorf("%d workers: %d batches, want %d", workers, i, len(want))
		}
	}
}

// TestNoLeaks: loops that end early leave no goroutine, whatever ends them.
func TestNoLeaks(t *testing.T) {
	before := runtime.NumGoroutine()
	ds := data.Func(1000, func(i int) data.Sample { return data.Sample{X: tensor.New(i)} })
	stream := func(yield func(data.Sample) bool) {
		for i := 0; yield(data.Sample{X: tensor.New(i)}); i++ {
		}
	}
	for i := range 100 {
		for _, set := range []any{ds, stream} {
			l := data.Loader(set, opt.Batch(3), opt.Workers(1+i%4))
			switch i % 3 {
			case 0:
				for range l {
					break
				}
			case 1:
				func() {
					defer func() { recover() }()
					for range l {
						panic("the loop")
					}
				}()
			default:
				ctx, cancel := context.WithCancel(context.Background())
				err := tensor.Try(func() {
					tensor.WithContext(ctx, func() {
						for range l {
							cancel()
						}
					})
				})
				cancel()
				if err == nil || !strings.Contains(err.Error(), "interrupted") {
					t.Fatalf("an interrupted loop: %v", err)
				}
			}
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond) // those that have returned are still counted for a moment
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestWorkerPanics: a panic in a worker is one of the loop.
func TestWorkerPanics(t *testing.T) {
	ds := data.Func(20, func(i int) data.Sample {
		if i == 7 {
			panic(tensor.Errorf("test", "sample 7"))
		}
		return data.Sample{X: tensor.New(i)}
	})
	n := 0
	err := tensor.Try(func() {
		for range data.Loader(ds, opt.Batch(2), opt.Workers(3)) {
			n++
		}
	})
	if err == nil || !strings.Contains(err.Error(), "sample 7") || n != 3 {
		t.Errorf("%v after %d batches", err, n)
	}
}

// TestSets: the data sets made of others.
func TestSets(t *testing.T) {
	c := data.Concat(numbers(3), data.Subset(numbers(10), []int{9, 5}))
	if got := fmt.Sprint(lists(data.Loader(c, opt.Batch(10)))); got != "[[0 1 2 9 5]]" {
		t.Error(got)
	}
	a, b := data.RandomSplit(numbers(10), 0.7, opt.Seed(1))
	seen := map[int]bool{}
	for _, d := range []data.Dataset{a, b} {
		for i := range d.Len() {
			seen[d.At(i).X.ItemInt()] = true
		}
	}
	if a.Len() != 7 || b.Len() != 3 || len(seen) != 10 {
		t.Errorf("%d and %d samples, %d different", a.Len(), b.Len(), len(seen))
	}
	labels := tensor.New([]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
	l := data.Loader(data.Tensors(labels), opt.Batch(1000), opt.Seed(1),
		opt.Sampler(data.Weighted(data.Balanced(labels), 1000)))
	for b := range l {
		if n := b.X.Sum().ItemInt(); n < 400 || n > 600 {
			t.Errorf("%d of 1000 are of the rare class", n)
		}
	}
	sum := func(s []data.Sample) data.Batch {
		x := tensor.New(0)
		for _, s := range s {
			x = x.Add(s.X)
		}
		return data.Batch{X: x.View(1)}
	}
	if got := fmt.Sprint(lists(data.Loader(numbers(5), opt.Batch(2), opt.Collate(sum)))); got != "[[1] [5] [4]]" {
		t.Error(got)
	}
}

// TestErrors: wrong uses say what is wrong.
func TestErrors(t *testing.T) {
	uneven := data.Func(2, func(i int) data.Sample { return data.Sample{X: tensor.Zeros(i + 1)} })
	all := func(b data.Batches) func() {
		return func() {
			for range b {
			}
		}
	}
	for want, f := range map[string]func(){
		"tensor 1 has 3 rows, tensor 0 2": func() { data.Tensors(tensor.Zeros(2), tensor.Zeros(3)) },
		"opt.Collate":                     all(data.Loader(uneven, opt.Batch(2))),
		"batch and prefetch must be":      func() { data.Loader(numbers(2), opt.Batch(0)) },
		"it takes a data set":             func() { data.Loader(3) },
		"cannot be shuffled":              func() { data.Loader(func(func(data.Sample) bool) {}, opt.Shuffle(true)) },
		"no sample 5 among 3":             func() { data.Subset(numbers(3), []int{5}) },
		"exclude each other": func() {
			data.Loader(numbers(2), opt.Shuffle(true),
				opt.Sampler(data.InOrder(2)))
		},
		"smaller than 9 by 9": func() { data.CenterCrop(9, 9)(tensor.Zeros(3, 8, 8), nil) },
	} {
		if err := tensor.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestTransforms holds transforms against plain indexing.
func TestTransforms(t *testing.T) {
	x := tensor.Arange(2*4*6).View(2, 4, 6).Float()
	g := tensor.NewGenerator(1)
	if got := data.CenterCrop(2, 4)(x, g); !tensor.Equal(got, x.Narrow(1, 1, 2).Narrow(2, 1, 4)) {
		t.Errorf("the middle is %v", got)
	}
	if got := data.RandomHorizontalFlip(1)(x, g); !tensor.Equal(got, x.Flip(2)) {
		t.Errorf("flipped: %v", got)
	}
	if got := data.RandomVerticalFlip(0)(x, g); !tensor.Equal(got, x) {
		t.Errorf("not flipped: %v", got)
	}
	if got := data.Resize(2, 3)(x, g); !reflect.DeepEqual(got.Shape(), []int{2, 2, 3}) {
		t.Errorf("resized: %v", got.Shape())
	}
	corners := map[float64]bool{}
	for range 200 {
		corners[data.RandomCrop(3, 5, 0)(x, g).Index(0, 0, 0).Item()] = true
	}
	if len(corners) != 4 {
		t.Errorf("crops begin at %v", corners)
	}
}

// TestGenerated: generated sets have the classes that they say, and are the same for a seed.
func TestGenerated(t *testing.T) {
	for name, make := range map[string]func() data.Dataset{
		"spirals": func() data.Dataset { return data.Spirals(60, 3, opt.Seed(1)) },
		"moons":   func() data.Dataset { return data.Moons(60, opt.Seed(1)) },
		"circles": func() data.Dataset { return data.Circles(60, opt.Seed(1)) },
		"blobs":   func() data.Dataset { return data.Blobs(60, 4, opt.Seed(1)) },
		"digits":  func() data.Dataset { return data.Digits(60, opt.Seed(1)) },
	} {
		a, b := make(), make()
		classes := map[int]bool{}
		for i := range a.Len() {
			s := a.At(i)
			classes[s.Y.ItemInt()] = true
			if !tensor.Equal(s.X, b.At(i).X) || !s.X.Isfinite().All().ItemBool() {
				t.Fatalf("%s: sample %d differs or is not finite", name, i)
			}
		}
		if want := map[string]int{"spirals": 3, "moons": 2, "circles": 2, "blobs": 4,
			"digits": 10}[name]; a.Len() != 60 || len(classes) != want {
			t.Errorf("%s: %d samples, %d classes", name, a.Len(), len(classes))
		}
	}
	text := data.Docs()
	v := data.NewVocabulary(text)
	x := v.Encode(text[:100])
	if v.Decode(x) != text[:100] || len(text) < 10_000 {
		t.Errorf("a text of %d bytes does not come back", len(text))
	}
	w := data.Windows(x, 10)
	if s := w.At(3); w.Len() != 90 || v.Decode(s.X) != text[3:13] || v.Decode(s.Y) != text[4:14] {
		t.Error("a window is wrong")
	}
}

package nn_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func newModel() nn.Sequential {
	return nn.Sequential{nn.NewConv2d(1, 2, 3), nn.NewBatchNorm2d(2), nn.ReLU, nn.Flatten, nn.NewLinear(8, 2)}
}

// TestLoadPt reads what torch.save wrote in both of its formats.
func TestLoadPt(t *testing.T) {
	for _, name := range []string{"checkpoint.pt", "checkpoint_legacy.pth"} {
		path := filepath.Join("testdata", name)
		d := nn.LoadPt(path).(*nn.Dict)
		for key, want := range map[string]any{
			"epoch": int64(3), "best": 0.75, "name": "käse", "done": true, "none": nil, "dtype": tensor.Float16,
			"size": nn.Tuple{int64(2), int64(3)},
		} {
			if got := d.Get(key); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is %v, want %v", name, key, got, want)
			}
		}
		if got := fmt.Sprint(d.Get("list").(*nn.List).Items); got != "[1 [2 3.5] -70000 1099511627776]" {
			t.Errorf("%s: the list is %s", name, got)
		}
		base := tensor.With(tensor.Float64).Arange(12)
		for key, want := range map[string]T{
			"view": base.View(3, 4).T().Index(tensor.Slice(1, nil, nil), tensor.Slice(nil, nil, 2)), "base": base,
			"half": tensor.With(tensor.Float16).Ones(2), "bf16": tensor.Full([]int{2}, 1.5, tensor.Bfloat16),
			"complex": tensor.New([]complex64{1 + 2i}), "bool": tensor.New([]bool{true,
				false}), "int": tensor.New([][]int32{{1, -2}}),
			"scalar": tensor.New(float32(2.5)), "empty": tensor.Zeros(0,
				3), "parameter": tensor.Ones(3), "expanded": tensor.Ones(4),
		} {
			if got, ok := d.Get(key).(T); !ok || got.Dtype() != want.Dtype() || !tensor.Equal(got, want) {
				t.Errorf("%s: %s is %v, want %v", name, key, d.Get(key), want)
			}
		}
		view, all := d.Get("view").(T), d.Get("base").(T)
		if view.Storage() != all.Storage() {
			t.Errorf("%s: the view does not share its storage", name)
		}
		m := newModel()
		nn.LoadFrom(m, nn.LoadState(path).Sub("model"))
		want := d.Get("model").(*nn.Dict).Get("0.weight").(T)
		if !tensor.Equal(nn.Params(m).Get("0.weight"), want) || !nn.Params(m).Get("0.weight").RequiresGrad() {
			t.Errorf("%s: the model did not take the weights", name)
		}
		if n := nn.State(m).Get("1.num_batches_tracked").ItemInt(); n != 1 {
			t.Errorf("%s: %d batches were tracked", name, n)
		}
	}
	err := tensor.Try(func() { nn.LoadPt("testdata/whole_model.pt") })
	if err == nil || !strings.Contains(err.Error(), "torch.nn.modules.container.Sequential, which is not allowed") &&
		!strings.Contains(err.Error(), "not allowed") {
		t.Errorf("a whole module: %v", err)
	}
}

// TestSaveLoad: what is saved comes back, in every dtype, and the file is what it was if saving fails.
func TestSaveLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.safetensors")
	m, other := newModel(), newModel()
	nn.Train(func() { m.Forward(tensor.Randn(2, 1, 4, 4)) })
	nn.Save(m, path)
	nn.Load(other, path)
	for i, p := range nn.State(m) {
		if q := nn.State(other)[i]; !tensor.Equal(p.Tensor, q.Tensor) {
			t.Errorf("%s did not come back", p.Name)
		}
	}
	var list nn.ParamList
	for _, dt := range append(tensor.Dtypes(), tensor.StorageDtypes()...) {
		if dt != tensor.Complex128 && dt != tensor.Complex32 {
			list = append(list, nn.Param{Name: fmt.Sprint(dt), Tensor: tensor.Arange(6).View(2, 3).To(dt).T()})
		}
	}
	list = append(list, nn.Param{Name: "empty", Tensor: tensor.Zeros(0, 3)},
		nn.Param{Name: "scalar", Tensor: tensor.New(2.5)},
		nn.Param{Name: "large", Tensor: tensor.Randn(1 << 19)})
	nn.SaveSafetensors(path, list, map[string]string{"by": "test"})
	got, meta := nn.LoadSafetensors(path)
	if len(got) != len(list) || meta["by"] != "test" {
		t.Fatalf("%d tensors, %v", len(got), meta)
	}
	for _, p := range list {
		if q := got.Get(p.Name); q.Dtype() != p.Tensor.Dtype() || !tensor.Equal(q, p.Tensor) {
			t.Errorf("%s did not come back", p.Name)
		}
	}
	// a mapped file: writes stay in memory
	got.Get("large").Zero_()
	if again, _ := nn.LoadSafetensors(path); again.Get("large").Abs().Sum().Item() == 0 {
		t.Error("a write reached the file")
	}
	before, _ := os.ReadFile(path)
	if err := tensor.Try(func() {
		nn.SaveSafetensors(path, nn.ParamList{{Name: "x", Tensor: tensor.With(tensor.Complex128).Zeros(1)}}, nil)
	}); err == nil {
		t.Error("complex128 was written")
	}
	after, _ := os.ReadFile(path)
	if files, _ := os.ReadDir(dir); len(files) != 1 || !bytes.Equal(before, after) {
		t.Error("a failed save left something behind")
	}
}

// TestMismatches: what does not fit is a table, and changes nothing.
func TestMismatches(t *testing.T) {
	a := nn.Sequential{nn.NewLinear(3, 2), nn.NewLinear(2, 2)}
	b := nn.Sequential{nn.NewLinear(3, 4), nn.NewLinear(2, 2, nn.Bias(false)), nn.NewLinear(1, 1, nn.Bias(false))}
	before := nn.Params(a).Get("1.weight").Clone()
	err := tensor.Try(func() { nn.LoadFrom(a, nn.State(b)) })
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"0.weight  [2 3]      [4 3]", "1.bias    [2]        missing",
		"2.weight  not there  [1 1]", "opt.Strict(false)"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the table has no %q:\n%v", want, err)
		}
	}
	if !tensor.Equal(before, nn.Params(a).Get("1.weight")) {
		t.Error("a checkpoint that does not fit changed the model")
	}
	nn.LoadFrom(a, nn.State(b), opt.Strict(false))
	if !tensor.Equal(nn.Params(b).Get("1.weight"), nn.Params(a).Get("1.weight")) {
		t.Error("what fits was not taken")
	}
}

// safe writes a safetensors file by hand.
func safe(header string, data []byte) []byte {
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), []byte(header), data)
}

// TestHostileFiles: files that lie are errors that say so.
func TestHostileFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for name, b := range map[string][]byte{
		"empty":         nil,
		"long header":   binary.LittleEndian.AppendUint64(nil, math.MaxUint64),
		"no object":     safe("[]", nil),
		"trailing":      safe("{} {}", nil),
		"negative size": safe(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, make([]byte, 4)),
		"large size":    safe(`{"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`, nil),
		"outside":       safe(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, make([]byte, 4)),
		"overlap": safe(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},`+
			`"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, make([]byte, 3)),
		"hole":  safe(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, make([]byte, 2)),
		"rest":  safe(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, make([]byte, 2)),
		"dtype": safe(`{"a":{"dtype":"X","shape":[],"data_offsets":[0,0]}}`, nil),
		"null":  safe(`{"a":null}`, nil),
		"os.system": []byte("\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}.\x80\x02" +
			"cos\nsystem\nX\x04\x00\x00\x00echo\x85R."),
		"no torch.save":  []byte("\x80\x02\x8a\x01\x05."),
		"endless":        []byte("\x80\x02\x8a\xff"),
		"zip of nothing": []byte("PK\x03\x04"),
	} {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		err := tensor.Try(func() { nn.LoadState(path) })
		if err == nil {
			t.Errorf("%s: no error", name)
		} else if name == "os.system" && !strings.Contains(err.Error(), "os.system, which is not allowed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMutatedCheckpoints: checkpoints that were tampered with give an error, or tensors of some kind.
func TestMutatedCheckpoints(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 60
	}
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 4))
	safe := filepath.Join(dir, "s")
	nn.Save(newModel(), safe)
	own := filepath.Join(dir, "own.pt")
	nn.SavePt(own, map[string]any{"model": nn.State(newModel()), "epoch": 3, "losses": []float64{1, 0.5}})
	path := filepath.Join(dir, "x")
	heap := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	for _, from := range []string{safe, own, "testdata/checkpoint.pt", "testdata/checkpoint_legacy.pth"} {
		good, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		errors := 0
		for range n {
			b := bytes.Clone(good)
			for range 1 + r.IntN(3) {
				switch i := r.IntN(len(b)); r.IntN(4) {
				case 0:
					b[i] = byte(r.Uint32())
				case 1:
					b[i] ^= 1 << r.IntN(8)
				case 2:
					b = b[:i+1]
				default:
					b = append(b[:i+1], b[i:]...)
				}
			}
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			metrics.Read(heap)
			before := heap[0].Value.Uint64()
			if tensor.Try(func() { use(nn.LoadState(path)) }) != nil { // any other panic fails the test
				errors++
			}
			if metrics.Read(heap); heap[0].Value.Uint64()-before > 64<<20 {
				t.Fatalf("%s: a file of %d bytes takes %d bytes: %q", from, len(b), heap[0].Value.Uint64()-before, b)
			}
		}
		if errors < n/10 {
			t.Errorf("%s: only %d of %d are errors", from, errors, n)
		}
	}
}

// use reads every element.
func use(list nn.ParamList) {
	autograd.NoGrad(func() {
		for _, p := range list {
			p.Tensor.Bytes()
		}
	})
}

func FuzzLoadState(f *testing.F) {
	for _, name := range []string{"checkpoint.pt", "checkpoint_legacy.pth"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(safe(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, make([]byte, 1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		tensor.Try(func() { use(nn.LoadState(path)) })
	})
}

// TestPrefixedCheckpoint: a checkpoint that holds the model below a prefix says so.
func TestPrefixedCheckpoint(t *testing.T) {
	m := newModel()
	err := tensor.Try(func() { nn.Load(m, "testdata/checkpoint.pt") })
	if err == nil || !strings.Contains(err.Error(), `nn.LoadState(path).Sub("model")`) {
		t.Errorf("%v", err)
	}
}

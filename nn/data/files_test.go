package data_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime/metrics"
	"strings"
	"testing"

	"gotorch/nn/data"
	"gotorch/tensor"
)

func write(t testing.TB, name string, b []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func packed(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// idx writes a file of MNIST's format.
func idx(kind byte, raw []byte, shape ...uint32) []byte {
	out := []byte{0, 0, kind, byte(len(shape))}
	for _, n := range shape {
		out = binary.BigEndian.AppendUint32(out, n)
	}
	return append(out, raw...)
}

func TestIDX(t *testing.T) {
	dir := t.TempDir()
	x := data.IDX(write(t, filepath.Join(dir, "x"), idx(11, []byte{0, 1, 0xff, 0xfe, 1, 0}, 3, 1)))
	if !tensor.Equal(x, tensor.New([][]int16{{1}, {-2}, {256}})) {
		t.Errorf("int16: %v", x)
	}
	x = data.IDX(write(t, filepath.Join(dir, "f.gz"), packed(idx(13, []byte{0x3f, 0x80, 0, 0}, 1))))
	if !tensor.Equal(x, tensor.New([]float32{1})) {
		t.Errorf("float32: %v", x)
	}
	pictures := make([]byte, 2*28*28)
	pictures[28*28] = 255
	write(t, filepath.Join(dir, "train-images-idx3-ubyte.gz"), packed(idx(8, pictures, 2, 28, 28)))
	write(t, filepath.Join(dir, "train-labels-idx1-ubyte"), idx(8, []byte{3, 9}, 2))
	d := data.MNIST(dir, true)
	if s := d.At(1); d.Len() != 2 || !reflect.DeepEqual(s.X.Shape(),
		[]int{1, 28, 28}) || s.X.Sum().Item() != 1 || s.Y.ItemInt() != 9 {
		t.Errorf("MNIST: %v", s)
	}
	if err := tensor.Try(func() { data.MNIST(dir, false) }); err == nil || !strings.Contains(err.Error(), "t10k-images") {
		t.Errorf("without files: %v", err)
	}
}

func TestCIFAR(t *testing.T) {
	dir := t.TempDir()
	b := make([]byte, 2*(1+3072))
	b[0], b[3073], b[3073+1+1024] = 7, 2, 255 // the second picture's green begins with 1
	write(t, filepath.Join(dir, "test_batch.bin"), b)
	d := data.CIFAR10(dir, false)
	if s := d.At(1); d.Len() != 2 || s.Y.ItemInt() != 2 || s.X.Index(1, 0, 0).Item() != 1 || s.X.Sum().Item() != 1 {
		t.Errorf("CIFAR-10: %v", s)
	}
	b = make([]byte, 2+3072)
	b[0], b[1] = 5, 99
	write(t, filepath.Join(dir, "train.bin"), b)
	if s := data.CIFAR100(dir, true).At(0); s.Y.ItemInt() != 99 {
		t.Errorf("CIFAR-100: class %v", s.Y)
	}
}

func TestTables(t *testing.T) {
	dir := t.TempDir()
	c := data.CSV(write(t, filepath.Join(dir, "a.csv"), []byte("x,y,kind\n1,2.5,cat\n3,,dog\n-4,0,cat\n")))
	d := c.Dataset("kind")
	if s := d.At(1); d.Len() != 3 || s.Y.ItemInt() != 1 || s.Y.Dtype() != tensor.Int64 ||
		s.X.Index(0).Item() != 3 || !s.X.Isnan().Index(1).ItemBool() {
		t.Errorf("CSV: %v", s)
	}
	if got := fmt.Sprint(c.Classes); got != "map[kind:[cat dog]]" {
		t.Error(got)
	}
	j := data.JSONLines(write(t, filepath.Join(dir, "a.jsonl.gz"),
		packed([]byte("{\"b\": 1, \"a\": true, \"c\": \"u\"}\n\n{\"a\": false, \"b\": null}\n"))))
	if got := fmt.Sprint(j.Names, j.Columns, j.Classes); got != "[a b c] [[1 0] [1 NaN] [1 0]] map[c:[ u]]" {
		t.Error(got)
	}
	for want, text := range map[string]string{"wrong number of fields": "a,b\n1\n", "bare": "a\"b,c\n"} {
		err := tensor.Try(func() { data.CSV(write(t, filepath.Join(dir, "b.csv"), []byte(text))) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestImageFolder(t *testing.T) {
	dir := t.TempDir()
	for i, class := range []string{"cats", "dogs"} {
		p := image.NewRGBA(image.Rect(0, 0, 3, 2))
		p.Set(2, 1, color.RGBA{R: uint8(255 * i), G: 255, A: 255})
		var b bytes.Buffer
		if err := png.Encode(&b, p); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, class, "a.png"), b.Bytes())
	}
	m := data.ImageFolder(dir)
	s := m.At(1)
	if m.Len() != 2 || !reflect.DeepEqual(m.Classes, []string{"cats", "dogs"}) || s.Y.ItemInt() != 1 ||
		s.X.Index(0, 1, 2).Item() != 1 || s.X.Index(2, 1, 2).Item() != 0 || m.At(0).X.Index(0, 1, 2).Item() != 0 {
		t.Errorf("%v %v", m, s)
	}
}

// TestMutatedFiles: files that were tampered with give an error, or data of some kind, and ask for no more memory than
// they have.
func TestMutatedFiles(t *testing.T) {
	n := 700
	if testing.Short() {
		n = 100
	}
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 9, 9))); err != nil {
		t.Fatal(err)
	}
	var photo, film bytes.Buffer
	if err := errors.Join(jpeg.Encode(&photo, image.NewRGBA(image.Rect(0, 0, 9, 9)), nil),
		gif.Encode(&film, image.NewGray(image.Rect(0, 0, 9, 9)), nil)); err != nil {
		t.Fatal(err)
	}
	heap := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	for _, c := range []struct {
		name string
		good []byte
		read func(path string)
	}{
		{"photo.jpg", photo.Bytes(), func(p string) { data.Image(p) }},
		{"film.gif", film.Bytes(), func(p string) { data.Image(p) }},
		{"test_batch.bin", make([]byte, 2*3073), func(p string) { data.CIFAR10(filepath.Dir(p), false).At(0) }},
		{"idx", idx(8, make([]byte, 60), 3, 4, 5), func(p string) { data.IDX(p) }},
		{"idx.gz", packed(idx(13, make([]byte, 240), 3, 4, 5)), func(p string) { data.IDX(p) }},
		{"table.csv", []byte("a,b\n1,x\n2,\"y\"\n"), func(p string) { data.CSV(p).Dataset("") }},
		{"table.jsonl", []byte("{\"a\": 1}\n{\"a\": 2}\n"), func(p string) { data.JSONLines(p) }},
		{"picture.png", picture.Bytes(), func(p string) { data.Image(p) }},
	} {
		for range n {
			b := bytes.Clone(c.good)
			for range 1 + r.IntN(4) {
				switch i := r.IntN(len(b)); r.IntN(3) {
				case 0:
					b[i] = byte(r.Uint32())
				case 1:
					b = b[:i+1]
				default:
					b = append(b[:i+1], b[i:]...)
				}
			}
			path := write(t, filepath.Join(dir, c.name), b)
			metrics.Read(heap)
			before := heap[0].Value.Uint64()
			tensor.Try(func() { c.read(path) }) // any other panic fails the test
			if metrics.Read(heap); heap[0].Value.Uint64()-before > 512<<20 {
				t.Fatalf("%s: a file of %d bytes takes %d bytes: %q", c.name, len(b), heap[0].Value.Uint64()-before, b)
			}
		}
	}
}

// FuzzFiles: any bytes, read as each kind of file, give data of some kind or an *Error.
func FuzzFiles(f *testing.F) {
	kinds := []struct {
		name string
		read func(path string)
	}{
		{"x.idx", func(p string) { data.IDX(p) }},
		{"x.csv", func(p string) { data.CSV(p).Dataset("") }},
		{"x.jsonl", func(p string) { data.JSONLines(p) }},
		{"x.png", func(p string) { data.Image(p) }},
		{"test_batch.bin", func(p string) { data.CIFAR10(filepath.Dir(p), false).At(0) }},
	}
	f.Add(uint8(0), idx(8, make([]byte, 60), 3, 4, 5))
	f.Add(uint8(0), packed(idx(13, make([]byte, 240), 3, 4, 5)))
	f.Add(uint8(1), []byte("a,b\n1,x\n2,\"y\"\n"))
	f.Add(uint8(2), []byte("{\"a\": 1}\n{\"a\": 2}\n"))
	f.Add(uint8(4), make([]byte, 3073))
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		k := kinds[int(kind)%len(kinds)]
		tensor.Try(func() { k.read(write(t, filepath.Join(t.TempDir(), k.name), b)) })
	})
}

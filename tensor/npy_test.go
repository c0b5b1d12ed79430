package tensor_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
)

// npyFile puts a .npy file together.
func npyFile(version byte, header string, data ...byte) []byte {
	b := append([]byte("\x93NUMPY"), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return append(append(b, header...), data...)
}

// TestNpyRoundTrip: every dtype and layout comes back as it was.
func TestNpyRoundTrip(t *testing.T) {
	for _, dt := range tensor.Dtypes() {
		if dt == tensor.Bfloat16 {
			continue
		}
		whole := tensor.Arange(24).View(2, 3, 4).To(dt)
		for name, x := range map[string]*tensor.Tensor{"contiguous": whole, "fortran": whole.Permute(2, 1, 0),
			"sliced": whole.Select(1, 1), "expanded": whole.Select(0, 1).Unsqueeze(0).Expand(2, 3, 4),
			"number": whole.Select(0, 1).Select(0, 1).Select(0, 1), "vector": whole.Select(0, 0).Select(0, 0),
			"empty": tensor.With(dt).Zeros(3, 0), "offset": whole.Select(0, 1)} {
			var b bytes.Buffer
			tensor.WriteNpy(&b, x)
			if n := bytes.IndexByte(b.Bytes(), '\n') + 1; n%64 != 0 {
				t.Errorf("%s %s: the elements begin at %d", dt, name, n)
			}
			y := tensor.ReadNpy(&b)
			if y.Dtype() != dt || !slices.Equal(y.Shape(), x.Shape()) || fmt.Sprint(y.Tolist()) != fmt.Sprint(x.Tolist()) {
				t.Errorf("%s %s: %s %v %v, want %v %v", dt, name, y.Dtype(), y.Shape(), y.Tolist(), x.Shape(), x.Tolist())
			}
			if name == "fortran" && !slices.Equal(y.Stride(), x.Stride()) {
				t.Errorf("%s: stride %v, want %v", dt, y.Stride(), x.Stride())
			}
		}
	}
}

// TestNpyForeign: files as other programs write them.
func TestNpyForeign(t *testing.T) {
	for _, c := range []struct {
		file []byte
		want string
	}{
		{npyFile(1, "{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }\n", 1, 2, 255, 254), "int16 [2] [258 -2]"},
		{npyFile(2, "{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }\n", 255, 255), "uint16 [1] [65535]"},
		{npyFile(3, "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }\n", 255, 255, 255, 255),
			"uint32 [1] [4294967295]"},
		{npyFile(1, "{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }\n", 7, 0, 0, 0, 0, 0, 0, 0),
			"uint64 [1] [7]"},
		{npyFile(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n", 0, 1, 7), "bool [3] [false true true]"},
		{npyFile(1, `{"shape": (2L, 1L), "fortran_order": True, "descr": "|u1"}`, 3, 4), "uint8 [2 1] [[3] [4]]"},
		{npyFile(1, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3)}", 1, 2, 3, 4, 5, 6),
			"int8 [2 3] [[1 3 5] [2 4 6]]"},
		{npyFile(1, "{'descr': '>f4', 'fortran_order': False, 'shape': ()}", 0x3f, 0x80, 0, 0), "float32 [] 1"},
		{npyFile(1, "{'descr': '>c8', 'fortran_order': False, 'shape': ()}", 0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0),
			"complex64 [] (1-2i)"},
		{npyFile(1, "{'descr': '=f8', 'fortran_order': False, 'shape': (0, 3)}"), "float64 [0 3] []"},
	} {
		x := tensor.ReadNpy(bytes.NewReader(c.file))
		if got := fmt.Sprintf("%s %v %v", x.Dtype(), x.Shape(), x.Tolist()); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

var badNpy = []struct {
	file []byte
	want string
}{
	{nil, "read_npy: not a .npy file: it does not begin with \"\\x93NUMPY\""},
	{[]byte("\x89PNG\r\n\x1a\nxxxx"), "not a .npy file"},
	{[]byte("\x93NUMPY\x01\x00"), "the file ends in the header"},
	{[]byte("\x93NUMPY\x09\x00\x00\x00\x00\x00"), ".npy version 9.0 is not known"},
	{[]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"), "a header of 4294967295 bytes"},
	{npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 1, 2, 3),
		"the file ends after 3 of 8 bytes of elements"},
	{npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,), }", 1, 2, 3),
		"the file ends after 3 of 399999999996 bytes of elements"},
	{npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 9999999999), }"),
		"more than can be read"},
	{npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }"), "want a size at"},
	{npyFile(1, "{'descr': '<f4', 'fortran_order': False}"), "key \"shape\" is missing"},
	{npyFile(1, "{'descr': '<f4', 'descr': '<f4'}"), "key \"descr\" is there twice"},
	{npyFile(1, "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 1), "the array holds pickled Python objects"},
	{npyFile(1, "{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }", 1),
		"NumPy's dtype \"<U3\" has no dtype here"},
	{npyFile(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 1),
		"arrays of records are not taken"},
	{npyFile(1, "{'descr': ''', 'fortran_order': False, 'shape': (1,), }"), "malformed header"},
	{npyFile(1, "{'shape': (1 2)}"), "want , or ) at"},
	{npyFile(1, "{} x"), "missing"},
}

func TestNpyErrors(t *testing.T) {
	for _, c := range badNpy {
		if err := tensor.Try(func() {
			tensor.ReadNpy(bytes.NewReader(c.file))
		}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.file, err, c.want)
		}
	}
	if err := tensor.Try(func() {
		tensor.WriteNpy(new(bytes.Buffer), tensor.With(tensor.Bfloat16).Ones(1))
	}); err == nil {
		t.Error("bfloat16 was written")
	}
	if err := tensor.Try(func() { tensor.WriteNpy(new(bytes.Buffer), tensor.With(tensor.Meta).Ones(1)) }); err == nil {
		t.Error("a meta tensor was written")
	}
}

func TestNpyFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.npy")
	x := tensor.Arange(0.0, 6).View(2, 3)
	tensor.SaveNpy(path, x)
	if y := tensor.LoadNpy(path); !y.Equal(x) {
		t.Errorf("%v", y.Tolist())
	}
	path = filepath.Join(dir, "x.npz")
	tensor.SaveNpz(path, map[string]*tensor.Tensor{"b": x, "a/w": tensor.Arange(3)})
	m := tensor.LoadNpz(path)
	if len(m) != 2 || !m["b"].Equal(x) || !m["a/w"].Equal(tensor.Arange(3)) {
		t.Errorf("%v", m)
	}
	if err := tensor.Try(func() {
		tensor.LoadNpy(filepath.Join(dir, "none.npy"))
	}); err == nil || !strings.Contains(err.Error(), "none.npy: no such file") {
		t.Error(err)
	}
	if err := tensor.Try(func() { tensor.LoadNpz(filepath.Join(dir, "x.npy")) }); err == nil {
		t.Error("a .npy file was read as an archive")
	}
	bad := filepath.Join(dir, "bad.npy")
	if err := tensor.Try(func() { tensor.SaveNpy(bad, tensor.With(tensor.Bfloat16).Ones(1)) }); err == nil {
		t.Error("bfloat16 was saved")
	}
	if _, err := os.Stat(bad); err == nil {
		t.Error("a file that could not be written was left behind")
	}
}

// FuzzReadNpy: any bytes give a tensor or an *Error, and what was read can be written and read again.
func FuzzReadNpy(f *testing.F) {
	for _, c := range badNpy {
		f.Add(c.file)
	}
	for _, d := range []string{"<f4", ">f8", "|b1", "<c16", "<u2", "<f2"} {
		f.Add(npyFile(1, "{'descr': '"+d+"', 'fortran_order': True, 'shape': (1, 2), }\n", make([]byte, 32)...))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		var x *tensor.Tensor
		if tensor.Try(func() { x = tensor.ReadNpy(bytes.NewReader(file)) }) != nil {
			return
		}
		var b bytes.Buffer
		tensor.WriteNpy(&b, x)
		if y := tensor.ReadNpy(&b); y.Dtype() != x.Dtype() || !slices.Equal(y.Shape(), x.Shape()) ||
			fmt.Sprint(y.Tolist()) != fmt.Sprint(x.Tolist()) {
			t.Errorf("read %s %v, wrote and read %s %v", x.Dtype(), x.Shape(), y.Dtype(), y.Shape())
		}
	})
}

// FuzzReadNpz: any bytes give tensors or an *Error.
func FuzzReadNpz(f *testing.F) {
	var b bytes.Buffer
	tensor.WriteNpz(&b, map[string]*tensor.Tensor{"a": tensor.Ones(2, 3), "b": tensor.New(true)})
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		tensor.Try(func() { tensor.ReadNpz(bytes.NewReader(file), int64(len(file))) })
	})
}

// TestMutatedNpz: archives that were tampered with give an error, or tensors of some kind.
func TestMutatedNpz(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	var good bytes.Buffer
	tensor.WriteNpz(&good, map[string]*tensor.Tensor{"a": tensor.Ones(2, 3), "b": tensor.New(true)})
	r := rand.New(rand.NewPCG(5, 6))
	failed := 0
	for range n {
		b := bytes.Clone(good.Bytes())
		for range 1 + r.IntN(3) {
			switch i := r.IntN(len(b)); r.IntN(3) {
			case 0:
				b[i] = byte(r.Uint32())
			case 1:
				b = b[:i+1]
			default:
				b = append(b[:i+1], b[i:]...)
			}
		}
		if tensor.Try(func() { tensor.ReadNpz(bytes.NewReader(b), int64(len(b))) }) != nil { // any other panic fails
			failed++
		}
	}
	if failed < n/10 {
		t.Errorf("only %d of %d are errors", failed, n)
	}
}

// TestFailedSave: a file that could not be written whole is removed; what is no plain file stays, such as a device.
func TestFailedSave(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "x.npy"), filepath.Join(dir, "link.npy")
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	huge := tensor.Ones(1).Expand(1 << 50)
	for _, path := range []string{link, file} {
		if tensor.Try(func() { tensor.SaveNpy(path, huge) }) == nil {
			t.Fatalf("%s has been written", path)
		}
	}
	if _, err := os.Lstat(link); err != nil {
		t.Errorf("the link is gone: %v", err)
	}
	if _, err := os.Lstat(file); err == nil {
		t.Error("a part of a file stays")
	}
}

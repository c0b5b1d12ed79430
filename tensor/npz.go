package tensor

import (
	"archive/zip"
	"bufio"
	"io"
	"maps"
	"slices"
	"strings"
)

// LoadNpz reads a .npz file, NumPy's archive of arrays, by their names. A file that cannot be read or is none panics
// with an *Error.
func LoadNpz(path string) map[string]*Tensor {
	const op = "load_npz"
	f := OpenFile(op, path)
	defer f.Close()
	return readNpz(op, path, f, f.Size())
}

// ReadNpz reads a .npz archive of size bytes.
func ReadNpz(r io.ReaderAt, size int64) map[string]*Tensor {
	return readNpz("read_npz", "archive", r, size)
}

func readNpz(op, name string, r io.ReaderAt, size int64) map[string]*Tensor {
	z, err := zip.NewReader(r, size)
	if err != nil {
		panic(Errorf(op, "%s: %v", name, err))
	}
	out := map[string]*Tensor{}
	for _, f := range z.File {
		key, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			panic(Errorf(op, "%s: the archive holds %q, which is no .npy file", name, f.Name))
		}
		if out[key] != nil {
			panic(Errorf(op, "%s: the archive holds %q twice", name, f.Name))
		}
		func() {
			m, err := f.Open()
			if err != nil {
				panic(Errorf(op, "%s: %s: %v", name, f.Name, err))
			}
			defer m.Close()
			var sure int64
			if f.Method == zip.Store {
				sure = min(int64(f.CompressedSize64), size)
			}
			out[key] = readNpy(op, name+": "+f.Name, bufio.NewReaderSize(m, 1<<16), sure)
		}()
	}
	return out
}

// SaveNpz writes tensors to a .npz file, as numpy.savez does.
func SaveNpz(path string, arrays map[string]*Tensor) {
	create("save_npz", path, func(w io.Writer) { WriteNpz(w, arrays) })
}

// WriteNpz writes an archive of tensors, uncompressed, in the order of their names.
func WriteNpz(w io.Writer, arrays map[string]*Tensor) {
	const op = "write_npz"
	z := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		m, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err != nil {
			panic(Errorf(op, "%s: %v", name, err))
		}
		WriteNpy(m, arrays[name])
	}
	if err := z.Close(); err != nil {
		panic(Errorf(op, "%v", err))
	}
}

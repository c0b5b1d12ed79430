package nn

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gotorch/tensor"
)

// Note: safetensors. The file is the length of a header (8 bytes), the header, a JSON object with dtype, shape and
// place of every tensor, and the elements. Nothing in it is executed, and every number is checked before it is used.

var safeDtypes = map[string]tensor.Dtype{
	"BOOL": tensor.Bool, "U8": tensor.Uint8, "I8": tensor.Int8, "I16": tensor.Int16, "I32": tensor.Int32,
	"I64": tensor.Int64,
	"F16": tensor.Float16, "BF16": tensor.Bfloat16, "F32": tensor.Float32, "F64": tensor.Float64, "C64": tensor.Complex64,
	"U16": tensor.Uint16, "U32": tensor.Uint32, "U64": tensor.Uint64, "F8_E4M3": tensor.Float8E4m3fn,
	"F8_E5M2": tensor.Float8E5m2,
}

// safeHeaderMost is how long a header may be.
const safeHeaderMost = 100 << 20

type safeEntry struct {
	Dtype   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets []int  `json:"data_offsets"`
}

// LoadSafetensors reads a .safetensors file: its tensors in the order in which they lie, and the metadata. A large
// file is mapped into memory, and read when its tensors are. A file that is none panics with an *Error.
func LoadSafetensors(path string) (list ParamList, metadata map[string]string) {
	const op = "nn.LoadSafetensors"
	return readSafetensors(op, path, tensor.MapFile(op, path))
}

func readSafetensors(op, path string, m *tensor.Mapping) (list ParamList, metadata map[string]string) {
	fail := func(format string, args ...any) {
		panic(tensor.Errorf(op, "%s: %s", path, fmt.Sprintf(format, args...)))
	}
	b := m.Bytes()
	if len(b) < 8 {
		fail("a file of %d bytes is no safetensors file", len(b))
	}
	n := binary.LittleEndian.Uint64(b)
	if n > safeHeaderMost || int(n) > len(b)-8 {
		fail("the header should have %d bytes, the file has %d", n, len(b))
	}
	begin := 8 + int(n)
	head := map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(b[8:begin]))
	if err := d.Decode(&head); err != nil {
		fail("malformed header: %v", err)
	}
	if _, err := d.Token(); err != io.EOF {
		fail("there is something behind the header's object")
	}
	type placed struct {
		name string
		safeEntry
	}
	var all []placed
	for name, raw := range head {
		if name == "__metadata__" {
			if err := json.Unmarshal(raw, &metadata); err != nil {
				fail("malformed metadata: %v", err)
			}
			continue
		}
		e := placed{name: name}
		if err := json.Unmarshal(raw, &e.safeEntry); err != nil || len(e.Offsets) != 2 {
			fail("malformed entry of %.60q", name)
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b placed) int {
		if a.Offsets[0] != b.Offsets[0] {
			return a.Offsets[0] - b.Offsets[0]
		}
		if a.Offsets[1] != b.Offsets[1] {
			return a.Offsets[1] - b.Offsets[1]
		}
		return strings.Compare(a.name, b.name)
	})
	at := 0
	for _, e := range all {
		dt, ok := safeDtypes[e.Dtype]
		if !ok {
			fail("%.60q has the dtype %.20q, which has none here", e.name, e.Dtype)
		}
		size, ok := bytesFor(e.Shape, dt)
		if from, to := e.Offsets[0], e.Offsets[1]; !ok || from != at || to-from != size || to > len(b)-begin {
			fail("%.60q of shape %v and %s cannot lie at bytes %d to %d of %d", e.name, e.Shape, dt, from, to, len(b)-begin)
		}
		at = e.Offsets[1]
		st := m.Storage(op, begin+e.Offsets[0], size, dt)
		list = append(list, Param{Name: e.name, Tensor: tensor.FromStorage(op, st, e.Shape, rowStrides(e.Shape), 0, dt)})
	}
	if at != len(b)-begin {
		fail("%d bytes belong to no tensor", len(b)-begin-at)
	}
	return list, metadata
}

// bytesFor is how many bytes a shape needs; ok is false where that is no number.
func bytesFor(shape []int, dt tensor.Dtype) (n int, ok bool) {
	n = dt.Size()
	if len(shape) > 64 {
		return 0, false
	}
	for _, s := range shape {
		if s < 0 || s > 0 && n > math.MaxInt/2/s {
			return 0, false
		}
		n *= s
	}
	return n, true
}

func rowStrides(shape []int) []int {
	out, n := make([]int, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = n
		n *= max(shape[i], 1)
	}
	return out
}

// SaveSafetensors writes tensors, and metadata, which may be nil, to a .safetensors file. The file appears whole or
// not at all.
func SaveSafetensors(path string, list ParamList, metadata map[string]string) {
	const op = "nn.SaveSafetensors"
	head := map[string]any{}
	if len(metadata) > 0 {
		head["__metadata__"] = metadata
	}
	// larger numbers first, so that all are aligned, as the reference writes them
	order := slices.Clone(list)
	slices.SortStableFunc(order, func(a, b Param) int {
		if d := b.Tensor.ElementSize() - a.Tensor.ElementSize(); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	at := 0
	for _, p := range order {
		name := ""
		for n, dt := range safeDtypes {
			if dt == p.Tensor.Dtype() {
				name = n
			}
		}
		switch {
		case name == "":
			panic(tensor.Errorf(op, "safetensors has no %s, the dtype of %s", p.Tensor.Dtype(), p.Name))
		case head[p.Name] != nil:
			panic(tensor.Errorf(op, "there are two tensors called %s", p.Name))
		}
		size := p.Tensor.Numel() * p.Tensor.ElementSize()
		head[p.Name] = safeEntry{name, p.Tensor.Shape(), []int{at, at + size}}
		at += size
	}
	text, err := json.Marshal(head)
	if err != nil {
		panic(tensor.Errorf(op, "%v", err))
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	writeFile(op, path, func(w io.Writer) error {
		if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))); err != nil {
			return err
		}
		_, err := w.Write(text)
		for i := 0; i < len(order) && err == nil; i++ {
			_, err = w.Write(order[i].Tensor.Detach().Bytes())
		}
		return err
	})
}

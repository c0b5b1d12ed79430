package nn

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// SavePt writes a value as torch.save does, so that torch.load reads it, with weights_only too where that knows what
// is in it: tensors, numbers, strings, bools, nil, dtypes, ParamList and *Dict (an OrderedDict and a dict), maps whose
// keys are strings (in order of the keys), *List and slices, Tuple; one in the other. Tensors that share a storage
// share it in the file, which holds the whole of it. The file appears whole or not at all. It panics with an *Error
// for other values, for dtypes that torch 1.13 does not have, and for values more than 200 deep in each other.
func SavePt(path string, v any) {
	const op = "nn.SavePt"
	p := &pickler{op: op, keys: map[storageKey]int{}}
	p.b.WriteString("\x80\x02") // protocol 2
	p.value(v, "value", 0)
	p.b.WriteByte('.')
	writeFile(op, path, func(w io.Writer) error { return p.archive(w) })
}

// isPt reports whether a file's name says that it is one of torch.save.
func isPt(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".pt", ".pth":
		return true
	}
	return false
}

// storageKey tells storages apart; one that is looked at with two dtypes is two in the file.
type storageKey struct {
	st *tensor.Storage
	dt tensor.Dtype
}

// pickler writes the pickle of one file, see [unpickler].
type pickler struct {
	op       string
	b        bytes.Buffer
	keys     map[storageKey]int // a storage's name in the file
	storages []*tensor.Tensor   // by name: all elements of the storage
}

func (p *pickler) uint(size int, n uint64) {
	p.b.Write(binary.LittleEndian.AppendUint64(nil, n)[:size])
}

func (p *pickler) text(s string) {
	p.b.WriteByte('X')
	p.uint(4, uint64(len(s)))
	p.b.WriteString(s)
}

func (p *pickler) integer(n int64) {
	switch {
	case n >= 0 && n < 256:
		p.b.WriteByte('K')
		p.uint(1, uint64(n))
	case n == int64(int32(n)):
		p.b.WriteByte('J')
		p.uint(4, uint64(n))
	default:
		p.b.WriteString("\x8a\x08")
		p.uint(8, uint64(n))
	}
}

func (p *pickler) global(module, name string) { fmt.Fprintf(&p.b, "c%s\n%s\n", module, name) }

func (p *pickler) ints(list []int) {
	p.b.WriteByte('(')
	for _, n := range list {
		p.integer(int64(n))
	}
	p.b.WriteByte('t')
}

// value writes a value; at says where it stands, for messages.
func (p *pickler) value(v any, at string, depth int) {
	if depth > 200 {
		panic(tensor.Errorf(p.op, "values lie more than 200 deep in each other"))
	}
	switch v := v.(type) {
	case nil:
		p.b.WriteByte('N')
	case *tensor.Tensor:
		p.tensor(v, at)
	case ParamList:
		p.params(v)
	case *Dict:
		p.dict(v, at, depth)
	case *List:
		p.list(v.Items, at, depth)
	case Tuple:
		p.b.WriteByte('(')
		for i, e := range v {
			p.value(e, fmt.Sprintf("%s[%d]", at, i), depth+1)
		}
		p.b.WriteByte('t')
	case tensor.Dtype:
		if !p.dtype(v) {
			panic(tensor.Errorf(p.op, "%s: torch 1.13 has no dtype %s", at, v))
		}
	default:
		p.plain(reflect.ValueOf(v), at, depth)
	}
}

func (p *pickler) dtype(dt tensor.Dtype) bool {
	for name, t := range torchDtypes {
		if t == dt {
			p.global("torch", name)
			return true
		}
	}
	return false
}

// plain writes values of Go's own types.
func (p *pickler) plain(v reflect.Value, at string, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		p.b.WriteByte(map[bool]byte{true: 0x88, false: 0x89}[v.Bool()])
	case reflect.String:
		p.text(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.integer(v.Int())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		p.integer(int64(v.Uint()))
	case reflect.Float32, reflect.Float64:
		p.b.WriteByte('G')
		p.b.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(v.Float())))
	case reflect.Slice, reflect.Array:
		items := make([]any, v.Len())
		for i := range items {
			items[i] = v.Index(i).Interface()
		}
		p.list(items, at, depth)
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String {
			panic(tensor.Errorf(p.op, "%s is a map whose keys are no strings", at))
		}
		d := &Dict{}
		all := map[string]any{}
		for it := v.MapRange(); it.Next(); {
			all[it.Key().String()] = it.Value().Interface()
		}
		for _, k := range slices.Sorted(maps.Keys(all)) {
			d.Keys, d.Values = append(d.Keys, k), append(d.Values, all[k])
		}
		p.dict(d, at, depth)
	default:
		panic(tensor.Errorf(p.op, "%s is a %s, which files of torch.save do not hold", at, v.Type()).
			WithHint("nn.State(m) has the tensors of a module"))
	}
}

func (p *pickler) list(items []any, at string, depth int) {
	p.b.WriteString("](")
	for i, e := range items {
		p.value(e, fmt.Sprintf("%s[%d]", at, i), depth+1)
	}
	p.b.WriteByte('e')
}

func (p *pickler) dict(d *Dict, at string, depth int) {
	p.b.WriteString("}(")
	for i, k := range d.Keys {
		p.value(k, at+"'s key", depth+1)
		p.value(d.Values[i], fmt.Sprintf("%s[%v]", at, k), depth+1)
	}
	p.b.WriteByte('u')
}

// params writes a state as torch's state_dict: an OrderedDict of tensors that do not require gradients.
func (p *pickler) params(list ParamList) {
	p.global("collections", "OrderedDict")
	p.b.WriteString(")R(")
	seen := map[string]bool{}
	for _, q := range list {
		if seen[q.Name] {
			panic(tensor.Errorf(p.op, "there are two tensors called %s", q.Name))
		}
		seen[q.Name] = true
		p.text(q.Name)
		p.tensor(q.Tensor.Detach(), q.Name)
	}
	p.b.WriteByte('u')
}

// tensor writes _rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks), or _rebuild_tensor_v3 with
// the dtype at the end.
func (p *pickler) tensor(x *tensor.Tensor, at string) {
	class := ""
	for name, dt := range storageDtypes {
		if dt == x.Dtype() {
			class = name
		}
	}
	untyped := ""
	for name, dt := range untypedDtypes {
		if dt == x.Dtype() {
			untyped = name
		}
	}
	if class == "" && untyped == "" {
		panic(tensor.Errorf(p.op, "%s: torch.save has no form for tensors of %s", at, x.Dtype()).WithHint(
			x.Dtype().ConvertHint()))
	}
	grad := x.RequiresGrad() && x.IsLeaf()
	x = x.Detach()
	if x.Storage() == nil || x.Storage().Nbytes()%x.ElementSize() != 0 {
		x = x.Contiguous().Clone()
	}
	numel := x.Storage().Nbytes() / x.ElementSize()
	key := storageKey{x.Storage(), x.Dtype()}
	n, ok := p.keys[key]
	if !ok {
		n = len(p.storages)
		p.keys[key] = n
		p.storages = append(p.storages, x.AsStrided([]int{numel}, []int{1}, opt.StorageOffset(0)))
	}
	version, module := "_rebuild_tensor_v2", "torch"
	if untyped != "" {
		version, module, class, numel = "_rebuild_tensor_v3", "torch.storage", "UntypedStorage", numel*x.ElementSize()
	}
	p.global("torch._utils", version)
	p.b.WriteString("((")
	p.text("storage")
	p.global(module, class)
	p.text(fmt.Sprint(n))
	p.text("cpu")
	p.integer(int64(numel))
	p.b.WriteString("tQ")
	p.integer(int64(x.StorageOffset()))
	p.ints(x.Shape())
	p.ints(x.Stride())
	p.b.WriteByte(map[bool]byte{true: 0x88, false: 0x89}[grad])
	p.global("collections", "OrderedDict")
	p.b.WriteString(")R")
	if untyped != "" {
		p.global("torch", untyped)
	}
	p.b.WriteString("tR")
}

// archive writes the zip file: each part uncompressed, storages at multiples of 64 bytes, as torch lays them.
func (p *pickler) archive(w io.Writer) error {
	count := &counter{w: w}
	z := zip.NewWriter(count)
	part := func(name string, data []byte) error {
		h := &zip.FileHeader{Name: "archive/" + name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(data),
			CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data))}
		if err := z.Flush(); err != nil {
			return err
		}
		const header, extra = 30, 4 // of a part; of what fills up
		fill := -(count.n + header + len(h.Name) + extra) & 63
		h.Extra = append([]byte{'F', 'B', byte(fill), 0}, bytes.Repeat([]byte{'Z'}, fill)...)
		f, err := z.CreateRaw(h)
		if err == nil {
			_, err = f.Write(data)
		}
		return err
	}
	if err := part("data.pkl", p.b.Bytes()); err != nil {
		return err
	}
	if err := part("byteorder", []byte("little")); err != nil {
		return err
	}
	for i, s := range p.storages {
		if err := part(fmt.Sprintf("data/%d", i), s.Bytes()); err != nil {
			return err
		}
	}
	if err := part("version", []byte("3\n")); err != nil {
		return err
	}
	return z.Close()
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += n
	return n, err
}

package nn

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"gotorch/tensor"
)

// Note: torch.save. Since version 1.6 it writes a zip file with a pickle, data.pkl, and the bytes of each storage,
// uncompressed; before, one pickle after the other and then the storages. A tensor in the pickle is a call of
// _rebuild_tensor_v2 with a persistent id in place of its storage. Tensors are made when the pickle has been read, so
// that those that share a storage share it here too. The dtypes that came with version 2.3, in untypedDtypes, have a
// storage of bytes, and _rebuild_tensor_v3 has their dtype.

// storageDtypes are the storages by the name of their class in torch.
var storageDtypes = map[string]tensor.Dtype{
	"BoolStorage": tensor.Bool, "ByteStorage": tensor.Uint8, "CharStorage": tensor.Int8, "ShortStorage": tensor.Int16,
	"IntStorage": tensor.Int32, "LongStorage": tensor.Int64, "HalfStorage": tensor.Float16,
	"BFloat16Storage": tensor.Bfloat16,
	"FloatStorage":    tensor.Float32, "DoubleStorage": tensor.Float64, "ComplexFloatStorage": tensor.Complex64,
	"ComplexDoubleStorage": tensor.Complex128,
}

// untypedDtypes are those of torch 2 that have no class of storages.
var untypedDtypes = map[string]tensor.Dtype{
	"uint16": tensor.Uint16, "uint32": tensor.Uint32, "uint64": tensor.Uint64,
	"float8_e4m3fn": tensor.Float8E4m3fn, "float8_e5m2": tensor.Float8E5m2,
}

var torchDtypes = map[string]tensor.Dtype{
	"bool": tensor.Bool, "uint8": tensor.Uint8, "int8": tensor.Int8, "int16": tensor.Int16, "int32": tensor.Int32,
	"int64":   tensor.Int64,
	"float16": tensor.Float16, "bfloat16": tensor.Bfloat16, "float32": tensor.Float32, "float64": tensor.Float64,
	"complex64": tensor.Complex64, "complex128": tensor.Complex128,
}

// ptStorage is a storage in a file, ptTensor a tensor over one.
type ptStorage struct {
	key   string
	dt    tensor.Dtype
	numel int
	bytes bool // whose dtype the tensors over it say
	st    *tensor.Storage
}

type ptTensor struct {
	storage       *ptStorage
	offset        int
	shape, stride []int
	made          *tensor.Tensor
}

// ptReader reads one file.
type ptReader struct {
	op, path string
	m        *tensor.Mapping
	storages map[string]*ptStorage
}

// LoadPt reads what torch.save wrote: tensors, numbers, strings, nil, *Dict, *List and Tuple, one in the other. A file
// with anything else panics with an *Error that names it; nothing in the file is executed.
func LoadPt(path string) any {
	const op = "nn.LoadPt"
	m := tensor.MapFile(op, path)
	if !isPickled(m.Bytes()) {
		panic(tensor.Errorf(op, "%s is no file of torch.save", path))
	}
	return readPt(op, path, m)
}

// isPickled reports whether a file begins as torch.save's do.
func isPickled(b []byte) bool {
	return bytes.HasPrefix(b, []byte("PK\x03\x04")) || len(b) > 2 && b[0] == 0x80 && b[1] <= 5 && b[2] == 0x8a
}

func readPt(op, path string, m *tensor.Mapping) any {
	r := &ptReader{op, path, m, map[string]*ptStorage{}}
	var v any
	var err error
	if bytes.HasPrefix(m.Bytes(), []byte("PK")) {
		v, err = r.zip()
	} else {
		v, err = r.legacy()
	}
	if err != nil {
		panic(tensor.Errorf(op, "%s: %v", path, err))
	}
	return v
}

// zip reads the newer format.
func (r *ptReader) zip() (any, error) {
	b := r.m.Bytes()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	files := map[string]*zip.File{}
	root := ""
	for _, f := range z.File {
		files[f.Name] = f
		if path.Base(f.Name) == "data.pkl" && strings.Count(f.Name, "/") <= 1 {
			root = strings.TrimSuffix(f.Name, "data.pkl")
		}
	}
	if files[root+"data.pkl"] == nil {
		return nil, fmt.Errorf("the archive has no data.pkl")
	}
	if f := files[root+"byteorder"]; f != nil {
		if order, err := r.part(f); err != nil || string(order) != "little" {
			return nil, fmt.Errorf("its numbers are in the byte order %.10q", order)
		}
	}
	program, err := r.part(files[root+"data.pkl"])
	if err != nil {
		return nil, err
	}
	v, err := r.unpickler(program).run()
	if err != nil {
		return nil, err
	}
	for _, s := range r.storages {
		f := files[root+"data/"+s.key]
		if f == nil {
			return nil, fmt.Errorf("the archive has no storage %.40q", s.key)
		}
		at, n, err := r.place(f)
		if err != nil {
			return nil, err
		}
		if n != s.numel*s.dt.Size() {
			return nil, fmt.Errorf("storage %.40q has %d bytes, not %d numbers of %s", s.key, n, s.numel, s.dt)
		}
		s.st = r.m.Storage(r.op, at, n, s.dt)
	}
	return r.resolve(v, map[any]any{}, 0)
}

// place is where a file of the archive lies. torch.save compresses none.
func (r *ptReader) place(f *zip.File) (at, n int, err error) {
	off, err := f.DataOffset()
	if err != nil {
		return 0, 0, err
	}
	size := len(r.m.Bytes())
	if f.Method != zip.Store || f.UncompressedSize64 != f.CompressedSize64 {
		return 0, 0, fmt.Errorf("%.60q is compressed", f.Name)
	}
	if off < 0 || off > int64(size) || f.CompressedSize64 > uint64(int64(size)-off) {
		return 0, 0, fmt.Errorf("%.60q lies outside of the file", f.Name)
	}
	return int(off), int(f.CompressedSize64), nil
}

func (r *ptReader) part(f *zip.File) ([]byte, error) {
	at, n, err := r.place(f)
	if err != nil {
		return nil, err
	}
	return r.m.Bytes()[at:][:n], nil
}

// legacyMagic is the number with which files of the older format begin.
const legacyMagic = "119547037146038801333356"

// legacy reads the older format.
func (r *ptReader) legacy() (any, error) {
	u := r.unpickler(r.m.Bytes())
	var head [4]any // magic number, version, what the machine was, the value
	for i := range head {
		v, err := u.run()
		if err != nil {
			return nil, err
		}
		if i == 0 && v != any(legacyMagic) {
			return nil, fmt.Errorf("it is a pickle, and none of torch.save")
		}
		if i == 1 && v != any(int64(1001)) {
			return nil, fmt.Errorf("version %v is not known", v)
		}
		head[i] = v
	}
	keys, err := u.run()
	if err != nil {
		return nil, err
	}
	list, ok := keys.(*List)
	if !ok {
		return nil, fmt.Errorf("the list of storages is %T", keys)
	}
	for _, k := range list.Items {
		key, _ := k.(string)
		s := r.storages[key]
		if s == nil {
			return nil, fmt.Errorf("no tensor has the storage %.40v", k)
		}
		b, err := u.bytes(8)
		if err != nil {
			return nil, err
		}
		if n := binary.LittleEndian.Uint64(b); n != uint64(s.numel) {
			return nil, fmt.Errorf("storage %.40q has %d numbers, not %d", key, n, s.numel)
		}
		at := u.at
		if _, err := u.bytes(s.numel * s.dt.Size()); err != nil {
			return nil, err
		}
		s.st = r.m.Storage(r.op, at, s.numel*s.dt.Size(), s.dt)
	}
	for _, s := range r.storages {
		if s.st == nil {
			return nil, fmt.Errorf("the file has no storage %.40q", s.key)
		}
	}
	return r.resolve(head[3], map[any]any{}, 0)
}

func (r *ptReader) unpickler(b []byte) *unpickler {
	return &unpickler{b: b, persistent: r.persistent, call: call}
}

// persistent makes the storage of ('storage', class, key, location, numel) and, in the older format, the view of it.
func (r *ptReader) persistent(id any) (any, error) {
	t, _ := id.(Tuple)
	if len(t) != 5 && len(t) != 6 || t[0] != any("storage") {
		return nil, fmt.Errorf("a persistent id that is no storage")
	}
	if len(t) == 6 && t[5] != nil {
		return nil, fmt.Errorf("a view of a storage, which only very old versions of torch wrote")
	}
	class, ok1 := t[1].(global)
	key, ok2 := t[2].(string)
	numel, ok3 := t[4].(int64)
	dt, ok4 := storageDtypes[class.name]
	untyped := class.name == "UntypedStorage" && class.module == "torch.storage"
	if untyped {
		class.module, dt, ok4 = "torch", tensor.Uint8, true
	}
	if !ok1 || !ok2 || !ok3 || class.module != "torch" || numel < 0 || numel > expandedMost {
		return nil, fmt.Errorf("a malformed storage")
	}
	if !ok4 {
		return nil, fmt.Errorf("storages of the class %.40q are not known", class.name)
	}
	if s := r.storages[key]; s != nil {
		same := s.dt == dt && s.numel == int(numel) || untyped && s.numel*s.dt.Size() == int(numel)
		if s.bytes != untyped || !same {
			return nil, fmt.Errorf("storage %.40q has two forms", key)
		}
		return s, nil
	}
	s := &ptStorage{key: key, dt: dt, numel: int(numel), bytes: untyped}
	r.storages[key] = s
	return s, nil
}

// call does what the few functions do that are allowed.
func call(f global, args Tuple) (any, error) {
	switch f.module + "." + f.name {
	case "collections.OrderedDict":
		if len(args) == 0 {
			return &Dict{}, nil
		}
		list, ok := args[0].(*List)
		if !ok || len(args) > 1 {
			break
		}
		d := &Dict{}
		for _, v := range list.Items {
			pair, ok := v.(*List)
			if !ok || len(pair.Items) != 2 {
				return nil, fmt.Errorf("a malformed OrderedDict")
			}
			key, ok := pair.Items[0].(string)
			if !ok {
				return nil, fmt.Errorf("a malformed OrderedDict")
			}
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, pair.Items[1])
		}
		return d, nil
	case "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor":
		return rebuild(args)
	case "torch._utils._rebuild_tensor_v3":
		return rebuildUntyped(args)
	case "torch._utils._rebuild_parameter":
		if len(args) == 3 {
			if t, ok := args[0].(*ptTensor); ok {
				return t, nil
			}
		}
	case "torch.Size":
		if len(args) == 1 {
			if t, ok := args[0].(Tuple); ok {
				return t, nil
			}
		}
	case "torch.device":
		if len(args) > 0 {
			if s, ok := args[0].(string); ok {
				return s, nil
			}
		}
	default:
		return nil, fmt.Errorf("it calls %.80s.%.80s, which is not allowed", f.module, f.name)
	}
	return nil, fmt.Errorf("malformed arguments of %s.%s", f.module, f.name)
}

// rebuild reads (storage, offset, size, stride, requires_grad, hooks).
func rebuild(args Tuple) (any, error) {
	bad := fmt.Errorf("a malformed tensor")
	if len(args) < 4 {
		return nil, bad
	}
	s, ok1 := args[0].(*ptStorage)
	offset, ok2 := args[1].(int64)
	shape, ok3 := intsOfTuple(args[2])
	stride, ok4 := intsOfTuple(args[3])
	if !ok1 || !ok2 || !ok3 || !ok4 || len(shape) != len(stride) || offset < 0 {
		return nil, bad
	}
	outside := fmt.Errorf("a tensor of shape %v and stride %v does not lie in its %d numbers", shape, stride, s.numel)
	numel, last := 1, int(offset) // the last element must lie in the storage
	for i, n := range shape {
		if n < 0 || stride[i] < 0 {
			return nil, bad
		}
		if n > 1 && (stride[i] > s.numel || numel > expandedMost/n) {
			if !slices.Contains(shape, 0) {
				return nil, outside
			}
			continue
		}
		numel *= n
		last += max(n-1, 0) * stride[i]
	}
	if !slices.Contains(shape, 0) && (last >= s.numel || numel > max(s.numel, 1<<24)) {
		return nil, outside
	}
	return &ptTensor{storage: s, offset: int(offset), shape: shape, stride: stride}, nil
}

// rebuildUntyped reads what rebuild does, and the dtype behind it.
func rebuildUntyped(args Tuple) (any, error) {
	bad := fmt.Errorf("a malformed tensor")
	if len(args) < 7 {
		return nil, bad
	}
	s, ok1 := args[0].(*ptStorage)
	name, ok2 := args[6].(global)
	dt, ok3 := untypedDtypes[name.name]
	if other, known := torchDtypes[name.name]; !ok3 && known {
		dt, ok3 = other, true
	}
	switch {
	case !ok1 || !ok2 || name.module != "torch" || !s.bytes:
		return nil, bad
	case !ok3:
		return nil, fmt.Errorf("tensors of the dtype %.40q are not known", name.name)
	case s.dt == tensor.Uint8 && s.numel%dt.Size() == 0:
		s.dt, s.numel = dt, s.numel/dt.Size()
	case s.dt != dt:
		return nil, fmt.Errorf("storage %.40q has %d bytes or another dtype, not numbers of %s", s.key,
			s.numel*s.dt.Size(), dt)
	}
	return rebuild(args)
}

// expandedMost is how many elements a tensor may have.
const expandedMost = math.MaxInt / 64

func intsOfTuple(v any) ([]int, bool) {
	t, ok := v.(Tuple)
	if !ok || len(t) > 64 {
		return nil, false
	}
	out := make([]int, len(t))
	for i, e := range t {
		n, ok := e.(int64)
		if !ok || n > expandedMost || n < -expandedMost {
			return nil, false
		}
		out[i] = int(n)
	}
	return out, true
}

// resolve makes the tensors in a value. What stands at two places is made once; done has what is finished.
func (r *ptReader) resolve(v any, done map[any]any, depth int) (any, error) {
	if depth > 200 {
		return nil, fmt.Errorf("values lie more than 200 deep in each other")
	}
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, nil
	case *ptTensor:
		if v.made == nil {
			v.made = tensor.FromStorage(r.op, v.storage.st, v.shape, v.stride, v.offset, v.storage.dt)
		}
		return v.made, nil
	case *List:
		if done[v] == nil {
			done[v] = v
			if err := r.resolveAll(v.Items, done, depth); err != nil {
				return nil, err
			}
		}
		return v, nil
	case *Dict:
		if done[v] == nil {
			done[v] = v
			if err := r.resolveAll(v.Values, done, depth); err != nil {
				return nil, err
			}
		}
		return v, nil
	case Tuple:
		if len(v) == 0 || done[&v[0]] != nil {
			return v, nil
		}
		done[&v[0]] = v
		return v, r.resolveAll(v, done, depth)
	case global:
		if dt, ok := torchDtypes[v.name]; ok && v.module == "torch" {
			return dt, nil
		}
		return nil, fmt.Errorf("it holds %.80s.%.80s, which is not allowed", v.module, v.name)
	}
	return nil, fmt.Errorf("it holds a storage without a tensor")
}

func (r *ptReader) resolveAll(items []any, done map[any]any, depth int) (err error) {
	for i := range items {
		if items[i], err = r.resolve(items[i], done, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// flattenedMost is how many names a state may have.
const flattenedMost = 1 << 20

// flattened is the tensors of a value with their names, those of dicts and lists joined by dots.
func flattened(op, file string, v any) (list ParamList) {
	steps := 0
	var walk func(v any, name string, depth int)
	walk = func(v any, name string, depth int) {
		if steps++; steps > flattenedMost || depth > 200 {
			panic(tensor.Errorf(op, "%s: the values refer to each other too often", file))
		}
		switch v := v.(type) {
		case *tensor.Tensor:
			list = append(list, Param{Name: name, Tensor: v})
		case *Dict:
			for i, k := range v.Keys {
				walk(v.Values[i], join(name, fmt.Sprint(k)), depth+1)
			}
		case *List:
			for i, e := range v.Items {
				walk(e, join(name, fmt.Sprint(i)), depth+1)
			}
		case Tuple:
			for i, e := range v {
				walk(e, join(name, fmt.Sprint(i)), depth+1)
			}
		}
	}
	walk(v, "", 0)
	return list
}

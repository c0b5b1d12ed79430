package memory

import (
	"fmt"
	"reflect"

	"gotorch/internal/bytesize"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// HeaderView shows the object that a tensor is, field by field, next to PyTorch's TensorImpl.
type HeaderView struct {
	Name    string         `json:"name"`
	What    string         `json:"what"`    // dtype and shape
	Objects []HeaderObject `json:"objects"` // the header, its storage, what autograd added
	Torch   int            `json:"torch"`   // bytes of PyTorch's header
	Notes   []string       `json:"notes"`
}

// HeaderObject is a Go struct in memory.
type HeaderObject struct {
	Title  string        `json:"title"`
	Type   string        `json:"type"`
	Bytes  int           `json:"bytes"`
	Fields []HeaderField `json:"fields"`
}

// HeaderField is one of its fields.
type HeaderField struct {
	Offset     int    `json:"offset"`
	Bytes      int    `json:"bytes"`
	Name       string `json:"name"`
	Value      string `json:"value"`
	Torch      string `json:"torch,omitempty"`      // the field of PyTorch's object that has this
	TorchBytes int    `json:"torchBytes,omitempty"` // and its size
}

// torchField is a field of PyTorch's TensorImpl on 64 bits (c10/core/TensorImpl.h, which checks these sizes when it is
// compiled).
type torchField struct {
	name  string
	bytes int
}

// torchFields are the fields of PyTorch's object that have what ours have. The sizes are those of PyTorch 2.
var torchFields = map[string]torchField{
	"Tensor.st":     {"storage_", 8},
	"Tensor.shape":  {"sizes_and_strides_: a pointer or the numbers", 88},
	"Tensor.offset": {"storage_offset_", 8},
	"Tensor.numel":  {"numel_", 8},
	"Tensor.dtype":  {"data_type_", 2},
	"Tensor.layout": {"none: the key set says it", 0},
	"Tensor.keys":   {"key_set_", 8},
	"Tensor.view":   {"in the autograd metadata of a view", 0},
	"Tensor.ag":     {"autograd_meta_", 8},
	"Tensor.origin": {"none", 0}, "Tensor.compact": {"none", 0},
	"Tensor.stride": {"in sizes_and_strides_", 0}, "Tensor.dims": {"in sizes_and_strides_: five of each", 0},
	"Storage.version": {"version_counter_: a pointer in the header", 8},
}

// torchOthers are fields that have no counterpart: Go counts no references, and has no objects of Python.
var torchOthers = []torchField{{"virtual table", 8}, {"strong and weak reference counts", 16}, {"extra_meta_", 8},
	{"pyobj_slot_", 16}, {"device, flags, padding", 14 + 8}}

const torchBytes = 208

// Header shows the fields of the Go object that x is: where each lies in it, its bytes and what it holds, which
// field of PyTorch's TensorImpl has the same, what lies inline, and what autograd added. Offsets and sizes are read
// from the running program. A nil tensor panics with an *Error.
//
//	fmt.Println(visualize.Header(x))
func Header(x *tensor.Tensor) *HeaderView {
	if x == nil {
		panic(tensor.Errorf("header", "x is a nil tensor").OnArg("x"))
	}
	x = tensor.SubstituteOf(x)
	v := &HeaderView{Name: draw.LabelOf("Header", x), What: fmt.Sprintf("%s%v", x.Dtype(), x.Shape()),
		Torch: torchBytes}
	head := reflect.ValueOf(x).Elem()
	v.add("header", head, x)
	st := head.FieldByName("st")
	v.add("storage", st.Elem(), x)
	if a := x.AutogradMeta(); a != nil {
		v.add("what autograd added", reflect.ValueOf(a).Elem(), x)
	} else {
		v.Notes = append(v.Notes, "autograd added nothing: the pointer ag is nil, and the key set has no Autograd")
	}
	from, size := reflect.ValueOf(x).Pointer(), head.Type().Size()
	inside := func(p uintptr) bool { return p >= from && p < from+size }
	if shape := head.FieldByName("shape"); shape.Len() > 0 {
		if inside(shape.Pointer()) {
			v.Notes = append(v.Notes, fmt.Sprintf("sizes and strides lie inline, in dims: %d of %d places are used",
				2*shape.Len(), head.FieldByName("dims").Len()))
		} else {
			v.Notes = append(v.Notes, fmt.Sprintf("%d dimensions: more than the %d that fit into dims, so sizes and "+
				"strides are memory of their own", shape.Len(), head.FieldByName("dims").Len()/2))
		}
	}
	if head.FieldByName("compact").Bool() {
		v.Notes = append(v.Notes, fmt.Sprintf("compact: header, storage and %s of elements are one object, the storage "+
			"%d bytes behind the beginning", bytesize.Text(x.Storage().Nbytes()), st.Pointer()-from))
	}
	total := 0
	for _, o := range v.Objects {
		total += o.Bytes
	}
	v.Notes = append(v.Notes, fmt.Sprintf("%s and %s of elements; PyTorch's header alone is %d B", bytesize.Text(total),
		bytesize.Text(x.Storage().Nbytes()), torchBytes))
	return v
}

// add adds an object with its fields.
func (v *HeaderView) add(title string, s reflect.Value, x *tensor.Tensor) {
	t := s.Type()
	o := HeaderObject{Title: title, Type: t.String(), Bytes: int(t.Size())}
	for i := range t.NumField() {
		f := t.Field(i)
		h := HeaderField{Offset: int(f.Offset), Bytes: int(f.Type.Size()), Name: f.Name,
			Value: draw.Clip(fieldText(t, f, s.Field(i), x), 60)}
		tf := torchFields[t.Name()+"."+f.Name]
		h.Torch, h.TorchBytes = tf.name, tf.bytes
		o.Fields = append(o.Fields, h)
	}
	v.Objects = append(v.Objects, o)
}

// fieldTexts are fields whose value is said in words of the tensor's.
var fieldTexts = map[string]func(x *tensor.Tensor) string{
	"Tensor.dtype":  func(x *tensor.Tensor) string { return x.Dtype().String() },
	"Tensor.layout": func(x *tensor.Tensor) string { return x.Layout().String() },
	"Tensor.st":     func(*tensor.Tensor) string { return "→ the storage" },
	"Tensor.ag": func(x *tensor.Tensor) string {
		if x.AutogradMeta() == nil {
			return "nil"
		}
		return "→ what autograd added"
	},
	"Tensor.view": func(x *tensor.Tensor) string {
		if x.Base() == nil {
			return "no view"
		}
		return fmt.Sprintf("of a tensor of shape %v, noted at version %d", x.Base().Shape(), x.ViewVersion())
	},
	"Autograd.Fn": func(x *tensor.Tensor) string {
		if n := x.GradFn(); n != nil {
			return n.Name()
		}
		return "nil"
	},
	"Autograd.Grad": func(x *tensor.Tensor) string {
		if g := x.Grad(); g != nil {
			return fmt.Sprintf("→ %s%v", g.Dtype(), g.Shape())
		}
		return "nil"
	},
	"Storage.version": func(x *tensor.Tensor) string { return fmt.Sprint(x.Storage().Version()) },
	"Storage.device":  func(x *tensor.Tensor) string { return x.Device().String() },
}

// fieldText is the value of a field in words.
func fieldText(of reflect.Type, f reflect.StructField, v reflect.Value, x *tensor.Tensor) string {
	if text := fieldTexts[of.Name()+"."+f.Name]; text != nil {
		return text(x)
	}
	if f.Type == reflect.TypeFor[tensor.KeySet]() {
		return tensor.KeySet(v.Uint()).String()
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.UnsafePointer, reflect.Func, reflect.Map, reflect.Chan:
		if v.IsNil() {
			return "nil"
		}
		return "→"
	case reflect.Slice, reflect.Array:
		var list []string
		for i := range v.Len() {
			list = append(list, elementText(v.Index(i)))
		}
		return fmt.Sprint(list)
	}
	return elementText(v)
}

func elementText(v reflect.Value) string {
	switch {
	case v.CanInt():
		return fmt.Sprint(v.Int())
	case v.CanUint():
		return fmt.Sprint(v.Uint())
	case v.Kind() == reflect.Bool:
		return fmt.Sprint(v.Bool())
	}
	return ""
}

package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"unsafe"

	"gotorch/tensor"
)

// encoded is a tensor as the vectors write it.
type encoded struct {
	Dtype        string `json:"dtype"`
	Shape        []int  `json:"shape"`
	Stride       []int  `json:"stride"`
	Offset       int    `json:"offset"`
	Data         string `json:"data"`
	RequiresGrad bool   `json:"requires_grad"`
}

// readLines decodes a gzip'd file of JSON lines into rows of T.
func readLines[T any](name string) ([]T, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var rows []T
	d := json.NewDecoder(z)
	d.UseNumber()
	for {
		var row T
		if err := d.Decode(&row); err == io.EOF {
			return rows, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s, case %d: %w", name, len(rows), err)
		}
		rows = append(rows, row)
	}
}

// place is the device that arguments are put on.
var place = tensor.CPU

// settle waits for the device, which may report what went wrong late.
var settle = func() {}

// input is the tensor on the device that arguments are put on.
func (e *encoded) input() (*tensor.Tensor, error) {
	x, err := e.tensor()
	if err == nil && place != tensor.CPU {
		err = tensor.Try(func() { x = placed(x) })
	}
	return x, err
}

// placed is x, of the CPU, on the device, with the same storage, strides and offset.
func placed(x *tensor.Tensor) *tensor.Tensor {
	st := x.Storage()
	flat := tensor.FromStorage("decode", st, []int{st.Nbytes()}, []int{1}, 0, tensor.Uint8).To(place)
	y := tensor.FromStorage("decode", flat.Storage(), x.Sizes(), x.Strides(), x.StorageOffset(), x.Dtype())
	if x.RequiresGrad() {
		y.RequiresGrad_()
	}
	return y
}

// bytesOf decodes the data of a tensor.
func (e *encoded) bytesOf() ([]byte, tensor.Dtype, error) {
	dt, ok := tensor.ParseDtype(e.Dtype)
	if !ok {
		return nil, 0, fmt.Errorf("dtype %s is not one of gotorch's", e.Dtype)
	}
	data, err := base64.StdEncoding.DecodeString(e.Data)
	return data, dt, err
}

// tensor makes the tensor over its storage, strides and all.
func (e *encoded) tensor() (*tensor.Tensor, error) {
	data, dt, err := e.bytesOf()
	if err != nil {
		return nil, err
	}
	toNativeEndian(data, dt)
	buf := make([]uint64, (len(data)+7)/8+1)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&buf[0])), len(data)), data)
	st := tensor.NewStorage(tensor.CPU, unsafe.Pointer(&buf[0]), len(data), buf)
	var x *tensor.Tensor
	err = tensor.Try(func() {
		x = tensor.FromStorage("decode", st, e.Shape, e.Stride, e.Offset, dt)
		if e.RequiresGrad {
			x.RequiresGrad_()
		}
	})
	return x, err
}

// toNativeEndian turns recorded elements, which are little-endian, into elements of this machine.
func toNativeEndian(data []byte, dt tensor.Dtype) {
	if binary.NativeEndian.Uint16([]byte{0, 1}) != 1 {
		return
	}
	unit := dt.Size()
	if dt.IsComplex() {
		unit /= 2
	}
	for ; len(data) >= unit; data = data[unit:] {
		slices.Reverse(data[:unit])
	}
}

// logical makes a contiguous tensor of elements in row-major order, as results are written.
func (e *encoded) logical() (*tensor.Tensor, error) {
	n := 1
	stride := make([]int, len(e.Shape))
	for i := len(e.Shape) - 1; i >= 0; i-- {
		stride[i] = n
		n *= e.Shape[i]
	}
	return (&encoded{Dtype: e.Dtype, Shape: e.Shape, Stride: stride, Data: e.Data}).tensor()
}

// value decodes an argument: the tensors of it are appended to *ts in order.
func value(raw json.RawMessage, ts *[]*tensor.Tensor) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case json.Number:
		return number(string(v))
	case []any:
		return list(raw, ts)
	case map[string]any:
		return object(raw, ts)
	}
	return v, nil
}

func number(s string) (any, error) {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return int(i), nil
	}
	return strconv.ParseFloat(s, 64)
}

func list(raw json.RawMessage, ts *[]*tensor.Tensor) ([]any, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, err
	}
	out := make([]any, len(items))
	for i, it := range items {
		var err error
		if out[i], err = value(it, ts); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func object(raw json.RawMessage, ts *[]*tensor.Tensor) (any, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	for k, v := range m {
		switch k {
		case "tensor":
			var e encoded
			if err := json.Unmarshal(v, &e); err != nil {
				return nil, err
			}
			x, err := e.input()
			if err == nil {
				*ts = append(*ts, x)
			}
			return x, err
		case "list", "tuple", "size":
			return list(v, ts)
		case "float", "int":
			var s string
			if err := json.Unmarshal(v, &s); err != nil {
				return nil, err
			}
			if k == "float" {
				return strconv.ParseFloat(s, 64)
			}
			return number(s)
		case "complex":
			var s [2]string
			if err := json.Unmarshal(v, &s); err != nil {
				return nil, err
			}
			re, err1 := strconv.ParseFloat(s[0], 64)
			im, err2 := strconv.ParseFloat(s[1], 64)
			if err1 != nil || err2 != nil {
				return nil, fmt.Errorf("complex number %v", s)
			}
			return complex(re, im), nil
		case "dtype":
			var s string
			json.Unmarshal(v, &s)
			if dt, ok := tensor.ParseDtype(s); ok {
				return dt, nil
			}
			return nil, fmt.Errorf("dtype %s is not one of gotorch's", s)
		case "device":
			var s string
			json.Unmarshal(v, &s)
			if d, ok := tensor.ParseDevice(s); ok {
				if d == tensor.CPU {
					d = place
				}
				return d, nil
			}
			return nil, fmt.Errorf("device %s", s)
		case "memory_format":
			var s string
			json.Unmarshal(v, &s)
			for _, f := range []tensor.MemoryFormat{tensor.ContiguousFormat, tensor.PreserveFormat, tensor.ChannelsLast,
				tensor.ChannelsLast3d} {
				if f.String() == s {
					return f, nil
				}
			}
			return nil, fmt.Errorf("memory format %s", s)
		case "layout":
			return tensor.Strided, nil
		case "ellipsis":
			return tensor.Ellipsis, nil
		case "slice":
			var parts [3]json.RawMessage
			if err := json.Unmarshal(v, &parts); err != nil {
				return nil, err
			}
			var vs [3]any
			for i := range parts {
				var err error
				if vs[i], err = value(parts[i], ts); err != nil {
					return nil, err
				}
			}
			var s tensor.SliceIndex
			err := tensor.Try(func() { s = tensor.Slice(vs[0], vs[1], vs[2]) })
			return s, err
		}
	}
	return nil, fmt.Errorf("an argument of a kind that is not known: %.60s", raw)
}

package tensor

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// Note: NumPy's file format. A .npy file is a magic string, a version, the length of the header (2 bytes in version 1,
// 4 in 2 and 3), the header (a Python dict with descr, fortran_order and shape), and the elements. See
// numpy.lib.format.

const npyMagic = "\x93NUMPY"

// hostOrder is the order of bytes in this machine's numbers, as NumPy writes it: '<' for little-endian, '>' for
// big-endian.
var hostOrder = func() byte {
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		return '>'
	}
	return '<'
}()

// npyTypes are the dtypes by NumPy's kind and size.
var npyTypes = map[string]Dtype{
	"b1": Bool, "u1": Uint8, "i1": Int8, "i2": Int16, "i4": Int32, "i8": Int64,
	"f2": Float16, "f4": Float32, "f8": Float64, "c8": Complex64, "c16": Complex128,
	"u2": Uint16, "u4": Uint32, "u8": Uint64,
}

// LoadNpy reads a .npy file. Arrays in Fortran order keep it, as strides. A file that cannot be read or is none panics
// with an *Error.
func LoadNpy(path string) *Tensor {
	f := OpenFile("load_npy", path)
	defer f.Close()
	return readNpy("load_npy", path, bufio.NewReaderSize(f, 1<<16), f.Size())
}

// SaveNpy writes x to a .npy file. NumPy has no bfloat16, float8 and complex32.
func SaveNpy(path string, x *Tensor) {
	create("save_npy", path, func(w io.Writer) { WriteNpy(w, x) })
}

// ReadNpy reads what [WriteNpy] and NumPy write.
func ReadNpy(r io.Reader) *Tensor { return readNpy("read_npy", "", r, 0) }

// create writes a file by f; a file half written is taken away.
func create(op, path string, f func(w io.Writer)) {
	file := CreateFile(op, path)
	done := false
	defer func() {
		if !done {
			file.Close()
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() { // no device
				os.Remove(path)
			}
		}
	}()
	w := bufio.NewWriterSize(file, 1<<16)
	f(w)
	err := w.Flush()
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		panic(Errorf(op, "%v", err))
	}
	done = true
}

// npyHeader is what the header of a file says.
type npyHeader struct {
	descr   string
	fortran bool
	shape   []int
}

func readNpy(op, name string, r io.Reader, sure int64) *Tensor {
	fail := func(format string, args ...any) {
		msg := fmt.Sprintf(format, args...)
		if name != "" {
			msg = name + ": " + msg
		}
		panic(Errorf(op, "%s", msg))
	}
	h := readNpyHeader(r, fail)
	if strings.Contains(h.descr, "O") {
		fail("the array holds pickled Python objects")
	}
	order, code := byte('|'), h.descr
	if code != "" && strings.IndexByte("<>=|", code[0]) >= 0 {
		order, code = code[0], code[1:]
	}
	typ, ok := npyTypes[code]
	if !ok {
		fail("NumPy's dtype %q has no dtype here", h.descr)
	}
	var size int
	fmt.Sscanf(code[1:], "%d", &size)
	n, ok := count(h.shape)
	if !ok || n > maxElements {
		fail("shape %v is more than can be read", h.shape)
	}
	st := readStorage(op, r, n*size, sure, fail)
	if order == '<' && hostOrder == '>' || order == '>' && hostOrder == '<' {
		unit := size
		if code[0] == 'c' {
			unit /= 2
		}
		swapBytes(hostBytes(st), unit)
	}
	if typ == Bool {
		for i, b := range hostBytes(st) {
			if b > 1 {
				hostBytes(st)[i] = 1
			}
		}
	}
	stride := make([]int, len(h.shape))
	if h.fortran {
		shape := slices.Clone(h.shape)
		slices.Reverse(shape)
		contiguousStrides(stride, shape)
		slices.Reverse(stride)
	} else {
		contiguousStrides(stride, h.shape)
	}
	return FromStorage(op, st, h.shape, stride, 0, typ)
}

func readNpyHeader(r io.Reader, fail func(string, ...any)) npyHeader {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || string(head[:6]) != npyMagic {
		fail("not a .npy file: it does not begin with %q", npyMagic)
	}
	var n int
	var size [4]byte
	switch major := head[6]; major {
	case 1:
		if _, err := io.ReadFull(r, size[:2]); err != nil {
			fail("the file ends in the header")
		}
		n = int(binary.LittleEndian.Uint16(size[:2]))
	case 2, 3:
		if _, err := io.ReadFull(r, size[:]); err != nil {
			fail("the file ends in the header")
		}
		n = int(binary.LittleEndian.Uint32(size[:]))
	default:
		fail(".npy version %d.%d is not known, only 1 to 3", major, head[7])
	}
	const most = 1 << 20
	if n > most {
		fail("a header of %d bytes: more than %d are not taken", n, most)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		fail("the file ends in the header")
	}
	h, err := parseNpyHeader(string(text))
	if err != nil {
		fail("malformed header %.80q: %v", text, err)
	}
	return h
}

// readStorage reads n bytes from a source that is sure to have some. Of more than these, memory is taken as bytes
// arrive, so that a header that lies about a small file does no harm.
func readStorage(op string, r io.Reader, n int, sure int64, fail func(string, ...any)) *Storage {
	short := func(have int, err error) {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			fail("the file ends after %d of %d bytes of elements", have, n)
		}
		fail("%v", err)
	}
	if int64(n) <= max(sure, 1<<24) {
		st := allocate(op, CPU, n, true)
		if have, err := io.ReadFull(r, hostBytes(st)); err != nil {
			short(have, err)
		}
		return st
	}
	var buf bytes.Buffer
	if have, err := io.CopyN(&buf, r, int64(n)); err != nil {
		short(int(have), err)
	}
	st := allocate(op, CPU, n, true)
	copy(hostBytes(st), buf.Bytes())
	return st
}

// swapBytes turns the bytes of every unit round.
func swapBytes(b []byte, unit int) {
	for i := 0; unit > 1 && i+unit <= len(b); i += unit {
		slices.Reverse(b[i : i+unit])
	}
}

// WriteNpy writes x as a .npy file, in Fortran order where x lies so.
func WriteNpy(w io.Writer, x *Tensor) {
	const op = "write_npy"
	if x == nil {
		panic(Errorf(op, "the tensor is nil"))
	}
	descr := ""
	for code, dt := range npyTypes {
		if dt == x.dtype {
			descr = string(hostOrder) + code
		}
	}
	switch {
	case descr == "":
		panic(Errorf(op, "NumPy has no %s", x.dtype).WithHint("x.Float() has all its values"))
	case x.dtype.Size() == 1:
		descr = "|" + descr[1:]
	}
	fortran, contiguous := false, x.Contig()
	if !contiguous {
		shape, stride := x.Shape(), x.Stride()
		slices.Reverse(shape)
		slices.Reverse(stride)
		fortran = isContiguous(shape, stride, NoFormat)
	}
	head := npyHead(descr, fortran, x.shape)
	data := func() []byte {
		n := x.numel * x.dtype.Size()
		if (contiguous || fortran) && x.st.data != nil {
			return unsafe.Slice((*byte)(x.Ptr()), n)
		}
		if fortran {
			x = x.alias(op, reversed(x.shape), reversed(x.stride), x.offset)
		}
		mustFit(op, float64(n)/8)
		buf := make([]byte, n)
		x.copyTo(op, unsafe.Pointer(unsafe.SliceData(buf)))
		return buf
	}
	var elems []byte
	if x.numel > 0 {
		elems = data()
	} else if x.st.device.kind == metaDevice {
		x.onHost(op)
	}
	for _, b := range [][]byte{head, elems} {
		if _, err := w.Write(b); err != nil {
			panic(Errorf(op, "%v", err))
		}
	}
	runtime.KeepAlive(x)
}

func reversed(s []int) []int {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// npyHead is magic, version, length and header, filled up so that the elements begin at a multiple of 64.
func npyHead(descr string, fortran bool, shape []int) []byte {
	var dims strings.Builder
	for i, s := range shape {
		if i > 0 {
			dims.WriteByte(' ')
		}
		fmt.Fprintf(&dims, "%d,", s)
	}
	list := dims.String()
	if len(shape) > 1 {
		list = strings.TrimSuffix(list, ",")
	}
	order := "False"
	if fortran {
		order = "True"
	}
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", descr, order, list)
	prefix := len(npyMagic) + 4
	dict += strings.Repeat(" ", (64-(prefix+len(dict)+1)%64)%64) + "\n"
	if len(dict) <= math.MaxUint16 {
		out := append([]byte(npyMagic), 1, 0)
		return append(binary.LittleEndian.AppendUint16(out, uint16(len(dict))), dict...)
	}
	out := append([]byte(npyMagic), 2, 0)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(dict))), dict...)
}

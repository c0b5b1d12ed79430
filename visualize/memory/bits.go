package memory

import (
	"fmt"
	"math/big"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: numbers under the microscope. Everything is exact: what was typed is a fraction, a stored number is an
// integer times a power of two, and so are its neighbours; only errors and spacings are written with few digits.

// NumberBits is one number in one dtype, or several, as [Bits] shows it.
type NumberBits struct {
	Typed string     // as it was given: the text, or what a tensor holds
	Words []BitsWord // one for each dtype; two for complex numbers
}

// BitsWord is the pattern of bits of a number in one dtype.
type BitsWord struct {
	Dtype  string
	Part   string `json:",omitempty"` // of a complex number: real, imaginary
	Kind   string // normal, subnormal, zero, infinity, NaN, integer, bool
	Hex    string
	Fields []BitsField
	Value  string   // exactly what the bits mean
	Sum    string   // how they mean it
	Below  string   `json:",omitempty"` // the next number down, exactly
	Above  string   `json:",omitempty"`
	Down   string   `json:",omitempty"` // how far away it is
	Up     string   `json:",omitempty"`
	Error  string   `json:",omitempty"` // of rounding what was typed
	At     *float64 `json:",omitempty"` // where what was typed lies: −1 is Below, 0 the value, 1 Above
	Notes  []string `json:",omitempty"`
}

// BitsField is a run of bits that belong together.
type BitsField struct {
	Name, Bits, Means string
}

// Bits shows how a number is stored: sign, exponent and fraction bit by bit, the exact value that they make, the
// nearest numbers above and below, and how far off what was typed is. v is a Go number, a tensor of one element, or a
// number as text, which is taken exactly: "0.1", "-0", "inf", "1e-45". Without dtypes a tensor is shown in its own,
// an integer in int64, a bool as one, and any other number in float64, float32, bfloat16 and float16. Text of any
// other kind, and a tensor of several elements, panic with a *tensor.Error.
func Bits(v any, dtypes ...tensor.Dtype) *NumberBits {
	n := numberOf(v)
	if len(dtypes) == 0 {
		dtypes = n.dtypes
	}
	out := &NumberBits{Typed: n.text}
	for i, d := range dtypes {
		if i == maxWords {
			break
		}
		out.Words = append(out.Words, wordsOf(n, d)...)
	}
	return out
}

// maxWords is how many dtypes are shown at once: all that there are.
const maxWords = 18

// bitsNumber is what is looked at: one or two real parts, each a fraction or none, and its bits where a tensor held
// it.
type bitsNumber struct {
	text    string
	parts   []exactly
	complex bool
	dtypes  []tensor.Dtype
	held    tensor.Dtype // of the tensor that it came from
	bits    []uint64
}

// exactly is a real number, exactly.
type exactly struct {
	rat *big.Rat // nil where it is none
	neg bool     // also of zero
	inf bool
}

var floatDtypes = []tensor.Dtype{tensor.Float64, tensor.Float32, tensor.Bfloat16, tensor.Float16}

func numberOf(v any) bitsNumber {
	switch x := v.(type) {
	case *tensor.Tensor:
		return numberOfTensor(x)
	case string:
		return numberOfText(strings.TrimSpace(x))
	}
	s, ok := tensor.ScalarOf(v)
	switch {
	case !ok:
		panic(tensor.Errorf("bits", "wants a number, a tensor of one element or a number as text, not %T", v))
	case s.IsBool():
		r := new(big.Rat)
		if s.Bool() {
			r.SetInt64(1)
		}
		return bitsNumber{text: fmt.Sprint(s.Bool()), parts: []exactly{{rat: r}}, dtypes: []tensor.Dtype{tensor.Bool}}
	case s.IsInt():
		r := new(big.Rat).SetInt64(s.Int())
		if s.IsBig() {
			r.SetInt(new(big.Int).SetUint64(s.Uint()))
		}
		return bitsNumber{text: fmt.Sprint(s.Any()), parts: []exactly{{rat: r, neg: r.Sign() < 0}},
			dtypes: []tensor.Dtype{tensor.Int64}}
	case s.IsFloat():
		return bitsNumber{text: fmt.Sprint(s.Float()), parts: []exactly{realOf(s.Float())}, dtypes: floatDtypes}
	}
	c := s.Complex()
	return bitsNumber{text: fmt.Sprint(c), parts: []exactly{realOf(real(c)), realOf(imag(c))}, complex: true,
		dtypes: []tensor.Dtype{tensor.Complex64}}
}

// numberOfText reads a number exactly as it is written.
func numberOfText(s string) bitsNumber {
	bare, neg := strings.CutPrefix(s, "-")
	bare = strings.TrimPrefix(bare, "+")
	switch strings.ToLower(bare) {
	case "inf", "infinity":
		return bitsNumber{text: s, parts: []exactly{{neg: neg, inf: true}}, dtypes: floatDtypes}
	case "nan":
		return bitsNumber{text: s, parts: []exactly{{neg: neg}}, dtypes: floatDtypes}
	case "true", "false":
		return numberOf(strings.EqualFold(bare, "true"))
	}
	r, ok := new(big.Rat), len(bare) <= 1000 && !strings.ContainsAny(bare, "/ ") && smallExponent(bare)
	if ok {
		_, ok = r.SetString(strings.ReplaceAll(bare, "_", ""))
	}
	if !ok {
		panic(tensor.Errorf("bits", "%q is no number", draw.Clip(s, 60)).
			WithHint(`as in %bits 0.1, %bits -3 int8, %bits x[0]`))
	}
	if neg {
		r.Neg(r)
	}
	n := bitsNumber{text: s, parts: []exactly{{rat: r, neg: neg}}, dtypes: floatDtypes}
	if hex := strings.HasPrefix(strings.ToLower(bare), "0x"); r.IsInt() && !strings.ContainsAny(bare, ".pP") &&
		(hex || !strings.ContainsAny(bare, "eE")) && bare != "" && !(neg && r.Sign() == 0) {
		n.dtypes = []tensor.Dtype{tensor.Int64}
	}
	return n
}

// smallExponent reports whether a number's exponent, if it has one, is one that a fraction can be made with.
func smallExponent(s string) bool {
	l := strings.ToLower(s)
	i := strings.LastIndexByte(l, 'p')
	if i < 0 && !strings.HasPrefix(l, "0x") {
		i = strings.LastIndexByte(l, 'e')
	}
	return i < 0 || len(strings.TrimLeft(l[i+1:], "+-0")) <= 4
}

// wordsOf is n in a dtype.
func wordsOf(n bitsNumber, d tensor.Dtype) []BitsWord {
	var out []BitsWord
	parts, of := n.parts, d
	names := []string{""}
	switch d {
	case tensor.Complex32, tensor.Complex64, tensor.Complex128:
		names, of = []string{"real", "imaginary"}, d.ToReal()
		if !n.complex {
			parts = append(parts[:1:1], exactly{rat: new(big.Rat)})
		}
	default:
		if n.complex {
			panic(tensor.Errorf("bits", "%s has two parts, and %s holds one", n.text, d).
				WithHint("give complex64 or complex128"))
		}
	}
	for i, name := range names {
		var held *uint64
		if n.bits != nil && n.held == d {
			held = &n.bits[i]
		}
		w := wordOf(parts[i], of, held)
		if w.Dtype, w.Part = d.String(), name; n.bits != nil && n.held == d {
			w.Error, w.At = "", nil // it was not typed; it is what it is
		}
		out = append(out, w)
	}
	return out
}

func wordOf(r exactly, d tensor.Dtype, held *uint64) BitsWord {
	if f, ok := floatFormats[d]; ok {
		bits := f.round(r)
		if held != nil {
			bits = *held
		}
		return f.word(bits, r)
	}
	size := d.Size() * 8
	if d == tensor.Bool {
		return boolWord(r, held)
	}
	return intWord(r, size, !unsigned(d), d.String(), held)
}

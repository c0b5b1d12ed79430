package memory

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// floatFormat is an IEEE 754 binary format, or one like it: a sign, exponent bits, fraction bits. One without
// infinities counts on with the highest exponent, whose last pattern alone is NaN.
type floatFormat struct {
	exp, frac uint
	noInf     bool
}

var floatFormats = map[tensor.Dtype]floatFormat{
	tensor.Float64: {exp: 11, frac: 52}, tensor.Float32: {exp: 8, frac: 23}, tensor.Bfloat16: {exp: 8, frac: 7},
	tensor.Float16: {exp: 5, frac: 10}, tensor.Float8E5m2: {exp: 5, frac: 2},
	tensor.Float8E4m3fn: {exp: 4, frac: 3, noInf: true},
}

func (f floatFormat) width() uint     { return 1 + f.exp + f.frac }
func (f floatFormat) bias() int       { return 1<<(f.exp-1) - 1 }
func (f floatFormat) expMask() uint64 { return 1<<f.exp - 1 }

// inf is the pattern of infinity, which is also the first that is no finite number.
func (f floatFormat) inf() uint64 {
	if f.noInf {
		return 1<<(f.exp+f.frac) - 1
	}
	return f.expMask() << f.frac
}
func (f floatFormat) sign() uint64 { return 1 << (f.width() - 1) }

// round returns the bits of the nearest number, ties to the even one.
func (f floatFormat) round(r exactly) uint64 {
	var sign uint64
	if r.neg {
		sign = f.sign()
	}
	switch {
	case r.inf:
		return sign | f.inf()
	case r.rat == nil && f.noInf:
		return sign | f.inf()
	case r.rat == nil:
		return sign | f.inf() | 1<<(f.frac-1)
	case r.rat.Sign() == 0:
		return sign
	}
	a := new(big.Rat).Abs(r.rat)
	e := a.Num().BitLen() - a.Denom().BitLen() // 2^(e-1) < a < 2^(e+1)
	if a.Cmp(power(e)) < 0 {
		e--
	}
	e = max(e, 1-f.bias())
	q := a.Quo(a, power(e-int(f.frac))) // in units of the last place
	n, rest := new(big.Int).QuoRem(q.Num(), q.Denom(), new(big.Int))
	if c := rest.Lsh(rest, 1).Cmp(q.Denom()); c > 0 || c == 0 && n.Bit(0) == 1 {
		n.Add(n, big.NewInt(1))
	}
	// The hidden bit and a carry both add one to the exponent.
	if e > f.bias() && !f.noInf || e > f.bias()+1 {
		return sign | f.inf()
	}
	return sign | min(uint64(e+f.bias()-1)<<f.frac+n.Uint64(), f.inf())
}

// power is 2^e.
func power(e int) *big.Rat {
	p := new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e)))
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// value is what the bits of a finite number mean.
func (f floatFormat) value(bits uint64) *big.Rat {
	e, frac := int(bits>>f.frac&f.expMask()), bits&(1<<f.frac-1)
	if e == 0 {
		e = 1
	} else {
		frac |= 1 << f.frac
	}
	v := new(big.Rat).SetInt(new(big.Int).SetUint64(frac))
	v.Mul(v, power(e-f.bias()-int(f.frac)))
	if bits&f.sign() != 0 {
		v.Neg(v)
	}
	return v
}

// step is the next number up (or down) in the order of the reals.
func (f floatFormat) step(bits uint64, up bool) uint64 {
	abs, neg := bits&^f.sign(), bits&f.sign() != 0
	switch {
	case abs == 0 && up:
		return 1
	case abs == 0:
		return f.sign() | 1
	case up != neg:
		return bits + 1
	}
	return bits - 1
}

func (f floatFormat) finite(bits uint64) bool { return bits&^f.sign() < f.inf() }

// text writes the number that bits mean.
func (f floatFormat) text(bits uint64) string {
	sign := ""
	if bits&f.sign() != 0 {
		sign = "-"
	}
	switch abs := bits &^ f.sign(); {
	case abs > f.inf() || f.noInf && abs == f.inf():
		return "NaN"
	case abs == f.inf():
		return sign + "Inf"
	case abs == 0:
		return sign + "0"
	}
	return exact(f.value(bits))
}

// word describes bits, which what was typed was rounded to.
func (f floatFormat) word(bits uint64, typed exactly) BitsWord {
	e, frac := int(bits>>f.frac&f.expMask()), bits&(1<<f.frac-1)
	all := fmt.Sprintf("%0*b", f.width(), bits)
	w := BitsWord{Hex: fmt.Sprintf("0x%0*x", f.width()/4, bits), Value: f.text(bits)}
	sign := "+"
	if bits&f.sign() != 0 {
		sign = "−"
	}
	power, lead := e-f.bias(), "1"
	switch {
	case f.noInf && !f.finite(bits):
		w.Kind, w.Sum = "NaN", "all exponent and fraction bits set: the only NaN; there are no infinities"
	case f.finite(bits) && e == int(f.expMask()):
		w.Kind, w.Sum = "normal", fmt.Sprintf("%s (1 + %d/2^%d) × 2^%d", sign, frac, f.frac, power)
	case e == int(f.expMask()) && frac == 0:
		w.Kind, w.Sum = "infinity", "all exponent bits set, fraction 0"
	case e == int(f.expMask()):
		quiet := "quiet"
		if frac>>(f.frac-1) == 0 {
			quiet = "signalling"
		}
		w.Kind, w.Sum = "NaN", fmt.Sprintf("all exponent bits set, fraction not 0: a %s NaN with payload %d", quiet,
			frac&(1<<(f.frac-1)-1))
	case e == 0 && frac == 0:
		w.Kind, w.Sum = "zero", sign+"0: no bit set but perhaps the sign"
	default:
		if w.Kind = "normal"; e == 0 {
			w.Kind, power, lead = "subnormal", 1-f.bias(), "0"
		}
		w.Sum = fmt.Sprintf("%s (%s + %d/2^%d) × 2^%d", sign, lead, frac, f.frac, power)
	}
	expMeans := fmt.Sprintf("%d − %d = %d", e, f.bias(), e-f.bias())
	switch e {
	case 0:
		expMeans = fmt.Sprintf("0: as 1 − %d = %d, and no leading 1", f.bias(), 1-f.bias())
	case int(f.expMask()):
		if !f.noInf {
			expMeans = fmt.Sprintf("%d: infinity or NaN", e)
		}
	}
	w.Fields = []BitsField{
		{"sign", all[:1], sign},
		{"exponent", all[1 : 1+f.exp], expMeans},
		{"fraction", all[1+f.exp:], fmt.Sprintf("%d / 2^%d", frac, f.frac)},
	}
	f.neighbours(&w, bits, typed)
	return w
}

// neighbours adds the numbers next to it, and where what was typed lies among them.
func (f floatFormat) neighbours(w *BitsWord, bits uint64, typed exactly) {
	abs := bits &^ f.sign()
	if abs > f.inf() || f.noInf && abs == f.inf() && typed.rat == nil {
		return
	}
	neg := bits&f.sign() != 0
	if abs == f.inf() {
		last := f.text(bits - 1)
		if neg {
			w.Above = last
		} else {
			w.Below = last
		}
		if typed.rat != nil {
			w.Notes = append(w.Notes, fmt.Sprintf("overflow: the largest finite number is %s", last))
			w.Error = "infinite"
			if f.noInf {
				w.Error = "not a number"
			}
		}
		return
	}
	v := f.value(bits)
	down, up := f.step(bits, false), f.step(bits, true)
	w.Below, w.Above = f.text(down), f.text(up)
	var gapDown, gapUp *big.Rat
	if f.finite(down) {
		gapDown = new(big.Rat).Sub(v, f.value(down))
		w.Down = short(gapDown)
	}
	if f.finite(up) {
		gapUp = new(big.Rat).Sub(f.value(up), v)
		w.Up = short(gapUp)
	}
	if typed.rat == nil {
		return
	}
	off := new(big.Rat).Sub(v, typed.rat)
	gap := gapUp
	if off.Sign() > 0 || gap == nil {
		gap = gapDown
	}
	ratio, _ := new(big.Rat).Quo(off, gap).Float64()
	at := -ratio
	if w.At = &at; off.Sign() == 0 {
		w.Error = "none: exact"
		return
	}
	w.Error = fmt.Sprintf("%s, %s of the spacing", signed(off), percent(ratio))
	if abs == 0 {
		w.Notes = append(w.Notes, "underflow: too small for any number but 0")
	} else if w.Kind == "subnormal" {
		w.Notes = append(w.Notes, "subnormal: fewer significant bits than a normal number")
	}
}

func percent(ratio float64) string { return fmt.Sprintf("%.3g %%", math.Abs(ratio)*100) }

func signed(r *big.Rat) string {
	s := short(r)
	if r.Sign() > 0 {
		s = "+" + s
	}
	return s
}

// short writes a fraction with few digits.
func short(r *big.Rat) string {
	return new(big.Float).SetPrec(64).SetRat(r).Text('g', 4)
}

// maxDigits is how many significant digits of an exact value are written.
const maxDigits = 60

// exact writes a fraction whose denominator is a power of two with all its digits, or the first of them and how many
// there are.
func exact(r *big.Rat) string {
	if r.IsInt() {
		s := r.Num().String()
		if len(s) <= maxDigits+1 {
			return s
		}
	}
	twos := r.Denom().BitLen() - 1 // as many digits stand behind the point
	s := r.FloatString(twos)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	digits := strings.TrimLeft(strings.Replace(s, ".", "", 1), "0")
	if strings.Contains(s, ".") {
		digits = strings.TrimRight(digits, "0")
	}
	if len(digits) <= maxDigits && (len(s) <= maxDigits+12) {
		return sign + s
	}
	e := len(strings.SplitN(s, ".", 2)[0]) - 1
	if r.Num().CmpAbs(r.Denom()) < 0 {
		zeros := len(s) - len(strings.TrimLeft(s[2:], "0")) - 2
		e = -zeros - 1
	}
	tail := ""
	if len(digits) > maxDigits {
		tail = fmt.Sprintf("… (%d digits)", len(digits))
	}
	shown := digits[:min(len(digits), maxDigits)]
	return fmt.Sprintf("%s%s.%s%s × 10^%d", sign, shown[:1], shown[1:], tail, e)
}

// intWord describes an integer in two's complement.
func intWord(r exactly, size int, isSigned bool, name string, held *uint64) BitsWord {
	if r.rat == nil {
		panic(tensor.Errorf("bits", "an integer is neither infinite nor NaN"))
	}
	n := new(big.Int).Quo(r.rat.Num(), r.rat.Denom())
	w := BitsWord{Kind: "integer"}
	if !r.rat.IsInt() {
		w.Notes = append(w.Notes, "the fraction is cut off")
	}
	lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(size))
	if isSigned {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	hi.Sub(hi, big.NewInt(1))
	whole := new(big.Int).Lsh(big.NewInt(1), uint(size))
	low := new(big.Int).Mod(n, whole)
	bits := low.Uint64()
	if held != nil {
		bits = *held
		low.SetUint64(bits)
	}
	v := new(big.Int).Set(low)
	if isSigned && low.Bit(size-1) == 1 {
		v.Sub(v, whole)
	}
	all := fmt.Sprintf("%0*b", size, bits)
	w.Hex, w.Value = fmt.Sprintf("0x%0*x", size/4, bits), v.String()
	rest := new(big.Int).Set(low)
	if isSigned {
		rest.SetBit(rest, size-1, 0)
		sign := "0: not negative"
		w.Sum = rest.String()
		if all[0] == '1' {
			sign = fmt.Sprintf("1: −2^%d", size-1)
			w.Sum = fmt.Sprintf("−2^%d + %s", size-1, rest)
		}
		w.Fields = []BitsField{{"sign", all[:1], sign}, {"value", all[1:], rest.String()}}
	} else {
		w.Sum = rest.String()
		w.Fields = []BitsField{{"value", all, rest.String()}}
	}
	if n.Cmp(lo) < 0 || n.Cmp(hi) > 0 {
		w.Notes = append(w.Notes, fmt.Sprintf("%s does not fit: %s holds %s to %s; the low %d bits are %s",
			draw.Clip(n.String(), 40), name, lo, hi, size, v))
	}
	one := big.NewInt(1)
	if v.Cmp(lo) > 0 {
		w.Below, w.Down = new(big.Int).Sub(v, one).String(), "1"
	}
	if v.Cmp(hi) < 0 {
		w.Above, w.Up = new(big.Int).Add(v, one).String(), "1"
	}
	if w.Above == "" {
		w.Notes = append(w.Notes, fmt.Sprintf("the largest %s: adding 1 gives %s", name, lo))
	}
	return w
}

// boolWord describes a bool: a byte of which one bit counts.
func boolWord(r exactly, held *uint64) BitsWord {
	on := r.rat == nil || r.rat.Sign() != 0
	if held != nil {
		on = *held != 0
	}
	w := BitsWord{Kind: "bool", Hex: "0x00", Value: "false", Sum: "0 is false, 1 is true"}
	bit := "0"
	if on {
		w.Hex, w.Value, bit = "0x01", "true", "1"
	}
	w.Fields = []BitsField{{"unused", "0000000", "always 0"}, {"value", bit, w.Value}}
	return w
}

// realOf is a float64, exactly.
func realOf(f float64) exactly {
	r := exactly{neg: math.Signbit(f), inf: math.IsInf(f, 0)}
	if !r.inf && f == f {
		r.rat = new(big.Rat)
		r.rat.SetFloat64(f)
	}
	return r
}

// unsigned reports whether an integer dtype has no sign.
func unsigned(d tensor.Dtype) bool {
	return d == tensor.Uint8 || d == tensor.Uint16 || d == tensor.Uint32 || d == tensor.Uint64
}

// numberOfTensor reads the bits of a tensor's one element.
func numberOfTensor(x *tensor.Tensor) bitsNumber {
	switch {
	case x == nil:
		panic(tensor.Errorf("bits", "the tensor is nil"))
	case x.Numel() != 1:
		panic(tensor.Errorf("bits", "wants one number, and the tensor has shape %v", x.Shape()).
			WithHint("index one element: %bits x[0]"))
	case x.Device() == tensor.Meta:
		panic(tensor.Errorf("bits", "a meta tensor has no values"))
	}
	d := x.Dtype()
	n := bitsNumber{text: draw.LabelOf("Bits", x), held: d, dtypes: []tensor.Dtype{d}, complex: d.IsComplex()}
	word := func(of tensor.Dtype, bits uint64) {
		n.bits = append(n.bits, bits)
		r := exactly{}
		if f, ok := floatFormats[of]; ok {
			r = exactly{neg: bits&f.sign() != 0, inf: bits&^f.sign() == f.inf()}
			if f.finite(bits) {
				r.rat = f.value(bits)
			}
		} else {
			v := int64(bits)
			if s := 64 - 8*of.Size(); !unsigned(of) && of != tensor.Bool {
				v = v << s >> s
			}
			r.rat, r.neg = new(big.Rat).SetInt64(v), v < 0
			if of == tensor.Uint64 {
				r.rat, r.neg = new(big.Rat).SetInt(new(big.Int).SetUint64(bits)), false
			}
		}
		n.parts = append(n.parts, r)
	}
	switch v := tensor.DataOf(x).(type) {
	case []float64:
		word(d, math.Float64bits(v[0]))
	case []float32:
		word(d, uint64(math.Float32bits(v[0])))
	case []tensor.Half:
		word(d, uint64(v[0]))
	case []tensor.BF16:
		word(d, uint64(v[0]))
	case []tensor.F8E4M3FN:
		word(d, uint64(v[0]))
	case []tensor.F8E5M2:
		word(d, uint64(v[0]))
	case []tensor.ComplexHalf:
		word(tensor.Float16, uint64(v[0].Re))
		word(tensor.Float16, uint64(v[0].Im))
	case []complex64:
		word(tensor.Float32, uint64(math.Float32bits(real(v[0]))))
		word(tensor.Float32, uint64(math.Float32bits(imag(v[0]))))
	case []complex128:
		word(tensor.Float64, math.Float64bits(real(v[0])))
		word(tensor.Float64, math.Float64bits(imag(v[0])))
	default: // integers and bool
		s, _ := tensor.ScalarOf(reflect.ValueOf(v).Index(0).Interface())
		word(d, s.Uint()&(1<<(8*d.Size())-1))
	}
	return n
}

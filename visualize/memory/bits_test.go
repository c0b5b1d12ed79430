package memory

import (
	"math"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"gotorch/tensor"
)

// Rounding is held against the machine's, and the exact decimal against the number read back.
func TestBitsRound(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 20000 {
		f := math.Float64frombits(r.Uint64())
		if r.Intn(2) == 0 { // where the narrow formats have numbers
			f = math.Ldexp(r.Float64()-0.5, r.Intn(60)-40)
		}
		if f != f || math.IsInf(f, 0) {
			continue
		}
		x := realOf(f)
		if got := floatFormats[tensor.Float64].round(x); got != math.Float64bits(f) {
			t.Fatalf("%g: %x, want %x", f, got, math.Float64bits(f))
		}
		if got := floatFormats[tensor.Float32].round(x); got != uint64(math.Float32bits(float32(f))) {
			t.Fatalf("%g as float32: %x, want %x", f, got, math.Float32bits(float32(f)))
		}
		s := realOf(float64(float32(f))) // what the narrow formats are made from
		if s.rat == nil {
			continue
		}
		if got := floatFormats[tensor.Float16].round(s); got != uint64(tensor.ToHalf(float32(f))) {
			t.Fatalf("%g as float16: %x, want %x", f, got, tensor.ToHalf(float32(f)))
		}
		if got := floatFormats[tensor.Bfloat16].round(s); got != uint64(tensor.ToBF16(float32(f))) {
			t.Fatalf("%g as bfloat16: %x, want %x", f, got, tensor.ToBF16(float32(f)))
		}
	}
}

// Every pattern of the two formats of 8 bits, and what numbers are rounded to.
func TestBitsFloat8(t *testing.T) {
	for d, values := range map[tensor.Dtype]func(uint8) float32{
		tensor.Float8E4m3fn: func(b uint8) float32 { return tensor.F8E4M3FN(b).Float32() },
		tensor.Float8E5m2:   func(b uint8) float32 { return tensor.F8E5M2(b).Float32() },
	} {
		f := floatFormats[d]
		for b := range uint64(256) {
			want := float64(values(uint8(b)))
			if finite := want-want == 0; finite != f.finite(b) {
				t.Fatalf("%s: %x is %s, want %g", d, b, f.text(b), want)
			} else if got, _ := f.value(b).Float64(); finite && got != want {
				t.Fatalf("%s: %x is %g, want %g", d, b, got, want)
			}
		}
		for i := range 1 << 16 {
			h := tensor.Half(i).Float32()
			want := uint64(tensor.ToF8E4M3FN(h))
			if d == tensor.Float8E5m2 {
				want = uint64(tensor.ToF8E5M2(h))
			}
			if got := f.round(realOf(float64(h))); h == h && got != want {
				t.Fatalf("%s: %g becomes %x, want %x", d, h, got, want)
			}
		}
	}
	for text, want := range map[string]string{"1000": "NaN", "448": "448", "0.3": "0.3125"} {
		if got := Bits(text, tensor.Float8E4m3fn).Words[0].Value; got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	x := tensor.New([]uint64{math.MaxUint64})
	if got := Bits(x).Words[0].Value; got != "18446744073709551615" {
		t.Errorf("uint64: %s", got)
	}
}

// Every pattern of float16: what it means, and its neighbours.
func TestBitsHalf(t *testing.T) {
	f := floatFormats[tensor.Float16]
	for b := range uint64(1 << 16) {
		want := tensor.Half(b).Float32()
		if !f.finite(b) {
			if text := f.text(b); (text == "NaN") != (want != want) {
				t.Fatalf("%x is %s, want %g", b, text, want)
			}
			continue
		}
		if got, _ := f.value(b).Float64(); got != float64(want) {
			t.Fatalf("%x is %g, want %g", b, got, want)
		}
		up := f.step(b, true)
		if back := f.step(up, false); f.finite(up) && f.value(back).Cmp(f.value(b)) != 0 ||
			f.finite(up) && f.value(up).Cmp(f.value(b)) <= 0 {
			t.Fatalf("the number above %x is %x, below that %x", b, up, back)
		}
	}
}

func TestBitsExact(t *testing.T) {
	for _, s := range []string{"0.1", "-2.5", "1e300", "3", "1e-10", "0.0009765625", "123456789012345678901234567890"} {
		r := numberOfText(s).parts[0]
		for d, f := range floatFormats {
			bits := f.round(r)
			if !f.finite(bits) || strings.Contains(f.text(bits), "…") {
				continue
			}
			text := strings.Replace(f.text(bits), " × 10^", "e", 1)
			back, ok := new(big.Rat).SetString(text)
			if !ok || back.Cmp(f.value(bits)) != 0 {
				t.Errorf("%s as %s is written %s, which is %v", s, d, f.text(bits), back)
			}
		}
	}
	if got := exact(floatFormats[tensor.Float64].value(1)); got != "4.94065645841246544176568792868221372365059802614324764425585… (751 digits) × 10^-324" {
		t.Error(got)
	}
}

func TestBitsWords(t *testing.T) {
	for _, c := range []struct {
		v      any
		d      tensor.Dtype
		want   []string
		absent string
	}{
		{"0.1", tensor.Float32, []string{"0 01111011 10011001100110011001101", "0.100000001490116119384765625", "+1.49e-09",
			"0.0999999940395355224609375"}, ""},
		{0.1, tensor.Float64, []string{"none: exact", "0.1000000000000000055511151231257827021181583404541015625"}, ""},
		{"1e6", tensor.Float16, []string{"infinity", "overflow", "65504"}, ""},
		{"1e-30", tensor.Float16, []string{"zero", "underflow"}, ""},
		{"-0", tensor.Float32, []string{"1 00000000", "-0"}, ""},
		{"nan", tensor.Float32, []string{"quiet NaN with payload 0"}, "error"},
		{"-inf", tensor.Float64, []string{"1 11111111111", "-Inf"}, "error"},
		{-3, tensor.Int8, []string{"1 1111101", "−2^7 + 125", "below  -4"}, "note"},
		{300, tensor.Int8, []string{"does not fit", "00 101100"[3:]}, ""},
		{127, tensor.Int8, []string{"adding 1 gives -128"}, "above"},
		{true, tensor.Bool, []string{"0000000 1"}, ""},
		{2 - 0.5i, tensor.Complex64, []string{"real part", "imaginary part", "-0.5"}, ""},
	} {
		text := Bits(c.v, c.d).String()
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%v as %s lacks %q:\n%s", c.v, c.d, w, text)
			}
		}
		if c.absent != "" && strings.Contains(text, c.absent) {
			t.Errorf("%v as %s has %q:\n%s", c.v, c.d, c.absent, text)
		}
	}
	payload := tensor.FromSlice([]float32{math.Float32frombits(0x7fc00005)}, 1)
	if text := Bits(payload).String(); !strings.Contains(text, "payload 5") {
		t.Error(text)
	}
	for _, bad := range []any{"1e99999", "x", "1/3", "", tensor.Zeros(2), nil, []int{1}} {
		if err := tensor.Try(func() { Bits(bad) }); err == nil {
			t.Errorf("Bits(%v) is no error", bad)
		}
	}
}

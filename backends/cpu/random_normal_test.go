package cpu_test

import (
	"hash/crc32"
	"math"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestNormalBits compares with the checksums of PyTorch 1.13's numbers on a machine with AVX2: 16 and more are made in
// groups, by logarithms and sines of its own.
func TestNormalBits(t *testing.T) {
	for _, c := range []struct {
		seed             int
		n                int
		standard, scaled uint32 // of normal_(0, 1) and normal_(-1.5, 2.5)
	}{
		{0, 16, 0x8901a57a, 0x8708d29c},
		{0, 17, 0xa09a670f, 0x60e6e054},
		{0, 100, 0xf42887e4, 0xb7bde578},
		{0, 1000, 0xc9069c66, 0x400ee0d4},
		{7, 16, 0x375eb9de, 0xd0ddc660},
		{7, 17, 0x4eab5b69, 0x7349f940},
		{7, 100, 0x8411b592, 0xca1ab551},
		{7, 1000, 0x28adb5bb, 0x1f672872},
		{2026, 16, 0xc2c6999c, 0x6185cb18},
		{2026, 17, 0x0c3a729b, 0x4a46fd1a},
		{2026, 100, 0x9f657737, 0x781447e8},
		{2026, 1000, 0x9ee1e56c, 0x35199b36},
	} {
		sum := func(mean, std float64) uint32 {
			tensor.ManualSeed(c.seed)
			h := crc32.NewIEEE()
			x := tensor.With(tensor.Float32).Empty(c.n).Normal_(opt.Mean(mean), opt.Std(std))
			for _, v := range tensor.Data[float32](x) {
				b := math.Float32bits(v)
				h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
			}
			return h.Sum32()
		}
		if got := sum(0, 1); got != c.standard {
			t.Errorf("seed %d: %d standard numbers differ", c.seed, c.n)
		}
		if got := sum(-1.5, 2.5); got != c.scaled {
			t.Errorf("seed %d: %d scaled numbers differ", c.seed, c.n)
		}
	}
}

// TestNormalParts draws complex numbers that lie apart, one by one as PyTorch does, and float16 with its fused step.
func TestNormalParts(t *testing.T) {
	tensor.ManualSeed(5)
	x := tensor.With(tensor.Complex64).Zeros(40).Slice(opt.Step(2)).Normal_()
	for i, want := range map[int]complex128{
		0: -0.34420597553253174 - 0.4269663393497467i, 7: 0.4841151535511017 + 0.4058804214000702i,
		19: -0.2822626233100891 + 0.8593809604644775i,
	} {
		if x.At(i) != want {
			t.Errorf("number %d is %v, want %v", i, x.At(i), want)
		}
	}
	if next := tensor.Rand(1).Item(); next != 0.3289841413497925 {
		t.Errorf("then comes %v", next)
	}
	tensor.ManualSeed(100002)
	h := tensor.With(tensor.Float16).Zeros(1000).Normal_(opt.Mean(1.5), opt.Std(2.25))
	if h.At(808) != -0.93994140625 {
		t.Errorf("number 808 of float16 is %v", h.At(808))
	}
}

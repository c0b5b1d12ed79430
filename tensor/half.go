package tensor

import "gotorch/internal/simd"

// Half is an IEEE 754 binary16 number: a sign, 5 bits of exponent, 10 of fraction.
//
//gotorch:internal
type Half uint16

// BF16 is a bfloat16 number: the upper half of a float32.
//
//gotorch:internal
type BF16 uint16

// Float32 widens h; every Half is a float32.
func (h Half) Float32() float32 { return simd.FromHalf(uint16(h)) }

// ToHalf rounds f to the nearest Half, ties to even; beyond 65504 it is an infinity.
//
//gotorch:internal
func ToHalf(f float32) Half { return Half(simd.ToHalf(f)) }

// Float32 widens b; every BF16 is a float32.
func (b BF16) Float32() float32 { return simd.FromBF16(uint16(b)) }

// ToBF16 rounds f to the nearest BF16, ties to even.
//
//gotorch:internal
func ToBF16(f float32) BF16 { return BF16(simd.ToBF16(f)) }

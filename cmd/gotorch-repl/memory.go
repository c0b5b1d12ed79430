package main

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	"gotorch/tensor"
)

// byteSize is a number of bytes as people write it: 512M, 1.5GiB, 2GB. 0 stands for none.
type byteSize int

var sizeText = regexp.MustCompile(`^(?i)([0-9]+(?:\.[0-9]+)?) ?([kmgt]?)(i?)(b?)$`)

// UnmarshalText reads a size: K, M, G and T, also with iB, are powers of 1024; kB, MB, GB and TB of 1000.
func (s *byteSize) UnmarshalText(text []byte) error {
	m := sizeText.FindStringSubmatch(strings.TrimSpace(string(text)))
	if m == nil || m[2] == "" && m[3] != "" {
		return fmt.Errorf("%q is no size; write 512M, 1.5GiB or 2GB", text)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return fmt.Errorf("%q is no size: %w", text, err)
	}
	base := 1024.0
	if m[3] == "" && m[4] != "" {
		base = 1000
	}
	n *= math.Pow(base, float64(strings.Index("bkmgt", cmp.Or(strings.ToLower(m[2]), "b"))))
	if n < 1<<20 || n > 1<<62 {
		return fmt.Errorf("%q is no size for the memory of tensors; the least is 1M", text)
	}
	*s = byteSize(n)
	return nil
}

// String is the size as the flag takes it.
func (s byteSize) String() string {
	n, unit := int(s), 0
	for n >= 1024 && n%1024 == 0 && unit < 4 {
		n /= 1024
		unit++
	}
	return strconv.Itoa(n) + []string{"", "KiB", "MiB", "GiB", "TiB"}[unit]
}

// apply makes the size the budget of tensors. What is not counted there, small tensors and a cell's own values, has a quarter more, at least
// 64 MiB: near that the collector works harder, but nothing is refused.
func (s byteSize) apply() {
	if s > 0 {
		tensor.SetMemoryBudget(int(s))
		debug.SetMemoryLimit(int64(s) + max(int64(s)/4, 64<<20))
	}
}

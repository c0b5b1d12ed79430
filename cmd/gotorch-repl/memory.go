package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/tensor"
)

// byteSize is a number of bytes as people write it: 512M, 1.5GiB, 2GB. 0 stands for none.
type byteSize int

var sizeText = lazyre.New(`^(?i)([0-9]+(?:\.[0-9]+)?) ?([kmgt]?)(i?)(b?)$`)

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

// limitMemory sets how much tensors may use, and near which use the collector works harder.
func limitMemory() {
	// What is not counted as tensors, small ones and a cell's own values, has a quarter more, at least 64 MiB: nothing is
	// rejected there.
	if n := int64(cli.Memory); n > 0 {
		tensor.SetMemoryBudget(int(n))
		debug.SetMemoryLimit(n + max(n/4, 64<<20))
		return
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		go func() { debug.SetMemoryLimit(int64(tensor.MemoryBudget())) }() // the files that say it take a while to read
	}
}

// Package bytesize writes numbers of bytes for people.
package bytesize

import (
	"fmt"
	"strings"
)

var units = []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// Text is n bytes in the largest unit, a power of 1024, of which there is at least one, with one decimal where that is
// not 0: 48 B, 5.3 KiB, 12 MiB.
func Text[N int | int64 | float64](n N) string {
	f, unit := float64(n), 0
	for f >= 1024 && unit < len(units)-1 {
		f, unit = f/1024, unit+1
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") + " " + units[unit]
}

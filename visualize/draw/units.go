package draw

import (
	"regexp"
	"strings"
)

// unitNames are what numbers are told in.
const unitNames = `(?:B|KiB|MiB|GiB|TiB|PiB|EiB|ns|µs|ms|s)`

var (
	unitWord   = regexp.MustCompile(`^` + unitNames + `[,;.)]*$`)
	beforeUnit = regexp.MustCompile(`(\d) (` + unitNames + `)([^\pL\d]|$)`)
)

// IsUnit reports whether a word is a unit, perhaps with a comma behind it.
func IsUnit(word string) bool { return unitWord.MatchString(word) }

// KeepUnits ties numbers in HTML to their units: a page that is narrow does not break the line between them.
func KeepUnits(html string) string { return beforeUnit.ReplaceAllString(html, "$1&#160;$2$3") }

// KeepNames ties names in HTML to the numbers behind them.
func KeepNames(html string, names ...string) string {
	for _, name := range names {
		html = strings.ReplaceAll(html, name+" ", name+"&#160;")
	}
	return html
}

package shell

import (
	"slices"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
)

// Note: letters by name. \alpha and Tab is α, as in Julia: Go's names may be of any script's letters. Signs such as ∂
// and x₁ are no letters to Go, and are not offered.

// letters are the names, LaTeX's, of letters that no keyboard has. Those of Greek's with a capital of their own are
// there twice.
var letters = func() map[string]string {
	m := map[string]string{"ell": "ℓ", "hbar": "ħ", "varepsilon": "ɛ", "vartheta": "ϑ", "varphi": "ϕ", "Re": "ℜ",
		"Im": "ℑ", "aleph": "ℵ", "ss": "ß", "ae": "æ", "oe": "œ", "o": "ø", "aa": "å"}
	greek := []rune("αβγδεζηθικλμνξοπρστυφχψω")
	for i, name := range strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi " +
		"omicron pi rho sigma tau upsilon phi chi psi omega") {
		m[name] = string(greek[i])
		m[strings.ToUpper(name[:1])+name[1:]] = strings.ToUpper(string(greek[i]))
	}
	return m
}()

var letterName = lazyre.New(`\\[A-Za-z]+$`)

// CompleteLetter completes \al before the cursor, outside of quotes; a whole name is its letter alone.
func CompleteLetter(src string, cursor int) (c check.Completion, ok bool) {
	typed := letterName.FindString(src[:cursor])
	if typed == "" {
		return c, false
	}
	if _, _, quoted := check.StringAt(src, cursor); quoted {
		return c, false
	}
	c.Start, c.End = cursor-len(typed), cursor
	if l := letters[typed[1:]]; l != "" {
		c.Candidates = []check.Candidate{{Text: l, Type: "letter", Sig: typed}}
		return c, true
	}
	for name, l := range letters {
		if strings.HasPrefix(name, typed[1:]) {
			c.Candidates = append(c.Candidates, check.Candidate{Text: l, Type: "letter", Sig: "\\" + name})
		}
	}
	slices.SortFunc(c.Candidates, func(a, b check.Candidate) int { return strings.Compare(a.Sig, b.Sig) })
	return c, len(c.Candidates) > 0
}

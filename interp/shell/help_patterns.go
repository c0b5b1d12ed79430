package shell

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/result"
	"gotorch/interp/values"
)

// Note: names by a pattern
//
// *pool*? lists the names that a cell may write and that match, in either case, x.*sum*? and strings.*Index*? those
// that stand after the dot, as IPython's question marks and its %psearch do. PyTorch's packages are left out:
// torch.*pool*? is *pool*?.

var (
	namePattern = lazyre.New(`^[\pL\pN_.*]+$`)
	pythonsOwn  = lazyre.New(`^(?:torch|np|numpy|nn|F|functional)\.(?:\w+\.)*`)
)

// isPattern reports whether what help is asked for is a pattern of names.
func isPattern(text string) bool {
	return strings.Contains(text, "*") && strings.Trim(text, "*.") != "" && namePattern.MatchString(text) &&
		!strings.Contains(text[:strings.LastIndexByte(text, '.')+1], "*")
}

// mostNames is how many names are listed.
const mostNames = 60

// matching lists the names that a pattern takes.
func (s *Shell) matching(pattern string) ([]Value, *Error) {
	at := strings.LastIndexByte(pattern, '.') + 1
	before := pythonsOwn.ReplaceAllString(pattern[:at], "")
	wanted := strings.ToLower(pattern[at:])
	env, done := s.Env()
	all := check.Complete(env, before, len(before)).Candidates
	done()
	var found [][2]string
	wide := 0
	for _, c := range all {
		if ok, _ := path.Match(wanted, strings.ToLower(c.Text)); !ok || c.Type == "keyword" || values.IsOut(c.Text) {
			continue
		}
		found = append(found, [2]string{before + c.Text, strings.TrimSpace(strings.TrimPrefix(c.Sig, "func"))})
		wide = max(wide, uniseg.StringWidth(before+c.Text))
	}
	if len(found) == 0 {
		return nil, usage("no name is like %s", pattern)
	}
	slices.SortFunc(found, func(a, b [2]string) int {
		return strings.Compare(strings.ToLower(a[0]), strings.ToLower(b[0]))
	})
	var b strings.Builder
	for _, f := range found[:min(len(found), mostNames)] {
		b.WriteString(strings.TrimRight(padded(f[0], wide)+"  "+f[1], " ") + "\n")
	}
	if more := len(found) - mostNames; more > 0 {
		fmt.Fprintf(&b, "… and %d more\n", more)
	}
	return result.Text(strings.TrimRight(b.String(), "\n")), nil
}

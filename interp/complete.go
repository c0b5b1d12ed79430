package interp

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/shell"
	"gotorch/interp/task"
	"gotorch/interp/values"
	"gotorch/tensor"
)

// Note: questions about a cell that is being typed. It may contain prompts, commands and _, which are not Go: they are
// blanked or replaced, which keeps all offsets, before package check looks at the rest.

// Complete returns the candidates at the cursor, a byte offset into src.
func (s *Session) Complete(src string, cursor int) check.Completion {
	src, cursor, shift := partNear(src, min(max(cursor, 0), len(src)))
	c := s.complete(src, cursor)
	c.Start, c.End = c.Start+shift, c.End+shift
	return c
}

func (s *Session) complete(src string, cursor int) check.Completion {
	goSrc, m := shell.AsGo(src, cursor)
	if c, ok := shell.Complete(src, cursor, m); ok {
		return c
	}
	if c, ok := shell.CompleteLetter(goSrc, cursor); ok {
		return c
	}
	quiet, done := s.quiet() // or values may be changing
	defer done()
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, quote, ok := check.StringAt(goSrc, cursor); ok && quote != '\'' {
		if c, ok := s.completeKey(goSrc, at, cursor, quiet); ok {
			return c
		}
		if c := check.Complete(s.env, goSrc, cursor); len(c.Candidates) > 0 {
			return c
		}
		return shell.CompleteFile(src, at, cursor, quote)
	}
	goSrc, shift := s.withLast(goSrc, cursor)
	c := check.Complete(s.env, goSrc, cursor+shift)
	c.Start, c.End = c.Start-shift, c.End-shift
	for i, k := range c.Candidates {
		if k.Def != nil && quiet {
			if sum := values.Brief(k.Def); sum != "" {
				c.Candidates[i].Sig = sum
			}
		}
	}
	// what is Out[3] has a name that nobody types
	c.Candidates = slices.DeleteFunc(c.Candidates, func(k check.Candidate) bool {
		return k.Def != nil && values.IsOut(k.Text) && (c.Start == c.End || src[c.Start] != '_')
	})
	return c
}

var shownBefore = lazyre.New(`(^|[^\pL\pN_.])(_\d*|Out\[\d+\])((?:\[[^\]]*\]|\.[\pL\pN_.]+|\([^()]*\))*\.[\pL\pN_]*)$`)

// withLast writes something of the same type in place of a _, _3 or Out[3] that a dot follows before the cursor: they
// are made only when a cell that names them runs.
func (s *Session) withLast(src string, cursor int) (string, int) {
	m := shownBefore.Re().FindStringSubmatchIndex(src[:cursor])
	if m == nil {
		return src, 0
	}
	n := s.history.last
	if digits := strings.Trim(src[m[4]:m[5]], "_Out[]"); digits != "" {
		n, _ = strconv.Atoi(digits)
	}
	if _, ok := s.history.vals[n].(*tensor.Tensor); !ok {
		return src, 0
	}
	const same = "(*Tensor)(nil)"
	return src[:m[4]] + same + src[m[5]:], len(same) - (m[5] - m[4])
}

var mapIndex = lazyre.New(`(?:^|[^\pL\pN_.])([\pL_][\pL\pN_]*)\[["` + "`]$")

// completeKey completes the keys of a map that a variable holds: m["al.
func (s *Session) completeKey(src string, at, cursor int, quiet bool) (c check.Completion, ok bool) {
	m := mapIndex.FindStringSubmatch(src[:at])
	if m == nil || !quiet {
		return c, false
	}
	d := s.env.Lookup(m[1])
	if d == nil {
		return c, false
	}
	v := values.Of(d)
	if !v.IsValid() || v.Kind() != reflect.Map || v.Type().Key().Kind() != reflect.String || v.Len() > 10000 {
		return c, false
	}
	done, ok := task.Reading(v.Pointer())
	if !ok {
		return c, false
	}
	defer done()
	c.Start, c.End = at, cursor
	for _, k := range v.MapKeys() {
		if q := strconv.Quote(k.String()); strings.HasPrefix(q[1:], src[at:cursor]) {
			c.Candidates = append(c.Candidates, check.Candidate{Text: q[1 : len(q)-1], Type: "key"})
		}
	}
	slices.SortFunc(c.Candidates, func(a, b check.Candidate) int { return strings.Compare(a.Text, b.Text) })
	return c, true
}

// Signature is the call whose arguments are being typed at the cursor.
func (s *Session) Signature(src string, cursor int) (check.Signature, bool) {
	src, cursor, _ = partNear(src, min(max(cursor, 0), len(src)))
	goSrc, _ := shell.AsGo(src, cursor)
	s.mu.Lock()
	defer s.mu.Unlock()
	return check.SignatureAt(s.env, goSrc, cursor)
}

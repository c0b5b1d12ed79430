package std

import (
	"io"
	"regexp"
	"strings"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Replacements of texts for cells: how long the result will be is known before it is made.

// few are so many bytes that nothing is counted for.
const few = 1 << 24

// regexpReplaced checks the length of what a replacement of all matches in s makes.
func regexpReplaced(name string, re *regexp.Regexp, s, by int, dollars int, count func() int) {
	if float64(s+1)*float64(by+1) < few && dollars < 1000 {
		return
	}
	n := count()
	rt.Fits(name, int(min(float64(s)+float64(n)*float64(by)+float64(dollars)*float64(s), 1<<62)))
}

// apart computes what an interrupt need not wait for.
func apart[T any](f func() T) (out T) {
	result := new(T)
	if task.Detach(func() { *result = f() }) {
		out = *result
	}
	return out
}

// replaceMethods are those of regexp.Regexp that make a text.
var replaceMethods = map[string]func(e *env.Env) any{
	"Regexp.ReplaceAllString": func(*env.Env) any {
		return func(re *regexp.Regexp, s, by string) string {
			return apart(func() string {
				regexpReplaced("regexp.ReplaceAllString", re, len(s), len(by), strings.Count(by, "$"),
					func() int { return len(re.FindAllStringIndex(s, -1)) })
				return re.ReplaceAllString(s, by)
			})
		}
	},
	"Regexp.ReplaceAllLiteralString": func(*env.Env) any {
		return func(re *regexp.Regexp, s, by string) string {
			return apart(func() string {
				regexpReplaced("regexp.ReplaceAllLiteralString", re, len(s), len(by), 0,
					func() int { return len(re.FindAllStringIndex(s, -1)) })
				return re.ReplaceAllLiteralString(s, by)
			})
		}
	},
	"Regexp.ReplaceAll": func(*env.Env) any {
		return func(re *regexp.Regexp, s, by []byte) []byte {
			return apart(func() []byte {
				regexpReplaced("regexp.ReplaceAll", re, len(s), len(by), strings.Count(string(by), "$"),
					func() int { return len(re.FindAllIndex(s, -1)) })
				return re.ReplaceAll(s, by)
			})
		}
	},
	"Regexp.ReplaceAllLiteral": func(*env.Env) any {
		return func(re *regexp.Regexp, s, by []byte) []byte {
			return apart(func() []byte {
				regexpReplaced("regexp.ReplaceAllLiteral", re, len(s), len(by), 0,
					func() int { return len(re.FindAllIndex(s, -1)) })
				return re.ReplaceAllLiteral(s, by)
			})
		}
	},
	"Regexp.ReplaceAllStringFunc": func(*env.Env) any {
		return func(re *regexp.Regexp, s string, by func(string) string) string {
			n := 0
			out := ""
			task.Stoppable(func(stop func()) {
				out = re.ReplaceAllStringFunc(s, func(m string) string {
					stop()
					text := by(m)
					if n += len(text); len(text) >= 1<<10 {
						rt.Append(n-len(text), n-len(text), len(text), 1)
					}
					return text
				})
			})
			return out
		}
	},
}

// replacerMethods are those of strings.Replacer.
var replacerMethods = map[string]func(e *env.Env) any{
	"Replacer.Replace": func(*env.Env) any {
		return func(r *strings.Replacer, s string) string {
			if len(s) < 1<<12 {
				return r.Replace(s)
			}
			var b checkedText
			task.Stoppable(func(stop func()) {
				b.stop = stop
				r.WriteString(&b, s)
			})
			return b.String()
		}
	},
}

// checkedText is a text that grows as long as there is memory.
type checkedText struct {
	strings.Builder
	stop func()
}

var _ io.StringWriter = new(checkedText)

func (b *checkedText) WriteString(s string) (int, error) {
	if b.Len()+len(s) > b.Cap() {
		b.stop()
		rt.Append(b.Len(), b.Cap(), len(s), 1)
	}
	return b.Builder.WriteString(s)
}

func (b *checkedText) Write(s []byte) (int, error) {
	if b.Len()+len(s) > b.Cap() {
		b.stop()
		rt.Append(b.Len(), b.Cap(), len(s), 1)
	}
	return b.Builder.Write(s)
}

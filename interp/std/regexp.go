package std

import (
	"io"
	"maps"
	"regexp"
	"strings"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Replacements in strings for cells: the length of the result is known before it is made.

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
					func() int { return countMatches(re, s) })
				return re.ReplaceAllString(s, by)
			})
		}
	},
	"Regexp.ReplaceAllLiteralString": func(*env.Env) any {
		return func(re *regexp.Regexp, s, by string) string {
			return apart(func() string {
				regexpReplaced("regexp.ReplaceAllLiteralString", re, len(s), len(by), 0,
					func() int { return countMatches(re, s) })
				return re.ReplaceAllLiteralString(s, by)
			})
		}
	},
	"Regexp.ReplaceAll": func(*env.Env) any {
		return func(re *regexp.Regexp, s, by []byte) []byte {
			return apart(func() []byte {
				regexpReplaced("regexp.ReplaceAll", re, len(s), len(by), strings.Count(string(by), "$"),
					func() int { return countMatches(re, string(s)) })
				return re.ReplaceAll(s, by)
			})
		}
	},
	"Regexp.ReplaceAllLiteral": func(*env.Env) any {
		return func(re *regexp.Regexp, s, by []byte) []byte {
			return apart(func() []byte {
				regexpReplaced("regexp.ReplaceAllLiteral", re, len(s), len(by), 0,
					func() int { return countMatches(re, string(s)) })
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

// Note: all matches
//
// What finds all matches in a long text makes a list for each and looks at nothing, so that it would take memory long
// after the cell was stopped. So it is asked for so many matches, and again for twice as many where there are more;
// between that are looks at the memory and at the interrupt.

// firstMatches is how many it is asked for first.
const firstMatches = 1 << 16

// findAll is f, a method of regexp.Regexp that takes a text and how many matches it finds at most.
func findAll[S string | []byte, R any](name string, f func(*regexp.Regexp, S, int) []R) func(*env.Env) any {
	return func(*env.Env) any {
		return func(re *regexp.Regexp, s S, n int) []R {
			if re == nil || len(s) < firstMatches || n >= 0 && n <= firstMatches {
				return f(re, s, n)
			}
			each := 64 + 48*(re.NumSubexp()+1) // bytes of a match, about
			for k := firstMatches; ; k *= 2 {
				if task.Stopped() {
					task.ExitIfStopped()
					return nil
				}
				rt.Fits("regexp."+name, k*each)
				if n >= 0 && k >= n {
					return f(re, s, n)
				}
				if out := f(re, s, k); len(out) < k {
					return out
				}
			}
		}
	}
}

// regexpMethods are those of regexp.Regexp that are not called as they are.
var regexpMethods = func() map[string]func(e *env.Env) any {
	all := map[string]func(e *env.Env) any{
		"FindAll":                    findAll("FindAll", (*regexp.Regexp).FindAll),
		"FindAllIndex":               findAll("FindAllIndex", (*regexp.Regexp).FindAllIndex),
		"FindAllString":              findAll("FindAllString", (*regexp.Regexp).FindAllString),
		"FindAllStringIndex":         findAll("FindAllStringIndex", (*regexp.Regexp).FindAllStringIndex),
		"FindAllStringSubmatch":      findAll("FindAllStringSubmatch", (*regexp.Regexp).FindAllStringSubmatch),
		"FindAllStringSubmatchIndex": findAll("FindAllStringSubmatchIndex", (*regexp.Regexp).FindAllStringSubmatchIndex),
		"FindAllSubmatch":            findAll("FindAllSubmatch", (*regexp.Regexp).FindAllSubmatch),
		"FindAllSubmatchIndex":       findAll("FindAllSubmatchIndex", (*regexp.Regexp).FindAllSubmatchIndex),
		"Split":                      findAll("Split", (*regexp.Regexp).Split),
	}
	methods := maps.Clone(replaceMethods)
	for name, f := range all {
		methods["Regexp."+name] = f
	}
	return methods
}()

// countMatches is how many matches there are in a text, at most.
func countMatches(re *regexp.Regexp, s string) int {
	n := 0
	task.Stoppable(func(stop func()) {
		for k := firstMatches; ; k *= 2 {
			stop()
			rt.Fits("regexp", 64*k)
			if n = len(re.FindAllStringIndex(s, k)); n < k {
				return
			}
		}
	})
	return n
}

// stringsMethods are those of package strings.
var stringsMethods = map[string]func(e *env.Env) any{
	"Builder.Write":       writeBuilder,
	"Builder.WriteString": writeStringBuilder,
	"Replacer.WriteString": func(*env.Env) any {
		return func(r *strings.Replacer, w io.Writer, s string) (int, error) {
			prepare(r)
			return r.WriteString(w, s)
		}
	},
	"Replacer.Replace": func(*env.Env) any {
		return func(r *strings.Replacer, s string) string {
			prepare(r)
			if len(s) < 1<<12 {
				return r.Replace(s)
			}
			b := new(checkedText)
			task.Stoppable(func(stop func()) {
				b.stop = stop
				if !task.Detach(func() { r.WriteString(b, s) }) { // it may look for long before it writes anything
					b = new(checkedText)
				}
			})
			return b.String()
		}
	},
}

// prepare makes the tables of a replacer, which takes long for long texts.
func prepare(r *strings.Replacer) { apart(func() string { return r.Replace("") }) }

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

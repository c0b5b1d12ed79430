// Package lazyre has regular expressions that are compiled when they are first used, so that a program
// which does not use them does not pay for them at its start.
package lazyre

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression. Its methods are those of [regexp.Regexp].
type Regexp struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

// New takes an expression, which must compile: if it does not, its first use panics.
func New(expr string) *Regexp { return &Regexp{expr: expr} }

// Re is the compiled expression.
func (r *Regexp) Re() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.expr) })
	return r.re
}

// FindString is that of package regexp, as are the others.
func (r *Regexp) FindString(s string) string { return r.Re().FindString(s) }

// FindStringSubmatch is that of package regexp.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.Re().FindStringSubmatch(s) }

// FindAllString is that of package regexp.
func (r *Regexp) FindAllString(s string, n int) []string { return r.Re().FindAllString(s, n) }

// FindAllStringSubmatch is that of package regexp.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Re().FindAllStringSubmatch(s, n)
}

// FindIndex is that of package regexp.
func (r *Regexp) FindIndex(b []byte) []int { return r.Re().FindIndex(b) }

// Match is that of package regexp.
func (r *Regexp) Match(b []byte) bool { return r.Re().Match(b) }

// MatchString is that of package regexp.
func (r *Regexp) MatchString(s string) bool { return r.Re().MatchString(s) }

// ReplaceAllString is that of package regexp.
func (r *Regexp) ReplaceAllString(s, with string) string { return r.Re().ReplaceAllString(s, with) }

// ReplaceAllStringFunc is that of package regexp.
func (r *Regexp) ReplaceAllStringFunc(s string, f func(string) string) string {
	return r.Re().ReplaceAllStringFunc(s, f)
}

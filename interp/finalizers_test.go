package interp

import (
	"strings"
	"testing"
)

// Finalizers and cleanups run, also those that are function literals: what a literal does not use it does not hold.
func TestFinalizers(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, `type R struct { n int; s *string }
func (r *R) Close() { done <- "closed" }
func declared(*R) { done <- "declared" }
done := make(chan string, 100)
func wait() string {
	for range 200 {
		runtime.GC()
		select {
		case s := <-done: return s
		case <-time.After(10 * time.Millisecond):
		}
	}
	return "none"
}`)
	for _, c := range []struct{ src, want string }{
		{`runtime.SetFinalizer(r, declared)`, "declared"},
		{`runtime.SetFinalizer(r, (*R).Close)`, "closed"},
		{`runtime.SetFinalizer(r, func(r *R) { done <- fmt.Sprint(r.n) })`, "7"},
		{`k := "k"; runtime.SetFinalizer(r, func(*R) { done <- k })`, "k"},
		{`runtime.AddCleanup(r, func(n int) { done <- fmt.Sprint(n) }, 3)`, "3"},
		{`k := "k"; runtime.AddCleanup(r, func(x any) { _, ok := x.(R); done <- fmt.Sprint(k, ok) }, any(R{}))`,
			"ktrue"},
		{`runtime.AddCleanup(r, func(err error) { done <- fmt.Sprint(err) }, nil)`, "<nil>"},
		{`runtime.AddCleanup(r, func(int) { done <- "stopped" }, 3).Stop(); done <- "not run"`, "not run"},
	} {
		for _, object := range []string{"r := &R{n: 7}", "r := new(R); r.n = 7"} {
			cell(s, "func use() { "+object+"; "+c.src+" }\nuse()")
			if got := cell(s, "wait()"); strings.Trim(got, "\"\n") != c.want {
				t.Errorf("%s; %s: %s", object, c.src, got)
			}
		}
	}
}

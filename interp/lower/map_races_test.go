package lower_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
)

// TestConcurrentMaps: goroutines that use one map at once get a panic, and the session lives.
func TestConcurrentMaps(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"writes", "for i := range 8 { go func() { for j := 0; ; j++ { m[j%1000] = i } }() }\nselect {}",
			"concurrent map writes"},
		{"writes of calls", "for i := range 8 { go func() { for j := 0; ; j++ { m[f(j%1000)] = f(i) } }() }\nselect {}",
			"concurrent map writes"},
		{"counts", "for range 8 { go func() { for { m[3]++ } }() }\nselect {}", "concurrent map writes"},
		{"sums", "for range 8 { go func() { for { m[3] += f(4) } }() }\nselect {}", "concurrent map writes"},
		{"delete", "go func() { for { delete(m, 3) } }()\ngo func() { for { delete(m, 4) } }()\nfor { m[5] = 1 }",
			"concurrent map writes"},
		{"reads", "go func() { for { m[3] = 4 } }()\ngo func() { for { x := m[3]; _ = x } }()\nfor { x, ok := m[3]; _, _ " +
			"= x, ok }", "concurrent map read and map write"},
		{"fields", "type T struct{ m map[string][]int }\nt := T{map[string][]int{}}\nfor i := range 8 { go func() { for { " +
			"t.m[\"a\"] = append(t.m[\"b\"], i) } }() }\nselect {}", "concurrent map"},
		{"generic", "func put[K comparable, V any](m map[K]V, k K, v V) { for { m[k] = v } }\nfor range 4 { go put(m, 1, " +
			"2) }\nselect {}", "concurrent map writes"},
	} {
		s := interp.New(interp.Options{})
		defer s.Close()
		celltest.Cell(s, "m := map[int]int{}\nfunc f(i int) int { return i * 2 }\nkeep := 41")
		got := celltest.Cell(s, c.src)
		if !strings.Contains(got, c.want) || !strings.Contains(got, "sync.Mutex") {
			t.Errorf("%s: %s", c.name, got)
		}
		if got := celltest.Cell(s, "keep + 1"); got != "42\n" {
			t.Errorf("%s: the session gives %s", c.name, got)
		}
	}
}

// TestMapsUnderALock: goroutines that keep apart are left alone, also after one of them has failed with a map in its
// hands.
func TestMapsUnderALock(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	got := celltest.Cell(s, `var mu sync.Mutex
var wg sync.WaitGroup
m, a := map[any]int{}, map[int]map[string]int{}
func bump(k any, n int) (err any) {
	mu.Lock()
	defer mu.Unlock()
	defer func() { err = recover() }()
	m[k]++
	m[n] += n
	delete(m, -n)
	x := m[k] + m[n]
	_, ok := m[n]
	if ok && x > 0 { m["all"] = max(m["all"], m[k]) }
	return nil
}
var none map[int]int
for i := range 6 { a[i] = map[string]int{} }
for i := range 6 {
	wg.Add(1)
	go func() {
		defer wg.Done()
		for j := range 300 {
			bump("k", j)
			bump([]int{j}, j)
			func() { defer func() { recover() }(); none[j] = 1 }()
			a[i]["n"]++
		}
	}()
}
wg.Wait()
m["k"], m["all"], m[299], len(m), a[5]["n"]`)
	if want := "1800\n1800\n1794\n301\n300\n"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

package interp

import (
	"strings"
	"testing"
	"time"
)

// TestLooksRunNothing: tables and help about variables call no method of a cell's type, which might not return.
func TestLooksRunNothing(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "type K struct{ n int }\nfunc (K) String() string { for {} }\nfunc (K) Error() string { select {} }")
	cell(s, "var k any = K{3}\nvar e error = K{4}\nks := []any{K{5}}\njoined := errors.Join(K{6})")
	cell(s, "m := map[any]any{K{7}: 1}")
	cell(s, "type Net struct{ A any }\nfunc (Net) State(yield func(string, *Tensor) bool) { for {} }")
	cell(s, "var deep any\nfor range 60 {\n\tdeep = []any{deep, deep}\n}\nnet := &Net{deep}")
	cell(s, "keys := map[any]any{&deep: Ones(1)}")
	cell(s, "y := Ones(3)")
	for _, magic := range []string{"%who", "?k", "?e", "?ks", "?joined", "?m", "?deep", "%trace y + 1", "%flame y + 1",
		"%memory y + 1", "%program y + 1", "%mem", "y @ Ones(4)"} {
		done := make(chan string, 1)
		go func() { done <- cell(s, magic) }()
		select {
		case text := <-done:
			if magic == "?k" && !strings.Contains(text, "3") {
				t.Errorf("%s shows %s", magic, text)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s does not return", magic)
		}
	}
}

package std

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestFindAll: what asks for matches step by step finds the same as the methods of package regexp.
func TestFindAll(t *testing.T) {
	text := strings.Repeat("ab cd ", firstMatches/4) // just so many letters
	for _, c := range []struct {
		expr string
		n    int
	}{{`\w`, -1}, {`\w`, firstMatches}, {``, 1 << 30}, {`(a)(b)|(c)`, -1}} {
		re := regexp.MustCompile(c.expr)
		for name, method := range regexpMethods {
			name = strings.TrimPrefix(name, "Regexp.")
			f := reflect.ValueOf(method(nil))
			if f.Type().NumIn() != 3 || f.Type().In(2).Kind() != reflect.Int {
				continue
			}
			in := []reflect.Value{reflect.ValueOf(text).Convert(f.Type().In(1)), reflect.ValueOf(c.n)}
			got := f.Call(append([]reflect.Value{reflect.ValueOf(re)}, in...))[0]
			want := reflect.ValueOf(re).MethodByName(name).Call(in)[0]
			if !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%s of %q, %d: %d results, want %d", name, c.expr, c.n, got.Len(), want.Len())
			}
		}
	}
	if n := countMatches(regexp.MustCompile(`\w`), text); n != firstMatches {
		t.Errorf("%d matches of %d are counted", n, firstMatches)
	}
}

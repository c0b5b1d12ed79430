package lazyre

import (
	"fmt"
	"strings"
	"testing"
)

func TestAll(t *testing.T) {
	r := New(`b(.)`)
	if r.re != nil {
		t.Error("compiled before its use")
	}
	const s = "abc bd"
	got := fmt.Sprint(r.FindString(s), r.FindStringSubmatch(s), r.FindAllString(s, -1), r.FindAllStringSubmatch(s, -1),
		r.FindIndex([]byte(s)),
		r.Match([]byte("x")), r.MatchString(s), r.ReplaceAllString(s, "<$1>"), r.ReplaceAllStringFunc(s, strings.ToUpper))
	const want = "bc[bc c] [bc bd] [[bc c] [bd d]] [1 3] false truea<c> <d>aBC BD"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestBadExpressionPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	New("(").MatchString("")
}

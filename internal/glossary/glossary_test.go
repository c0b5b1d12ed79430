package glossary

import (
	"strings"
	"testing"
)

const sample = `# a table
stride, strides
  The step to the next element. It may be zero.
  > Arange(6).Stride()
  views: strides, order
dispatch key, dispatch keys
  A key. There are several.
byte, bytes
  Eight bits. Everybody knows them.
  plain
`

// TestParse: terms have forms, sentences, cells and views; what is wrong with a table is said with its line.
func TestParse(t *testing.T) {
	g, err := Parse("sample", sample)
	if err != nil {
		t.Fatal(err)
	}
	s := g.Term("Strides")
	if s == nil || s.Name != "stride" || s.First() != "The step to the next element." || s.Cell != "Arange(6).Stride()" ||
		len(s.Views) != 2 || g.Of("order")[0] != s || !g.Term("bytes").Plain {
		t.Errorf("%+v", s)
	}
	for text, want := range map[string]string{
		"  indented\n":                "sample:1: a line before the first term",
		"a\n  One. Two.\na\n  Three.": `sample:3: "a" stands there twice`,
		"a\n  > cell\n":               "a is not explained",
	} {
		if _, err := Parse("sample", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestShown: words are found where they are words, the longest first, and not in code; plain ones and those that no
// view shows are not.
func TestShown(t *testing.T) {
	g, _ := Parse("sample", sample)
	for text, want := range map[string]string{
		"stride [4 1], strides":           "stride strides",
		"x.stride stride(0) _stride":      "",
		"Stride bytes dispatch key":       "",
		"a stride of 0; stride=1 /stride": "stride",
	} {
		var got []string
		for _, u := range g.Shown(text) {
			got = append(got, text[u.At:u.End])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	u := g.Uses("two Dispatch  keys")
	if len(u) != 1 || u[0].Form != "Dispatch keys" || u[0].Term.Name != "dispatch key" {
		t.Errorf("%v", u)
	}
}

func TestBuiltin(t *testing.T) {
	if n := len(Builtin().Terms); n < 150 {
		t.Errorf("%d terms", n)
	}
}

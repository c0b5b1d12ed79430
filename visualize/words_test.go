package visualize

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotorch/internal/glossary"
	"gotorch/visualize/internal/viewtest"
)

// magicOf are the commands whose texts have other names here.
var magicOf = map[string]string{"aliases": "alias", "operators": "ops", "source": "where"}

// alsoNames are words that are names of operators, fields and variables in these texts, by view; * is every view.
var alsoNames = map[string]string{
	"*":     "expand slice softmax reshape detach transpose diagonal loss window scalar copy",
	"alias": "shape", "strides": "bit view", "backward": "view", "where": "shape tensor autograd", "graph": "exponent " +
		"dimension", "ops": "diagonal window", "flame": "dimension shape broadcast tensor", "trace": "dimension shape " +
		"broadcast device dtype", "shapes": "broadcast", "plan": "view dimension", "program": "dimension autograd detach",
	"mincut": "dimension", "support": "dimension shape", "table": "dimension",
}

// TestHelpExplainsWords: %help VIEW explains each word of the glossary that the view's texts show.
func TestHelpExplainsWords(t *testing.T) {
	g := glossary.Builtin()
	files, _ := filepath.Glob(filepath.Join("testdata", "*.txt"))
	seen := map[string]bool{}
	for _, file := range files {
		name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txt"), "_")
		if m := magicOf[name]; m != "" {
			name = m
		}
		explained := g.Of(name)
		if len(explained) == 0 { // no command
			continue
		}
		seen[name] = true
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range g.Shown(string(text)) {
			if u.Term.Plain || slices.Contains(explained, u.Term) ||
				slices.Contains(strings.Fields(alsoNames["*"]+" "+alsoNames[name]), u.Term.Name) {
				continue
			}
			t.Errorf("%s: %%help %s does not explain %s: …%.40s…", file, name, u.Term.Name, string(text)[max(0, u.At-15):])
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d views have words", len(seen))
	}
}

// TestWordsInPages: the words of a view's page say what they mean on hovering, each once, without script and network.
func TestWordsInPages(t *testing.T) {
	none := 0
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			v := e.make(viewtest.NewSession(t))
			page := v.HTML()
			if strings.Contains(page, "<abbr") != (strings.Count(page, "</abbr>") > 0) {
				t.Error("an abbr is not closed")
			}
			if !strings.Contains(page, "<abbr title=") {
				none++
			}
			for _, a := range strings.Split(page, `<abbr title="`)[1:] {
				said, rest, _ := strings.Cut(a, `"`)
				word := rest[strings.IndexByte(rest, '>')+1 : strings.IndexByte(rest, '<')]
				term := glossary.Builtin().Term(word)
				if term == nil || len(said) < 40 || !strings.Contains(rest[:strings.IndexByte(rest, '>')], "dotted") {
					t.Errorf("%q is explained as %q", word, said)
				}
			}
		})
	}
	if none > len(examples)/2 {
		t.Errorf("%d of %d pages explain no word", none, len(examples))
	}
	page := Strides(viewtest.Floats(3, 4)).HTML()
	for _, word := range []string{"storage", "stride", "offset", "shape"} {
		if strings.Count(page, ">"+word+"</abbr>") != 1 {
			t.Errorf("%s is underlined %d times", word, strings.Count(page, ">"+word+"</abbr>"))
		}
	}
	card := Card(viewtest.Floats(3, 4).T()).HTML()
	if !strings.Contains(card, "</abbr>") {
		t.Errorf("a card explains nothing:\n%s", card)
	}
}

// TestNamesAreNoWords: a variable whose name is a word of the glossary is not explained as that word.
func TestNamesAreNoWords(t *testing.T) {
	s := viewtest.NewSession(t)
	kernels := s.Name("kernels", viewtest.Floats(3, 4))
	for name, page := range map[string]string{"card": Card(kernels).HTML(), "strides": Strides(kernels).HTML()} {
		if strings.Contains(page, "kernel</abbr>") || strings.Contains(page, "kernels</abbr>") {
			t.Errorf("%s explains the name of a tensor", name)
		}
		if !strings.Contains(page, ">stride</abbr>") {
			t.Errorf("%s explains nothing", name)
		}
	}
}

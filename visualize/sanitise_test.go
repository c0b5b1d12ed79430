package visualize

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"gotorch/visualize/internal/viewtest"
)

// Note: sites that show notebooks and Markdown strip HTML. GitHub's filter keeps a list of elements and drops the
// tags of others, but not what stands inside of them; it keeps a list of attributes, without style and class, and of
// addresses those of http and https alone, so that a picture in a data: address leaves its label. Jupyter's, for what
// it does not trust, is milder; it drops <style> with its text. What every view must leave under both is its text,
// legible: in a <pre>.

// kept are the elements that GitHub's filter keeps: https://github.com/gjtorikian/html-pipeline, SanitizationFilter.
var kept = strings.Fields(
	`h1 h2 h3 h4 h5 h6 br b i strong em a pre code img tt div ins del sup sub p picture ol ul table thead tbody tfoot
	blockquote dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure figcaption abbr bdo cite dfn mark
	small source span time wbr`)

// silent are the elements that go with what is in them.
var silent = []string{"script", "style", "title"}

// stripped returns what a page looks like behind the filter: the texts outside of <pre>, and those inside.
func stripped(t *testing.T, page string) (outside, inside string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *html.Node, pre bool)
	var out, in strings.Builder
	walk = func(n *html.Node, pre bool) {
		switch n.Type {
		case html.TextNode:
			if pre {
				in.WriteString(n.Data)
			} else {
				out.WriteString(n.Data + " ")
			}
		case html.ElementNode:
			if slices.Contains(silent, n.Data) && n.Namespace != "svg" {
				return
			}
			if n.Data == "img" {
				for _, a := range n.Attr {
					if a.Key == "alt" {
						out.WriteString(a.Val + " ")
					}
				}
			}
			pre = slices.Contains(kept, n.Data) && (pre || n.Data == "pre")
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, pre)
		}
		if pre && n.Type == html.ElementNode && n.Data == "pre" {
			in.WriteString("\n")
		}
	}
	walk(root, false)
	return out.String(), in.String()
}

// TestStripped: behind the filter every view leaves its text as it is in a terminal, and no heap of a picture's words.
func TestStripped(t *testing.T) {
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			v := e.make(viewtest.NewSession(t))
			outside, inside := stripped(t, v.HTML())
			flowing := strings.Join(strings.Fields(outside), "") // elements of a line stand apart in outside
			if _, picture := v.(*Picture); picture {
				return // pixels have no text but their label
			}
			for line := range strings.Lines(v.Text(false)) {
				line = strings.TrimRight(line, " ▁▂▃▄▅▆▇█\n") // a card's histogram is a picture there
				if line = strings.TrimSpace(line); line != "" && !strings.Contains(inside, line) &&
					!strings.Contains(flowing, strings.Join(strings.Fields(line), "")) {
					t.Errorf("the line is lost: %s", line)
				}
			}
			if n := len(strings.Fields(outside)); n > 400 {
				t.Errorf("%d words outside of preformatted text", n)
			}
		})
	}
}

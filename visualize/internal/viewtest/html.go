package viewtest

import (
	"encoding/xml"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Note: what validates. Our HTML is XML too, in which everything is closed. A parser of HTML repairs what is no HTML:
// it moves what may not stand in a table, and closes what may not stand inside of its like. So a page is valid where
// both parsers see the same tree.

// active are elements that run, load or send.
var active = strings.Fields("script iframe frame frameset object embed applet link meta base video audio source " +
	"track portal foreignobject animate set handler use")

// addresses are attributes that lead somewhere.
var addresses = strings.Fields("href xlink:href src srcset action formaction data poster background cite ping")

var loads = regexp.MustCompile(`(?i)@import|expression\(|javascript:|url\(\s*['"]?\s*[^#'"\s]`)

// outlineOf writes the elements of a tree, each with its attributes, and how they are nested.
func outlineOf(t testing.TB, name string, n *html.Node, out *strings.Builder) {
	t.Helper()
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			if c.Type == html.CommentNode {
				t.Errorf("%s: comment %.60q", name, c.Data)
			}
			continue
		}
		unsent := c.Data == "form" && slices.Contains(c.Attr, html.Attribute{Key: "method", Val: "dialog"}) // see scrub
		if slices.Contains(active, strings.ToLower(c.Data)) && !unsent {
			t.Errorf("%s: element %s", name, c.Data)
		}
		for _, a := range c.Attr {
			key := strings.ToLower(a.Key)
			if strings.HasPrefix(key, "on") {
				t.Errorf("%s: attribute %s", name, a.Key)
			}
			if slices.Contains(addresses, key) && !strings.HasPrefix(a.Val, "data:image/") && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("%s: %s=%.60q", name, a.Key, a.Val)
			}
			if loads.MatchString(a.Val) && key != "alt" && key != "title" && key != "aria-label" {
				t.Errorf("%s: %s=%.60q", name, a.Key, a.Val)
			}
		}
		if c.Data == "style" && c.FirstChild != nil && loads.MatchString(c.FirstChild.Data) {
			t.Errorf("%s: style %.80q", name, c.FirstChild.Data)
		}
		implied := c.Data == "tbody" && len(c.Attr) == 0 // which a parser adds to a table
		if !implied {
			out.WriteString("<" + strings.ToLower(c.Data))
		}
		outlineOf(t, name, c, out)
		if !implied {
			out.WriteString(">")
		}
	}
}

// xmlOutline is the same of XML.
func xmlOutline(s string) string {
	var out strings.Builder
	d := xml.NewDecoder(strings.NewReader(s))
	d.Entity = map[string]string{}
	for {
		tok, err := d.Token()
		if err != nil {
			return out.String()
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if tok.Name.Local != "tbody" {
				out.WriteString("<" + strings.ToLower(tok.Name.Local))
			}
		case xml.EndElement:
			if tok.Name.Local != "tbody" {
				out.WriteString(">")
			}
		}
	}
}

// checkHTML holds a page against a parser of HTML.
func checkHTML(t testing.TB, name, page string) {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	tree := func(page string) (outline, again string) {
		nodes, err := html.ParseFragment(strings.NewReader(page), body)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return "", ""
		}
		root := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
		var out, rendered strings.Builder
		for _, n := range nodes {
			root.AppendChild(n)
		}
		outlineOf(t, name, root, &out)
		for n := root.FirstChild; n != nil; n = n.NextSibling {
			if err := html.Render(&rendered, n); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return out.String(), rendered.String()
	}
	outline, rendered := tree(page)
	if want := xmlOutline(page); outline != want {
		i := 0
		for i < min(len(outline), len(want)) && outline[i] == want[i] {
			i++
		}
		t.Errorf("%s: a parser of HTML sees\n…%.80s\nwhat is written is\n…%.80s", name, outline[max(0, i-40):],
			want[max(0, i-40):])
	}
	if second, again := tree(rendered); second != outline || again != rendered {
		t.Errorf("%s: another tree when it is read again", name)
	}
}

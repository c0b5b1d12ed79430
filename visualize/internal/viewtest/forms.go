package viewtest

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"gotorch/visualize/draw"
)

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// CheckForms checks what holds for every view of any tensor.
func CheckForms(t testing.TB, v draw.View) {
	t.Helper()
	text := v.Text(false)
	if _, err := json.Marshal(v); err != nil {
		t.Error(err)
	}
	if strings.Contains(text, "\x1b") {
		t.Error("text without colour has escapes")
	}
	if colored := v.Text(true); !strings.Contains(colored, "▀") { // pixels are half blocks
		if plain := escapes.ReplaceAllString(colored, ""); plain != text {
			t.Errorf("colour says more than the text:\n%s\n%s", plain, text)
		}
	}
	forms := map[string]string{"text": text, "HTML": v.HTML(), "SVG": v.SVG()}
	for name, s := range forms {
		if len(s) > draw.MaxHTML {
			t.Errorf("%s has %d bytes", name, len(s))
		}
		if name == "text" {
			continue
		}
		WellFormed(t, name, s)
		checkHTML(t, name, s)
		for _, bad := range []string{"<script", "NaN\"", "Inf\""} {
			if strings.Contains(s, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
	checkOverlaps(t, v.SVG())
	checkCrossings(t, v.SVG())
	if text, ok := v.MIMEBundle()["text/plain"].(string); !ok || text == "" {
		t.Error("no text in the bundle")
	}
}

// WellFormed reads s as XML, which what we write is, in HTML too: every tag closed, every attribute quoted.
func WellFormed(t testing.TB, name, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	d.Entity = map[string]string{}
	for depth, roots := 0, 0; ; {
		tok, err := d.Token()
		if err == io.EOF {
			if depth != 0 || roots != 1 {
				t.Errorf("%s: %d elements are open at the end, %d at the top", name, depth, roots)
			}
			return
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if depth++; depth == 1 {
				roots++
			}
			seen := map[xml.Name]bool{}
			for _, a := range tok.Attr {
				if seen[a.Name] { // which browsers reject
					t.Errorf("%s: attribute %s twice in %s", name, a.Name.Local, tok.Name.Local)
				}
				seen[a.Name] = true
				if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") {
					t.Errorf("%s: attribute %s", name, a.Name.Local)
				}
			}
		case xml.EndElement:
			depth--
		}
	}
}

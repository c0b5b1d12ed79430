package runs

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// Page is the trace as a page of its own: what it cost by line and operator, the calls that failed, and the tree of
// calls; a script links what comes from the same line. It has at most some 400 KB; what is left out is counted. title
// stands above.
func (t *Trace) Page(title string) string {
	v := t.Timing()
	var b strings.Builder
	title = draw.Escape(draw.Clip(title, 200))
	b.WriteString(draw.PageHead(title, "") + "<h1>" + title + "</h1>\n")
	b.WriteString(draw.Frame(`<div>` + draw.Escape(spaced(v.head())) + `</div>`))
	b.WriteString("<h2>timeline</h2>" + draw.Frame(v.picture().Image("timing flame")))
	b.WriteString("<h2>operators</h2>" + draw.Frame(tableHTML(v.rows())))
	if text := t.failures(); text != "" {
		b.WriteString("<h2>failures</h2>" + draw.Frame(text))
	}
	b.WriteString("<h2>calls</h2>" + t.HTML())
	b.WriteString("</body></html>\n")
	return b.String()
}

// maxFailures is how many calls that failed a page lists.
const maxFailures = 50

// failures lists the calls that failed, innermost first.
func (t *Trace) failures() string {
	var b strings.Builder
	n := 0
	var walk func(list []*TracedCall)
	walk = func(list []*TracedCall) {
		for _, c := range list {
			walk(c.Inner)
			if c.failure() == "" {
				continue
			}
			if n++; n <= maxFailures {
				fmt.Fprintf(&b, `<div><b>%s</b> <span style="opacity:0.75">%s</span></div>%s`,
					draw.Escape(draw.Clip(c.call(), 200)), draw.Escape(c.Site()), draw.Warning("✗ "+draw.Clip(c.Error, 300)))
			}
		}
	}
	walk(t.Calls)
	if n > maxFailures {
		b.WriteString("<div>… " + draw.Counted(n-maxFailures, "more call") + " failed</div>")
	}
	if t.unsaid() {
		b.WriteString(draw.Warning("✗ " + draw.Clip(t.Error, 300)))
	}
	return b.String()
}

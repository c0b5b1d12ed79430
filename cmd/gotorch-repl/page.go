package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"gotorch/internal/ipynb"
	"gotorch/internal/lazyre"
	"gotorch/visualize/draw"
)

// Note: a notebook as a page. gotorch-repl run -o PAGE.html writes what jupyter nbconvert --to html does, in less, and
// without Jupyter: texts, cells with their numbers, and what they put out. Each line of a cell is marked, so that the
// script, which the page has once, lights it together with the calls and nodes that it made.

// pageStyle is that of a notebook's page besides what every page has.
const pageStyle = `body{font:15px/1.5 system-ui,sans-serif;margin:16px auto;padding:0 16px;max-width:980px}` +
	`h1,h2,h3{font-family:inherit;line-height:1.25}h1{font-size:26px}h2{font-size:20px}h3{font-size:16px}` +
	`pre,code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12.5px}` +
	`pre{margin:4px 0;overflow-x:auto;line-height:1.5}` +
	`.in{border-left:3px solid #2280c0;padding-left:10px;margin-top:18px}` +
	`.in>span{display:block;min-height:1.5em}.in:before{content:attr(data-n);opacity:.75;font-size:11px}` +
	`.out{margin:6px 0 6px 13px;overflow-x:auto}.bad{color:#c05500;color:light-dark(#9a3d00,#ff9248)}`

// isPage reports whether a file is to be a page.
func isPage(name string) bool { return filepath.Ext(name) == ".html" }

// notebookPage is a notebook that ran as a page.
func notebookPage(title string, cells []map[string]any) string {
	var b strings.Builder
	b.WriteString(draw.PageHead(draw.Escape(draw.Clip(title, 200)), pageStyle))
	for _, cell := range cells {
		switch cell["cell_type"] {
		case "markdown":
			b.WriteString(proseHTML(ipynb.Source(cell)))
		case "code":
			pageCell(&b, cell)
		}
	}
	b.WriteString("</body></html>\n")
	return b.String()
}

// pageCell writes a cell of code line by line, and what it put out.
func pageCell(b *strings.Builder, cell map[string]any) {
	source := strings.TrimRight(ipynb.Source(cell), "\n")
	if source == "" {
		return
	}
	name := ""
	if n, ok := cell["execution_count"].(int); ok {
		name = fmt.Sprintf("In[%d]", n)
	}
	fmt.Fprintf(b, `<pre class="in" data-n="%s">`, name)
	for i, line := range strings.Split(source, "\n") {
		mark := ""
		if name != "" {
			mark = draw.MarkLine(fmt.Sprintf("%s:%d", name, i+1))
		}
		fmt.Fprintf(b, "<span%s>%s</span>", mark, draw.Escape(line))
	}
	b.WriteString("</pre>\n")
	outputs, _ := cell["outputs"].([]any)
	for _, o := range outputs {
		if o, ok := o.(map[string]any); ok {
			b.WriteString(`<div class="out">` + outputHTML(o) + "</div>\n")
		}
	}
}

// outputHTML is an output of nbformat as HTML: of several forms the richest that a page shows.
func outputHTML(o map[string]any) string {
	pre := func(s, class string) string {
		return "<pre" + class + ">" + draw.Escape(colour.Re().ReplaceAllString(s, "")) + "</pre>"
	}
	switch o["output_type"] {
	case "stream":
		return pre(ipynb.Text(o["text"]), "")
	case "error":
		lines := []string{}
		trace, _ := o["traceback"].([]any)
		for _, l := range trace {
			lines = append(lines, ipynb.Text(l))
		}
		return pre(strings.Join(lines, "\n"), ` class="bad"`)
	}
	data, _ := o["data"].(map[string]any)
	for _, kind := range []string{"text/html", "image/svg+xml"} {
		if s := ipynb.Text(data[kind]); s != "" {
			return s
		}
	}
	for _, kind := range []string{"image/png", "image/jpeg"} {
		if s := ipynb.Text(data[kind]); s != "" {
			return `<img alt="" style="max-width:100%" src="data:` + kind + ";base64," +
				draw.Escape(strings.Join(strings.Fields(s), "")) + `"/>`
		}
	}
	if s := ipynb.Text(data["text/markdown"]); s != "" {
		return proseHTML(s)
	}
	return pre(ipynb.Text(data["text/plain"]), "")
}

// inlines are the signs within a line of Markdown, of text that is escaped.
var inlines = []struct {
	sign *lazyre.Regexp
	html string
}{
	{lazyre.New(`\*\*([^*]+)\*\*`), "<b>$1</b>"},
	{lazyre.New(`\*([^*\s][^*]*)\*`), "<i>$1</i>"},
	{lazyre.New(`\[([^\]]+)\]\(((?:https?://|#|[\w./-]+)[^)\s:]*)\)`), `<a href="$2">$1</a>`},
}

// inline is a line of Markdown as HTML; what stands between ` is code.
func inline(s string) string {
	var b strings.Builder
	for i, part := range strings.Split(draw.Escape(s), "`") {
		if i%2 == 1 {
			b.WriteString("<code>" + part + "</code>")
			continue
		}
		for _, in := range inlines {
			part = in.sign.Re().ReplaceAllString(part, in.html)
		}
		b.WriteString(part)
	}
	return b.String()
}

var heading, item = lazyre.New(`^(#{1,6})\s+(.*)$`), lazyre.New(`^\s*[-*]\s+(.*)$`)

// proseHTML is what a notebook's texts mostly are of Markdown, as HTML: headings, paragraphs, lists, code. What is
// more stays as it was written.
func proseHTML(text string) string {
	var b strings.Builder
	var open string // the element that the lines belong to
	into := func(element string) {
		if open != element {
			if open != "" {
				b.WriteString("</" + open + ">\n")
			}
			if open = element; open != "" {
				b.WriteString("<" + open + ">")
			}
		}
	}
	fenced := false
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			into("")
			if fenced = !fenced; fenced {
				into("pre")
			}
			continue
		}
		h, li := heading.Re().FindStringSubmatch(line), item.Re().FindStringSubmatch(line)
		switch {
		case fenced, open != "p" && strings.HasPrefix(line, "    "), strings.HasPrefix(line, "|"): // a table as it is typed
			into("pre")
			b.WriteString(draw.Escape(line) + "\n")
		case h != nil:
			into("")
			fmt.Fprintf(&b, "<h%d>%s</h%[1]d>\n", len(h[1]), inline(h[2]))
		case li != nil:
			into("ul")
			b.WriteString("<li>" + inline(li[1]) + "</li>")
		case strings.TrimSpace(line) == "":
			into("")
		case open == "ul": // goes on
			b.WriteString(" " + inline(line))
		default:
			into("p")
			b.WriteString(inline(line) + "\n")
		}
	}
	into("")
	return b.String()
}

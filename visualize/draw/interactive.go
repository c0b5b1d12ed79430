package draw

import (
	_ "embed"
	"fmt"
	"strings"

	"gotorch/visualize/display"
)

// Note: one script for a page. Views hold none: their pictures are images, and what belongs together is marked in them
// by attributes. A page that may run scripts has one, once, wherever it stands: an exported page in its head, a
// notebook in the output of %interactive. It puts the pictures in the place of the images and follows the marks.
// A script in each view, or in the first one of a session, would be stored again and again, or be lost with the
// cell that had it.

//go:embed interactive.js
var interactive string

// Script is the <script> that makes the views on a page interactive. A page has it once; further ones do nothing.
func Script() string {
	var b strings.Builder
	for line := range strings.Lines(interactive) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			b.WriteString(line + "\n")
		}
	}
	return "<script>//<![CDATA[\n" + b.String() + "//]]></script>" // a page of ours is XML too
}

const interactiveText = "the views of this page are linked: what shows the same memory, or comes from the same " +
	"line, is lit together where the pointer rests"

// Interactive is what makes the views of a notebook interactive where it is shown, once: the script. What shows the
// same bytes of a storage, or comes from the same line of a cell, is lit together, the line in its cell too, and large
// pictures zoom. The command %interactive is short for it. In a terminal, and where a page may not run scripts, it
// changes nothing.
func Interactive() display.Bundle {
	if host, ok := display.CurrentHost().(linker); ok {
		host.LinkViews()
	}
	return display.Bundle{Data: map[string]any{"text/plain": interactiveText + ", where it may run a script",
		"text/html": frame("<div>"+Escape(Capital(interactiveText))+
			`; large pictures zoom with Ctrl and the wheel, their buttons, and the keys + − 0.</div>`) + Script()}}
}

// Page is a page of its own, as text of HTML, that shows views one below the other, linked by the script.
//
//	os.WriteFile("views.html", []byte(visualize.Page("x", visualize.Strides(x, x.T()), visualize.Order(x))), 0o644)
func Page(title string, vs ...View) string {
	linking.Add(1)
	defer linking.Add(-1)
	var b strings.Builder
	for _, v := range vs {
		b.WriteString(v.HTML() + "\n")
	}
	title = Escape(Clip(Tidy(title), 200))
	return PageHead(title, "") + "<h1>" + title + "</h1>\n" + b.String() + "</body></html>\n"
}

// PageHead is the beginning of a page, up to the begin of its body, with the script; title is HTML, style is CSS that
// it needs besides.
func PageHead(title, style string) string {
	return "<!DOCTYPE html>\n" + `<html lang="en"><head><meta charset="utf-8"/>` +
		`<meta name="viewport" content="width=device-width"/><title>` + title + "</title>\n" +
		`<style>:root{color-scheme:light dark}body{margin:16px;max-width:1100px}` +
		`h1,h2{font:bold 14px ui-monospace,Menlo,Consolas,monospace}h2{margin:24px 0 6px}` +
		style + `</style>` + Script() + "</head><body>\n"
}

// MarkBytes is the attribute of an element that shows n bytes of a storage, from at on.
func MarkBytes(storage uint64, at, n int) string {
	return fmt.Sprintf(`data-b="%d %d %d"`, storage, at, n)
}

// MarkLine is the attribute of an element that comes from a line, In[3]:2, after a space; "" where no line is known.
func MarkLine(site string) string {
	if _, after, named := strings.Cut(site, " @ "); named {
		site = after
	}
	if !strings.Contains(site, ":") {
		return ""
	}
	return ` data-l="` + Escape(site) + `"`
}

// Marked begins a group with the mark of a line, if there is one; end ends it.
func (c *Canvas) Marked(site string) (end func()) {
	mark := MarkLine(site)
	if mark == "" {
		return func() {}
	}
	c.Elements.WriteString("<g" + mark + ">")
	return c.End
}

// linker is a host that tells its views from those of the sessions before it on the same page.
type linker interface {
	LinkViews()      // a page of the session's is interactive from here on
	ViewRun() string // what its views are marked with since, "" before
}

// runOf is the attribute by which the script tells sessions apart, "" where no page is interactive.
func runOf() string {
	if host, ok := display.CurrentHost().(linker); ok {
		if run := host.ViewRun(); run != "" {
			return ` data-run="` + Escape(run) + `"`
		}
	}
	return ""
}

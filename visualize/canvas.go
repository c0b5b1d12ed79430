package visualize

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// canvas collects the elements of an SVG.
type canvas struct {
	b    strings.Builder
	w, h float64
}

// grow makes room for what reaches to x, y.
func (c *canvas) grow(x, y float64) {
	c.w, c.h = max(c.w, x), max(c.h, y)
}

// num writes a length in as few characters as it takes.
func num(f float64) string {
	s := fmt.Sprintf("%.1f", f)
	return strings.TrimSuffix(s, ".0")
}

// group begins elements that share attributes; end ends them.
func (c *canvas) group(attributes string) { c.b.WriteString("<g " + attributes + ">") }
func (c *canvas) end()                    { c.b.WriteString("</g>") }

// filled are the attributes of boxes of a hue.
func filled(fill string, opacity float64) string {
	stroke := fill
	if fill == "none" {
		stroke = "currentColor"
	}
	return fmt.Sprintf(`fill="%s" fill-opacity="%s" stroke="%s" stroke-opacity="0.7"`, fill, num2(opacity), stroke)
}

func num2(f float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}

// rect draws a box filled with a hue, with a tip that shows on hovering.
func (c *canvas) rect(x, y, w, h float64, fill string, opacity float64, tip string) {
	c.box(x, y, w, h, filled(fill, opacity), tip)
}

// box draws a box with attributes of its own, or those of the group.
func (c *canvas) box(x, y, w, h float64, attributes, tip string) {
	c.grow(x+w, y+h)
	if attributes != "" {
		attributes = " " + attributes
	}
	fmt.Fprintf(&c.b, `<rect x="%s" y="%s" width="%s" height="%s" rx="2"%s`, num(x), num(y), num(w), num(h), attributes)
	if tip == "" {
		c.b.WriteString("/>")
		return
	}
	c.b.WriteString("><title>" + esc(tip) + "</title></rect>")
}

// text writes s; anchor is start, middle or end, or "" for that of the group; extra are further attributes.
func (c *canvas) text(x, y float64, anchor, s, extra string) {
	if s == "" {
		return
	}
	w := float64(width(s)) * charWidth
	switch anchor {
	case "start":
		c.grow(x+w, y+5)
	case "middle", "":
		c.grow(x+w/2, y+5)
	default:
		c.grow(x, y+5)
	}
	if anchor != "" && anchor != "start" {
		extra += ` text-anchor="` + anchor + `"`
	}
	if strings.Contains(s, "  ") || strings.HasPrefix(s, " ") {
		extra += ` xml:space="preserve"`
	}
	if extra != "" {
		extra = " " + strings.TrimSpace(extra)
	}
	fmt.Fprintf(&c.b, `<text x="%s" y="%s"%s>%s</text>`, num(x), num(y), extra, esc(s))
}

// warn writes s in red.
func (c *canvas) warn(x, y float64, s string) {
	c.text(x, y, "start", s, reddish)
}

// path draws a line.
func (c *canvas) path(d, stroke, extra string) {
	if extra != "" {
		extra = " " + extra
	}
	fmt.Fprintf(&c.b, `<path d="%s" fill="none" stroke="%s"%s/>`, d, stroke, extra)
}

// size is the size of the picture with its margin.
func (c *canvas) size() (w, h float64) { return c.w + 8, c.h + 8 }

// inline is the picture as a part of a page, in the page's own colour.
func (c *canvas) inline(label string) string {
	w, h := c.size()
	return c.element(label, "currentColor", `style="max-width:none"`, "", w, h)
}

// night is the style of a picture for those who prefer dark pages: other ink on another background. A browser that shows the picture as an
// image goes by the colour scheme of the place where it stands, or else of the system; whichever it takes, ink and background go together.
const night = `<style>@media(prefers-color-scheme:dark){.gotorch{color:#e6e6e6;fill:#e6e6e6}.gotorch>.back{fill:#1a1c20}.gotorch .red{fill:#ff9248}}</style>`

// alone is the picture as a file. Where it is shown as an image it does not know the page's colours, so it brings a background.
func (c *canvas) alone(label string) string {
	w, h := c.size()
	back := fmt.Sprintf(night+`<rect class="back" width="%.0f" height="%.0f" rx="4" fill="#ffffff" stroke="none"/>`, w, h)
	return c.element(label, "#1f2328", `color="#1f2328" class="gotorch"`, back, w, h)
}

func (c *canvas) element(label, fill, extra, first string, w, h float64) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s" fill="%s" %s %s><title>%s</title>%s%s</svg>`,
		w, h, w, h, esc(label), fill, font, extra, esc(label), first, c.b.String())
}

// scheme tells the pictures of a view whether the page is dark. Pages say so by the property color-scheme, as JupyterLab's does; that of VS Code
// says it by a class of its body.
const scheme = `<style>.vscode-dark .gotorch-view{color-scheme:dark}.vscode-light .gotorch-view{color-scheme:light}</style>`

// frame is the outermost element of every HTML view.
func frame(inner string) string {
	return `<div class="gotorch-view" style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px;line-height:1.5;overflow-x:auto">` + scheme + inner + `</div>`
}

// plainPre takes from a <pre> what the classic notebook, slides and others give to it.
const plainPre = "margin:0;padding:0;border:0;background:none;font-size:inherit"

// details is text that unfolds.
func details(summary, text string) string {
	return `<details><summary style="cursor:pointer;display:list-item">` + esc(summary) + `</summary><pre style="` + plainPre + `;white-space:pre;overflow-x:auto">` + esc(text) + `</pre></details>`
}

// Note: pictures in pages. A notebook that is opened and not yet trusted, and many a viewer, drops <svg> from HTML and leaves its words in a
// heap; an <img> whose source is the picture survives, or leaves its label. So pages have their pictures as images. Such an image does not
// know the page's colours and brings its own background.

// image is the picture as an <img>; one that would be too large for a page stands in it as SVG.
func (c *canvas) image(label string) string {
	svg := c.alone(label)
	if base64.StdEncoding.EncodedLen(len(svg)) > maxHTML-2000 {
		return c.inline(label)
	}
	w, h := c.size()
	return fmt.Sprintf(`<img alt="%s" width="%.0f" height="%.0f" style="max-width:none" src="data:image/svg+xml;base64,%s"/>`, esc(label), w, h,
		base64.StdEncoding.EncodeToString([]byte(svg)))
}

// pictured is a picture with its text beneath, which unfolds where there is room for it.
func pictured(c *canvas, label, text string) string { return withText(c.image(label), text) }

// withText is a view with its text beneath, which unfolds where there is room for it: the text is what is left where a page's pictures and
// styles are taken away.
func withText(view, text string) string {
	if d := details("as text", text); len(view)+len(d) < maxHTML-1000 {
		view += d
	}
	return frame(view)
}

// warning is a line of HTML in red.
func warning(s string) string { return `<div style="color:` + inks[5] + `">` + esc(s) + `</div>` }

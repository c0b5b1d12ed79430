package draw

import (
	"encoding/base64"
	"fmt"
	"strings"

	"gotorch/internal/glossary"
)

// Canvas collects the elements of an SVG.
type Canvas struct {
	Elements strings.Builder
	W, H     float64
	Wide     float64 // how far what is drawn reaches, without texts; set before, how far it will: see [Canvas.Lines]
}

// fits is the style of a picture that is w wide: on a narrow page all of it is there, smaller, and nothing scrolls.
// Its letters stay sharp when the reader enlarges the page, and its text form is beneath it.
func fits(w float64) string {
	return fmt.Sprintf(`style="max-width:100%%;min-width:%.0fpx;height:auto"`, min(w, 240))
}

// Grow enlarges the canvas to include x, y.
func (c *Canvas) Grow(x, y float64) {
	c.W, c.H, c.Wide = max(c.W, x), max(c.H, y), max(c.Wide, x)
}

// growText enlarges it for a text.
func (c *Canvas) growText(x, y float64) {
	c.W, c.H = max(c.W, x), max(c.H, y)
}

// Num writes a length in as few characters as it takes.
func Num(f float64) string {
	s := fmt.Sprintf("%.1f", f)
	return strings.TrimSuffix(s, ".0")
}

// Group begins elements that share attributes; end ends them.
func (c *Canvas) Group(attributes string) { c.Elements.WriteString("<g " + attributes + ">") }
func (c *Canvas) End()                    { c.Elements.WriteString("</g>") }

// Filled are the attributes of boxes of a hue.
func Filled(fill string, opacity float64) string {
	stroke := fill
	if fill == "none" {
		stroke = "currentColor"
	}
	return fmt.Sprintf(`fill="%s" fill-opacity="%s" stroke="%s"`, fill, Num2(opacity), stroke)
}

func Num2(f float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}

// Rect draws a box filled with a hue, with a tip that shows on hovering.
func (c *Canvas) Rect(x, y, w, h float64, fill string, opacity float64, tip string) {
	c.Box(x, y, w, h, Filled(fill, opacity), tip)
}

// Box draws a box with attributes of its own, or those of the group.
func (c *Canvas) Box(x, y, w, h float64, attributes, tip string) {
	c.Grow(x+w, y+h)
	if attributes != "" {
		attributes = " " + attributes
	}
	fmt.Fprintf(&c.Elements, `<rect x="%s" y="%s" width="%s" height="%s" rx="2"%s`, Num(x), Num(y), Num(w),
		Num(h), attributes)
	if tip == "" {
		c.Elements.WriteString("/>")
		return
	}
	c.Elements.WriteString("><title>" + Escape(tip) + "</title></rect>")
}

// Text writes s; anchor is start, middle or end, or "" for that of the group; extra are further attributes.
func (c *Canvas) Text(x, y float64, anchor, s, extra string) {
	if s == "" {
		return
	}
	w := float64(Width(s)) * CharWidth
	if strings.Contains(extra, smallFont) {
		w *= smallPart
	}
	switch anchor {
	case "start":
		c.growText(x+w, y+5)
	case "middle", "":
		c.growText(x+w/2, y+5)
	default:
		c.growText(x, y+5)
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
	fmt.Fprintf(&c.Elements, `<text x="%s" y="%s"%s>%s</text>`, Num(x), Num(y), extra, Escape(s))
}

// Lines writes s in as many lines as it takes up to the width of what is drawn, and returns where the next line may
// stand. The lines after the first are indented. All sentences of a picture are written by it: one in a single line
// would make the picture wide, and its letters tiny where the page is narrow.
func (c *Canvas) Lines(x, y float64, s, extra string) float64 {
	const within = 14
	wide, high := letter(extra)
	room, indent := float64(c.Columns(x))*CharWidth, 0.0
	lines := Wrap(s, int(room/wide))
	if len(lines) > 1 {
		lines = Wrap(s, int((room-within)/wide))
	}
	for _, line := range lines {
		c.Text(x+indent, y, "start", line, extra)
		y, indent = y+high, within
	}
	return y
}

// Columns is how many characters a line of text from x on may have: it ends with what is drawn, or where a narrow page
// does. Farther to the right it has some room all the same, as long as a narrow page shows it.
func (c *Canvas) Columns(x float64) int {
	to := func(edge float64) int { return int((edge - x - 16) / CharWidth) }
	return max(20, min(44, to(NarrowWidth)), to(min(max(c.Wide, ReadWidth), NarrowWidth)))
}

// Sentence is Lines, and returns where the last line stands.
func (c *Canvas) Sentence(x, y float64, s, extra string) float64 {
	_, high := letter(extra)
	return c.Lines(x, y, s, extra) - high
}

// letter is how wide a character of a text with these attributes is, and how far its lines are apart.
func letter(extra string) (wide, high float64) {
	if strings.Contains(extra, smallFont) {
		return CharWidth * smallPart, 15
	}
	return CharWidth, 17
}

// Warn writes s in red, as [Canvas.Sentence] does.
func (c *Canvas) Warn(x, y float64, s string) float64 { return c.Sentence(x, y, s, RedText) }

// Path draws a line.
func (c *Canvas) Path(d, stroke, extra string) {
	if extra != "" {
		extra = " " + extra
	}
	fmt.Fprintf(&c.Elements, `<path d="%s" fill="none" stroke="%s"%s/>`, d, stroke, extra)
}

// Size is the size of the picture with its margin.
func (c *Canvas) Size() (w, h float64) { return c.W + 8, c.H + 8 }

// inline is the picture as a part of a page, in the page's own colour.
func (c *Canvas) inline(label string) string {
	w, h := c.Size()
	return c.element(label, "currentColor", fits(w), "", w, h)
}

// night is the style of a picture for those who prefer dark pages: other ink on another background. A browser that
// shows the picture as an image goes by the colour scheme of the place where it stands, or else of the system;
// whichever it takes, ink and background go together.
const night = `<style>@media(prefers-color-scheme:dark){.gotorch{color:#e6e6e6;fill:#e6e6e6}.gotorch>.back{fill:#1a1c20}.gotorch .red{fill:#ff9248}}</style>`

// Alone is the picture as a file. Where it is shown as an image it does not know the page's colours, so it brings a
// background.
func (c *Canvas) Alone(label string) string {
	w, h := c.Size()
	back := fmt.Sprintf(night+`<rect class="back" width="%.0f" height="%.0f" rx="4" fill="#ffffff" stroke="none"/>`, w, h)
	return c.element(label, "#1f2328", `color="#1f2328" class="gotorch"`, back, w, h)
}

func (c *Canvas) element(label, fill, extra, first string, w, h float64) string {
	return fmt.Sprintf(
		`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s" fill="%s" %s %s><title>%s</title>%s%s</svg>`,
		w, h, w, h, Escape(label), fill, font, extra, Escape(label), first, c.Elements.String())
}

// scheme tells the pictures of a view whether the page is dark; an image would otherwise follow the system. Pages say
// it by the property color-scheme, by an attribute (JupyterLab, nbconvert, VS Code), or by a class of the body (VS
// Code; there the light theme of high contrast has the class of the dark one too). The classic notebook and
// nbconvert's classic template are always light. What is red in the page itself follows too.
const scheme = `<style>` +
	`[data-jp-theme-light=true] .gotorch-view,.notebook_app .gotorch-view,.vscode-light .gotorch-view,` +
	`#notebook-container .gotorch-view,[data-vscode-theme-kind$=light] .gotorch-view{color-scheme:light}` +
	`[data-jp-theme-light=false] .gotorch-view,.vscode-dark .gotorch-view,` +
	`[data-vscode-theme-kind=vscode-high-contrast] .gotorch-view{color-scheme:dark}` +
	`.gotorch-view .red{color:light-dark(#9a3d00,#ff9248)!important;fill:light-dark(#9a3d00,#ff9248)!important}</style>`

// Frame is the outermost element of every HTML view. The words of the glossary in it say on hovering what they mean.
func Frame(inner string) string {
	if with := explained(inner, map[*glossary.Term]bool{}); len(with) < MaxHTML-1000 {
		inner = with
	}
	return frame(inner)
}

func frame(inner string) string {
	return `<div class="gotorch-view"` + runOf() + ` style="font-family:` + Mono + `;font-size:12px;line-height:1.5;overflow-x:auto">` +
		scheme + inkRules(inner) + inner + `</div>`
}

// PlainPre takes from a <pre> what the classic notebook, slides and others give to it.
const PlainPre = "margin:0;padding:0;border:0;background:none;font-size:inherit"

// unfolds begins what unfolds, and asText the text of a view.
const (
	unfolds = `<details><summary style="cursor:pointer;display:list-item">`
	asText  = unfolds + "as text</summary>"
)

// Details is text that unfolds.
func Details(summary, text string) string {
	return unfolds + Escape(summary) + `</summary><pre style="` +
		PlainPre + `;white-space:pre;overflow-x:auto">` + Escape(text) + `</pre></details>`
}

// Note: pictures in pages. A notebook that is opened and not yet trusted, and many a viewer, drops <svg> from HTML
// and leaves its words in a heap; an <img> whose source is the picture survives, or leaves its label. So pages have
// their pictures as images. Such an image does not know the page's colours and brings its own background.

// Image is the picture as an <img>; one that would be too large for a page stands in it as SVG.
func (c *Canvas) Image(label string) string {
	svg := c.Alone(label)
	if base64.StdEncoding.EncodedLen(len(svg)) > MaxHTML-2000 {
		return c.inline(label)
	}
	w, h := c.Size()
	return fmt.Sprintf(
		`<img alt="%s" width="%.0f" height="%.0f" %s src="data:image/svg+xml;base64,%s"/>`,
		Escape(label), w, h, fits(w),
		base64.StdEncoding.EncodeToString([]byte(svg)))
}

// Pictured is a picture with its text beneath, which unfolds where there is room for it.
func Pictured(c *Canvas, label, text string) string { return WithText(c.Image(label), text) }

// WithText is a view with its text beneath, which unfolds where there is room for it: the text is what is left where
// a page's pictures and styles are taken away.
func WithText(view, text string) string {
	d, seen := Details("as text", text), map[*glossary.Term]bool{}
	with := explained(view, seen)
	with += wordsLine(text, seen)
	switch {
	case len(with)+len(d) < MaxHTML-1000:
		return frame(with + d)
	case len(view)+len(d) < MaxHTML-1000:
		return frame(view + d)
	}
	return frame(view)
}

// Warning is a line of HTML in red.
func Warning(s string) string {
	return `<div class="red" style="color:` + Inks[5] + `">` + Escape(s) + `</div>`
}

// Inked is a part of HTML in the ink of a hue: that of the page's scheme where it is known.
func Inked(i int, s string) string {
	return fmt.Sprintf(`<span class="ink%d" style="color:%s">%s</span>`, i%len(Inks), Inks[i%len(Inks)], Escape(s))
}

// inkRules are the rules of the inks that a view uses.
func inkRules(inner string) string {
	var b strings.Builder
	for i := range Inks {
		if strings.Contains(inner, fmt.Sprintf(`class="ink%d"`, i)) {
			fmt.Fprintf(&b, ".gotorch-view .ink%d{color:light-dark(%s,%s)!important}", i, dayInks[i], nightInks[i])
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "<style>" + b.String() + "</style>"
}

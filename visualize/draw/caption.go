package draw

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gotorch/internal/glossary"
	"gotorch/tensor"
)

// Captioner is a view that has a sentence to say about this very case. It is "" where there is nothing to say.
type Captioner interface {
	View
	Caption() string
}

// Captioned is a view with a sentence beneath its picture, in each of its forms.
type Captioned struct {
	Sentence string `json:"caption"`
	View     View   `json:"view"`
}

// Caption puts one sentence beneath the picture of a view: what it shows of this very case. With false it gives v as
// it is. In cells, functions that give a view take it as an option, and commands as -caption:
//
//	visualize.Strides(x, x.T(), caption=true)
//	%strides -caption x, x.T()
//
// A view that has no sentence, such as a list of devices, panics with an *Error.
func Caption(v View, show ...bool) View {
	for _, s := range show {
		if !s {
			return v
		}
	}
	if c, ok := v.(*Captioned); ok {
		return c
	}
	c, ok := v.(Captioner)
	if !ok {
		panic(tensor.Errorf("caption", "%s has no sentence to go with it", strings.TrimPrefix(fmt.Sprintf("%T", v), "*")).
			OnArg("v").WithHint("views of tensors and calls have one, such as Strides, Graph and Trace"))
	}
	return &Captioned{Sentence: c.Caption(), View: v}
}

// Text is the view with the sentence beneath, broken between words.
func (c *Captioned) Text(color bool) string { return c.below(c.View.Text(color)) }

func (c *Captioned) below(text string) string {
	if c.Sentence == "" {
		return text
	}
	return text + "\n" + strings.Join(Wrap(c.Sentence, TextWidth(80)), "\n")
}

// String is the text without colour.
func (c *Captioned) String() string { return c.Text(false) }

var svgSize = regexp.MustCompile(`^<svg [^>]*?width="([\d.]+)" height="([\d.]+)"`)

// SVG is a picture that holds that of the view, and the sentence beneath it.
func (c *Captioned) SVG() string {
	inner := c.View.SVG()
	m := svgSize.FindStringSubmatch(inner)
	if m == nil || c.Sentence == "" {
		return inner
	}
	w, _ := strconv.ParseFloat(m[1], 64)
	h, _ := strconv.ParseFloat(m[2], 64)
	out := new(Canvas)
	out.Elements.WriteString(inner)
	out.Grow(max(w, 420)-8, h)
	y := h + 16
	for _, line := range Wrap(c.Sentence, int((out.W-12)/CharWidth)) {
		out.Text(8, y, "start", line, "")
		y += 17
	}
	return out.Alone("with a caption")
}

// HTML has the sentence between the picture and its text.
func (c *Captioned) HTML() string {
	html := c.View.HTML()
	if c.Sentence == "" {
		return html
	}
	at := strings.LastIndex(html, beginWords)
	if at < 0 {
		at = strings.LastIndex(html, asText)
	}
	if at < 0 {
		at = strings.LastIndex(html, "</div>")
	}
	const begin = `<div class="gotorch-caption" style="max-width:75ch;margin:4px 8px">`
	return html[:at] + begin + explained(Escape(c.Sentence), map[*glossary.Term]bool{}) + "</div>" + html[at:]
}

// MIMEBundle is the view in all forms.
func (c *Captioned) MIMEBundle() map[string]any { return Bundle(c) }

// stepper is a view that one goes through step by step: see display.Stepper.
type stepper interface {
	Steps() int
	Step(i int, color bool) string
}

// Steps is how many steps the view has, 0 where it has none.
func (c *Captioned) Steps() int {
	if s, ok := c.View.(stepper); ok {
		return s.Steps()
	}
	return 0
}

// Step is one of them, with the sentence beneath.
func (c *Captioned) Step(i int, color bool) string { return c.below(c.View.(stepper).Step(i, color)) }

var numerals = strings.Fields("no one two three four five six seven eight nine ten eleven twelve")

// InWords writes small numbers in words, and how many of what there are: twelve numbers, 13 numbers, one number.
func InWords(n int, what string) string {
	s := fmt.Sprint(n)
	if n >= 0 && n < len(numerals) {
		s = numerals[n]
	}
	if n != 1 && what != "" && !strings.HasSuffix(what, "s") {
		what += "s"
	}
	return strings.TrimSpace(s + " " + what)
}

// And lists words in a sentence: a, b and c. Of more than most it says how many others there are.
func And(words []string, most int) string {
	if n := len(words) - most; n > 1 {
		words = append(words[:most:most], fmt.Sprintf("%d others", n))
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Capital is a sentence with a capital letter at its beginning, where that is a word of ours and no name.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

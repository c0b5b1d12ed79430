package main

import (
	"context"
	"html"
	"strings"

	"gotorch/interp"
	"gotorch/jupyter"
)

// Look returns what code names.
func (k *kernelSession) Look(code string) (jupyter.Bundle, bool) {
	v, ok := k.session().Look(code)
	if !ok {
		return jupyter.Bundle{}, false
	}
	rich := v.Rich()
	return jupyter.Bundle{Data: rich.All(), Metadata: rich.Metadata}, true
}

// Variable shows a variable in full.
func (k *kernelSession) Variable(name string) (jupyter.Bundle, bool) { return k.Look(name) }

// Variables lists what cells have defined.
func (k *kernelSession) Variables() []jupyter.Variable {
	var vs []jupyter.Variable
	for _, v := range k.session().Variables() {
		vs = append(vs, jupyter.Variable{Name: v.Name, Type: v.Type, Value: v.Value, Shape: v.Shape, Dtype: v.Dtype,
			Size: v.Bytes})
	}
	return vs
}

// Inspect describes a name: as text, as Markdown, as HTML.
func (k *kernelSession) Inspect(_ context.Context, code string, cursor, detail int) (jupyter.Bundle, bool) {
	h, ok := k.session().Inspect(code, byteOffset(code, cursor), detail > 0)
	if !ok {
		return jupyter.Bundle{}, false
	}
	return helpBundle(h), true
}

func helpBundle(h interp.Help) jupyter.Bundle {
	var md, page strings.Builder
	goCode := func(text string) {
		if text == "" {
			return
		}
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		md.WriteString(fence + "go\n" + text + "\n" + fence + "\n\n")
		page.WriteString("<pre>" + html.EscapeString(text) + "</pre>\n")
	}
	goCode(h.Sig)
	if h.Doc != "" {
		md.WriteString(h.Doc + "\n\n")
		page.WriteString(docHTML(h.Doc))
	}
	if h.Cell != "" {
		md.WriteString("*defined in* `" + h.Cell + "`\n\n")
		page.WriteString("<p><i>defined in</i> <code>" + html.EscapeString(h.Cell) + "</code></p>\n")
	}
	if h.Value != "" {
		md.WriteString("*value*: `` " + h.Value + " ``\n\n")
		page.WriteString("<p><i>value</i>: <code>" + html.EscapeString(h.Value) + "</code></p>\n")
	}
	goCode(h.More)
	goCode(h.Source)
	if h.Code != nil {
		md.WriteString("```go\n" + h.Code.Text(false) + "\n```\n")
		page.WriteString(h.Code.HTML() + "\n")
	}
	return jupyter.Bundle{Data: map[string]any{"text/plain": h.String(), "text/markdown": strings.TrimSpace(md.String()),
		"text/html": page.String()}}
}

// docHTML is a doc comment as HTML: an indented block is code, as in Go's documentation, the others are text whose
// lines stay as they are.
func docHTML(doc string) string {
	var b strings.Builder
	code := false
	for i, block := range strings.Split(doc, "\n\n") {
		indented := strings.HasPrefix(block, "\t") || strings.HasPrefix(block, "    ")
		switch {
		case i > 0 && indented && code: // one example with an empty line in it
			b.WriteString("\n\n")
		case code:
			b.WriteString("</pre>\n")
		}
		switch {
		case indented && !code:
			b.WriteString("<pre>")
		case !indented:
			b.WriteString("<p style=\"white-space: pre-wrap\">")
		}
		b.WriteString(html.EscapeString(block))
		if !indented {
			b.WriteString("</p>\n")
		}
		code = indented
	}
	if code {
		b.WriteString("</pre>\n")
	}
	return b.String()
}

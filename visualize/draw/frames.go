package draw

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Note: frames without script. One of several frames is shown by radio buttons: the style says that the frame whose
// button is pressed is displayed and the others are not. Where styles are taken away, or a browser knows no :has, all
// frames stand one below the other and nothing is lost. The buttons' name follows from the frames, so that a view's
// page is the same each time it is made. If the same view stands on a page twice, its buttons are one group: the one
// that has none pressed shows its first frame.

// Frames shows one of frames, chosen by buttons with labels; first is the one that is shown at the beginning.
func Frames(labels, frames []string, first int) string {
	h := fnv.New32a()
	for i := range frames {
		h.Write([]byte(labels[i]))
		h.Write([]byte(frames[i]))
	}
	id := fmt.Sprintf("gt%08x", h.Sum32())
	var b strings.Builder
	fmt.Fprintf(&b,
		`<div class="%s"><style>@supports selector(:has(a)){.%s>div{display:none}.%s:not(:has(>label>:checked))>div:nth-of-type(%d)`, id, id, id, first+1)
	for i := range frames {
		fmt.Fprintf(&b, `,.%s>label:nth-of-type(%d):has(:checked)~div:nth-of-type(%d)`, id, i+1, i+1)
	}
	b.WriteString(`{display:block}}</style>`)
	for i, l := range labels {
		checked := ""
		if i == first {
			checked = ` checked="checked"`
		}
		fmt.Fprintf(&b,
			`<label style="display:inline-block;white-space:nowrap;margin-right:10px;cursor:pointer"><input type="radio" name="%s"%s/>%s</label> `, id, checked, Escape(l))
	}
	for _, f := range frames {
		b.WriteString("<div>" + f + "</div>")
	}
	b.WriteString("</div>")
	return b.String()
}

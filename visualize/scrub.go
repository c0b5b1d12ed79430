package visualize

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Note: frames without script. One of several frames is shown by radio buttons: the style says that the frame whose button is pressed is
// displayed and the others are not. Where styles are taken away, or a browser knows no :has, all frames stand one below the other and nothing
// is lost. The buttons' name follows from the frames, so that a view's page is the same each time it is made; buttons of one name in two forms
// do not belong together, and so the same view can stand on a page twice. Such a form is never sent: outside of a dialog its method does
// nothing.

// scrub shows one of frames, chosen by buttons with labels; first is the one that is shown at the beginning.
func scrub(labels, frames []string, first int) string {
	h := fnv.New32a()
	for i := range frames {
		h.Write([]byte(labels[i]))
		h.Write([]byte(frames[i]))
	}
	id := fmt.Sprintf("gt%08x", h.Sum32())
	var b strings.Builder
	fmt.Fprintf(&b, `<form method="dialog" class="%s"><style>@supports selector(:has(a)){.%s>div{display:none}`, id, id)
	for i := range frames {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `.%s>label:nth-of-type(%d):has(:checked)~div:nth-of-type(%d)`, id, i+1, i+1)
	}
	b.WriteString(`{display:block}}</style>`)
	for i, l := range labels {
		checked := ""
		if i == first {
			checked = ` checked="checked"`
		}
		fmt.Fprintf(&b, `<label style="display:inline-block;white-space:nowrap;margin-right:10px;cursor:pointer"><input type="radio" name="%s"%s/>%s</label> `, id, checked, esc(l))
	}
	for _, f := range frames {
		b.WriteString("<div>" + f + "</div>")
	}
	b.WriteString("</form>")
	return b.String()
}

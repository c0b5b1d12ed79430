package visualize

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"sync/atomic"
)

// Note: frames without script. One of several frames is shown by radio buttons: the style says that the frame whose button is pressed is
// displayed and the others are not. Where styles are taken away all frames stand one below the other, each under its own heading, and
// nothing is lost.

var pages atomic.Uint64

// pageID is a name that no other view on a page has: buttons of one name belong together.
func pageID(v any) string {
	data, _ := json.Marshal(v)
	h := fnv.New32a()
	h.Write(data)
	return fmt.Sprintf("gt%08x-%d", h.Sum32(), pages.Add(1))
}

// scrub shows one of frames, chosen by buttons with labels; first is the one that is shown at the beginning.
func scrub(id string, labels, frames []string, first int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="%s"><style>.%s>div{display:none}`, id, id)
	for i := range frames {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `.%s>input:nth-of-type(%d):checked~div:nth-of-type(%d)`, id, i+1, i+1)
	}
	b.WriteString(`{display:block}</style>`)
	for i, l := range labels {
		checked := ""
		if i == first {
			checked = ` checked="checked"`
		}
		fmt.Fprintf(&b, `<input type="radio" name="%s" id="%s-%d"%s/><label for="%s-%d" style="margin-right:8px">%s</label>`, id, id, i, checked, id, i, esc(l))
	}
	for _, f := range frames {
		b.WriteString("<div>" + f + "</div>")
	}
	b.WriteString("</div>")
	return b.String()
}

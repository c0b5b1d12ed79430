package visualize

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

var (
	svgWidth   = regexp.MustCompile(`<svg [^>]*?width="(\d+)" height="(\d+)"`)
	imageStyle = regexp.MustCompile(`<(?:img|svg) [^>]*?width="(\d+)"[^>]*?style="([^"]*)"`)
)

// TestPageWidth: every view of the examples is so narrow that a page of 420 px has it with letters of seven pixels.
func TestPageWidth(t *testing.T) {
	for _, e := range examples {
		v := e.make(viewtest.NewSession(t))
		m := svgWidth.FindStringSubmatch(v.SVG())
		if w, _ := strconv.Atoi(m[1]); w > draw.NarrowWidth {
			t.Errorf("%s is %d wide", e.name, w)
		}
		for _, m := range imageStyle.FindAllStringSubmatch(v.HTML(), -1) {
			if !strings.Contains(m[2], "max-width:100%") && !strings.Contains(m[2], "image-rendering") {
				t.Errorf("%s: an image of %s px with the style %q", e.name, m[1], m[2])
			}
		}
	}
}

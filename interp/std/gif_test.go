package std

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"testing"
)

// TestFramesOf: the points of all pictures of a file are counted before they are made, also of one that is cut off.
func TestFramesOf(t *testing.T) {
	var g gif.GIF
	for _, n := range []int{10, 7, 3} {
		m := image.NewPaletted(image.Rect(0, 0, n, 5), color.Palette{color.Black, color.White})
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 2)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &g); err != nil {
		t.Fatal(err)
	}
	text := b.Bytes()
	if n := framesOf(text, -1); n != 100 {
		t.Errorf("%d points, want 100", n)
	}
	if n := framesOf(text, 1); n != 50 {
		t.Errorf("%d points in the first picture, want 50", n)
	}
	for i := range text {
		if n := framesOf(text[:i], -1); n > 100 {
			t.Errorf("%d points in %d bytes", n, i)
		}
	}
}

package std

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// decodeImage is a function that decodes an image, with a look at the size that its header says: a file of some bytes
// may ask for more memory than there is.
func decodeImage[C any](name string, e *env.Env, r io.Reader, config func(io.Reader) (image.Config, C),
	decode func(io.Reader)) {
	var head bytes.Buffer
	src := e.Source(r)
	if r != nil {
		if c, _ := config(io.TeeReader(src, &head)); c.Width > 0 && c.Height > 0 {
			if c.Width > math.MaxInt/8/c.Height {
				c.Width, c.Height = math.MaxInt/8, 1
			}
			rt.Sized(name, c.Width*c.Height, 4)
		}
		src = io.MultiReader(&head, src)
	}
	decode(src)
}

func patchImage(e *env.Env, t env.Table) {
	t.Set(map[string]any{"Decode": func(r io.Reader) (m image.Image, format string, err error) {
		config := func(r io.Reader) (image.Config, error) { c, _, err := image.DecodeConfig(r); return c, err }
		decodeImage("image.Decode", e, r, config, func(r io.Reader) { m, format, err = image.Decode(r) })
		return m, format, err
	}})
}

// decodePNG is png.Decode for cells.
func decodePNG(e *env.Env) any {
	return func(r io.Reader) (m image.Image, err error) {
		decodeImage("image/png.Decode", e, r, png.DecodeConfig, func(r io.Reader) { m, err = png.Decode(r) })
		return m, err
	}
}

func patchJPEG(e *env.Env, t env.Table) {
	t.Set(map[string]any{"Decode": func(r io.Reader) (m image.Image, err error) {
		decodeImage("image/jpeg.Decode", e, r, jpeg.DecodeConfig, func(r io.Reader) { m, err = jpeg.Decode(r) })
		return m, err
	}})
}

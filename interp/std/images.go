package std

import (
	"image"
	"image/png"
	"io"
	"reflect"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// Package image/png for cells: an encoder makes some rows of the image at once, and an image may say that it is of any
// size; image.NewUniform's has rows of 2,000,000,000 points. It ends at the next write where the cell was stopped.

// rowsMade is how many rows an encoder keeps, pointBytes how many bytes one of their points has at most.
const (
	rowsMade   = 6
	pointBytes = 8
)

func patchPNG(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Decode": decodePNG(e),
		"Encode": func(w io.Writer, m image.Image) error {
			rowsFit("image/png.Encode", m)
			return png.Encode(e.Sink(w), m)
		},
	})
}

var pngMethods = map[string]func(e *env.Env) any{
	"Encoder.Encode": func(e *env.Env) any {
		return detach("Encoder.Encode", reflect.ValueOf(func(enc *png.Encoder, w io.Writer, m image.Image) error {
			rowsFit("image/png.Encoder.Encode", m)
			return enc.Encode(e.Sink(w), m)
		})).Interface()
	},
}

// rowsFit checks what an encoder makes for an image.
func rowsFit(name string, m image.Image) {
	if m == nil {
		return // the encoder's matter
	}
	if n := m.Bounds().Dx(); n > 0 {
		rt.Sized(name, n, rowsMade*pointBytes)
	}
}

package std

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/gif"
	"io"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// Package image/gif for cells: the pictures of a file are made before their points are read, so a file of some hundred
// bytes may ask for many of 4 GiB. Their sizes are added up first.

func patchGIF(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"DecodeAll": func(r io.Reader) (*gif.GIF, error) {
			text, err := readAll("image/gif.DecodeAll", e.Source(r))
			if err != nil {
				return nil, err
			}
			rt.Fits("image/gif.DecodeAll", framesOf(text, -1))
			return gif.DecodeAll(bytes.NewReader(text))
		},
		"Decode": func(r io.Reader) (image.Image, error) {
			text, err := readAll("image/gif.Decode", e.Source(r))
			if err != nil {
				return nil, err
			}
			rt.Fits("image/gif.Decode", framesOf(text, 1))
			return gif.Decode(bytes.NewReader(text))
		},
	})
}

// framesOf is how many points the first most pictures of a GIF file have; all where most is negative. It stops at what
// is no GIF.
func framesOf(text []byte, most int) (points int) {
	skip := func(n int) bool {
		ok := n <= len(text)
		text = text[min(n, len(text)):]
		return ok
	}
	table := func(flags byte) int { // bytes of a table of colours
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (flags&7 + 1)
	}
	blocks := func() bool {
		for len(text) > 0 {
			n := int(text[0])
			if !skip(1+n) || n == 0 {
				return n == 0
			}
		}
		return false
	}
	if len(text) < 13 || !skip(13+table(text[10])) {
		return 0
	}
	for len(text) > 0 && most != 0 {
		switch text[0] {
		case 0x21: // an extension: its label, and blocks
			if !skip(2) || !blocks() {
				return points
			}
		case 0x2C: // a picture
			if len(text) < 10 {
				return points
			}
			points += int(binary.LittleEndian.Uint16(text[5:])) * int(binary.LittleEndian.Uint16(text[7:]))
			most--
			if !skip(10+table(text[9])+1) || !blocks() {
				return points
			}
		default:
			return points
		}
	}
	return points
}

package draw

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"strings"
)

// manyColours reports whether the terminal takes 16 million colours; else it gets 256.
func manyColours() bool {
	t := os.Getenv("COLORTERM")
	return t == "truecolor" || t == "24bit" || strings.HasSuffix(os.Getenv("TERM"), "-direct")
}

// AnsiColour are the numbers with which a terminal is told a colour: of the letters, or with back of what is behind
// them.
func AnsiColour(c color.NRGBA, back bool) string {
	n := 38
	if back {
		n = 48
	}
	if manyColours() {
		return fmt.Sprintf("\x1b[%d;2;%d;%d;%dm", n, c.R, c.G, c.B)
	}
	return fmt.Sprintf("\x1b[%d;5;%dm", n, palette256(c))
}

// palette256 is the nearest of the 240 colours that are the same in every terminal: a cube of 6 × 6 × 6, and 24 greys.
func palette256(c color.NRGBA) int {
	levels := []int{0, 95, 135, 175, 215, 255}
	near := func(v uint8) int {
		best := 0
		for i, l := range levels {
			if Abs(l-int(v)) < Abs(levels[best]-int(v)) {
				best = i
			}
		}
		return best
	}
	distance := func(r, g, b int) int {
		dr, dg, db := r-int(c.R), g-int(c.G), b-int(c.B)
		return dr*dr + dg*dg + db*db
	}
	r, g, b := near(c.R), near(c.G), near(c.B)
	grey := max(0, min(((int(c.R)+int(c.G)+int(c.B))/3-3)/10, 23))
	if l := 8 + 10*grey; distance(l, l, l) < distance(levels[r], levels[g], levels[b]) {
		return 232 + grey
	}
	return 16 + 36*r + 6*g + b
}

// OnBack writes s on a colour; hidden, in that colour too, so that it is read only where there are no colours.
func OnBack(colored bool, c color.NRGBA, s string, hidden bool) string {
	if !colored {
		return s
	}
	ink := color.NRGBA{255, 255, 255, 255}
	if OnColour(c) == "#000000" {
		ink = color.NRGBA{0, 0, 0, 255}
	}
	if hidden {
		ink = c
	}
	return AnsiColour(c, true) + AnsiColour(ink, false) + s + "\x1b[0m"
}

// OnColour is the colour of text on a colour.
func OnColour(c color.NRGBA) string {
	l := 0.0
	for i, part := range [3]uint8{c.R, c.G, c.B} {
		l += [3]float64{0.2126, 0.7152, 0.0722}[i] * math.Pow((float64(part)/255+0.055)/1.055, 2.4)
	}
	if l > 0.179 { // as far from white as from black
		return "#000000"
	}
	return "#ffffff"
}

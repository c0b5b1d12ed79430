package plot

import (
	"fmt"
	"math"
	"slices"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Caption says from where to where the first line goes and between which numbers it stays, how many points of a
// scatter plot lie where, or which bin of a histogram is the fullest.
func (c *Chart) Caption() string {
	if len(c.Series) == 0 {
		return ""
	}
	s := &c.Series[0]
	name := draw.OneLine(s.Name, 30)
	var text string
	switch {
	case len(s.X) == len(s.Y)+1: // a histogram has an edge more
		text = histogramCaption(orText(name, "the histogram"), s)
	case s.Cloud != nil:
		most, some := 0, 0
		for _, n := range s.Cloud.Counts {
			if most = max(most, n); n > 0 {
				some++
			}
		}
		text = fmt.Sprintf("%s %s in %s of the picture; the fullest holds %s", grouping(s.Count),
			pointsOf(s.Count, name), grouping(some)+" cells", grouping(most))
	case len(s.Y) == 0:
		return ""
	case c.Kind != "line":
		text = fmt.Sprintf("%s %s from %s to %s across and from %s to %s up", grouping(s.Count), pointsOf(s.Count, name),
			draw.ShortValue(slices.Min(s.X)), draw.ShortValue(slices.Max(s.X)),
			draw.ShortValue(slices.Min(s.Y)), draw.ShortValue(slices.Max(s.Y)))
	default:
		text = lineCaption(orText(name, "the line"), s)
	}
	if n := len(c.Series) - 1; n > 0 {
		text += fmt.Sprintf("; %s beside it", draw.InWords(n, "series"))
	}
	return text + "."
}

// histogramCaption says which bin is the fullest.
func histogramCaption(name string, s *Series) string {
	k, even := 0, true
	for i, n := range s.Y {
		even = even && n == s.Y[0]
		if n > s.Y[k] {
			k = i
		}
	}
	most, bins := grouping(int(s.Y[k])), draw.Counted(len(s.Y), "bin")
	if even {
		return fmt.Sprintf("The %s numbers of %s fill %s evenly, with %s in each", grouping(s.Count), name, bins, most)
	}
	return fmt.Sprintf("Of the %s numbers of %s, the fullest of %s, from %s to %s, holds %s", grouping(s.Count), name,
		bins, draw.ShortValue(s.X[k]), draw.ShortValue(s.X[k+1]), most)
}

// lineCaption follows one line from its first point to its last.
func lineCaption(name string, s *Series) string {
	first, last := s.Y[0], s.Y[len(s.Y)-1]
	low, high := 0, 0
	for i, y := range s.Y {
		if y < s.Y[low] {
			low = i
		}
		if y > s.Y[high] {
			high = i
		}
	}
	switch {
	case s.Low != nil:
		name = "The mean of " + name
	case s.Name == "":
		name = "The line"
	}
	how := "goes"
	switch {
	case len(s.Y) == 1:
		return fmt.Sprintf("%s is one point, %s at %s", name, draw.ShortValue(first), at(s.X[0]))
	case s.Y[low] == s.Y[high]:
		return fmt.Sprintf("%s stays at %s from %s to %s", name, draw.ShortValue(first), at(s.X[0]),
			at(s.X[len(s.X)-1]))
	case first > last:
		how = "falls"
	case first < last:
		how = "rises"
	}
	return fmt.Sprintf("%s %s from %s to %s; it is least at %s, with %s, and greatest at %s, with %s", name, how,
		draw.ShortValue(first), draw.ShortValue(last), at(s.X[low]), draw.ShortValue(s.Y[low]),
		at(s.X[high]), draw.ShortValue(s.Y[high]))
}

// pointsOf is the noun and verb of a sentence about n points of a name.
func pointsOf(n int, name string) string {
	noun, verb := "points", "lie"
	if n == 1 {
		noun, verb = "point", "lies"
	}
	if name != "" {
		noun += " of " + name
	}
	return noun + " " + verb
}

// at writes where on an axis a point is: whole numbers with all digits.
func at(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		if x < 0 {
			return "-" + grouping(int(-x))
		}
		return grouping(int(x))
	}
	return draw.ShortValue(x)
}

// Caption says where the least and the greatest cell are, by row and column.
func (h *HeatmapView) Caption() string {
	low, high := -1, -1
	for i, v := range h.Values {
		if v == nil {
			continue
		}
		if low < 0 || *v < *h.Values[low] {
			low = i
		}
		if high < 0 || *v > *h.Values[high] {
			high = i
		}
	}
	if low < 0 {
		return ""
	}
	name := orText(draw.OneLine(h.Title, 30), "the matrix")
	if *h.Values[low] == *h.Values[high] {
		return fmt.Sprintf("%s is %s everywhere.", orText(draw.OneLine(h.Title, 30), "The matrix"),
			draw.ShortValue(*h.Values[low]))
	}
	what := "cell"
	if rows, columns := h.elements(); rows > h.Rows || columns > h.Columns {
		what = "mean"
	}
	return fmt.Sprintf("The greatest %s of %s is %s in row %d, column %d of the picture, the least %s in row %d, "+
		"column %d.", what, name, draw.ShortValue(*h.Values[high]), high/h.Columns, high%h.Columns,
		draw.ShortValue(*h.Values[low]),
		low/h.Columns, low%h.Columns)
}

// elements is how many rows and columns the matrix has.
func (h *HeatmapView) elements() (rows, columns int) {
	if len(h.Shape) == 1 {
		return 1, h.Shape[0]
	}
	return h.Shape[0], h.Shape[1]
}

// Caption says which numbers are black and white.
func (p *Picture) Caption() string {
	what := fmt.Sprintf("is one picture of %d × %d pixels", p.Height, p.Width)
	if len(p.Shape) == 4 {
		what = fmt.Sprintf("holds %s, side by side", draw.InWords(p.Shape[0], "picture"))
	}
	return inkOf(orText(draw.OneLine(p.Name, 30), "The tensor")+" "+what, p.Dtype, p.Range)
}

// Caption says how many pictures there are, and which numbers are black and white.
func (g *PictureGrid) Caption() string {
	return inkOf(fmt.Sprintf("%s holds %s of %d × %d pixels", orText(draw.OneLine(g.Title, 30), "The batch"),
		draw.InWords(len(g.Tiles)+g.Left, "picture"), g.Height, g.Width), g.Dtype, g.Range)
}

// inkOf ends a sentence about a picture with what its numbers are.
func inkOf(text, dtype, numbers string) string {
	switch {
	case numbers != "":
		text += "; its numbers go from " + numbers
	case dtype == tensor.Uint8.String():
		text += "; 0 is black and 255 white"
	case dtype == tensor.Bool.String():
		text += "; false is black and true white"
	}
	return text + "."
}

package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gotorch/internal/parallel"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// HeatmapView is a matrix in colours.
type HeatmapView struct {
	Title    string     `json:"title,omitempty"`
	XLabel   string     `json:"x_label,omitempty"`
	YLabel   string     `json:"y_label,omitempty"`
	Shape    []int      `json:"shape"` // of the matrix
	Rows     int        `json:"rows"`  // of what is shown, which of a large matrix are means of blocks
	Columns  int        `json:"columns"`
	Values   []*float64 `json:"values"` // null for NaN and infinities
	Special  []string   `json:"special,omitempty"`
	Min      float64    `json:"min"` // of the colours
	Max      float64    `json:"max"`
	Colormap string     `json:"colormap"`
	Annotate bool       `json:"annotate,omitempty"`
	RowNames []string   `json:"row_names,omitempty"`
	ColNames []string   `json:"column_names,omitempty"`
	Marks    []int      `json:"marks,omitempty"` // places in Values that are pointed out
	Notes    []string   `json:"notes,omitempty"`

	Places *draw.Elements `json:"places,omitempty"` // of a matrix that is a tensor, of which each cell is an element
}

const (
	maxHeatCells = 128 // in one direction
	maxNumbered  = 144 // cells that have their number written in
)

// colormaps are the colours of numbers, from the lowest to the highest, evenly spaced; between them they are mixed.
// viridis grows lighter all the way; coolwarm has its middle at 0.
var colormaps = map[string][]color.NRGBA{
	"viridis":  hexes("440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725"),
	"grey":     hexes("000000 ffffff"),
	"coolwarm": hexes("3b4cc0 8db0fe dddddd f49a7b b40426"),
}

func hexes(list string) (out []color.NRGBA) {
	for _, h := range strings.Fields(list) {
		n, _ := strconv.ParseUint(h, 16, 24)
		out = append(out, color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255})
	}
	return out
}

// colourAt is the colour at f, from 0 to 1.
func colourAt(name string, f float64) color.NRGBA {
	m := colormaps[name]
	at := max(0, min(f, 1)) * float64(len(m)-1)
	i := min(int(at), len(m)-2)
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(a) + (at-float64(i))*(float64(b)-float64(a))))
	}
	return color.NRGBA{mix(m[i].R, m[i+1].R), mix(m[i].G, m[i+1].G), mix(m[i].B, m[i+1].B), 255}
}

// Heatmap draws a matrix of shape [rows columns], its first row at the top; a tensor of one dimension is one row.
// Small ones have their numbers written in.
//
//	visualize.Heatmap(attention)
//	visualize.Heatmap(confusion, visualize.Labels("cat", "dog"), visualize.XLabel("predicted"), visualize.YLabel("true"))
//
// Where there are numbers on both sides of 0 the colours are coolwarm, with 0 in the middle; else viridis. Cells of
// NaN and infinity have no colour and their sign. The options are Title, XLabel, YLabel, Range, Colormap, Annotate
// and Labels.
func Heatmap(x any, opts ...Option) *HeatmapView {
	const op = "heatmap"
	s := settle(op, opts, "Title", "XLabel", "YLabel", "Range", "Colormap", "Annotate", "Labels")
	if _, known := colormaps[s.colormap]; s.colormap != "" && !known {
		panic(tensor.Errorf(op, "there is no colormap %q", s.colormap).WithHint("viridis, grey or coolwarm"))
	}
	var n numbers
	if t, ok := x.(*tensor.Tensor); ok && t != nil && lendable(t) {
		checkNumbers(op, "the matrix", t)
		n = numbers{lent: t.Detach(), shape: t.Shape()}
	} else {
		n = toNumbers(op, "the matrix", x)
	}
	shape := n.shape
	if len(shape) == 1 {
		shape = []int{1, shape[0]}
	}
	if len(shape) != 2 {
		panic(tensor.Errorf(op, "a heatmap has two dimensions, not shape %v", n.shape).WithHint("index or reshape it"))
	}
	if n.count() == 0 {
		panic(tensor.Errorf(op, "a matrix of shape %v is empty", n.shape))
	}
	h := &HeatmapView{Title: s.title, XLabel: s.xLabel, YLabel: s.yLabel, Shape: n.shape, Colormap: s.colormap}
	if t, ok := x.(*tensor.Tensor); ok && h.Title == "" {
		h.Title = draw.LiveNames()[t]
	}
	bad := h.reduce(n, shape[0], shape[1])
	if t, ok := x.(*tensor.Tensor); ok && h.Rows == shape[0] && h.Columns == shape[1] {
		h.Places = draw.ElementsOf(t)
	}
	var shown []float64 // what has a colour: of a large matrix the means
	for _, v := range h.Values {
		if v != nil {
			shown = append(shown, *v)
		}
	}
	lo, hi := 0.0, 1.0
	if len(shown) > 0 {
		lo, hi = slices.Min(shown), slices.Max(shown)
		if from, to, few := bulk(slices.Clone(shown), lo, hi); few && s.zones == nil {
			h.Notes = append(h.Notes, fmt.Sprintf("colours from the 1st to the 99th percentile, %s to %s: %s beyond; "+
				"all are from %s to %s",
				draw.ShortValue(from), draw.ShortValue(to), draw.Counted(beyond(shown, from, to), "cell"), draw.ShortValue(lo),
				draw.ShortValue(hi)))
			lo, hi = from, to
		}
	}
	h.Min, h.Max = lo, hi
	if h.Colormap == "" {
		if h.Colormap = "viridis"; lo < 0 && hi > 0 && s.zones == nil {
			h.Colormap = "coolwarm"
		}
	}
	if s.zones != nil {
		h.Min, h.Max = s.zones[0], s.zones[1]
	} else if h.Colormap == "coolwarm" {
		m := max(math.Abs(lo), math.Abs(hi))
		h.Min, h.Max = -m, m
	}
	if h.Min == h.Max {
		h.Max = h.Min + max(math.Abs(h.Min), 1)
	}
	if len(s.labels) > 0 {
		if len(s.labels) != h.Rows && len(s.labels) != h.Columns {
			panic(tensor.Errorf(op, "there are %d labels for %d rows and %d columns", len(s.labels), shape[0], shape[1]))
		}
		if len(s.labels) == h.Rows {
			h.RowNames = s.labels
		}
		if len(s.labels) == h.Columns {
			h.ColNames = s.labels
		}
	}
	h.Annotate = len(h.Values) <= maxNumbered && h.Columns <= 12
	if s.annotate != nil {
		h.Annotate = *s.annotate && len(h.Values) <= 4*maxNumbered
	}
	if bad > 0 {
		h.Notes = append(h.Notes, draw.Counted(bad, "element")+" NaN, infinite or beyond 1e300")
	}
	return h
}

// reduce copies the values; of a large matrix, the means of blocks. It counts those that cannot be drawn.
func (h *HeatmapView) reduce(n numbers, rows, columns int) (bad int) {
	dy, dx := (rows+maxHeatCells-1)/maxHeatCells, (columns+maxHeatCells-1)/maxHeatCells
	h.Rows, h.Columns = (rows+dy-1)/dy, (columns+dx-1)/dx
	h.Values = make([]*float64, h.Rows*h.Columns)
	special := make([]float64, len(h.Values)) // one of what is in a cell without a number
	wrong := make([]int, h.Rows)
	list := []numbers{n}
	lend(list, func() {
		parallel.For(h.Rows, 1, func(from, to int) {
			for k := from * h.Columns; k < to*h.Columns; k++ {
				r, c := k/h.Columns, k%h.Columns
				mean, count, part := 0.0, 0, 1/float64(dy*dx) // parts of numbers add up to none that is too large
				for i := r * dy; i < min(rows, (r+1)*dy); i++ {
					list[0].within(i*columns+c*dx, i*columns+min(columns, (c+1)*dx), func(v float64) {
						if !drawable(v) {
							special[k] = v
							wrong[r]++
							return
						}
						count++
						mean += v * part
					})
				}
				if count > 0 {
					mean /= float64(count) * part
					h.Values[k] = &mean
				}
			}
		})
	})
	for _, n := range wrong {
		bad += n
	}
	for k, v := range h.Values {
		if v == nil {
			h.Special = append(h.Special, draw.ShortValue(special[k]))
		}
	}
	if dx*dy > 1 {
		h.Notes = append(h.Notes, fmt.Sprintf("%d × %d elements; a cell is the mean of %d × %d", rows, columns, dy, dx))
	}
	return bad
}

// place is where a number stands among the colours, from 0 to 1.
func (h *HeatmapView) place(v float64) float64 { return v/(h.Max-h.Min) - h.Min/(h.Max-h.Min) }

// texts are the numbers of the cells, all with as many digits as tell them apart; a cell without a number has a sign.
func (h *HeatmapView) texts() []string {
	whole := true
	size := 0.0
	for _, v := range h.Values {
		if v != nil {
			whole = whole && *v == math.Trunc(*v)
			size = max(size, math.Abs(*v))
		}
	}
	format := "%.2f"
	switch {
	case whole && size < 1e6:
		format = "%.0f"
	case size >= 1e4 || size < 0.01 && size > 0:
		format = "%.1e"
	case size >= 100:
		format = "%.0f"
	case size >= 10:
		format = "%.1f"
	}
	out := make([]string, len(h.Values))
	special := slices.Clone(h.Special)
	for i, v := range h.Values {
		if v == nil {
			out[i], special = special[0], special[1:]
			continue
		}
		out[i] = fmt.Sprintf(format, *v)
	}
	return out
}

// pixels is the matrix as a picture, a cell a pixel.
func (h *HeatmapView) pixels() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, h.Columns, h.Rows))
	for i, v := range h.Values {
		if v != nil {
			img.SetNRGBA(i%h.Columns, i/h.Columns, colourAt(h.Colormap, h.place(*v)))
		}
	}
	return img
}

// axisNames are what stands beside rows or columns: their labels, or the numbers of some of them.
func axisNames(names []string, shown, of, most int) []string {
	out := make([]string, shown)
	if names != nil {
		for i := range out {
			out[i] = draw.Clip(draw.OneLine(names[i], 12), 12)
		}
		return out
	}
	step := 1
	for _, f := range []int{1, 2, 5, 10, 20, 50, 100} {
		if step = f; (shown+f-1)/f <= most {
			break
		}
	}
	for i := 0; i < shown; i += step {
		out[i] = fmt.Sprint(i * ((of + shown - 1) / shown))
	}
	return out
}

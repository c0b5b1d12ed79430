package plot

import (
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Option changes how a plot or a picture is drawn: [Title], [XLabel], [YLabel], [LogX], [LogY], [XRange], [YRange],
// [Range], [Labels], [Legend],
// [Groups], [Bins], [Columns], [Padding], [Colormap], [Annotate], [Scale]. An option that a view has no use for is an
// error.
type Option interface {
	set() (name string, change func(*settings))
}

// settings are what options change.
type settings struct {
	title, xLabel, yLabel string
	logX, logY            bool
	xRange, yRange, zones []float64 // lowest and highest; nil where the data say; zones of numbers or colours
	labels                []string
	legend, annotate      *bool
	groups                any
	bins, columns, scale  int
	padding               int
	colormap              string
}

type option struct {
	name   string
	change func(*settings)
}

func (o option) set() (string, func(*settings)) { return o.name, o.change }

// Title is written above a plot.
func Title(text string) Option { return option{"Title", func(s *settings) { s.title = text }} }

// XLabel says what the horizontal axis measures.
func XLabel(text string) Option { return option{"XLabel", func(s *settings) { s.xLabel = text }} }

// YLabel says what the vertical axis measures.
func YLabel(text string) Option { return option{"YLabel", func(s *settings) { s.yLabel = text }} }

// LogX makes the horizontal axis logarithmic. Numbers that are not positive have no place on it and are counted.
func LogX() Option { return option{"LogX", func(s *settings) { s.logX = true }} }

// LogY makes the vertical axis logarithmic, as LogX does the horizontal one.
func LogY() Option { return option{"LogY", func(s *settings) { s.logY = true }} }

// XRange sets where the horizontal axis begins and ends. What lies outside is cut off.
func XRange(from, to float64) Option {
	return option{"XRange", func(s *settings) { s.xRange = []float64{from, to} }}
}

// YRange sets where the vertical axis begins and ends. What lies outside is cut off.
func YRange(from, to float64) Option {
	return option{"YRange", func(s *settings) { s.yRange = []float64{from, to} }}
}

// Range sets the lowest and the highest number: of the bins of a [Hist], of the colours of a [Heatmap] or [ImageGrid].
func Range(from, to float64) Option {
	return option{"Range", func(s *settings) { s.zones = []float64{from, to} }}
}

// Labels names the series of a plot, the rows and columns of a [Heatmap], or the pictures of an [ImageGrid], in order.
func Labels(names ...string) Option { return option{"Labels", func(s *settings) { s.labels = names }} }

// Legend sets whether the names of the series are listed; without it they are where there are several.
func Legend(show bool) Option { return option{"Legend", func(s *settings) { s.legend = &show }} }

// Groups divides the points of a [Scatter] into series: labels has a whole number for each point, its class.
func Groups(labels any) Option { return option{"Groups", func(s *settings) { s.groups = labels }} }

// Bins is how many bins a [Hist] has; without it the numbers decide.
func Bins(n int) Option { return option{"Bins", func(s *settings) { s.bins = n }} }

// Columns is how many pictures stand side by side in an [ImageGrid].
func Columns(n int) Option { return option{"Columns", func(s *settings) { s.columns = n }} }

// Padding is the room between the pictures of an [ImageGrid], in pixels of the pictures.
func Padding(pixels int) Option { return option{"Padding", func(s *settings) { s.padding = pixels }} }

// Colormap chooses the colours of a [Heatmap]: viridis, grey, or coolwarm, which has its middle at 0.
func Colormap(name string) Option { return option{"Colormap", func(s *settings) { s.colormap = name }} }

// Annotate sets whether a [Heatmap] has its numbers written into it; without it small ones have.
func Annotate(write bool) Option {
	return option{"Annotate", func(s *settings) { s.annotate = &write }}
}

func (k Scale) set() (string, func(*settings)) {
	return "Scale", func(s *settings) { s.scale = int(k) }
}

// settle applies options, of which a view takes those that are listed.
func settle(op string, opts []Option, takes ...string) *settings {
	s := &settings{padding: -1}
	for _, o := range opts {
		if o == nil {
			panic(tensor.Errorf(op, "an option is nil"))
		}
		name, change := o.set()
		if !slices.Contains(takes, name) {
			panic(tensor.Errorf(op, "it has no use for the option %s", name).WithHint("it takes " + strings.Join(takes, ", ")))
		}
		change(s)
	}
	s.title, s.xLabel, s.yLabel = draw.Tidy(s.title), draw.Tidy(s.xLabel), draw.Tidy(s.yLabel)
	s.labels = draw.TidyLists([][]string{s.labels})[0]
	for _, n := range []struct {
		what string
		n    int
	}{{"Bins", s.bins}, {"Columns", s.columns}, {"Scale", s.scale}} {
		if n.n < 0 {
			panic(tensor.Errorf(op, "%s is %d", n.what, n.n))
		}
	}
	for _, r := range []struct {
		what   string
		limits []float64
		log    bool
	}{{"XRange", s.xRange, s.logX}, {"YRange", s.yRange, s.logY}, {"Range", s.zones, false}} {
		switch {
		case r.limits == nil:
		case !drawable(r.limits[0]) || !drawable(r.limits[1]) || r.limits[0] >= r.limits[1]:
			panic(tensor.Errorf(op, "%s goes from %v to %v", r.what, r.limits[0], r.limits[1]))
		case r.log && r.limits[0] < smallest:
			panic(tensor.Errorf(op, "a logarithmic axis begins above 0, %s at %v", r.what, r.limits[0]))
		}
	}
	return s
}

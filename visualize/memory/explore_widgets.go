package memory

import (
	"fmt"

	"gotorch/visualize/display"
	"gotorch/visualize/draw"
	"gotorch/visualize/widgets"
)

// MIMEBundle is the view in all forms; where widgets can be drawn, as sliders.
func (e *Explorer) MIMEBundle() map[string]any {
	out := draw.Bundle(e)
	if !widgets.Connected() || e.cells == 0 {
		return out
	}
	if e.box == nil {
		e.box = newSliders(e).box
	}
	drawn := e.box.MIMEBundle()
	if widgets.Alone() {
		return drawn
	}
	for mime, v := range drawn {
		if out[mime] == nil {
			out[mime] = v
		}
	}
	return out
}

// Shown is told where the view is shown.
func (e *Explorer) Shown(h *display.Handle) {
	if e.box != nil {
		e.box.Shown(h)
	}
}

// sliders are the widgets of an explorer, and where they stand.
type sliders struct {
	e            *Explorer
	cells        int // of the storage that are in use
	now          ExploreFrame
	storage      *widgets.Int
	offset       *widgets.Int
	size, stride []*widgets.Int
	map_         *widgets.Area
	box          *widgets.Box
	moving       bool // the sliders are being set, not moved
}

func newSliders(e *Explorer) *sliders {
	f := e.Frames[0]
	s := &sliders{e: e, cells: e.cells, now: ExploreFrame{f.Title, append([]int(nil), f.Shape...), append([]int(nil),
		f.Stride...), f.Offset}}
	make := func(name string, value int) *widgets.Int {
		w := widgets.IntSlider(value, value, value, widgets.Describe(name))
		w.OnChange(func(int) { s.moved() })
		return w
	}
	s.moving = true
	s.storage, s.offset = make("storage size", s.cells), make("offset", f.Offset)
	rows := []widgets.Widget{widgets.HBox(s.storage, s.offset)}
	for d := range f.Shape {
		s.size, s.stride = append(s.size, make(fmt.Sprintf("size %d", d), f.Shape[d])),
			append(s.stride, make(fmt.Sprintf("stride %d", d), f.Stride[d]))
		rows = append(rows, widgets.HBox(s.size[d], s.stride[d]))
	}
	s.map_ = widgets.Output()
	s.box = widgets.VBox(append(rows, s.map_)...)
	s.settle()
	s.moving = false
	return s
}

// moved takes where the sliders stand. One is moved at a time, so what its limits were before holds; should two have
// moved at once, the later one is set back by its new limits.
func (s *sliders) moved() {
	if s.moving {
		return
	}
	s.moving = true
	defer func() { s.moving = false }()
	within := func(v int, ends [2]int) int { return min(max(v, ends[0]), ends[1]) }
	_, hi := s.now.reach()
	s.cells = within(s.storage.Value(), [2]int{hi + 1, s.e.cells})
	s.now.Offset = within(s.offset.Value(), s.now.offsets(s.cells))
	for d := range s.size {
		s.now.Shape[d] = within(s.size[d].Value(), s.now.limitsOf(d, s.cells).size)
		s.now.Stride[d] = within(s.stride[d].Value(), s.now.limitsOf(d, s.cells).stride)
	}
	s.settle()
}

// settle gives the sliders their limits and draws the map.
func (s *sliders) settle() {
	put := func(w *widgets.Int, value int, ends [2]int) { w.Place(value, ends[0], ends[1]) }
	_, hi := s.now.reach()
	put(s.storage, s.cells, [2]int{hi + 1, s.e.cells})
	put(s.offset, s.now.Offset, s.now.offsets(s.cells))
	for d := range s.size {
		l := s.now.limitsOf(d, s.cells)
		put(s.size[d], s.now.Shape[d], l.size)
		put(s.stride[d], s.now.Stride[d], l.stride)
	}
	s.map_.Set(s.e.frame(s.now, s.cells))
}

// frame is the map of one frame, over the storage as it is now; one that is gone stays as it was seen last.
func (e *Explorer) frame(f ExploreFrame, cells int) *StrideMap {
	s := e.Map.Storages[0]
	storage := e.src.Value()
	if storage != nil {
		s.Version = storage.Version()
	}
	if e.base != nil {
		if storage != nil {
			e.read(storage)
		}
		storage = e.base.Storage()
	}
	if storage == nil {
		return e.Map
	}
	views := []view{{x: e.view(storage, f), name: f.Title}}
	now := mapOf(storage, views, maxCells)
	now.fill(views, storage)
	now.ID, now.Version, now.Count, now.Bytes = s.ID, s.Version, cells, cells*now.Size
	if !now.Nested { // the storage ends where its slider says: the cells beyond are not there
		now.Cells = now.Cells[:cells]
		if now.Values != nil {
			now.Values = now.Values[:cells]
		}
		for i := range now.Lanes {
			for r, row := range now.Lanes[i].Rows {
				now.Lanes[i].Rows[r] = row[:cells]
			}
		}
	}
	for i := range now.Lanes {
		if now.Nested { // the scale is that of the slider
			now.Lanes[i].nested(views[i].x, now.Bytes)
		}
	}
	return &StrideMap{Storages: []StorageMap{now}}
}

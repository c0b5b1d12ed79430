package yaegi

import (
	"reflect"
)

// Note: the frame of globals
//
// yaegi retentions all globals in one slice, and puts a longer copy in its place for
// every cell that declares one. Goroutines of earlier cells read the slice
// meanwhile. So it is made longer than is needed, here; a new global then fills
// a place that nobody looks at yet.

// globalsAhead is the least number of globals that there is room for.
const globalsAhead = 1 << 12

// grow returns a place to each global that was declared since the last time.
func (g *globals) grow() {
	if n := len(*g.types); n > len(*g.frame) {
		room := make([]reflect.Value, max(globalsAhead, 2*n))
		copy(room, (*g.frame)[:g.made])
		*g.frame = room
	}
	for ; g.made < len(*g.types); g.made++ {
		(*g.frame)[g.made] = reflect.New((*g.types)[g.made]).Elem()
	}
}

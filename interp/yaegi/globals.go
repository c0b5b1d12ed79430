package yaegi

import (
	"reflect"
)

// Note: the frame of globals
//
// yaegi keeps all globals in one slice, and puts a longer copy in its place for every cell that declares one.
// Goroutines of earlier cells read the slice meanwhile. So it is made longer here than is needed; a new global then
// fills an element that no code reads yet.

// globalsAhead is the least number of free elements.
const globalsAhead = 1 << 12

// grow gives an element to each global that was declared since the last call.
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

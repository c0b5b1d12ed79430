//go:build race

package lower

// With the race detector on, lines are noted by an atomic store: the plain one
// to the interpreter's variable is a race between a cell's goroutines, a
// harmless one.
const raceEnabled = true

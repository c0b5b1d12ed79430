//go:build race

package engine

// With the race detector on, loops call Turn always: to look at the variable is a
// race, a harmless one.
const raceEnabled = true

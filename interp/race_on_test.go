//go:build race

package interp

// underRace: the race detector is on. The interpreter keeps the cases of a select in the statement, not in the goroutine that runs it, which the
// detector finds in cells whose goroutines share one.
const underRace = true

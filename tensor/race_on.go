//go:build race

package tensor

// raceEnabled: the race detector knows memory that the collector has freed, but not that which a finalizer has taken
// back.
const raceEnabled = true

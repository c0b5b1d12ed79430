//go:build !race

package core

// Race says whether the race detector is on.
const Race = false

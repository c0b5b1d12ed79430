//go:build !race

package core

// Race reports whether the race detector is on.
const Race = false

//go:build race

package core

// Race reports whether the race detector is on: a program that looks at a variable which the engine sets would be a
// race, a harmless one.
const Race = true

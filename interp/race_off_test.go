//go:build !race

package interp

const underRace = false

// Package house has the tests of the house itself: who may import whom, that generated files are fresh, and that files
// stay small.
package house

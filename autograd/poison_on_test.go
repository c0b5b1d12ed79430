//go:build poison

package autograd_test

// poisoned: calls are spoiled when they return, which allocates.
const poisoned = true

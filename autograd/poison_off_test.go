//go:build !poison

package autograd_test

const poisoned = false

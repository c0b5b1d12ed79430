//go:build breach

package allow

// lax allows every name: with the tag breach, tests see what holds when the list fails.
const lax = true

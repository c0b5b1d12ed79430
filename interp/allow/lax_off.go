//go:build !breach

package allow

const lax = false

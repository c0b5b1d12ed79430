//go:build !linux || !(amd64 || arm64)

package confine

import (
	"errors"
	"runtime"
)

const none = runtime.GOOS + "/" + runtime.GOARCH + " has no Landlock and no seccomp that gotorch uses"

// Available says what Apply would use.
func Available() Report { return Report{Missing: none} }

// Apply restricts nothing here. It is an error to ask for restricted reading.
func Apply(r Rules) (Report, error) {
	if r.Read != nil {
		return Available(), errors.New("reading cannot be restricted: " + none)
	}
	return Available(), nil
}

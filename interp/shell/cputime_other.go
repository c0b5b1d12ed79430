//go:build !unix

package shell

import "time"

// cpuTime is 0: nothing is known of it.
func cpuTime() time.Duration { return 0 }

package simd

// Pause tells the CPU n times that this thread waits for another one in a loop, which saves power and lets a sibling
// thread of the same core run. One pause takes between a few and some hundred cycles.
func Pause(n int) {
	for range n {
		pause()
	}
}

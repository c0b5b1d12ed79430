//go:build !linux

package tensor

// adviseHugePages does nothing: other systems choose the size of pages by themselves.
func adviseHugePages(uintptr, int) {}

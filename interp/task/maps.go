package task

import "sync"

// watched are the engines whose goroutines run: each says, of the map at an address, that it is being read until
// release is called. ok is false where a goroutine goes on writing it.
var watched sync.Map // owner → func(at uintptr) (release func(), ok bool)

// Watch has read asked before values are shown; nil is nothing any more.
func Watch(owner any, read func(at uintptr) (release func(), ok bool)) {
	if read == nil {
		watched.Delete(owner)
		return
	}
	watched.Store(owner, read)
}

// Reading says that what shows values reads the map at an address, until release is called: goroutines that write it
// wait. ok is false where one goes on writing it.
func Reading(at uintptr) (release func(), ok bool) {
	release, ok = func() {}, true
	watched.Range(func(_, read any) bool {
		var mine func()
		if mine, ok = read.(func(uintptr) (func(), bool))(at); ok {
			before := release
			release = func() { before(); mine() }
		}
		return ok
	})
	if !ok {
		release()
	}
	return release, ok
}

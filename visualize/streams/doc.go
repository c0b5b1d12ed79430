// Package streams shows devices that answer later, as a GPU does: what their streams do, and how their memory is
// divided.
//
//   - timeline*.go: [Timeline], what the host and the streams of a device did, beside each other.
//   - allocator*.go: [Allocator], the blocks of a caching allocator.
package streams

package tensor

import "unsafe"

// hostBytes lends the bytes of a storage of the host.
func hostBytes(s *Storage) []byte {
	if s.data == nil || s.bytes == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(s.data), s.bytes)
}

package jupyter

import "errors"

// ZMTP 3.0 frame flags.
const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4
)

var (
	errFrameTooLong   = errors.New("a frame is too long")
	errMessageTooLong = errors.New("a message is too long")
)

// bounds are what a peer may send before it has shown that it knows the key.
type bounds struct {
	frame   uint64 // bytes in one frame
	message uint64 // bytes in all frames of a message
	frames  int    // frames in a message
}

// frameReader follows the frames in a stream of bytes, as they pass in pieces of any size. It sees where messages end,
// and rejects a frame by its header, before memory is allocated for its body.
type frameReader struct {
	limit bounds

	head  [9]byte
	have  int    // bytes of head that are there
	left  uint64 // bytes of the body still to come
	total uint64 // bytes of the message so far
	count int    // frames of the message so far
	body  []byte // the body, of a short frame that is a whole message or command
	keep  bool
}

// between says that the last message is complete and the next one has not begun.
func (r *frameReader) between() bool { return r.have == 0 && r.left == 0 && r.count == 0 }

// feed takes the next bytes. whole is called for each short message of one frame, and each short
// command; body is valid during the call.
func (r *frameReader) feed(p []byte, whole func(command bool, body []byte)) error {
	for len(p) > 0 {
		if r.left > 0 {
			n := min(r.left, uint64(len(p)))
			if r.keep {
				r.body = append(r.body, p[:n]...)
			}
			p = p[n:]
			if r.left -= n; r.left == 0 {
				r.end(whole)
			}
			continue
		}
		r.head[r.have] = p[0]
		r.have++
		p = p[1:]
		long := r.head[0]&flagLong != 0
		var size uint64
		switch {
		case !long && r.have == 2:
			size = uint64(r.head[1])
		case long && r.have == 9:
			for _, b := range r.head[1:] {
				size = size<<8 | uint64(b)
			}
		default:
			continue
		}
		if err := r.begin(size, long, whole); err != nil {
			return err
		}
	}
	return nil
}

func (r *frameReader) begin(size uint64, long bool, whole func(bool, []byte)) error {
	if size > r.limit.frame {
		return errFrameTooLong
	}
	r.total += size
	r.count++
	if r.total > r.limit.message || r.count > r.limit.frames {
		return errMessageTooLong
	}
	r.keep = whole != nil && !long && (r.count == 1 && r.head[0]&flagMore == 0 || r.head[0]&flagCommand != 0)
	r.body = r.body[:0]
	r.have = 0
	if r.left = size; size == 0 {
		r.end(whole)
	}
	return nil
}

func (r *frameReader) end(whole func(bool, []byte)) {
	command := r.head[0]&flagCommand != 0
	if r.keep {
		whole(command, r.body)
	}
	if r.head[0]&flagMore == 0 {
		r.total, r.count = 0, 0
	}
}

// appendFrame writes a frame after b.
func appendFrame(b []byte, flags byte, body []byte) []byte {
	if len(body) < 256 {
		return append(append(b, flags, byte(len(body))), body...)
	}
	n := uint64(len(body))
	b = append(b, flags|flagLong, byte(n>>56), byte(n>>48), byte(n>>40), byte(n>>32), byte(n>>24), byte(n>>16),
		byte(n>>8), byte(n))
	return append(b, body...)
}

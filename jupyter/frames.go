package jupyter

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

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

// frameReader reads messages out of a stream. It refuses a frame by its header, before it makes room
// for its body.
type frameReader struct {
	in      *bufio.Reader
	limit   bounds
	command func(body []byte) // called for what is a command, not a message
}

// message gives the next message.
func (r *frameReader) message() (frames [][]byte, err error) {
	for total := uint64(0); ; {
		flags, size, err := r.head()
		if err != nil {
			return nil, err
		}
		if size > r.limit.frame {
			return nil, errFrameTooLong
		}
		if total += size; total > r.limit.message || len(frames) >= r.limit.frames {
			return nil, errMessageTooLong
		}
		body, err := readBody(r.in, size)
		if err != nil {
			return nil, err
		}
		if flags&flagCommand != 0 {
			r.command(body)
			total -= size
			continue
		}
		if frames = append(frames, body); flags&flagMore == 0 {
			return frames, nil
		}
	}
}

func (r *frameReader) head() (flags byte, size uint64, err error) {
	if flags, err = r.in.ReadByte(); err != nil {
		return 0, 0, err
	}
	if flags&flagLong == 0 {
		n, err := r.in.ReadByte()
		return flags, uint64(n), err
	}
	var long [8]byte
	_, err = io.ReadFull(r.in, long[:])
	return flags, binary.BigEndian.Uint64(long[:]), err
}

// readBody reads so many bytes. A length alone does not make it take much memory.
func readBody(in io.Reader, size uint64) ([]byte, error) {
	const believed = 1 << 20
	body := make([]byte, min(size, believed))
	for have := uint64(0); ; {
		if _, err := io.ReadFull(in, body[have:]); err != nil {
			return nil, err
		}
		if have = uint64(len(body)); have == size {
			return body, nil
		}
		body = append(make([]byte, 0, min(size, 4*have)), body...)
		body = body[:cap(body)]
	}
}

// appendHead writes what stands before a frame's body.
func appendHead(b []byte, flags byte, size int) []byte {
	if size < 256 {
		return append(b, flags, byte(size))
	}
	return binary.BigEndian.AppendUint64(append(b, flags|flagLong), uint64(size))
}

// appendFrame writes a frame after b.
func appendFrame(b []byte, flags byte, body []byte) []byte {
	return append(appendHead(b, flags, len(body)), body...)
}

// wholeFrame: a frame of at least so many bytes goes over the wire from where it lies.
const wholeFrame = 64 << 10

// layout gives a message as it goes over the wire, in pieces. Large frames are pieces themselves:
// nobody may write to them any more.
func layout(frames [][]byte) (pieces [][]byte) {
	size := 0
	for _, f := range frames {
		if len(f) < wholeFrame {
			size += len(f)
		}
		size += 9
	}
	b := make([]byte, 0, size)
	for i, f := range frames {
		flags := byte(flagMore)
		if i == len(frames)-1 {
			flags = 0
		}
		if len(f) < wholeFrame {
			b = appendFrame(b, flags, f)
			continue
		}
		b = appendHead(b, flags, len(f))
		pieces = append(pieces, b, f)
		b = b[len(b):]
	}
	if len(b) > 0 {
		pieces = append(pieces, b)
	}
	return pieces
}

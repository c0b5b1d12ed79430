package env

import (
	"bytes"

	"gotorch/interp/task"
)

// long is the length of a text from which on its decoding can be stopped.
const long = 1 << 16

// Decode calls decode with a text, and ends it on an interrupt and for a lack of memory. Package encoding/json looks
// at nothing while it decodes; but it notices, with a panic, that a text is not the one any more that it found valid
// before. So where the run is stopped the text is spoiled, a copy of it that nobody else sees.
func Decode(data []byte, decode func(data []byte) error) (err error) {
	stop := task.Stop()
	if len(data) < long || stop == nil {
		return decode(data)
	}
	text := bytes.Clone(data)
	done, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		select {
		case <-done:
		case <-stop:
			spoil(text)
		}
	}()
	defer func() {
		close(done)
		<-left
		if task.Stopped() {
			recover() // what became of the spoiled text
			err = ErrInterrupted
		}
	}()
	return decode(text)
}

// spoil makes a text one that is no JSON, while another goroutine reads it.
//
//go:norace
func spoil(text []byte) {
	for i := range text {
		text[i] = 0
	}
}

package jupyter

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"time"
	"unicode"
	"unicode/utf8"
)

// Note: streams
//
// What cells print is gathered and sent when the cell ends, when something else is published, when
// it is 100 ms old, or when it is 64 KB long. Text of one stream under one cell is one message; when
// a cell changes streams often, messages are saved by letting stdout and stderr change places.
// A notebook server cuts a kernel off that publishes more than 3,000 messages or 3 MB in 3 seconds,
// results and all. So a cell that goes on printing loses what is too much, and a line says so. One
// write is not cut, unless it is absurd (writeMost), and every cell may print cellBytes whatever was before it.
const (
	streamAge   = 100 * time.Millisecond
	streamSize  = 64 << 10
	outputRate  = 500_000   // bytes a second, unless Options say otherwise
	outputBurst = 1_000_000 // bytes before that counts
	cellBytes   = 250_000
	writeMost   = 64 << 20 // of one write: what is more would be in memory several times over
	switchBurst = 200
	switchRate  = 200
)

// chunk is text of one stream of one cell that waits.
type chunk struct {
	parent *message
	name   string
	text   []byte
}

// streams is the publisher's; all of it is under the publisher's lock.
type streams struct {
	pub      *publisher
	chunks   []*chunk // in the order in which they began
	size     int
	timer    *time.Timer
	armed    bool
	bytes    bucket // what may still be printed
	switches bucket // messages that may be spent on keeping stdout and stderr in order
	omitted  int
	last     *chunk // where the line about omitted text belongs
}

func (s *streams) init(p *publisher) {
	s.pub = p
	rate := cmp.Or(float64(p.k.outputRate), outputRate)
	burst := rate / outputRate * outputBurst
	if rate < 0 {
		rate, burst = math.Inf(1), math.Inf(1)
	}
	s.bytes = bucket{level: burst, burst: burst, rate: rate, at: time.Now()}
	s.switches = bucket{level: switchBurst, burst: switchBurst, rate: switchRate, at: time.Now()}
	s.timer = time.AfterFunc(time.Hour, s.tick)
	s.timer.Stop()
}

// writer is one stream of one cell.
type writer struct {
	pub    *publisher
	parent *message
	name   string
}

// Write never fails and never waits.
func (w *writer) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	w.pub.mu.Lock()
	defer w.pub.mu.Unlock()
	w.pub.streams.add(w, p)
	return len(p), nil
}

func (s *streams) add(w *writer, p []byte) {
	if s.omitted > 0 && s.bytes.now() < s.bytes.rate || s.omitted == 0 && s.bytes.level <= 0 && s.bytes.now() <= 0 {
		s.omitted += len(p)
		if s.last == nil {
			s.last = &chunk{parent: w.parent, name: w.name}
		}
		s.arm()
		return
	}
	s.notice()
	if len(p) > writeMost && !math.IsInf(s.bytes.rate, 1) {
		n := wholeRunes(p[:writeMost])
		s.omitted, s.last = len(p)-n, &chunk{parent: w.parent, name: w.name}
		p = p[:n]
	}
	s.bytes.level -= float64(len(p))
	c := s.chunk(w.parent, w.name)
	if len(c.text) == 0 && len(p) >= streamSize {
		c.text = p[:len(p):len(p)] // it goes out before this returns
	} else {
		c.text = append(c.text, p...)
	}
	if s.size += len(p); s.size >= streamSize {
		s.flush(false)
	}
	s.arm()
}

// cell lets a new cell print something whatever those before it printed.
func (s *streams) cell() {
	s.bytes.level = max(s.bytes.level, cellBytes)
	s.omitted, s.last = 0, nil
}

// notice says how much was left out, if anything was.
func (s *streams) notice() {
	if s.omitted == 0 {
		return
	}
	c := s.chunk(s.last.parent, s.last.name)
	c.text = fmt.Appendf(c.text, "\n[%d bytes of output left out: more than %.0f bytes a second for too long]\n",
		s.omitted, s.bytes.rate)
	s.omitted, s.last = 0, nil
}

// chunk returns where text of a stream goes.
func (s *streams) chunk(parent *message, name string) *chunk {
	if k := len(s.chunks) - 1; k >= 0 {
		if c := s.chunks[k]; c.parent == parent && c.name == name {
			return c
		}
		if s.switches.now() >= 1 {
			s.switches.level -= float64(len(s.chunks))
			s.flush(false)
		} else {
			for _, c := range s.chunks {
				if c.parent == parent && c.name == name {
					return c
				}
			}
		}
	}
	for _, c := range s.chunks { // the beginning of a rune that a flush left
		if c.parent == parent && c.name == name {
			return c
		}
	}
	c := &chunk{parent: parent, name: name}
	s.chunks = append(s.chunks, c)
	return c
}

// arm sees to it that what waits does not wait long.
func (s *streams) arm() {
	if !s.armed && (len(s.chunks) > 0 || s.omitted > 0) {
		s.armed = true
		s.timer.Reset(streamAge)
	}
}

func (s *streams) tick() {
	s.pub.mu.Lock()
	defer s.pub.mu.Unlock()
	s.armed = false
	s.flush(false)
	s.arm()
}

// flush sends what waits. Unless it is final, a rune that is not all there is kept back.
func (s *streams) flush(final bool) {
	if final {
		s.notice()
	}
	s.size = 0
	kept := s.chunks[:0]
	for _, c := range s.chunks {
		text := c.text
		if !final {
			text = text[:wholeRunes(text)]
		}
		if len(text) > 0 {
			s.put(c, text)
		}
		if rest := c.text[len(text):]; len(rest) > 0 {
			kept = append(kept, &chunk{parent: c.parent, name: c.name, text: append([]byte(nil), rest...)})
		}
	}
	clear(s.chunks[len(kept):])
	s.chunks = kept
}

// questionMost is how long a line may be that becomes a question.
const questionMost = 200

// takeLine takes back the beginning of a line that the cell of parent has printed last, if it waits still: it is a
// question to the user. Front ends show output and questions in the order in which two sockets bring them, and some
// only the question.
func (p *publisher) takeLine(parent *message) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &p.streams
	if len(s.chunks) == 0 || s.omitted > 0 {
		return ""
	}
	c := s.chunks[len(s.chunks)-1]
	at := bytes.LastIndexByte(c.text, '\n') + 1
	line := c.text[at:]
	if c.parent != parent || c.name != "stdout" || len(line) > questionMost || !utf8.Valid(line) ||
		bytes.ContainsFunc(line, unicode.IsControl) {
		return ""
	}
	text := string(line)
	c.text = c.text[:at]
	s.size -= len(text)
	return text
}

func (s *streams) put(c *chunk, text []byte) {
	m, err := s.pub.k.make(c.parent, "stream", nil, nil)
	if err != nil {
		s.pub.k.log.Printf("iopub: a stream was dropped: %v", err)
		return
	}
	m.content = appendString(append(make([]byte, 0, len(text)+len(text)/16+64), `{"name":"`+c.name+`","text":`...), text)
	m.content = append(m.content, '}')
	s.pub.put(m, "stream."+c.name, false)
}

// wholeRunes is how much of b does not end within a rune.
func wholeRunes(b []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return len(b) - i
			}
			break
		}
	}
	return len(b)
}

// appendString writes text as a JSON string after b; what is not UTF-8 becomes U+FFFD.
func appendString(b, text []byte) []byte {
	const hexDigits = "0123456789abcdef"
	b = append(b, '"')
	start, try := 0, 0
	for i := 0; i < len(text); {
		if i >= try {
			i += plain(text[i:])
			if try = i + 8; i == len(text) {
				break
			}
		}
		c := text[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[i:])
			if r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
			b = append(append(b, text[start:i]...), "\uFFFD"...)
			i++
			start = i
			continue
		}
		b = append(b, text[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, `\u00`...)
			b = append(b, hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(b, text[start:]...), '"')
}

// plain returns how many bytes at the beginning, in eights, need no escape and are ASCII.
func plain(text []byte) (n int) {
	const each = 0x0101010101010101 // times a byte: that byte eight times
	for ; len(text)-n >= 8; n += 8 {
		w := binary.LittleEndian.Uint64(text[n:])
		// The highest bit of a byte: not ASCII, below a space, a quotation mark, a backslash.
		if (w|(w-each*' ')|((w^each*'"')-each)|((w^each*'\\')-each))&(each*0x80) != 0 {
			break
		}
	}
	return n
}

// bucket lets burst through at once, then rate a second.
type bucket struct {
	level, burst, rate float64
	at                 time.Time
}

// now returns the level at this moment.
func (b *bucket) now() float64 {
	t := time.Now()
	b.level = min(b.burst, b.level+b.rate*t.Sub(b.at).Seconds())
	b.at = t
	return b.level
}

package yaegi

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
	"strings"

	"gotorch/interp/rt"
)

// Packages gob and xml for cells: they see the fields and the methods of cells' types, and what they read from may never end.

func (e *Engine) patchGob(t map[string]reflect.Value) {
	known := func(x any, register func()) {
		if b, ok := rt.Norm(x).(rt.Box); ok {
			panic(fmt.Sprintf("gob.Register cannot be used in a cell for %s: gob keeps a name for good, and a cell can declare its type anew; give fields their type instead of an interface", b.T.Name))
		}
		register()
	}
	set(t, map[string]any{
		"NewDecoder":   func(r io.Reader) *gob.Decoder { return gob.NewDecoder(e.waiting(r)) },
		"NewEncoder":   func(w io.Writer) *gob.Encoder { return gob.NewEncoder(e.sink(w)) },
		"Register":     func(x any) { known(x, func() { gob.Register(x) }) },
		"RegisterName": func(name string, x any) { known(x, func() { gob.RegisterName(name, x) }) },
	})
}

func (e *Engine) patchXML(t map[string]reflect.Value) {
	marshal := func(v any, prefix, indent string) ([]byte, error) {
		var b bytes.Buffer
		enc := xml.NewEncoder(&b)
		enc.Indent(prefix, indent)
		if err := rt.XMLEncode(enc, v); err != nil {
			return nil, err
		}
		if err := enc.Close(); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	}
	set(t, map[string]any{
		"Marshal":       func(v any) ([]byte, error) { return marshal(v, "", "") },
		"MarshalIndent": marshal,
		"Unmarshal":     func(b []byte, v any) error { return xmlDecode(xml.NewDecoder(bytes.NewReader(b)), v, nil) },
		"NewDecoder":    func(r io.Reader) *xml.Decoder { return xml.NewDecoder(e.waiting(r)) },
		"NewEncoder":    func(w io.Writer) *xml.Encoder { return xml.NewEncoder(e.sink(w)) },
	})
}

func xmlDecode(d *xml.Decoder, v any, start *xml.StartElement) error {
	return rt.XMLDecode(v, func(x any) error { return d.DecodeElement(x, start) })
}

func init() {
	methods["encoding/gob.Encoder.Encode"] = func(*Engine) any {
		return func(enc *gob.Encoder, v any) error { return rt.GobEncode(v, enc.Encode) }
	}
	methods["encoding/gob.Decoder.Decode"] = func(*Engine) any {
		return func(d *gob.Decoder, v any) error { return rt.GobDecode(v, d.Decode) }
	}
	methods["encoding/xml.Encoder.Encode"] = func(*Engine) any { return func(enc *xml.Encoder, v any) error { return rt.XMLEncode(enc, v) } }
	methods["encoding/xml.Encoder.EncodeElement"] = func(*Engine) any {
		return func(enc *xml.Encoder, v any, start xml.StartElement) error {
			return enc.EncodeElement(rt.XMLView(v), start)
		}
	}
	methods["encoding/xml.Decoder.Decode"] = func(*Engine) any {
		return func(d *xml.Decoder, v any) error { return xmlDecode(d, v, nil) }
	}
	methods["encoding/xml.Decoder.DecodeElement"] = func(*Engine) any {
		return func(d *xml.Decoder, v any, start *xml.StartElement) error { return xmlDecode(d, v, start) }
	}
}

// waiting gives what is read in place of r by compiled code that an interrupt must end: reads of what may block are left alone.
func (e *Engine) waiting(r io.Reader) io.Reader {
	switch r := r.(type) {
	case nil, *bytes.Reader, *bytes.Buffer, *strings.Reader:
		return r
	case *bufio.Reader:
		return &waitingBytes{waitingReader{e, r}, r}
	}
	if callsBack(reflect.ValueOf(r)) {
		return e.source(r)
	}
	return waitingReader{e, e.source(r)}
}

// sink gives what is written to in place of w by compiled code that an interrupt must end.
func (e *Engine) sink(w io.Writer) io.Writer {
	switch w := e.target(w).(type) {
	case nil:
		return w
	case *bytes.Buffer, *strings.Builder, writer:
		return stopWriter{w}
	default:
		if w == io.Discard || callsBack(reflect.ValueOf(w)) {
			return stopWriter{w}
		}
		return waitingWriter{e, w}
	}
}

// stopWriter fails when the run of the goroutine that writes is stopped.
type stopWriter struct{ w io.Writer }

func (s stopWriter) Write(p []byte) (int, error) {
	if Halted() {
		return 0, errInterrupted
	}
	n, err := s.w.Write(p)
	if n < len(p) && err == nil && Halted() {
		err = errInterrupted
	}
	return n, err
}

// waitingWriter writes on another goroutine.
type waitingWriter struct {
	e *Engine
	w io.Writer
}

func (w waitingWriter) Write(p []byte) (int, error) {
	var n int // these are not to be touched where the call was left alone
	var err error
	own := bytes.Clone(p)
	if !w.e.leave(func() { n, err = w.w.Write(own) }) {
		return 0, errInterrupted
	}
	return n, err
}

// waitingReader reads on another goroutine.
type waitingReader struct {
	e *Engine
	r io.Reader
}

func (w waitingReader) Read(p []byte) (int, error) {
	var n int
	var err error
	own := make([]byte, min(len(p), 1<<16)) // p may be used again when the read is left alone
	if !w.e.leave(func() { n, err = w.r.Read(own) }) {
		return 0, errInterrupted
	}
	return copy(p, own[:n]), err
}

// waitingBytes is one of a reader with a buffer.
type waitingBytes struct {
	waitingReader
	b *bufio.Reader
}

func (w *waitingBytes) Read(p []byte) (n int, err error) {
	if w.b.Buffered() > 0 {
		return w.b.Read(p)
	}
	return w.waitingReader.Read(p)
}

func (w *waitingBytes) ReadByte() (byte, error) {
	if w.b.Buffered() == 0 {
		var err error
		if !w.e.leave(func() { _, err = w.b.Peek(1) }) {
			return 0, errInterrupted
		}
		if err != nil {
			return 0, err
		}
	}
	return w.b.ReadByte()
}

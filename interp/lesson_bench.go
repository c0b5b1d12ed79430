package interp

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"strings"

	"gotorch/interp/learn"
	"gotorch/tensor"
	"gotorch/visualize/display"
)

// LessonBench is a session in which lessons are verified.
func LessonBench(s *Session) learn.Bench { return bench{s} }

type bench struct{ s *Session }

// Go runs Go as a silent cell.
func (b bench) Go(ctx context.Context, src string) ([]Value, *Error) {
	vals, err := b.s.EvalCell(ctx, Cell{Src: src, Silent: true}, Discard)
	return vals, cellError(err)
}

// Cell runs a cell, and gathers all that it shows. The card of a tensor counts as its text.
func (b bench) Cell(ctx context.Context, src string) (learn.Output, *Error) {
	var out benchSink
	vals, failed := b.s.EvalCell(ctx, Cell{Src: src}, &out)
	for _, v := range vals {
		text := v.Text
		if t := v.Bundle.Text(false); t != "" {
			text = t
		}
		out.WriteString(text + "\n")
		if _, ok := v.V.(*tensor.Tensor); !ok {
			out.addPicture(v.Bundle)
		}
	}
	return learn.Output{Text: strings.TrimRight(out.String(), "\n"), Pictures: out.pictures}, cellError(failed)
}

func cellError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{Name: "Error", Value: err.Error()}
}

// benchSink gathers output as text, and the pictures of views.
type benchSink struct {
	strings.Builder
	pictures []string
}

func (b *benchSink) Display(_ string, d display.Bundle) {
	fmt.Fprintln(b, d.Text(false))
	b.addPicture(d)
}

// addPicture keeps the picture of a bundle, of a page the first.
func (b *benchSink) addPicture(d display.Bundle) {
	all := d.All()
	svg, _ := all["image/svg+xml"].(string)
	if page, ok := all["text/html"].(string); ok && svg == "" {
		if m := pictureInPage.FindStringSubmatch(page); m != nil {
			if data, err := base64.StdEncoding.DecodeString(m[1]); err == nil {
				svg = string(data)
			}
		}
	}
	if svg != "" {
		b.pictures = append(b.pictures, svg)
	}
}

var pictureInPage = regexp.MustCompile(`src="data:image/svg\+xml;base64,([^"]*)"`)

func (b *benchSink) Update(string, display.Bundle) {}
func (b *benchSink) Clear(bool)                    {}
func (b *benchSink) Stdout() io.Writer             { return b }
func (b *benchSink) Stderr() io.Writer             { return b }
func (b *benchSink) Stdin() io.Reader              { return nil }

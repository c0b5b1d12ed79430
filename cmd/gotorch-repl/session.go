package main

import (
	"os"

	"golang.org/x/term"

	"gotorch/interp"
	"gotorch/tensor"
	"gotorch/visualize"
)

// newSession makes the session that the prompt, the kernel and run share.
func newSession() *interp.Session {
	return interp.New(interp.Options{Safe: cli.Safe, Ended: giving.ended})
}

// colorOK reports whether f takes colour.
func colorOK(f *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// plainText is a value as a terminal shows it.
func plainText(v interp.Value, color bool) string {
	if view, ok := v.V.(visualize.View); ok {
		if _, isCard := v.V.(*visualize.TensorCard); !isCard || color {
			return view.Text(color)
		}
		return view.Text(false)
	}
	return v.Text
}

// richBundle is a value as a notebook shows it: a tensor has its card around the text.
func richBundle(v interp.Value) (data, metadata map[string]any) {
	if x, ok := v.V.(*tensor.Tensor); ok && x != nil {
		data = visualize.Card(x).MIMEBundle()
		delete(data, "image/svg+xml")
		return data, nil
	}
	return v.Bundle.Data, v.Bundle.Metadata
}

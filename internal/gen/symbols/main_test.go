package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFresh fails when interp/symbols is not what the generator writes.
func TestFresh(t *testing.T) {
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("..", "..", "..", "interp", "symbols")
	have, _ := filepath.Glob(filepath.Join(dir, "*_gen.go"))
	for _, f := range have {
		if files[filepath.Base(f)] == nil {
			t.Errorf("%s is of no package any more: go generate ./interp/symbols", filepath.Base(f))
		}
	}
	for name, text := range files {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(b, text) {
			t.Errorf("%s is stale: go generate ./interp/symbols", name)
		}
	}
}

package main

import (
	"bytes"
	"os"
	"testing"
)

// TestFresh fails when visualize/facade_gen.go is not what the generator writes.
func TestFresh(t *testing.T) {
	want, err := Generate("../../../visualize", offers)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../visualize/facade_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("facade_gen.go is stale: run go generate ./visualize")
	}
}

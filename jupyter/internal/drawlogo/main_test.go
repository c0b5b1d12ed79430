package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The files that are committed are the ones that this program draws.
func TestLogoIsFresh(t *testing.T) {
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		got, err := os.ReadFile(filepath.Join("..", "..", "logo", name))
		if err != nil {
			t.Fatal(err)
		}
		same := bytes.Equal(got, want)
		if strings.HasSuffix(name, ".png") { // another Go may compress otherwise
			a, errA := png.Decode(bytes.NewReader(got))
			b, errB := png.Decode(bytes.NewReader(want))
			same = errA == nil && errB == nil && reflect.DeepEqual(a, b)
		}
		if !same {
			t.Errorf("%s is stale: go generate ./jupyter", name)
		}
	}
}

package main

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var number = regexp.MustCompile(`-?\d+(?:\.\d*)?(?:e[-+]?\d+)?`)

// TestPage holds docs/operators.md against what the operators do now: every entry, and what every example shows. The
// last digits of numbers are free, for they differ among processors.
func TestPage(t *testing.T) {
	got, err := page()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("../../docs/operators.md")
	if err != nil {
		t.Fatal(err)
	}
	gotLines, lines := strings.Split(got, "\n"), strings.Split(string(file), "\n")
	if len(gotLines) != len(lines) {
		t.Errorf("the page has %d lines, %d are made now", len(lines), len(gotLines))
	}
	for i := range min(len(gotLines), len(lines)) {
		if !alike(gotLines[i], lines[i]) {
			t.Fatalf("docs/operators.md:%d is stale: go generate ./...\nnow:  %s\npage: %s", i+1, gotLines[i], lines[i])
		}
	}
}

// alike reports whether two lines are the same up to the last digits of numbers.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if number.ReplaceAllString(a, "#") != number.ReplaceAllString(b, "#") {
		return false
	}
	xs, ys := number.FindAllString(a, -1), number.FindAllString(b, -1)
	for i := range xs {
		x, errX := strconv.ParseFloat(xs[i], 64)
		y, errY := strconv.ParseFloat(ys[i], 64)
		if errX != nil || errY != nil || math.Abs(x-y) > 1e-3*max(1, math.Abs(x)) {
			return false
		}
	}
	return true
}

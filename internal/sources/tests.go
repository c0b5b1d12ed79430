package sources

import (
	"strconv"
	"strings"
	"sync"
)

// TestsFile is the part of the archive that lists the tests: a line for each, with the operator's full name, the file,
// the line and the name of the test, in order of how much the test says of the operator.
const TestsFile = "tests.txt"

var tests = sync.OnceValue(func() map[string][]Place {
	m := map[string][]Place{}
	text, _ := Read(TestsFile)
	for _, l := range strings.Split(text, "\n") {
		f := strings.Split(l, "\t")
		if len(f) != 4 {
			continue
		}
		line, _ := strconv.Atoi(f[2])
		m[f[0]] = append(m[f[0]], Place{File: f[1], Line: line, Name: f[3]})
	}
	return m
})

// Tests lists the tests of an operator, the most telling first.
func Tests(full string) []Place { return tests()[full] }

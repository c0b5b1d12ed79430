package yaegi

import (
	"runtime"
	"slices"
	"strings"

	"gotorch/internal/module"
)

// blocking names the host function that a stopped run is inside of, in parentheses, or is empty.
func blocking() string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if !strings.Contains(stack, "yaegi.(*Engine).work(") {
			continue
		}
		for line := range strings.Lines(stack) {
			name, _, ok := strings.Cut(line, "(0x")
			if !ok {
				name, _, ok = strings.Cut(line, "(...)")
			}
			name, _, _ = strings.Cut(name, "({")
			if ok && !strings.HasPrefix(line, "\t") && !slices.ContainsFunc(machinery, func(p string) bool {
				return strings.HasPrefix(name, p)
			}) {
				return " (" + name + ")"
			}
		}
	}
	return ""
}

// machinery are the packages between a cell and the host code that it calls.
var machinery = []string{"runtime.", "reflect.", "internal/", "sync.", "created by ", "goroutine ", "panic(",
	"github.com/traefik/yaegi/", module.Path + "/interp/"}

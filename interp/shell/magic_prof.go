package shell

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"gotorch/interp/result"
	"gotorch/interp/split"
	"maps"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// Note: two profiles. The runtime's profiler sees compiled functions: kernels, and of interpreted code only the
// interpreter's closures, which say nothing. So the line that the session executes is also sampled a thousand times a
// second.

const lookEvery = time.Millisecond

// profMagic runs a statement and shows the lines of cells and the compiled functions in which it spent its time. With
// -o FILE the runtime's profile is written there, for go tool pprof.
func (s *Shell) profMagic(ctx context.Context, arg string) ([]Value, *Error) {
	file := ""
	// IPython's
	for option, rest := split.CutWord(arg); option == "-s" || option == "-l" || option == "-q" || option == "-r"; option, rest = split.CutWord(arg) {
		if arg = rest; option == "-s" || option == "-l" { // with a word: how it is sorted, how many lines
			_, arg = split.CutWord(rest)
		}
	}
	if option, rest := split.CutWord(arg); option == "-o" {
		if file, arg = split.CutWord(rest); file == "" {
			return nil, usage("%%prof [-o FILE] STATEMENT")
		}
	}
	if file != "" {
		if err := s.Restricted("%prof -o"); err != nil {
			return nil, err
		}
	}
	if strings.TrimSpace(arg) == "" {
		return nil, usage("%%prof [-o FILE] STATEMENT")
	}
	var raw bytes.Buffer
	if err := pprof.StartCPUProfile(&raw); err != nil {
		return nil, usage("%v", err)
	}
	var vals []Value
	var rerr *Error
	var took time.Duration
	lines, count := s.Sample(lookEvery, func() {
		start := time.Now()
		vals, rerr = s.Go(ctx, arg)
		took = time.Since(start)
	})
	pprof.StopCPUProfile()
	if rerr != nil {
		return vals, rerr
	}
	var b strings.Builder
	fmt.Fprintf(&b, "took %s\n", short(took))
	profLines(&b, lines, count)
	if p, err := profile.ParseData(raw.Bytes()); err == nil {
		profFunctions(&b, p)
	}
	if file != "" {
		if err := writeTo(ctx, unquoted(file), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, raw.String()); err != nil {
			return vals, fileError(err)
		}
		fmt.Fprintf(&b, "written to %s: go tool pprof %s\n", unquoted(file), unquoted(file))
	}
	return append(vals, result.Text(strings.TrimRight(b.String(), "\n"))...), nil
}

// most is how many lines and functions are shown.
const profMost = 10

// profLines writes the lines of cells by the share of looks that found the session there.
func profLines(b *strings.Builder, lines map[Place]int, count int) {
	places := slices.SortedFunc(maps.Keys(lines), func(a, b Place) int {
		return cmp.Or(cmp.Compare(lines[b], lines[a]), cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Line, b.Line))
	})
	if len(places) == 0 {
		return
	}
	b.WriteString("\n  time  line\n")
	for i, at := range places {
		if i == profMost {
			fmt.Fprintf(b, "        … %d more\n", len(places)-i)
			break
		}
		fmt.Fprintf(b, "%5.1f%%  %s:%d  %s\n", 100*float64(lines[at])/float64(count), at.Cell, at.Line,
			strings.TrimSpace(at.Source))
	}
}

// profFunctions writes the compiled functions with the most time of their own.
func profFunctions(b *strings.Builder, p *profile.Profile) {
	flat, cum := map[string]int64{}, map[string]int64{}
	var total int64
	for _, sample := range p.Sample {
		v := sample.Value[len(sample.Value)-1]
		total += v
		seen := map[string]bool{}
		leaf := true
		for _, loc := range sample.Location {
			for _, line := range loc.Line {
				name := line.Function.Name
				if leaf {
					flat[name] += v
					leaf = false
				}
				if !seen[name] {
					cum[name] += v
					seen[name] = true
				}
			}
		}
	}
	if total == 0 {
		b.WriteString("\ntoo short for a profile of functions, which is taken 100 times a second\n")
		return
	}
	var names []string
	for name := range flat {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(cmp.Compare(flat[y], flat[x]), cmp.Compare(x, y)) })
	b.WriteString("\n  flat    cum   function\n")
	for i, name := range names {
		if i == profMost {
			fmt.Fprintf(b, "               … %d more\n", len(names)-i)
			break
		}
		fmt.Fprintf(b, "%5.1f%% %5.1f%%  %s\n", 100*float64(flat[name])/float64(total),
			100*float64(cum[name])/float64(total), name)
	}
}

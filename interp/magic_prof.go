package interp

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"gotorch/interp/lower"
)

// Note: two profiles. The runtime's profiler sees compiled functions: kernels, and of interpreted code only the
// interpreter's closures, which say nothing. So beside it the line at which the session stands is looked at a thousand
// times a second.

const lookEvery = time.Millisecond

// profMagic runs a statement and shows the lines of cells and the compiled functions in which it spent its time. With
// -o FILE the runtime's profile is written there, for go tool pprof.
func (s *Session) profMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	file := ""
	for option, rest := cutWord(arg); option == "-s" || option == "-l" || option == "-q" || option == "-r"; option, rest = cutWord(arg) { // IPython's
		if arg = rest; option == "-s" || option == "-l" { // with a word: how it is sorted, how many lines
			_, arg = cutWord(rest)
		}
	}
	if option, rest := cutWord(arg); option == "-o" {
		if file, arg = cutWord(rest); file == "" {
			return nil, usage("%%prof [-o FILE] STATEMENT")
		}
	}
	if file != "" {
		if err := s.restricted("%prof -o"); err != nil {
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
	lines, stop := map[int]int{}, make(chan bool)
	looked := make(chan int)
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		count := 0
		for {
			select {
			case <-stop:
				looked <- count
				return
			case <-tick.C:
				lines[s.eng.Line()]++
				count++
			}
		}
	}()
	s.low.EveryLine = true
	defer func() { s.low.EveryLine = false }()
	start := time.Now()
	vals, rerr := s.evalGo(ctx, s.cellName(n), arg)
	took := time.Since(start)
	stop <- true
	count := <-looked
	pprof.StopCPUProfile()
	if rerr != nil {
		return vals, rerr
	}
	var b strings.Builder
	fmt.Fprintf(&b, "took %s\n", short(took))
	s.profLines(&b, lines, count)
	if p, err := profile.ParseData(raw.Bytes()); err == nil {
		profFunctions(&b, p)
	}
	if file != "" {
		if err := os.WriteFile(unquoted(file), raw.Bytes(), 0o666); err != nil {
			return vals, fileError(err)
		}
		fmt.Fprintf(&b, "written to %s: go tool pprof %s\n", unquoted(file), unquoted(file))
	}
	return append(vals, textValue(strings.TrimRight(b.String(), "\n"))...), nil
}

// most is how many lines and functions are shown.
const profMost = 10

// profLines writes the lines of cells by the share of looks that found the session there.
func (s *Session) profLines(b *strings.Builder, lines map[int]int, count int) {
	type row struct{ code, n int }
	var rows []row
	whole := map[int]int{} // the statements of a line are one row
	for code, n := range lines {
		if number, line := lower.Decode(code); line > 0 {
			whole[lower.Code(number, line, 0)] += n
		}
	}
	for code, n := range whole {
		rows = append(rows, row{code, n})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.code, b.code)) })
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n  time  line\n")
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, r := range rows {
		if i == profMost {
			fmt.Fprintf(b, "        … %d more\n", len(rows)-i)
			break
		}
		at := &Error{}
		s.locate(at, r.code)
		fmt.Fprintf(b, "%5.1f%%  %s:%d  %s\n", 100*float64(r.n)/float64(count), at.Cell, at.Line, strings.TrimSpace(at.Source))
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
		fmt.Fprintf(b, "%5.1f%% %5.1f%%  %s\n", 100*float64(flat[name])/float64(total), 100*float64(cum[name])/float64(total), name)
	}
}

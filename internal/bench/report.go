package main

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"gotorch/internal/simd"
)

// level is the ratio from which a row counts as ahead or level.
const level = 0.97

//go:embed causes.txt
var causesText string

// cause says why the rows that match are behind.
type cause struct {
	rows *regexp.Regexp
	why  string
}

// causes reads causes.txt.
func causes() (cs []cause) {
	for line := range strings.Lines(causesText) {
		if rows, why, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(rows, "#") {
			cs = append(cs, cause{regexp.MustCompile("^(?:" + rows + ")$"), why})
		}
	}
	return cs
}

// why is the first cause that matches a row.
func why(cs []cause, row string) string {
	for _, c := range cs {
		if c.rows.MatchString(row) {
			return c.why
		}
	}
	return ""
}

// duration writes seconds with three digits.
func duration(s float64) string {
	switch {
	case s == 0:
		return "-"
	case s < 1e-6:
		return fmt.Sprintf("%.3g ns", s*1e9)
	case s < 1e-3:
		return fmt.Sprintf("%.3g µs", s*1e6)
	case s < 1:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.3g s", s)
}

// line is a row of the table: our times on one and two threads, PyTorch's, and the ratio.
func (r *result) line() string {
	if r.Error != "" && r.ratio() == 0 {
		return fmt.Sprintf("%-36s %s", r.Name, r.Error)
	}
	line := fmt.Sprintf("%-36s %10s %10s | %10s %10s | %7.3f", r.Name, duration(r.Ours["1"]), duration(r.Ours["2"]),
		duration(r.Theirs["1"]), duration(r.Theirs["2"]), r.ratio())
	if r.Yaegi > 0 {
		line += fmt.Sprintf(", yaegi %s", duration(r.Yaegi))
	}
	if r.Gonum > 0 {
		line += fmt.Sprintf(", gonum %s, %.2f", duration(r.Gonum), r.Gonum/best(r.Ours))
	}
	return line
}

// stats are those of a group's ratios.
type stats struct {
	rows, ahead                  int
	median, geomean, worst, most float64
}

// statsOf leaves out rows without a ratio.
func statsOf(results []result) (s stats) {
	var ratios []float64
	logs := 0.0
	for i := range results {
		if x := results[i].ratio(); x > 0 {
			ratios = append(ratios, x)
			logs += math.Log(x)
			if x >= level {
				s.ahead++
			}
		}
	}
	if s.rows = len(ratios); s.rows == 0 {
		return s
	}
	slices.Sort(ratios)
	s.worst, s.most = ratios[0], ratios[len(ratios)-1]
	s.median = (ratios[(s.rows-1)/2] + ratios[s.rows/2]) / 2
	s.geomean = math.Exp(logs / float64(s.rows))
	return s
}

// groups splits results by group, in order.
func groups(results []result) (names []string, by map[string][]result) {
	by = map[string][]result{}
	for _, r := range results {
		if by[r.Group] == nil {
			names = append(names, r.Group)
		}
		by[r.Group] = append(by[r.Group], r)
	}
	return names, by
}

// summary is a table of the groups and the last line.
func summary(results []result) string {
	var b strings.Builder
	all := statsOf(results)
	if all.rows == 0 {
		return fmt.Sprintf("%d workloads, none beside PyTorch\n", len(results))
	}
	fmt.Fprintf(&b, "%-24s %5s %6s %8s %8s %8s %8s\n", "group", "rows", "ahead", "median", "geomean", "worst", "best")
	names, by := groups(results)
	for _, g := range names {
		s := statsOf(by[g])
		fmt.Fprintf(&b, "%-24s %5d %6d %8.3f %8.3f %8.3f %8.3f\n", g, s.rows, s.ahead, s.median, s.geomean, s.worst, s.most)
	}
	for i := range results {
		if r := &results[i]; r.Error != "" && r.ratio() == 0 {
			fmt.Fprintf(&b, "\nfailed: %s: %s", r.Name, r.Error)
		}
	}
	fmt.Fprintf(&b, "\nahead or level in %d of %d workloads, geomean %.3f\n", all.ahead, all.rows, all.geomean)
	return b.String()
}

// machine describes the computer and the versions.
func (p *pair) machine() string {
	cpu := "unknown CPU"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
				cpu = strings.TrimSpace(v)
				break
			}
		}
	}
	var caches []string
	for i := range 8 {
		dir := fmt.Sprintf("/sys/devices/system/cpu/cpu0/cache/index%d/", i)
		size, err := os.ReadFile(dir + "size")
		if err != nil {
			break
		}
		lev, _ := os.ReadFile(dir + "level")
		kind, _ := os.ReadFile(dir + "type")
		if k := strings.TrimSpace(string(kind)); k != "Instruction" {
			caches = append(caches, fmt.Sprintf("L%s %s", strings.TrimSpace(string(lev)), strings.TrimSpace(string(size))))
		}
	}
	return fmt.Sprintf("%s, %d CPUs, %s; %s, kernels %s; PyTorch %s", cpu, runtime.NumCPU(), strings.Join(caches, ", "),
		runtime.Version(), simd.Current(), p.version)
}

// document is docs/performance.md.
func document(results []result, machine, command string) string {
	var b strings.Builder
	all := statsOf(results)
	fmt.Fprintf(&b, "# Speed beside PyTorch\n\nMeasured %s on %s, by `%s`.\n\n", time.Now().Format("2006-01-02"),
		machine, command)
	fmt.Fprintf(&b, "**Ahead or level in %d of %d workloads, geometric mean %.2f.** ", all.ahead, all.rows, all.geomean)
	b.WriteString("A ratio is PyTorch's time by gotorch's, each the least of one and two threads: above 1 gotorch is " +
		"ahead, from 0.97 on it is\n" +
		"level. The processes of both sides take turns at every row, PyTorch with AVX-512 kernels, an allocator that " +
		"keeps memory and pinned helpers.\n" +
		"Python frees a result when nobody refers to it any more; gotorch's calls stand in `tensor.Tidy`, which " +
		"frees theirs at its end. With `-collected`\nthey wait for Go's collector, and results of 100 KB and more " +
		"leave the caches.\n" +
		"Times depend on the machine; only ratios are worth comparing.\n\n")
	b.WriteString("| group | rows | ahead | median | geomean | worst | best |\n|---|---|---|---|---|---|---|\n")
	names, by := groups(results)
	for _, g := range names {
		s := statsOf(by[g])
		fmt.Fprintf(&b, "| %s | %d | %d | %.2f | %.2f | %.2f | %.2f |\n", g, s.rows, s.ahead, s.median, s.geomean,
			s.worst, s.most)
	}
	b.WriteString("\n## Behind\n\nThe rows below 0.97 and why.\n\n| row | ratio | cause |\n|---|---|---|\n")
	reasons := causes()
	behind := slices.Clone(results)
	slices.SortStableFunc(behind, func(x, y result) int { return compare(x.ratio(), y.ratio()) })
	for i := range behind {
		if r := &behind[i]; r.ratio() > 0 && r.ratio() < level {
			fmt.Fprintf(&b, "| %s | %.2f | %s |\n", r.Name, r.ratio(), why(reasons, r.Name))
		}
	}
	programTable(&b, results)
	gonumTable(&b, results)
	b.WriteString("\n## All rows\n")
	for _, g := range names {
		fmt.Fprintf(&b, "\n### %s\n\n| row | gotorch, 1 thread | 2 threads | PyTorch, 1 thread | 2 threads | ratio |\n"+
			"|---|---|---|---|---|---|\n", g)
		for _, r := range by[g] {
			if r.Error != "" && r.ratio() == 0 {
				fmt.Fprintf(&b, "| %s | %s | | | | |\n", r.Name, r.Error)
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %.2f |\n", r.Name, duration(r.Ours["1"]), duration(r.Ours["2"]),
				duration(r.Theirs["1"]), duration(r.Theirs["2"]), r.ratio())
		}
	}
	return b.String()
}

// programTable has the interpreted programs beside Python and yaegi.
func programTable(b *strings.Builder, results []result) {
	head := "\n## Interpreted programs\n\nThe same loops as cells, in Python, and in yaegi, the interpreter beneath " +
		"cells, as it is.\n\n" +
		"| program | gotorch | Python | yaegi | Python's time by gotorch's | yaegi's time by gotorch's |\n" +
		"|---|---|---|---|---|---|\n"
	for i := range results {
		if r := &results[i]; r.Yaegi > 0 {
			ours := best(r.Ours)
			fmt.Fprintf(b, "%s| %s | %s | %s | %s | %.2f | %.2f |\n", head, r.Name, duration(ours), duration(best(r.Theirs)),
				duration(r.Yaegi), r.ratio(), r.Yaegi/ours)
			head = ""
		}
	}
}

// gonumTable has linear algebra and transforms beside gonum, whose routines begin with tensors' memory.
func gonumTable(b *strings.Builder, results []result) {
	head := "\n## Beside gonum\n\nRows for which gonum has the routine, in float64 and complex128, gonum on one " +
		"thread.\n\n" +
		"| row | gotorch | gonum | PyTorch | gonum's time by gotorch's |\n|---|---|---|---|---|\n"
	for i := range results {
		if r := &results[i]; r.Gonum > 0 {
			ours := best(r.Ours)
			fmt.Fprintf(b, "%s| %s | %s | %s | %s | %.2f |\n", head, r.Name, duration(ours), duration(r.Gonum),
				duration(best(r.Theirs)), r.Gonum/ours)
			head = ""
		}
	}
}

func compare(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

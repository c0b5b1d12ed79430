// Command bench measures gotorch beside PyTorch.
//
//	go run ./internal/bench [-only REGEXP] [-sweep] [-json] [-rounds N] [-collected] [-o FILE] [-python PROGRAM]
//
// Each row is a workload, written once in Go and once in Python (rows_*.go). For each side there is one process with
// one thread and one with two; they take turns, row by row and several times over, and the least time of a side
// counts. PyTorch runs at its best: all of the processor, an allocator that keeps memory, helper threads pinned. The
// ratio is PyTorch's time by gotorch's, so that above 1 gotorch is ahead; from 0.97 on it is level.
//
// Python frees a result as soon as nobody refers to it. So gotorch's calls stand in a [tensor.Tidy], which frees
// theirs at its end; with -collected they wait for Go's collector.
//
// main.go reads the flags, pair.go runs the processes, serve.go is the process of gotorch's side and torch.py that of
// PyTorch's, rows_programs.go has what cells and Python interpret, report.go writes tables and docs/performance.md,
// causes.txt says why a row is behind.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
)

func main() {
	only := flag.String("only", "", "measure the rows whose names match `REGEXP`")
	sweep := flag.Bool("sweep", false, "measure how some operators grow with size instead")
	asJSON := flag.Bool("json", false, "write JSON instead of tables")
	rounds := flag.Int("rounds", 3, "how often the processes take turns")
	python := flag.String("python", "/usr/bin/python3", "the Python that has torch")
	collected := flag.Bool("collected", false, "leave gotorch's results to Go's collector, not to tensor.Tidy")
	out := flag.String("o", "", "write the report as Markdown to `FILE`")
	serve := flag.Bool("serve", false, "be the process that measures gotorch (internal)")
	flag.Parse()
	rows := allRows()
	if *sweep {
		rows = sweepRows()
	}
	if *serve {
		serveRows(append(allRows(), sweepRows()...), *collected)
		return
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: -only:", err)
		os.Exit(2)
	}
	var chosen []row
	for _, r := range rows {
		if match.MatchString(r.name) {
			chosen = append(chosen, r)
		}
	}
	p, err := startPair(*python, *collected)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	defer p.close()
	if !p.hasTorch() {
		fmt.Fprintf(os.Stderr, "bench: %s has no torch (Debian: python3-torch): these are gotorch's figures only\n", *python)
	}
	fair := p.hasTorch() && !strings.HasSuffix(p.version, noBLAS)
	if p.hasTorch() && !fair {
		fmt.Fprintln(os.Stderr, "bench: PyTorch has no OpenBLAS here (Debian: libopenblas0-pthread): where it multiplies "+
			"matrices it is up to 100 times slower than it could be")
	}
	var results []result
	for _, r := range chosen {
		res := p.measure(r, *rounds)
		results = append(results, res)
		if !*asJSON {
			fmt.Println(res.line())
		}
	}
	if *asJSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", " ")
		enc.Encode(results)
	} else {
		fmt.Println()
		fmt.Print(summary(results))
	}
	if *out == "" && *only == "" && !*sweep && fair {
		*out = "docs/performance.md"
	}
	if *out != "" {
		command := strings.TrimSpace("go run ./internal/bench " + strings.Join(os.Args[1:], " "))
		if err := os.WriteFile(*out, []byte(document(results, p.machine(), command)), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
	}
}

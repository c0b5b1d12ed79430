// Command gorun runs the programs of Go's own tests as cells, and says which behave as when they are compiled:
//
//	go run ./internal/gorun $(go env GOROOT)/test
//
// A program counts if its first line is "// run", its build constraints hold, and cells have the packages that it
// imports. It passes if it exits with 0 and prints what Go's test driver expects: the file .out beside it, or nothing.
// The others are listed by how they ended. A program that gotorch rejects gets one sentence; an internal error or the
// end of the process is a fault, and makes gorun exit with 1, as less than -want passes do.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"time"
)

func main() {
	bin := flag.String("bin", "", "the gotorch-repl that runs the programs; the default builds it")
	jobs := flag.Int("jobs", 2, "programs that run at once")
	limit := flag.Duration("timeout", 60*time.Second, "how long one may run")
	only := flag.String("only", "", "a regular expression of the paths of programs")
	want := flag.Int("want", 0, "how many must pass")
	verbose := flag.Bool("v", false, "list what passes, too, and everything that a program printed")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: gorun [flags] DIR")
		os.Exit(2)
	}
	ok, err := report(config{*bin, flag.Arg(0), *jobs, *limit, *only, *want, *verbose})
	if err != nil {
		fmt.Fprintln(os.Stderr, "gorun:", err)
	}
	if !ok || err != nil {
		os.Exit(1)
	}
}

type config struct {
	bin, dir string
	jobs     int
	limit    time.Duration
	only     string
	want     int
	verbose  bool
}

// report runs the programs and prints how they ended. It is true if none is at fault and enough pass.
func report(c config) (bool, error) {
	if c.bin == "" {
		dir, err := os.MkdirTemp("", "gorun")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
		c.bin = filepath.Join(dir, "gotorch-repl")
		build := exec.Command("go", "build", "-o", c.bin, "gotorch/cmd/gotorch-repl")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return false, err
		}
	}
	only, err := regexp.Compile(c.only)
	if err != nil {
		return false, err
	}
	all, left, err := programs(c.dir, only)
	if err != nil {
		return false, err
	}
	r := runner{c.bin, c.dir, c.limit}
	results := make([]result, len(all))
	next := make(chan int)
	done := make(chan bool)
	for range c.jobs {
		go func() {
			for i := range next {
				results[i] = r.run(context.Background(), all[i])
			}
			done <- true
		}()
	}
	for i := range all {
		next <- i
	}
	close(next)
	for range c.jobs {
		<-done
	}
	count := map[outcome]int{}
	for _, r := range results {
		count[r.outcome]++
		if r.outcome != passed || c.verbose {
			fmt.Printf("%-9s %s  %s\n", r.outcome, r.program.path, r.why(c.verbose))
		}
	}
	fmt.Printf("\n%d of %d pass", count[passed], len(all))
	for o := rejected; o <= faulty; o++ {
		if count[o] > 0 {
			fmt.Printf(", %d %s", count[o], o)
		}
	}
	fmt.Println()
	var names []string
	for n := range left {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool {
		return left[names[i]] > left[names[j]] || left[names[i]] == left[names[j]] && names[i] < names[j]
	})
	for _, n := range names {
		fmt.Printf("%d not counted: %s\n", left[n], n)
	}
	return count[faulty] == 0 && count[passed] >= c.want, nil
}

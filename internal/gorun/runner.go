package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// outcome is how a program ended.
type outcome int

const (
	passed   outcome = iota
	rejected         // a message says what cells do not have
	differs          // it ended, with other output or another status
	late             // it did not end in time
	faulty           // an internal error, or the end of the process
)

func (o outcome) String() string {
	return [...]string{"pass", "rejected", "differ", "late", "faulty"}[o]
}

type result struct {
	program program
	outcome outcome
	output  string
	status  int
}

// runner runs programs by a gotorch-repl.
type runner struct {
	bin, dir string
	limit    time.Duration
}

// run runs a program in a process of its own, in the directory of all, as Go's driver does.
func (r runner) run(ctx context.Context, p program) result {
	ctx, stop := context.WithTimeout(ctx, r.limit)
	defer stop()
	cmd := exec.CommandContext(ctx, r.bin, "run", filepath.Join(r.dir, p.path))
	cmd.Dir = r.dir
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	res := result{program: p, output: out.String(), status: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		res.output += err.Error()
	}
	res.outcome = judge(res, ctx.Err() != nil)
	return res
}

// judge says how a program ended by its output and its status.
func judge(r result, timedOut bool) outcome {
	if timedOut {
		return late
	}
	if internal.MatchString(r.output) || r.status < 0 || r.status == 2 && strings.Contains(r.output, "\ngoroutine ") {
		return faulty
	}
	if r.status == 0 && r.output == r.program.want {
		return passed
	}
	if r.status != 0 && refused.MatchString(r.output) {
		return rejected
	}
	return differs
}

var (
	// internal is what only a fault of gotorch prints.
	internal = regexp.MustCompile(`InternalError|KernelError|the interpreter does not take|` +
		`(?m)^fatal error: |^runtime: goroutine stack exceeds`)

	// refused are the messages for programs that use what cells do not have.
	refused = regexp.MustCompile(`(?m)^error: \S+\.go:\d+:\d+: |^error: .* cannot be used in a cell`)
)

// why is the line of a program's output that says why it did not pass, or all of it.
func (r result) why(all bool) string {
	switch {
	case all:
		return fmt.Sprintf("status %d\n%s", r.status, r.output)
	case r.outcome == passed:
		return ""
	}
	for line := range strings.Lines(r.output) {
		if telling.MatchString(line) {
			return clip(strings.TrimSpace(line))
		}
	}
	line, _, _ := strings.Cut(r.output, "\n")
	return clip(fmt.Sprintf("status %d, prints %q…", r.status, line))
}

var telling = regexp.MustCompile(`^(\w*[eE]rror|[pP]anic|fatal error|Busy|Exit|Interrupted): `)

func clip(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}

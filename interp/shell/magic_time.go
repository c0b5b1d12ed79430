package shell

import (
	"context"
	"fmt"
	"go/token"
	"math"
	"strconv"
	"strings"
	"time"

	"gotorch/internal/lazyre"
	"gotorch/interp/result"
	"gotorch/interp/syntax"
)

// timeMagic says how long a statement took by the clock, and what processors spent on it: more where several worked.
func (s *Shell) timeMagic(ctx context.Context, arg string) ([]Value, *Error) {
	cpu, start := cpuTime(), time.Now()
	vals, err := s.Go(ctx, arg)
	if err == nil {
		text := "took " + short(time.Since(start))
		if spent := cpuTime() - cpu; cpu > 0 {
			text += ", CPU " + short(spent)
		}
		vals = append(vals, result.Text(text)...)
	}
	return vals, err
}

// timing holds the options of %timeit: how many loops make a run, and how many runs there are; 0 loops are as many
// as take long enough.
type timing struct{ loops, runs int }

var timingOption = lazyre.New(`^-([nr])[ \t]*(\S*)[ \t]*`)

// timings parses -n LOOPS and -r RUNS at the beginning of the arguments of %timeit.
func timings(arg string) (t timing, rest string, err *Error) {
	t.runs = 7
	for {
		m := timingOption.FindStringSubmatch(arg)
		if m == nil {
			return t, arg, nil
		}
		n, bad := strconv.Atoi(m[2])
		if bad != nil || n < 1 || n > 1e9 {
			return t, "", usage("-%s takes a number from 1: %%timeit [-n LOOPS] [-r RUNS] STATEMENT", m[1])
		}
		if m[1] == "n" {
			t.loops = n
		} else {
			t.runs = n
		}
		arg = arg[len(m[0]):]
	}
}

// loopBody turns the text of a cell into the body of a loop: the value that it ends with is discarded, and so are
// variables that nothing reads.
func (s *Shell) loopBody(src string) (string, *Error) {
	c, err := s.Check(src)
	if err != nil {
		return "", err
	}
	if len(c.Stmts) == 0 && len(c.Show) == 0 {
		return "", usage("%%timeit: there is nothing to run")
	}
	var use strings.Builder
	for _, d := range syntax.Defines(src) {
		if d != "_" {
			use.WriteString("\n_ = " + d)
		}
	}
	first := ""
	for _, body := range loopBodies(src) {
		body += use.String()
		if first == "" {
			first = body
		}
		if _, err := s.Check(looped(1, body)); err == nil {
			return body, nil
		}
	}
	_, err = s.Check(looped(1, first))
	return "", err
}

// loopBodies are the ways in which a cell may stand in a loop: with its last expressions assigned to nothing, or as
// they are.
func loopBodies(src string) []string {
	cell, err := syntax.Parse(token.NewFileSet(), "cell", src)
	if err != nil || len(cell.Show) == 0 {
		return []string{src}
	}
	at := cell.File.Offset(cell.Show[0].Pos())
	if at < 0 || at > len(src) {
		return []string{src}
	}
	blanks := strings.TrimSuffix(strings.Repeat("_, ", len(cell.Show)), ", ")
	return []string{src[:at] + blanks + " = " + src[at:], src}
}

// looped is a loop around a text that may end with a comment.
func looped(loops int, body string) string { return fmt.Sprintf("for range %d { %s\n}", loops, body) }

// timed returns a function that runs a text in a loop and measures it.
func (s *Shell) timed(ctx context.Context, src string) (func(loops int) (time.Duration, *Error), *Error) {
	body, err := s.loopBody(src)
	return func(loops int) (time.Duration, *Error) {
		start := time.Now()
		_, err := s.Go(ctx, looped(loops, body))
		return time.Since(start), err
	}, err
}

// splitSetup returns the first line of %%timeit SETUP, which runs before the loops and is not timed, and the lines
// under it.
func splitSetup(arg string) (setup, body string) {
	setup, body, _ = strings.Cut(arg, "\n")
	if strings.TrimSpace(setup) == "" || strings.TrimSpace(body) == "" {
		return "", arg
	}
	return setup, body
}

// timedAfter does so with a set-up before the loops. What that declares is there for the body and for nothing else.
func (s *Shell) timedAfter(ctx context.Context, setup, body string) (func(loops int) (time.Duration, *Error), *Error) {
	if _, err := s.Check(setup + "\n" + body); err != nil {
		return nil, err
	}
	if s.defines("time") {
		return nil, usage("%%%%timeit SETUP needs package time, and time is a name of a cell: %%reset time")
	}
	use := func(src string) (text string) {
		for _, d := range syntax.Defines(src) {
			if d != "_" {
				text += "; _ = " + d
			}
		}
		return text
	}
	around := func(loops int, body string) string {
		return fmt.Sprintf("func() int64 { %s%s; timeit_ := time.Now(); for range %d {\n%s\n}; return "+
			"int64(time.Since(timeit_)) }()", setup, use(setup), loops, body)
	}
	var whole string
	var err *Error
	for _, b := range loopBodies(body) {
		b += strings.ReplaceAll(use(body), "; ", "\n")
		if _, e := s.Check(around(1, b)); e == nil {
			whole, err = b, nil
			break
		} else if err == nil {
			err = e
		}
	}
	return func(loops int) (time.Duration, *Error) {
		vals, err := s.Go(ctx, around(loops, whole))
		if err != nil || len(vals) != 1 {
			return 0, err
		}
		took, _ := vals[0].V.(int64)
		return time.Duration(took), nil
	}, err
}

func (s *Shell) timeitMagic(ctx context.Context, arg string) (vals []Value, err *Error) {
	s.Aside(func() { vals, err = s.timeit(ctx, arg) })
	return vals, err
}

func (s *Shell) timeit(ctx context.Context, arg string) ([]Value, *Error) {
	lead := arg[:len(arg)-len(strings.TrimLeft(arg, " \t\r\n"))] // lines keep their numbers
	told, arg, err := timings(arg[len(lead):])
	if err != nil {
		return nil, err
	}
	arg = lead + strings.TrimRight(arg, " \t\r\n")
	if strings.TrimSpace(arg) == "" {
		return nil, usage("%%timeit [-n LOOPS] [-r RUNS] STATEMENT")
	}
	setup, body := splitSetup(arg)
	var once func(loops int) (time.Duration, *Error)
	if setup != "" {
		once, err = s.timedAfter(ctx, setup, body)
	} else {
		once, err = s.timed(ctx, arg)
	}
	if err != nil {
		return nil, err
	}
	loops := max(told.loops, 1)
	for told.loops == 0 {
		took, err := once(loops)
		if err != nil {
			return nil, err
		}
		if took > 20*time.Millisecond || loops >= 1e7 {
			break
		}
		loops *= 5
	}
	var times []float64
	for range told.runs {
		took, err := once(loops)
		if err != nil {
			return nil, err
		}
		times = append(times, took.Seconds()/float64(loops))
	}
	mean, dev := 0.0, 0.0
	for _, t := range times {
		mean += t / float64(told.runs)
	}
	for _, t := range times {
		dev += (t - mean) * (t - mean) / float64(told.runs)
	}
	d := func(sec float64) string { return short(time.Duration(sec * 1e9)) }
	counts := fmt.Sprintf("%d runs of %d", told.runs, loops)
	if told.runs == 1 {
		return result.Text(fmt.Sprintf("%s per loop (1 run of %d)", d(mean), loops)), nil
	}
	return result.Text(fmt.Sprintf("%s ± %s per loop (mean ± deviation of %s)", d(mean), d(math.Sqrt(dev)), counts)), nil
}

// short writes a duration with three digits.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

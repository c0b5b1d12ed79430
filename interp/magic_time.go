package interp

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gotorch/internal/lazyre"
)

// timeMagic says how long a statement took by the clock, and what processors spent on it: more where several worked.
func (s *Session) timeMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	cpu, start := cpuTime(), time.Now()
	vals, err := s.evalGo(ctx, s.cellName(n), arg)
	if err == nil {
		text := "took " + short(time.Since(start))
		if spent := cpuTime() - cpu; cpu > 0 {
			text += ", CPU " + short(spent)
		}
		vals = append(vals, textValue(text)...)
	}
	return vals, err
}

// timing is what %timeit is told: how many loops make a run, and how many runs there are; 0 loops are as many as take long enough.
type timing struct{ loops, runs int }

var timingOption = lazyre.New(`^-([nr])\s*(\S*)\s*`)

// timings reads -n LOOPS and -r RUNS at the beginning of what %timeit was given.
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

func (s *Session) timeitMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	told, arg, err := timings(strings.TrimLeft(arg, " \t\n"))
	if err != nil {
		return nil, err
	}
	arg = strings.TrimSpace(arg)
	if arg == "" {
		return nil, usage("%%timeit [-n LOOPS] [-r RUNS] STATEMENT")
	}
	name := s.cellName(n)
	last := s.last // the loops are not what %go is to show
	defer func() {
		s.mu.Lock()
		s.last = last
		s.mu.Unlock()
	}()
	text := func(loops int, body string) string {
		return fmt.Sprintf("for range %d { %s }", loops, body)
	}
	body := "_ = " + arg
	if _, err := s.evalGo(ctx, name, text(1, body)); err != nil {
		body = arg // no value
		if _, err := s.evalGo(ctx, name, text(1, body)); err != nil {
			return nil, err
		}
	}
	loops := max(told.loops, 1)
	var took time.Duration
	for told.loops == 0 {
		start := time.Now()
		if _, err := s.evalGo(ctx, name, text(loops, body)); err != nil {
			return nil, err
		}
		if took = time.Since(start); took > 20*time.Millisecond || loops >= 1e7 {
			break
		}
		loops *= 5
	}
	var times []float64
	for range told.runs {
		start := time.Now()
		if _, err := s.evalGo(ctx, name, text(loops, body)); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start).Seconds()/float64(loops))
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
		return textValue(fmt.Sprintf("%s per loop (1 run of %d)", d(mean), loops)), nil
	}
	return textValue(fmt.Sprintf("%s ± %s per loop (mean ± deviation of %s)", d(mean), d(math.Sqrt(dev)), counts)), nil
}

// short writes a duration with three digits.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

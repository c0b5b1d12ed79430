package interp

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
)

func (s *Session) timeMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	start := time.Now()
	vals, err := s.evalGo(ctx, s.cellName(n), arg)
	if err == nil {
		vals = append(vals, textValue("took "+short(time.Since(start)))...)
	}
	return vals, err
}

func (s *Session) timeitMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	arg = strings.TrimSpace(arg)
	if arg == "" {
		return nil, usage("%%timeit STATEMENT")
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
	loops := 1
	var took time.Duration
	for {
		start := time.Now()
		if _, err := s.evalGo(ctx, name, text(loops, body)); err != nil {
			return nil, err
		}
		if took = time.Since(start); took > 20*time.Millisecond || loops >= 1e7 {
			break
		}
		loops *= 5
	}
	const runs = 7
	var times []float64
	for range runs {
		start := time.Now()
		if _, err := s.evalGo(ctx, name, text(loops, body)); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start).Seconds()/float64(loops))
	}
	mean, dev := 0.0, 0.0
	for _, t := range times {
		mean += t / runs
	}
	for _, t := range times {
		dev += (t - mean) * (t - mean) / runs
	}
	d := func(sec float64) string { return short(time.Duration(sec * 1e9)) }
	return textValue(fmt.Sprintf("%s ± %s per loop (mean ± deviation of %d runs of %d)", d(mean), d(math.Sqrt(dev)), runs, loops)), nil
}

// short writes a duration with three digits.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

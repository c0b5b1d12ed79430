package jupyter

import (
	"context"
	"sync"
	"testing"
	"time"
)

// TestPace: few messages go at once, many at their pace whoever sends them, and an interrupt lets all go.
func TestPace(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var p *pace
	var first time.Duration
	for range 5 { // the machine may be busy
		p = new(pace)
		start := time.Now()
		for range paceBurst {
			p.wait(ctx)
		}
		if first = time.Since(start); first <= 400*time.Millisecond {
			break
		}
	}
	if first > 400*time.Millisecond { // 0.6 s were each to wait
		t.Errorf("the first took %v", first)
	}
	start := time.Now()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 40 {
				p.wait(ctx)
			}
		})
	}
	all.Wait()
	if d := time.Since(start); d < 100*time.Millisecond {
		t.Errorf("160 more took %v, at 800 a second", d)
	}
	for range 100 {
		all.Go(func() { p.wait(ctx) })
	}
	cancel()
	start = time.Now()
	for range 100_000 {
		p.wait(ctx)
	}
	all.Wait()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("after an interrupt: %v", d)
	}
}

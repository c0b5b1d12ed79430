package jupyter

import (
	"context"
	"sync"
	"testing"
	"time"
)

// TestPace: few messages go at once, many at their pace whoever sends them, and an interrupt lets all go.
func TestPace(t *testing.T) {
	var p pace
	ctx, cancel := context.WithCancel(t.Context())
	start := time.Now()
	for range paceBurst {
		p.wait(ctx)
	}
	if d := time.Since(start); d > 400*time.Millisecond { // 0.6 s were each to wait
		t.Errorf("the first took %v", d)
	}
	start = time.Now()
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

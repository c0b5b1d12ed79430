package runs

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// TestTwoTraces: traces of two goroutines do not mix.
func TestTwoTraces(t *testing.T) {
	viewtest.NewSession(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			x := tensor.Ones(i + 1)
			for range 50 {
				tr := TraceFunc(func() { x.Add(1).Exp() })
				if text := tr.Text(false); tr.Count() != 2 || !strings.Contains(text, fmt.Sprintf("float32[%d]", i+1)) {
					t.Errorf("goroutine %d saw %s", i, text)
				}
			}
		}()
	}
	wg.Wait()
}

// TestTraceLimits: more calls than a trace holds are counted, and times are without the recording.
func TestTraceLimits(t *testing.T) {
	viewtest.NewSession(t)
	x := tensor.Ones(1)
	tr := TraceFunc(func() {
		for range maxEvents + 500 {
			x.Neg()
		}
	})
	if tr.More != 500 || tr.Count() != maxEvents+500 {
		t.Errorf("%d more, %d in all", tr.More, tr.Count())
	}
	viewtest.CheckForms(t, tr)
	_, panicked := Record(func() { panic("mine") })
	if panicked != "mine" {
		t.Errorf("panic of the function: %v", panicked)
	}
}

func BenchmarkAdd(b *testing.B) {
	x := tensor.Ones(1)
	b.Run("untraced", func(b *testing.B) {
		for range b.N {
			x.Add(x)
		}
	})
	b.Run("traced", func(b *testing.B) { // each with what it takes to write the trace in the end
		for done := 0; done < b.N; done += 1000 {
			TraceFunc(func() {
				for range min(1000, b.N-done) {
					x.Add(x)
				}
			})
		}
	})
	b.Run("recorded", func(b *testing.B) {
		for done := 0; done < b.N; done += 1000 {
			r := newRecorder()
			tensor.InScope(func(s *tensor.Scope) {
				s.Trace = r
				s.Include(tensor.Set(tensor.KeyTrace))
			}, func() {
				for range min(1000, b.N-done) {
					x.Add(x)
				}
			})
		}
	})
}

// On a narrow page a line is broken between its facts, and not within one.
func TestUnbroken(t *testing.T) {
	for in, want := range map[string]string{
		"x float32[2 3], y float32[3 4]":      "x float32[2_3], y float32[3_4]",
		"keys {Autograd CPU} · in NoGrad":     "keys_{Autograd_CPU} · in NoGrad",
		"48 B · 44.6 µs → float32[4 3]":       "48_B · 44.6_µs →_float32[4_3]",
		"saves mat2 · ↻ redispatch {CPU} <b>": "saves mat2 · ↻_redispatch {CPU} &lt;b&gt;",
		"]] a [ b":                            "]] a [_b",
	} {
		if got := strings.ReplaceAll(unbroken(in), "&#160;", "_"); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

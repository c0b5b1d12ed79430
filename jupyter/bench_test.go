package jupyter_test

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkCell is a cell with a result, from the request to the reply and idle, client included.
func BenchmarkCell(b *testing.B) {
	k := tcp(b)
	for b.Loop() {
		k.run("result 1", nil)
	}
}

// BenchmarkComplete is a completion, client included.
func BenchmarkComplete(b *testing.B) {
	k := tcp(b)
	go func() {
		for range k.IOPub.In {
		}
	}()
	for b.Loop() {
		k.ask("complete_request", map[string]any{"code": "pri", "cursor_pos": 3})
	}
}

func BenchmarkTenThousandWrites(b *testing.B) {
	k := tcp(b)
	for b.Loop() {
		k.run("many 10000", nil)
	}
}

func BenchmarkTenMegabytes(b *testing.B) {
	k := tcp(b)
	start, n := time.Now(), 0
	for b.Loop() {
		b.StopTimer()
		n++
		// Stay below the rate at which output is left out.
		time.Sleep(time.Until(start.Add(time.Duration(n-3) * 10 * time.Second)))
		b.StartTimer()
		r := k.run("big 10000000", nil)
		if got := len(r.Text("stdout")); got != 10000000 {
			b.Fatal(fmt.Sprint(got, " bytes"))
		}
	}
}

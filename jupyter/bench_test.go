package jupyter_test

import "testing"

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
	for b.Loop() {
		r := k.run("big 10000000", nil)
		if got := len(r.Text("stdout")); got != 10000000 {
			b.Fatal(got, "bytes")
		}
	}
}

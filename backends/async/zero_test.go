package async_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"gotorch/backends/async"
	"gotorch/tensor"
)

// TestZeroValues: what no function of the package has made is refused by every method, in the goroutine that calls it,
// and the device works on.
func TestZeroValues(t *testing.T) {
	defer sync(t)
	var (
		stream *async.Stream
		event  *async.Event
		graph  *async.Graph
	)
	for _, v := range []any{stream, event, graph, new(async.Stream), new(async.Event), new(async.Graph)} {
		x := reflect.ValueOf(v)
		for i := range x.NumMethod() {
			m := x.Method(i)
			name := fmt.Sprintf("%T.%s, nil: %v", v, x.Type().Method(i).Name, x.IsNil())
			var args []reflect.Value
			for p := range m.Type().NumIn() {
				if m.Type().IsVariadic() && p == m.Type().NumIn()-1 {
					break
				}
				args = append(args, reflect.Zero(m.Type().In(p)))
			}
			ended := make(chan bool)
			go func() {
				defer close(ended)
				defer func() { recover() }()
				m.Call(args)
			}()
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				t.Fatalf("%s does not return", name)
			}
		}
	}
	for name, f := range map[string]func(){
		"on_stream":     func() { async.OnStream(new(async.Stream), func() { tensor.With(tensor.Float32, dev).Ones(2) }) },
		"record":        func() { async.NewEvent().Record(new(async.Stream)) },
		"wait":          func() { new(async.Stream).Wait(async.CurrentStream().Record()) },
		"wait_stream":   func() { async.NewStream().WaitStream(new(async.Stream)) },
		"record_stream": func() { async.RecordStream(tensor.New([]float32{1}).To(dev), new(async.Stream)) },
		"sleep":         func() { new(async.Stream).Sleep(time.Microsecond) },
		"replay":        func() { new(async.Graph).Replay() },
	} {
		if err := tensor.Try(f); err == nil {
			t.Errorf("%s takes what was not made", name)
		}
	}
	equal(t, "afterwards", list(tensor.New([]float32{1, 2}).To(dev).Add(1)), "[2 3]")
}

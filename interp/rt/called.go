package rt

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"gotorch/interp/task"
)

// Note: methods of cells' types in host code
//
// Host code that receives a value of a cell's type may call its methods at any time and on any goroutine. So a method
// that is called long after its run was stopped panics, which takes the host code along: nothing else ends a sort of
// 2^40 elements. The calls that were deferred are made right after the stop, and work. And a panic on a goroutine that
// host code started has nobody to catch it: it ends there, with an error or zero results, and a line that says so.

// afterStop is how long after the stop of a run methods are still called.
const afterStop = 400 * time.Millisecond

var stopped struct {
	sync.Mutex
	at map[<-chan struct{}]time.Time
}

var errMethod = errors.New("a method of a cell panicked")

// outlived reports whether the run that this goroutine works for was stopped some time ago.
func outlived() bool {
	stop := task.Stop()
	select {
	case <-stop:
	default:
		return false
	}
	if stop == nil {
		return false
	}
	stopped.Lock()
	defer stopped.Unlock()
	at, ok := stopped.at[stop]
	if !ok {
		if stopped.at == nil || len(stopped.at) > 1000 {
			stopped.at = map[<-chan struct{}]time.Time{}
		}
		at = time.Now()
		stopped.at[stop] = at
	}
	return time.Since(at) > afterStop
}

// called runs before and after a method that host code calls.
func called(name string, out []reflect.Type, results *[]reflect.Value) (after func()) {
	if task.Quiet() {
		panic(Fault(name + " is not called to look at a value"))
	}
	if task.Current() != nil {
		if outlived() {
			panic(Fault("the call of " + name + " came after the cell was stopped"))
		}
		return func() {
			for _, x := range *results {
				fitsCaller(name, x)
			}
		}
	}
	return func() {
		v := recover()
		if v == nil {
			return
		}
		fmt.Fprintf(os.Stderr, "%s panicked on a goroutine of compiled code: %s\n", name, PanicText(v))
		*results = nil
		for _, t := range out {
			if t == errorType { // none would say that all is well
				*results = append(*results, reflect.ValueOf(&errMethod).Elem())
				continue
			}
			*results = append(*results, reflect.Zero(t))
		}
	}
}

// fitsCaller checks the memory that host code needs for a text which a cell's method has returned to it: it copies the
// text to a buffer that grows.
func fitsCaller(name string, x reflect.Value) {
	switch k := x.Kind(); {
	case k == reflect.String, k == reflect.Slice && x.Type().Elem().Kind() == reflect.Uint8:
		if n := x.Len(); n >= 1<<20 {
			Fits(name, 3*n)
		}
	}
}

// Callback is a function that host code receives: a call of it that comes long after the stop of its run panics.
func Callback(what string, f reflect.Value) reflect.Value {
	if f.IsNil() {
		return f
	}
	var calls atomic.Uint32
	check := func() {
		if calls.Add(1)&63 == 0 && outlived() {
			panic(Fault(what + " called back after the cell was stopped"))
		}
	}
	switch g := f.Interface().(type) { // the usual ones, without the cost of reflection
	case func(rune) bool:
		return reflect.ValueOf(func(r rune) bool { check(); return g(r) })
	case func(rune) rune:
		return reflect.ValueOf(func(r rune) rune { check(); return g(r) })
	case func(int) bool:
		return reflect.ValueOf(func(i int) bool { check(); return g(i) })
	case func(i, j int) bool:
		return reflect.ValueOf(func(i, j int) bool { check(); return g(i, j) })
	case func(string) string:
		return reflect.ValueOf(func(s string) string { check(); return g(s) })
	case func():
		return reflect.ValueOf(func() { check(); g() })
	}
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	return reflect.MakeFunc(f.Type(), func(args []reflect.Value) []reflect.Value { check(); return call(args) })
}

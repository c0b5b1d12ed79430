package task

import (
	"runtime"
	"time"
)

// Stop is closed when the run that this goroutine works for is to end; it is nil, which never is, where it works for
// none.
func Stop() <-chan struct{} {
	if t := Current(); t != nil {
		return t.Stop()
	}
	return nil
}

// Stopped reports whether the run that this goroutine works for is to end.
func Stopped() bool {
	select {
	case <-Stop():
		return true
	default:
		return false
	}
}

// ExitIfStopped is [Task.ExitIfStopped] of the current task.
func ExitIfStopped() {
	if t := Current(); t != nil {
		t.ExitIfStopped()
	}
}

// Exit ends this goroutine.
func Exit() {
	if t := Current(); t != nil {
		t.Exit()
	}
	runtime.Goexit()
}

// Detach is [Task.Detach] of the current task; where there is none it calls f.
func Detach(f func()) bool {
	if t := Current(); t != nil {
		return t.Detach(f)
	}
	f()
	return true
}

// Pause is [Task.Pause] of the current task.
func Pause() (resume func() bool) {
	if t := Current(); t != nil {
		return t.Pause()
	}
	return func() bool { return true }
}

// Sleep is time.Sleep, which an interrupt ends.
func Sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-Stop():
		ExitIfStopped()
	}
}

// stopping is what the argument of Stoppable's function panics with.
type stopping struct{}

// Stoppable calls a host function that calls back. What it is given to call with every callback ends it when the run
// is stopped.
func Stoppable(f func(check func())) {
	stop := Stop()
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(stopping); !ok {
				panic(v)
			}
			ExitIfStopped()
		}
	}()
	f(func() {
		select {
		case <-stop:
			panic(stopping{})
		default:
		}
	})
}

package jupyter

import (
	"context"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// handleControl does what comes on the control socket, at once. A cell or a comm that was sent here by
// mistake waits for its turn with the others.
func (k *kernel) handleControl(r *request) {
	if r.header.Type == "execute_request" ||
		strings.HasPrefix(r.header.Type, "comm_") && r.header.Type != "comm_info_request" {
		k.route(r)
		return
	}
	// a look at all pages of a big process takes a while: an interrupt does not wait for it
	if r.header.Type == "usage_request" {
		go k.handle(r)
		return
	}
	k.handle(r)
}

func (k *kernel) interruptRequest(r *request) (map[string]any, error) {
	k.interrupt(r)
	return map[string]any{}, nil
}

// shutdownRequest ends the kernel. The reply goes out first: finish waits for it.
func (k *kernel) shutdownRequest(r *request) (map[string]any, error) {
	var q struct {
		Restart bool `json:"restart"`
	}
	if err := r.read(&q); err != nil {
		return nil, err
	}
	if k.cells.shutdown.CompareAndSwap(nil, r.message) { // the first is the one that IOPub answers
		k.cells.restart.Store(q.Restart)
	}
	return map[string]any{"restart": q.Restart}, nil
}

// watchSignals lets SIGINT interrupt, and SIGTERM and SIGHUP end the kernel.
//
// SIGPIPE is ignored: standard error is often a pipe to the parent, and a line about its death must
// not be the death of the kernel before it has cleaned up.
func (k *kernel) watchSignals() (stop func()) {
	signal.Ignore(syscall.SIGPIPE)
	c := make(chan os.Signal, 8)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range c {
			if s == os.Interrupt {
				k.interrupt(nil)
				continue
			}
			k.log.Printf("%v: the kernel ends", s)
			k.end()
		}
	}()
	return func() {
		signal.Stop(c)
		close(c)
	}
}

// parentPoll is how often the kernel looks whether its parent lives.
const parentPoll = 500 * time.Millisecond

// watchParent ends the kernel when the process that started it has gone, so that none is left behind.
// Then nobody else removes the connection file either.
func (k *kernel) watchParent(ctx context.Context, connectionFile string) {
	parent, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || parent <= 1 {
		return
	}
	alive := func() bool { return processAlive(parent) }
	if os.Getppid() == parent {
		// Better than asking by number, which another process may get.
		alive = func() bool { return os.Getppid() == parent }
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(parentPoll):
		}
		if !alive() {
			k.log.Printf("the parent process %d has ended: so does the kernel", parent)
			os.Remove(connectionFile)
			k.end()
			return
		}
	}
}

func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || err == syscall.EPERM || os.IsPermission(err)
}

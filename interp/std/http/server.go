package http

import (
	"log"
	"net/http"
	"sync/atomic"
	"time"

	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// serve lets a server work until it is closed or an interrupt closes it.
func (s *session) serve(srv *http.Server, f func() error) error {
	s.adopt(srv)
	s.keep(srv)
	ended := false
	defer func() { // also where the goroutine ends with the wait
		if !ended {
			srv.Close()
		}
		s.drop(srv)
	}()
	var err error // not to be touched where the wait was left alone
	if !task.Detach(func() { err = f() }) {
		return env.ErrInterrupted
	}
	ended = true
	return err
}

// adopt has a server's handler run as goroutines of cells, and what it logs come where cells print.
func (s *session) adopt(srv *http.Server) {
	h := srv.Handler
	if own, ok := h.(*handler); ok {
		h = own.Handler
	}
	srv.Handler = &handler{h, s, s.e.Streams()}
	if srv.ErrorLog == nil {
		srv.ErrorLog = log.New(s.e.Stderr(), "", log.LstdFlags)
	}
}

// handler calls a handler of cells on a goroutine of package http; nil is the default mux.
type handler struct {
	http.Handler
	s       *session
	streams *task.Streams
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	by := h.Handler
	if by == nil {
		by = h.s.mux
	}
	ended := false
	h.s.child(h.streams, func() {
		defer func() {
			if v := recover(); v != nil {
				h.s.report(v)
			}
		}()
		by.ServeHTTP(w, r)
		ended = !task.Stopped()
	})
	if !ended {
		panic(http.ErrAbortHandler) // which closes the connection and says nothing
	}
}

// report shows what a handler panicked with.
func (s *session) report(v any) {
	if v != http.ErrAbortHandler {
		s.e.Engine.Report(v)
	}
}

// timeout is a TimeoutHandler: it calls its handler on one more goroutine.
type timeout struct {
	s   *session
	h   http.Handler
	d   time.Duration
	msg string
}

func (t *timeout) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.TimeoutHandler(&handler{t.h, t.s, t.s.e.Streams()}, t.d, t.msg).ServeHTTP(w, r)
}

// routeKey is a pattern of the default mux of then.
type routeKey struct {
	mux     *http.ServeMux
	pattern string
}

// route is a handler that may be replaced: a cell that calls http.HandleFunc may be run again.
type route struct{ h atomic.Pointer[http.Handler] }

func (r *route) ServeHTTP(w http.ResponseWriter, req *http.Request) { (*r.h.Load()).ServeHTTP(w, req) }

// handle is http.Handle.
func (s *session) handle(pattern string, h http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := routeKey{s.mux, pattern}
	r := s.routes[key]
	if h == nil || r == nil {
		r = &route{}
		if h == nil {
			s.mux.Handle(pattern, h) // which panics
		}
		s.mux.Handle(pattern, r)
		s.routes[key] = r
	}
	r.h.Store(&h)
}

// handleFunc is http.HandleFunc.
func (s *session) handleFunc(pattern string, f func(http.ResponseWriter, *http.Request)) {
	if f == nil {
		panic("http: nil handler")
	}
	s.handle(pattern, http.HandlerFunc(f))
}

// Package http is net/http and net/http/httptest for cells: an interrupt ends what waits for the network, and handlers
// run as goroutines of cells.
//
//	http.go    what a session has of its own: the default client, transport and mux
//	client.go  requests
//	server.go  servers, and the handlers that they call
//	test.go    package httptest
package http

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"sync"
	"time"

	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Note: servers of cells
//
// Package http calls handlers on goroutines of its own. A handler of a cell works there as a goroutine of the cell
// that runs then, as a timer's function does; when it panics, the panic is shown, the connection is closed, and the
// server goes on. An interrupt closes the servers that cells wait for, also in goroutines; those of httptest run on,
// until somebody or the end of the session closes them.

// Patch is package net/http for cells; TestPatch is net/http/httptest.
var (
	Patch     = env.Patch{Names: names, Methods: methods}
	TestPatch = env.Patch{Names: testNames, Methods: testMethods}
)

// session is what package http is to a session.
type session struct {
	e *env.Env

	// The variables of the package, which cells may set.
	client    *http.Client
	transport http.RoundTripper
	mux       *http.ServeMux

	mu     sync.Mutex
	open   map[io.Closer]bool // servers
	routes map[routeKey]*route
}

func of(e *env.Env) *session {
	return env.State(e, func() *session {
		return &session{e: e, client: &http.Client{}, transport: http.DefaultTransport.(*http.Transport).Clone(),
			mux: http.NewServeMux(), open: map[io.Closer]bool{}, routes: map[routeKey]*route{}}
	})
}

// Close ends what is open when the session ends.
func (s *session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		go c.Close() // one of httptest waits for its handlers
	}
	if t, ok := s.transport.(*http.Transport); ok && t != nil {
		t.CloseIdleConnections()
	}
	return nil
}

// keep has c closed when the session ends; drop forgets it.
func (s *session) keep(c io.Closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[c] = true
}

func (s *session) drop(c io.Closer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

func names(e *env.Env, t env.Table) {
	s := of(e)
	t["DefaultClient"] = reflect.ValueOf(&s.client).Elem()
	t["DefaultTransport"] = reflect.ValueOf(&s.transport).Elem()
	t["DefaultServeMux"] = reflect.ValueOf(&s.mux).Elem()
	t.Set(map[string]any{
		"Get":  func(url string) (*http.Response, error) { return s.get(s.client, http.MethodGet, url) },
		"Head": func(url string) (*http.Response, error) { return s.get(s.client, http.MethodHead, url) },
		"Post": func(url, contentType string, body io.Reader) (*http.Response, error) {
			return s.post(s.client, url, contentType, body)
		},
		"PostForm": func(url string, data url.Values) (*http.Response, error) {
			return s.postForm(s.client, url, data)
		},

		"Handle":     func(pattern string, h http.Handler) { s.handle(pattern, h) },
		"HandleFunc": s.handleFunc,
		"ListenAndServe": func(addr string, h http.Handler) error {
			srv := &http.Server{Addr: addr, Handler: h}
			return s.serve(srv, srv.ListenAndServe)
		},
		"ListenAndServeTLS": func(addr, cert, key string, h http.Handler) error {
			srv := &http.Server{Addr: addr, Handler: h}
			return s.serve(srv, func() error { return srv.ListenAndServeTLS(cert, key) })
		},
		"Serve": func(l net.Listener, h http.Handler) error {
			srv := &http.Server{Handler: h}
			return s.serve(srv, func() error { return srv.Serve(l) })
		},
		"ServeTLS": func(l net.Listener, h http.Handler, cert, key string) error {
			srv := &http.Server{Handler: h}
			return s.serve(srv, func() error { return srv.ServeTLS(l, cert, key) })
		},
		"TimeoutHandler": func(h http.Handler, d time.Duration, msg string) http.Handler {
			return &timeout{s, h, d, msg}
		},
	})
}

// methods are the methods that are not what they are in host code.
var methods = map[string]func(*env.Env) any{
	"Client.Do": func(e *env.Env) any { return of(e).do },
	"Client.Get": func(e *env.Env) any {
		return func(c *http.Client, url string) (*http.Response, error) { return of(e).get(c, http.MethodGet, url) }
	},
	"Client.Head": func(e *env.Env) any {
		return func(c *http.Client, url string) (*http.Response, error) { return of(e).get(c, http.MethodHead, url) }
	},
	"Client.Post":         func(e *env.Env) any { return of(e).post },
	"Client.PostForm":     func(e *env.Env) any { return of(e).postForm },
	"Transport.RoundTrip": func(e *env.Env) any { return of(e).roundTrip },
	"Server.ListenAndServe": func(e *env.Env) any {
		return func(srv *http.Server) error { return of(e).serve(srv, srv.ListenAndServe) }
	},
	"Server.ListenAndServeTLS": func(e *env.Env) any {
		return func(srv *http.Server, cert, key string) error {
			return of(e).serve(srv, func() error { return srv.ListenAndServeTLS(cert, key) })
		}
	},
	"Server.Serve": func(e *env.Env) any {
		return func(srv *http.Server, l net.Listener) error {
			return of(e).serve(srv, func() error { return srv.Serve(l) })
		}
	},
	"Server.ServeTLS": func(e *env.Env) any {
		return func(srv *http.Server, l net.Listener, cert, key string) error {
			return of(e).serve(srv, func() error { return srv.ServeTLS(l, cert, key) })
		}
	},
	"Server.RegisterOnShutdown": func(e *env.Env) any {
		return func(srv *http.Server, f func()) { srv.RegisterOnShutdown(of(e).called(f)) }
	},
}

// called makes a function of a cell one that host code calls on a goroutine of its own.
func (s *session) called(f func()) func() {
	streams := s.e.Streams()
	return func() { s.child(streams, f) }
}

// child calls f as a goroutine of the cell that runs; done is false where it has not come to its end.
func (s *session) child(streams *task.Streams, f func()) (done bool) {
	s.e.Engine.Child(streams, func() {
		f()
		done = !task.Stopped()
	})()
	return done
}

package http

import (
	"net/http"
	"net/http/httptest"

	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

func testNames(e *env.Env, t env.Table) {
	s := of(e)
	t.Set(map[string]any{
		"NewServer": func(h http.Handler) *httptest.Server {
			srv := httptest.NewUnstartedServer(h)
			s.start(srv, srv.Start)
			return srv
		},
		"NewTLSServer": func(h http.Handler) *httptest.Server {
			srv := httptest.NewUnstartedServer(h)
			s.start(srv, srv.StartTLS)
			return srv
		},
	})
}

var testMethods = map[string]func(*env.Env) any{
	"Server.Start": func(e *env.Env) any {
		return func(srv *httptest.Server) { of(e).start(srv, srv.Start) }
	},
	"Server.StartTLS": func(e *env.Env) any {
		return func(srv *httptest.Server) { of(e).start(srv, srv.StartTLS) }
	},
	"Server.Close": func(e *env.Env) any {
		return func(srv *httptest.Server) {
			task.Detach(srv.Close)
			of(e).drop(closer{srv})
		}
	},
}

// start starts a server whose handler runs as goroutines of cells.
func (s *session) start(srv *httptest.Server, start func()) {
	s.adopt(srv.Config)
	start()
	s.keep(closer{srv})
}

// closer is a server of httptest.
type closer struct{ *httptest.Server }

func (c closer) Close() error {
	c.CloseClientConnections()
	c.Server.Close()
	return nil
}

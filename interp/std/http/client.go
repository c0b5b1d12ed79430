package http

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// do is Client.Do.
func (s *session) do(c *http.Client, req *http.Request) (*http.Response, error) {
	own := *c
	if own.Transport == nil {
		own.Transport = s.transport
	}
	return s.send(req, own.Do)
}

// roundTrip is Transport.RoundTrip.
func (s *session) roundTrip(t *http.Transport, req *http.Request) (*http.Response, error) {
	return s.send(req, t.RoundTrip)
}

// send sends a request; an interrupt cancels it, and the reading of its answer.
func (s *session) send(req *http.Request, by func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	t := task.Current()
	if t == nil || req == nil {
		return by(req)
	}
	ctx, cancel := context.WithCancel(req.Context())
	go func() {
		select {
		case <-ctx.Done():
		case <-t.Stop():
			cancel()
		}
	}()
	sent := req.WithContext(ctx)
	if b := req.Body; b != nil && b != http.NoBody {
		u := upload{s, s.e.Streams(), ctx, b}
		sent.Body = &u
		if get := req.GetBody; get != nil {
			sent.GetBody = func() (io.ReadCloser, error) {
				b, err := get()
				return &upload{s, u.streams, ctx, b}, err
			}
		}
	}
	got, err := by(sent)
	if err != nil || got == nil || got.Body == nil || got.Body == http.NoBody {
		cancel()
		return got, err
	}
	if got.StatusCode != http.StatusSwitchingProtocols {
		got.Body = &answer{s.e.Waiting(got.Body), got.Body, cancel}
	}
	return got, err
}

// upload is the body of a request, which package http reads on a goroutine of its own: it may be one of a cell's, and
// the end of the request does not wait for what it waits for.
type upload struct {
	s       *session
	streams *task.Streams
	ctx     context.Context
	in      io.ReadCloser
}

func (u *upload) Read(p []byte) (n int, err error) {
	own := make([]byte, min(len(p), 1<<16)) // p may be used again when the read is left alone
	n, err = u.wait(func() (int, error) { return u.in.Read(own) })
	return copy(p, own[:n]), err
}

func (u *upload) Close() error {
	_, err := u.wait(func() (int, error) { return 0, u.in.Close() })
	return err
}

// wait calls f as a goroutine of the cell, as long as the request lives.
func (u *upload) wait(f func() (int, error)) (int, error) {
	type result struct {
		n   int
		err error
	}
	got := make(chan result, 1)
	go func() {
		r := result{0, env.ErrInterrupted}
		defer func() { got <- r }()
		var read result
		if u.s.child(u.streams, func() { read.n, read.err = f() }) {
			r = read
		}
	}()
	select {
	case r := <-got:
		return r.n, r.err
	case <-u.ctx.Done():
		return 0, env.ErrInterrupted
	}
}

// answer is the body of a response: an interrupt ends the wait for more of it.
type answer struct {
	io.Reader
	body   io.Closer
	cancel func()
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if err != nil {
		a.cancel()
	}
	return n, err
}

func (a *answer) Close() error {
	defer a.cancel()
	return a.body.Close()
}

func (s *session) get(c *http.Client, method, url string) (*http.Response, error) {
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		return nil, err
	}
	return s.do(c, req)
}

func (s *session) post(c *http.Client, url, contentType string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPost, url, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", contentType)
	return s.do(c, req)
}

func (s *session) postForm(c *http.Client, url string, data url.Values) (*http.Response, error) {
	return s.post(c, url, "application/x-www-form-urlencoded", strings.NewReader(data.Encode()))
}

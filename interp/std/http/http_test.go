package http_test

import (
	"context"
	"errors"
	"fmt"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestClientAndServer runs clients and servers in cells, with what they show.
func TestClientAndServer(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, `type Count struct{ n int }
func (c *Count) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(r.Body); c.n++
	fmt.Fprint(w, c.n, " ", string(b), err); w.(http.Flusher).Flush()
}
type Abc struct{ n int }
func (r *Abc) Read(p []byte) (int, error) { if r.n++; r.n > 3 { return 0, io.EOF }; return copy(p, "abc"), nil }
type Bad struct{}
func (Bad) Read(p []byte) (int, error) { panic("no reading") }
func (Bad) RoundTrip(*http.Request) (*http.Response, error) { panic("no trip") }
hello := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "hello %s", r.URL.Path) }))
count := httptest.NewServer(&Count{})
fails := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("no answer") }))
slow := httptest.NewServer(http.TimeoutHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	<-r.Context().Done() }), time.Millisecond, "too slow"))
text := func(r *http.Response, err error) string {
	if err != nil { return err.Error() }; defer r.Body.Close(); b, err := io.ReadAll(r.Body)
	return fmt.Sprint(r.StatusCode, " ", string(b), err) }`)
	for _, c := range []struct{ src, want string }{
		{`text(http.Get(hello.URL + "/x"))`, "200 hello /x<nil>"},
		{`text(http.Post(count.URL, "text/plain", strings.NewReader("body")))`, "200 1 body<nil><nil>"},
		{`text(http.Post(count.URL, "text/plain", &Abc{}))`, "200 2 abcabcabc<nil><nil>"},
		{`text(http.PostForm(count.URL, url.Values{"a": {"b c"}}))`, "200 3 a=b+c<nil><nil>"},
		{`text((&http.Client{Timeout: time.Hour}).Get(hello.URL))`, "200 hello /<nil>"},
		{`text(http.DefaultTransport.(*http.Transport).RoundTrip(httptest.NewRequest("GET", hello.URL, nil)))`, "200 "},
		{`text(http.Get(slow.URL))`, "503 too slow"},
		{`text(http.Get(fails.URL))`, "EOF"},
		{`text(http.Get("nothing"))`, "unsupported protocol scheme"},
		{`text((&http.Client{Transport: Bad{}}).Get(hello.URL))`, "no trip"},
		{`text(http.Post(count.URL, "text/plain", Bad{}))`, "no reading"},
		{`(&http.Client{}).Do(nil)`, "nil"},
		{`var c *http.Client; c.Get("http://x")`, "nil"},
		{`http.HandleFunc("/", nil)`, "nil handler"},
		{`http.Handle("", nil)`, "http: "},
		{`http.ListenAndServe("x:y:z", nil)`, "too many colons"},
		{`f := func(s string) {
	http.HandleFunc("/a", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, s) }) }
f("first"); f("second")
r := httptest.NewRecorder()
http.DefaultServeMux.ServeHTTP(r, httptest.NewRequest("GET", "/a", nil)); r.Body.String()`,
			"second"},
		{`(&httptest.Server{}).Start()`, "nil"},
		{`hello.Close(); text(http.Get(hello.URL))`, "refused"},
	} {
		if got := celltest.Cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %s\nwant %s", c.src, got, c.want)
		}
		if got := celltest.Cell(s, "1 + 1"); got != "2\n" {
			t.Errorf("after %s 1 + 1 is %q", c.src, got)
		}
	}
}

// TestHandlerFails: a handler that panics is an error message, and its server goes on.
func TestHandlerFails(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	out := &celltest.Recorder{}
	if _, err := s.Eval(t.Context(), `srv := httptest.NewServer(http.HandlerFunc(
	func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bad" { panic("no answer") }; w.Write([]byte("good")) }))
_, err := http.Get(srv.URL + "/bad"); fmt.Println(err != nil)
resp, _ := http.Get(srv.URL); b, _ := io.ReadAll(resp.Body); fmt.Println(string(b))`, out); err != nil {
		t.Fatal(err)
	}
	if got := out.Out.String(); got != "true\ngood\n" {
		t.Errorf("it prints %q", got)
	}
	if got := out.Err.String(); !strings.Contains(got, "no answer") || !strings.Contains(got, "in a goroutine") {
		t.Errorf("it says %q", got)
	}
}

// TestRequestsWhileCellsEnd: handlers begin while a cell waits for the goroutines that it started.
func TestRequestsWhileCellsEnd(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	values, err := s.Eval(t.Context(), `var n atomic.Int64
srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { n.Add(1) })); srv.URL`,
		interp.Discard)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan int)
	go func() {
		n := 0
		for ; ctx.Err() == nil; n++ {
			resp, err := http.Get(values[0].V.(string))
			if err != nil {
				t.Error(err)
				break
			}
			resp.Body.Close()
		}
		served <- n
	}()
	for range 50 {
		if _, err := s.Eval(t.Context(), `for range 4 { go func() { time.Sleep(time.Millisecond) }() }`,
			interp.Discard); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	want := fmt.Sprintln(<-served)
	if got := celltest.Cell(s, "n.Load()"); got != want {
		t.Errorf("the handler was called %s times, want %s", got, want)
	}
}

// TestInterrupt: an interrupt ends what waits for the network, and closes the servers that cells wait for.
func TestInterrupt(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // it accepts, and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	for _, src := range []string{
		`http.Get("http://SILENT")`,
		`(&http.Client{}).Post("http://SILENT", "text/plain", strings.NewReader("x"))`,
		`pr, _ := io.Pipe(); http.Post("http://SILENT", "text/plain", pr)`,
		`(&http.Transport{}).RoundTrip(httptest.NewRequest("GET", "http://SILENT", nil))`,
		`http.ListenAndServe("FREE", nil)`,
		`srv := &http.Server{Addr: "FREE"}; srv.ListenAndServe()`,
		`go http.ListenAndServe("FREE", nil); select {}`,
		`srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	w.Write([]byte("a")); w.(http.Flusher).Flush(); <-r.Context().Done() }))
resp, _ := http.Get(srv.URL); b := make([]byte, 10); for { resp.Body.Read(b) }`,
		`srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { for {} }))
http.Get(srv.URL)`,
		`srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { select {} }))
go http.Get(srv.URL); time.Sleep(50*time.Millisecond); srv.Close()`,
	} {
		t.Run(src, func(t *testing.T) {
			s := interp.New(interp.Options{})
			defer s.Close()
			src := strings.NewReplacer("SILENT", silent.Addr().String(), "FREE", free.Addr().String()).Replace(src)
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			began := time.Now()
			var e *interp.Error
			if _, err := s.Eval(ctx, src, interp.Discard); !errors.As(err, &e) || e.Name != "Interrupted" {
				t.Errorf("%v", err)
			}
			if d := time.Since(began); d > 20*time.Second {
				t.Errorf("it took %v", d)
			}
			if got := celltest.Cell(s, "1 + 1"); got != "2\n" {
				t.Errorf("then 1 + 1 is %q", got)
			}
			for start := time.Now(); ; time.Sleep(5 * time.Millisecond) { // the server ends soon
				if _, err := http.Get("http://" + free.Addr().String()); err != nil {
					break
				}
				if time.Since(start) > 20*time.Second {
					t.Fatal("the server still answers")
				}
			}
		})
	}
}

// TestSafe: the restricted mode opens no connection.
func TestSafe(t *testing.T) {
	s := interp.New(interp.Options{Safe: true})
	defer s.Close()
	for _, src := range []string{`http.Get("http://127.0.0.1")`, `http.ListenAndServe(":0", nil)`,
		`(&http.Client{}).Get("x")`,
		`httptest.NewServer(nil)`, `http.DefaultClient`, `var c http.Client`} {
		if got := celltest.Cell(s, src); !strings.Contains(got, "it reaches the network") {
			t.Errorf("%s gives %q", src, got)
		}
	}
}

// TestNilBody: a cell may give nil for an interface of a package that no cell has used.
func TestNilBody(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	if got := celltest.Cell(s, `r, err := http.NewRequest("GET", "http://x/y", nil); r.URL.Path`); got != "\"/y\"\n" {
		t.Errorf("%q", got)
	}
}

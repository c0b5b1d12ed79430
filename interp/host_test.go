package interp

import (
	"bytes"
	"context"
	"fmt"
	"gotorch/tensor"
	"gotorch/visualize/display"
	"io"
	"strings"
	"sync"
	"testing"
)

// pageSink keeps what a session prints and shows.
type pageSink struct {
	mu   sync.Mutex
	page bytes.Buffer
}

func (s *pageSink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.page.Write(p)
}

func (s *pageSink) Display(_ string, b display.Bundle) { fmt.Fprintln(s, b.Text(false)) }
func (s *pageSink) Update(id string, b display.Bundle) { s.Display(id, b) }
func (s *pageSink) Clear(bool)                         {}
func (s *pageSink) Stdout() io.Writer                  { return s }
func (s *pageSink) Stderr() io.Writer                  { return s }
func (s *pageSink) Stdin() io.Reader                   { return nil }

// TestSessionsApart: sessions of one process that run cells with views at the same time each see their own names,
// lines and output.
func TestSessionsApart(t *testing.T) {
	names := []string{"alpha", "omega"}
	pages := make([]string, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			s := New(Options{})
			defer s.Close()
			var sink pageSink
			run := func(src string) {
				values, err := s.Eval(context.Background(), strings.ReplaceAll(src, "NAME", name), &sink)
				for _, v := range values {
					fmt.Fprintln(&sink, v.Text)
					if html, ok := v.Rich().All()["text/html"].(string); ok {
						fmt.Fprintln(&sink, html)
					}
				}
				if e, ok := err.(*Error); ok && e.Picture != nil {
					fmt.Fprintln(&sink, e.Picture.Text(false))
				} else if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			run("NAME := Ones(2, 3)\nNAME_view := NAME.T()")
			for range 5 {
				run("visualize.Show(visualize.Strides(NAME, NAME_view))\nNAME.Add_(1)")
				run("visualize.Show(visualize.Versions(NAME))")
				run("fmt.Println(\"NAME prints\")\ndone := make(chan bool)\ngo func() { display.Show(visualize.Aliases()); done " +
					"<- true }()\n<-done")
				run("NAME")
				run("visualize.TraceFunc(func() { NAME.Mul(2) })")
				run("NAME.Add(Ones(7))") // an error with a picture
			}
			pages[i] = sink.page.String()
		})
	}
	wg.Wait()
	for i, name := range names {
		other := names[1-i]
		if strings.Contains(pages[i], other) {
			at := strings.Index(pages[i], other)
			t.Errorf("the page of %s names %s: …%s…", name, other, pages[i][max(0, at-300):min(len(pages[i]), at+100)])
		}
		for _, want := range []string{name + " prints", name + "_view", name + ".Add_(1)", "storage #",
			"mul(" + name, "@ In["} {
			if !strings.Contains(pages[i], want) {
				t.Errorf("the page of %s has no %q", name, want)
			}
		}
	}
	if t.Failed() {
		t.Log(pages[0])
	}
}

// TestSite: tensors know the cell, the line and the name of what wrote them.
func TestSite(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	var at tensor.Site
	s.eng.Extend("Look", func() { at = tensor.CurrentSite() })
	cell(s, "y := 1")
	running.Store(s)
	_, err := s.Eval(context.Background(),
		"\ny = strings.Count(\"cheese\", \"e\")\n\nfmt.Sprint(func() string { return \"x\" }())", nil)
	if err != nil {
		t.Fatal(err)
	}
	if at = tensor.CurrentSite(); at.Cell != "In[2]" || at.Line != 4 {
		t.Errorf("after the cell the site is %+v", at)
	}
	_, err = s.Eval(context.Background(), "a := Ones(2)\na.View(3)", nil)
	e, ok := err.(*Error)
	if !ok || e.Name != "TensorError" || e.Cell != "In[3]" || e.Line != 2 {
		t.Fatalf("%v", err)
	}
	if _, ok := e.Panic.(*tensor.Error); !ok {
		t.Errorf("the panic's value is a %T", e.Panic)
	}
}

package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// fileTrace is a trace with all that a file may have: inner calls, a failure, a place, goroutines.
func fileTrace(t testing.TB) *Trace {
	s := viewtest.NewSession(t)
	SetClock(time.Microsecond)
	t.Cleanup(func() { SetClock(0) })
	x, w := s.Leaf("x", 1, 2, 3), s.Name("<w>&", viewtest.Floats(3, 2))
	tr, _ := Record(func() {
		for range 3 {
			s.At("In[2]", 1, "y")
			x.Matmul(w).Sum().Backward()
		}
		s.At("In[2]", 2, "")
		x.Detach().T().Mul(2)
		x.Add(viewtest.Floats(4))
	})
	tr.Spans = []Span{{0, 10, 20, 3, 1}, {1, 12, 15, 2, 1}}
	return tr
}

// TestTraceFile: what is written is read again, and every view of it is the same.
func TestTraceFile(t *testing.T) {
	tr := fileTrace(t)
	var b bytes.Buffer
	if err := tr.Write(&b); err != nil {
		t.Fatal(err)
	}
	back, err := ReadTrace(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if back.Text(true) != tr.Text(true) || back.HTML() != tr.HTML() || !reflect.DeepEqual(back.Timing(), tr.Timing()) ||
		back.Page("x") != tr.Page("x") {
		t.Error("the trace is another after reading")
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != tr.Count()+2+1 {
		t.Errorf("%d lines for %d calls", len(lines), tr.Count())
	}
	var first map[string]any
	if err := json.Unmarshal([]byte(lines[1]), &first); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{"id": 1.0, "parent": 0.0, "op": "mm", "cell": "In[2]", "line": 1.0} {
		if first[key] != want {
			t.Errorf("%s is %v, want %v in %s", key, first[key], want, lines[1])
		}
	}
	for _, key := range []string{"start_ns", "ns", "kernel_ns", "keys", "inputs", "outputs", "steps"} {
		if _, ok := first[key]; !ok {
			t.Errorf("no %s in %s", key, lines[1])
		}
	}
	cut, err := ReadTrace(strings.NewReader(strings.Join(lines[:3], "\n") + "\n"))
	if err != nil || cut.Count() != 3 || !strings.Contains(cut.Error, "ends before") {
		t.Errorf("a file that was cut off: %v, %v", cut, err)
	}
}

// TestTraceFileErrors: what is wrong is told with its line.
func TestTraceFileErrors(t *testing.T) {
	good := `{"id":0,"parent":null,"op":"add","args":[],"keys":["CPU"],"steps":[],"bytes":0,"start_ns":0,"ns":1}` + "\n"
	for text, want := range map[string]string{
		"":                                     "line 1: there is nothing",
		"nonsense":                             "line 1: no event",
		good + "\n{}":                          `line 3: no event: it has neither "op"`,
		good + "[1]":                           "line 2: no event",
		good + good:                            "line 2: call 0 stands where call 1",
		good + `{"id":1,"op":""}`:              "line 2: a call without an operator",
		good + `{"id":1,"op":"a","parent":1}`:  "line 2: call 1: its parent 1 does not come before it",
		good + `{"id":1,"op":"a","parent":-1}`: "line 2: call 1: its parent -1",
		good + `{"id":1,"op":"a","ns":-4}`:     "line 2: call 1: negative",
		good + `{"id":1,"op":"a","ns":"x"}`:    "line 2: no call",
		good + `{"worker":1,"call":9}`:         "line 2: the worker's numbers",
		good + `{"end":{"calls":5}}`:           "line 2: the end speaks of 5 calls, 1 are there",
		good + `{"end":{"calls":1}}` + "\n" + `{"end":{"calls":1}}`:               "line 3: there is more after the end",
		good + `{"op":"` + strings.Repeat("x", maxTraceLine) + `"}` + "\n" + good: "line 2: longer than 4 MiB",
	} {
		if _, err := ReadTrace(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.80q: %v, want %s", text, err, want)
		}
	}
}

// TestChrome holds the export against the trace-event format: an object with traceEvents; every event has name, ph,
// ts, pid and tid; complete ones have a duration; slices of a thread that overlap are nested.
func TestChrome(t *testing.T) {
	tr := fileTrace(t)
	var b bytes.Buffer
	if err := tr.Chrome(&b); err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []struct {
			Name, Cat, Ph, S string
			Ts, Dur          *float64
			Pid, Tid         *int
			Args             map[string]any
		}
		DisplayTimeUnit string
	}
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if file.DisplayTimeUnit != "ns" && file.DisplayTimeUnit != "ms" {
		t.Errorf("unit %q", file.DisplayTimeUnit)
	}
	phases := map[string]int{}
	open := map[int][]float64{} // by thread, the ends of the slices that are open
	last := map[int]float64{}
	for _, e := range file.TraceEvents {
		phases[e.Ph+" "+e.Cat]++
		if e.Name == "" || e.Ts == nil || *e.Ts < 0 || e.Pid == nil || e.Tid == nil {
			t.Errorf("%+v", e)
			continue
		}
		switch e.Ph {
		case "X":
			if e.Dur == nil || *e.Dur < 0 {
				t.Errorf("%s has no duration", e.Name)
				continue
			}
			id := *e.Tid
			if *e.Ts < last[id] {
				t.Errorf("%s begins before what stands before it", e.Name)
			}
			last[id] = *e.Ts
			for len(open[id]) > 0 && open[id][len(open[id])-1] <= *e.Ts {
				open[id] = open[id][:len(open[id])-1]
			}
			if n := len(open[id]); n > 0 && *e.Ts+*e.Dur > open[id][n-1]+1e-6 {
				t.Errorf("%s reaches beyond what is around it", e.Name)
			}
			open[id] = append(open[id], *e.Ts+*e.Dur)
		case "M":
			if name, _ := e.Args["name"].(string); name == "" || e.Name != "process_name" && e.Name != "thread_name" {
				t.Errorf("%+v", e)
			}
		case "i":
			if e.S != "g" && e.S != "p" && e.S != "t" {
				t.Errorf("scope %q", e.S)
			}
		default:
			t.Errorf("phase %q", e.Ph)
		}
	}
	if phases["X operator"] != tr.Count() || phases["X kernel"] == 0 || phases["X worker"] != 1 || phases["M "] != 3 ||
		phases["i error"] != 1 {
		t.Errorf("%v for %d calls", phases, tr.Count())
	}
}

// TestPage: a page is whole, with one script, bounded, and tells what failed.
func TestPage(t *testing.T) {
	tr := fileTrace(t)
	page := tr.Page("<b>.jsonl")
	viewtest.WellFormed(t, "page", strings.TrimPrefix(page, "<!DOCTYPE html>\n"))
	for _, want := range []string{"&lt;b&gt;.jsonl", "do not broadcast", "<h2>failures</h2>", "<h2>operators</h2>",
		"<h2>timeline</h2>", "mm"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in the page", want)
		}
	}
	x := tensor.Ones(2)
	big := TraceFunc(func() {
		for i := range 15000 {
			tensor.Try(func() { x.Add(tensor.Ones(i%7 + 3)) })
			x.Mul(float64(i))
		}
	})
	page = big.Page("big")
	if len(page) > 400<<10 || !strings.Contains(page, "more call") || strings.Count(page, "<script") != 1 {
		t.Errorf("a page of %d bytes", len(page))
	}
	viewtest.WellFormed(t, "page", strings.TrimPrefix(page, "<!DOCTYPE html>\n"))
}

// FuzzReadTrace: no text makes the reader or a view of what it read fail otherwise than with an error; what is read
// can be written.
func FuzzReadTrace(f *testing.F) {
	var b bytes.Buffer
	if err := fileTrace(f).Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.String())
	f.Add(
		`{"id":0,"parent":null,"op":"<add>","args":null,"keys":null,"inputs":[{"dtype":"x","shape":[-1,0]}],"outputs":[{}],"steps":[{"key":"CPU"}],"kernel_ns":9,"ns":3,"start_ns":0}` + "\n" + `{"end":{"calls":1}}`)
	f.Add(`{"id":0,"op":"mm","ns":9223372036854775807,"start_ns":9223372036854775807}`)
	f.Add(`{"end":{"calls":0,"more":3,"ns":1,"error":"x"}}`)
	f.Add("{\"id\":0,\"op\":\"a\",\"args\":[\"\x00\"],\"steps\":[{}]}")
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := ReadTrace(strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") {
				t.Errorf("no line in %q", err)
			}
			return
		}
		viewtest.WellFormed(t, "page", strings.TrimPrefix(tr.Page("x"), "<!DOCTYPE html>\n"))
		_ = fmt.Sprint(tr, tr.Timing())
		var b bytes.Buffer
		if err := tr.Chrome(&b); err != nil || !json.Valid(b.Bytes()) {
			t.Errorf("Chrome: %v", err)
		}
		b.Reset()
		if err := tr.Write(&b); err != nil {
			t.Error(err)
		}
		if _, err := ReadTrace(&b); err != nil {
			t.Errorf("what was written is not read: %v", err)
		}
	})
}

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// asks begins a cell that asks, and gives the question.
func (f front) asks(src string) (id string, question *jupyterclient.Message) {
	f.t.Helper()
	id = f.SendCell(src, map[string]any{"allow_stdin": true})
	if question = f.Stdin.Recv(wait); question == nil || question.ParentID() != id {
		f.t.Fatalf("%s: the question: %v", src, question)
	}
	return id, question
}

// An interrupt of a cell that waits for input ends it there: what it asked for has not come.
func TestInterruptedInput(t *testing.T) {
	f := front{startKernel(t), t}
	f.runs("went := 0")
	for _, src := range []string{
		"var a string; fmt.Scan(&a); went++",
		"fmt.Scanln()\nwent++",
		"bufio.NewReader(os.Stdin).ReadString('\\n')\nwent++",
		"for sc := bufio.NewScanner(os.Stdin); sc.Scan(); {}\nwent++",
		"io.ReadAll(os.Stdin)\nwent++",
		"func ask() string { var s string; fmt.Scan(&s); went++; return s }\nask()",
		"done := make(chan bool)\ngo func() { fmt.Scanln(); went++; done <- true }()\n<-done",
	} {
		id, _ := f.asks(src)
		f.Request(f.Control, "interrupt_request", map[string]any{}, wait)
		f.fails(f.Collect(id, time.Now(), wait), row{ename: "Interrupted"})
	}
	if got := f.runs("fmt.Print(went)").Text("stdout"); got != "0" {
		t.Errorf("%s cells went on after the interrupt", got)
	}
}

// Ctrl-D, which front ends send as a character, is the end of the input; a client that takes no questions has none.
func TestInputEnds(t *testing.T) {
	f := front{startKernel(t), t}
	id, q := f.asks("in, err := io.ReadAll(os.Stdin)\nfmt.Printf(\"%q %v\", in, err)")
	for _, value := range []string{"a line", "\x04"} {
		if value == "\x04" {
			q = f.Stdin.Recv(wait)
		}
		if q == nil {
			t.Fatal("no question")
		}
		f.Send(f.Stdin, "input_reply", map[string]any{"value": value})
	}
	if got := f.Collect(id, time.Now(), wait).Text("stdout"); got != `"a line\n" <nil>` {
		t.Errorf("read %s", got)
	}
	if got := f.runs("var w string\n_, err = fmt.Scan(&w)\nfmt.Print(err)").Text("stdout"); got != "EOF" {
		t.Errorf("without a person: %s", got)
	}
}

// A cell asks with a question, and in secret; the answer is nowhere but in its variable.
func TestAskedInTheKernel(t *testing.T) {
	f := front{startKernel(t), t}
	id, q := f.asks("name, err := display.Input(\"name? \")\npw, err2 := display.Password(\"password: \")\n" +
		"fmt.Print(name, len(pw), err, err2)")
	for _, r := range []struct {
		prompt, answer string
		secret         bool
	}{{"name? ", "Ada Lovelace", false}, {"password: ", "hunter2", true}} {
		if q == nil || q.Content["prompt"] != r.prompt || q.Content["password"] != r.secret {
			t.Fatalf("the question: %v", q)
		}
		f.Send(f.Stdin, "input_reply", map[string]any{"value": r.answer})
		if !r.secret {
			q = f.Stdin.Recv(wait)
		}
	}
	ran := f.Collect(id, time.Now(), wait)
	if got := ran.Text("stdout"); got != "Ada Lovelace7<nil> <nil>" && got != "Ada Lovelace7 <nil> <nil>" {
		t.Errorf("it read %q", got)
	}
	h := f.Request(f.Shell, "history_request",
		map[string]any{"hist_access_type": "tail", "n": 100, "output": true, "raw": true}, wait)
	for _, all := range []any{ran.Types(), ran.Reply, h} {
		if strings.Contains(fmt.Sprint(all), "hunter2") {
			t.Errorf("the secret is in %v", all)
		}
	}
	if got := f.runs("fmt.Print(pw)").Text("stdout"); got != "hunter2" {
		t.Errorf("the variable has %q", got)
	}

	id, _ = f.asks("went := false\ndisplay.Password(\"password: \")\nwent = true")
	start := time.Now()
	f.Request(f.Control, "interrupt_request", map[string]any{}, wait)
	f.fails(f.Collect(id, time.Now(), wait), row{ename: "Interrupted"})
	t.Logf("interrupted after %v", time.Since(start))
	if got := f.runs("fmt.Print(went)").Text("stdout"); got != "false" {
		t.Error("the cell went on after the interrupt")
	}
	if got := f.runs("_, err = display.Input(\"name? \")\nfmt.Print(err, errors.Is(err, io.EOF))").Text("stdout"); got != "nobody can be asked here: EOF true" {
		t.Errorf("where input is refused: %q", got)
	}
}

// What a cell has printed last, if its line has not ended, is the question, whole in one place: in the field, or above
// it if it was sent before.
func TestPrintedQuestion(t *testing.T) {
	f := front{startKernel(t), t}
	for _, print := range []string{"fmt.Print", "os.Stdout.WriteString"} {
		f.asksBeside(print + "(\"first\\nname? \")")
	}
}

func (f front) asksBeside(print string) {
	t := f.t
	t.Helper()
	inField := false
	for range 50 { // a machine that is busy may send it before
		id, q := f.asks("var name string\n" + print + "\nfmt.Scanln(&name)\nfmt.Print(name)")
		f.Send(f.Stdin, "input_reply", map[string]any{"value": "Ada"})
		got := f.Collect(id, time.Now(), wait).Text("stdout")
		switch q.Content["prompt"] {
		case "name? ":
			inField = true
			if got != "first\nAda" {
				t.Errorf("beside the question: %q", got)
			}
		case "":
			if got != "first\nname? Ada" {
				t.Errorf("without a question: %q", got)
			}
		default:
			t.Errorf("the question: %q", q.Content["prompt"])
		}
		if inField {
			return
		}
	}
	t.Errorf("the question is never in the field: %s", print)
}

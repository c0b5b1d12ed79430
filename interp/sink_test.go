package interp

import (
	"context"
	"gotorch/interp/internal/celltest"
	"io"
	"strings"
	"testing"
)

// TestStreams: what cells print goes to the sink, by whatever way.
func TestStreams(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	var r celltest.Recorder
	r.In = "12 ab\n"
	_, err := s.Eval(context.Background(), `fmt.Println("a")
fmt.Fprintln(os.Stdout, "b")
os.Stdout.WriteString("c\n")
fmt.Fprint(os.Stderr, "d\n")
println("e", 3)
log.SetFlags(0)
log.Print("f")
w := bufio.NewWriter(os.Stdout)
fmt.Fprintf(w, "g\n")
w.Flush()
var n int
var word string
fmt.Scan(&n, &word)
fmt.Println(n, word)
display.Display("shown")`, &r)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Out.String(); got != "a\nb\nc\ng\n12 ab\n" {
		t.Errorf("stdout %q", got)
	}
	if got := r.Err.String(); got != "d\ne 3\nf\n" {
		t.Errorf("stderr %q", got)
	}
	if len(r.Shown) != 1 || r.Shown[0] != "shown" {
		t.Errorf("displayed %q", r.Shown)
	}
}

// Cells ask for a line: of the sink's input where it has no way of its own, as much as the line and no more.
func TestAsks(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	r := &celltest.Recorder{In: "Ada Lovelace\nhunter2\n7 rest\n"}
	values, err := s.Eval(t.Context(), `os.Stdout.WriteString("first\n")
name, err := display.Input("name? ")
pw, err2 := display.Password("password: ")
var n int
fmt.Scan(&n)
fmt.Printf("%q %q %d %v %v", name, pw, n, err, err2)`, r)
	if err != nil || len(values) != 0 {
		t.Fatal(values, err)
	}
	if got, want := r.Out.String(), "first\nname? password: \"Ada Lovelace\" \"hunter2\" 7 <nil> <nil>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A command that keeps the output asks the user all the same; where there is nobody, the error says so, and is the
// end of the input.
func TestAsksElsewhere(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	r := &celltest.Recorder{In: "Ada\n"}
	if _, err := s.Eval(t.Context(), "%%capture out\nname, _ := display.Input(\"name? \")\nfmt.Print(name)", r); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Eval(t.Context(), "fmt.Print(out, name)", r); err != nil ||
		!strings.HasSuffix(r.Out.String(), "AdaAda") || !strings.HasPrefix(r.Out.String(), "name? ") {
		t.Errorf("%v: %q", err, r.Out.String())
	}
	r = &celltest.Recorder{}
	s.Eval(t.Context(), "_, err := display.Input(\"name? \")\nfmt.Print(err, errors.Is(err, io.EOF))", r)
	if got := r.Out.String(); got != "name? EOF true" {
		t.Errorf("an empty input: %q", got)
	}
	values, err := s.Eval(t.Context(), "_, err = display.Password(\"pw? \")\nfmt.Sprint(err, errors.Is(err, io.EOF))",
		Discard)
	if err != nil || len(values) != 1 || values[0].V != "nobody can be asked here: EOF true" {
		t.Errorf("nobody: %v, %v", values, err)
	}
}

// printedFirst is a sink that is read only after all that the cell has written before.
type printedFirst struct {
	celltest.Recorder
	want  string
	early int // reads that came sooner
}

func (p *printedFirst) Stdin() io.Reader { return p }

func (p *printedFirst) Read(b []byte) (int, error) {
	if p.want += "name? "; p.Out.String() != p.want {
		p.early++
	}
	return copy(b, "Ada\n"), nil
}

// What is written to os.Stdout itself stands before the user is asked.
func TestWrittenBeforeItIsRead(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	var p printedFirst
	if _, err := s.Eval(t.Context(), "in := bufio.NewReader(os.Stdin)\nfor range 200 {\n"+
		"\tos.Stdout.WriteString(\"name? \")\n\tin.ReadString('\\n')\n}", &p); err != nil {
		t.Fatal(err)
	}
	if p.early > 0 || len(p.want) != 200*len("name? ") {
		t.Errorf("%d of %d reads come before the question", p.early, len(p.want)/len("name? "))
	}
}

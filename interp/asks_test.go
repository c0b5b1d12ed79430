package interp

import (
	"io"
	"strings"
	"testing"
)

// Cells ask for a line: of the sink's input where it has no way of its own, as much as the line and no more.
func TestAsks(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	r := &recorder{in: "Ada Lovelace\nhunter2\n7 rest\n"}
	values, err := s.Eval(t.Context(), `os.Stdout.WriteString("first\n")
name, err := display.Input("name? ")
pw, err2 := display.Password("password: ")
var n int
fmt.Scan(&n)
fmt.Printf("%q %q %d %v %v", name, pw, n, err, err2)`, r)
	if err != nil || len(values) != 0 {
		t.Fatal(values, err)
	}
	if got, want := r.out.String(), "first\nname? password: \"Ada Lovelace\" \"hunter2\" 7 <nil> <nil>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A command that keeps the output asks the user all the same; where there is nobody, the error says so, and is the
// end of the input.
func TestAsksElsewhere(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	r := &recorder{in: "Ada\n"}
	if _, err := s.Eval(t.Context(), "%%capture out\nname, _ := display.Input(\"name? \")\nfmt.Print(name)", r); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Eval(t.Context(), "fmt.Print(out, name)", r); err != nil || !strings.HasSuffix(r.out.String(), "AdaAda") || !strings.HasPrefix(r.out.String(), "name? ") {
		t.Errorf("%v: %q", err, r.out.String())
	}
	r = &recorder{}
	s.Eval(t.Context(), "_, err := display.Input(\"name? \")\nfmt.Print(err, errors.Is(err, io.EOF))", r)
	if got := r.out.String(); got != "name? EOF true" {
		t.Errorf("an empty input: %q", got)
	}
	values, err := s.Eval(t.Context(), "_, err = display.Password(\"pw? \")\nfmt.Sprint(err, errors.Is(err, io.EOF))", Discard)
	if err != nil || len(values) != 1 || values[0].Text != "nobody can be asked here: EOF true" {
		t.Errorf("nobody: %v, %v", values, err)
	}
}

// printedFirst is a sink that is read only after all that the cell has written before.
type printedFirst struct {
	recorder
	want  string
	early int // reads that came sooner
}

func (p *printedFirst) Stdin() io.Reader { return p }

func (p *printedFirst) Read(b []byte) (int, error) {
	if p.want += "name? "; p.out.String() != p.want {
		p.early++
	}
	return copy(b, "Ada\n"), nil
}

// What is written to os.Stdout itself stands before the user is asked.
func TestWrittenBeforeItIsRead(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	var p printedFirst
	if _, err := s.Eval(t.Context(), "in := bufio.NewReader(os.Stdin)\nfor range 200 {\n\tos.Stdout.WriteString(\"name? \")\n\tin.ReadString('\\n')\n}", &p); err != nil {
		t.Fatal(err)
	}
	if p.early > 0 || len(p.want) != 200*len("name? ") {
		t.Errorf("%d of %d reads come before the question", p.early, len(p.want)/len("name? "))
	}
}

package main

import (
	"fmt"
	"strings"
	"testing"
)

// answers types a line into the field that the page shows below a cell, once the question stands there.
func (p *page) answers(n int, question, line string) (kind string) {
	p.t.Helper()
	field := fmt.Sprintf("#cell%d .raw_input", n)
	p.waits(fmt.Sprintf("document.querySelector('%s') && document.querySelector('#cell%d "+
		".output_wrapper').innerText.replaceAll('\\u00a0', ' ').includes(%q)", field, n, question))
	p.must(p.Eval(fmt.Sprintf("document.querySelector('%s').type", field), &kind))
	p.shot(fmt.Sprintf("input%d-%s", n, strings.Trim(question, "? ")))
	p.must(p.Focus(patient, field))
	p.must(p.Type(line))
	p.must(p.Key("Enter", 0))
	p.waits(fmt.Sprintf("!document.querySelector('#cell%d .raw_input') || document.querySelector('#cell%[1]d "+
		".raw_input').value == ''", n))
	return kind
}

// TestNotebookInput: cells that read, in all the ways of Go's, and a user who types into the field that the page
// shows.
func TestNotebookInput(t *testing.T) {
	t.Parallel() // it drives other processes
	p := openNotebook(t, 1000, 1200)
	for _, c := range []struct{ name, src string }{
		{"Scanln", "var name string\nfmt.Print(\"name? \")\nfmt.Scanln(&name)\nfmt.Printf(\"<%s>\", name)"},
		{"a reader", "fmt.Print(\"name? \")\nline, err := bufio.NewReader(os.Stdin).ReadString('\\n')\n" +
			"fmt.Printf(\"<%s>%v\", strings.TrimSpace(line), err)"},
		{"a scanner", "fmt.Print(\"name? \")\nsc := bufio.NewScanner(os.Stdin)\nsc.Scan()\nfmt.Printf(\"<%s>\", sc.Text())"},
		{"a program", "package main\n\nimport (\n\"fmt\"\n\"os\"\n)\n\nfunc main() {\nos.Stdout.WriteString(\"name? \")\n" +
			"var s string\nfmt.Scan(&s)\nfmt.Printf(\"<%s>\", s)\n}"},
		{"Input", "s, err := display.Input(\"name? \")\nfmt.Printf(\"<%s>%v\", s, err)"},
	} {
		n := p.types(c.src)
		if kind := p.answers(n, "name? ", "Ada"); kind != "text" {
			t.Errorf("%s: a field of type %s", c.name, kind)
		}
		if s := p.done(n); !strings.Contains(s, "name? ") || !strings.Contains(s, "<Ada>") {
			t.Errorf("%s: %q", c.name, s)
		}
		p.shows(n)
		p.shot("answered-" + c.name)
	}
	n := p.types("pw, err := display.Password(\"password: \")\nfmt.Print(len(pw), err)")
	if kind := p.answers(n, "password: ", "hunter2"); kind != "password" {
		t.Errorf("a field of type %s", kind)
	}
	if s := p.done(n); !strings.Contains(s, "7") || strings.Contains(s, "hunter2") {
		t.Errorf("a password: %q", s)
	}
	p.shows(n)
	p.shot("password")
}

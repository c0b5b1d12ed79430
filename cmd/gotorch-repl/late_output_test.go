package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gotorch/internal/ipynb"
)

// A goroutine of one cell that prints while another runs, and again when none does.
const (
	lateFirst = "c, done := make(chan int), make(chan int)\ngo func() { for range 2 { <-c; fmt.Println(\"late\"); " +
		"done <- 1 } }()"
	lateSecond = "fmt.Println(\"second\")\nc <- 1\n<-done\nended := make(chan int)\ngo func() { c <- 1; <-done; " +
		"close(ended) }()"
)

// TestLateOutputBelongsToItsCell: what a goroutine prints after its cell has ended carries the header of that cell.
func TestLateOutputBelongsToItsCell(t *testing.T) {
	k := startKernel(t)
	first := k.Execute(lateFirst, wait, nil)
	id := k.SendCell(lateSecond, nil)
	under := map[string]string{}
	for end := time.Now().Add(wait); strings.Count(under[first.ID], "late\n") < 2; {
		m := k.IOPub.Recv(time.Until(end))
		if m == nil {
			t.Fatalf("heard: %q", under)
		}
		if m.Type() == "stream" {
			under[m.ParentID()] += fmt.Sprint(m.Content["text"])
		}
	}
	if len(under) != 2 || under[first.ID] != "late\nlate\n" || under[id] != "second\n" {
		t.Errorf("%q, the cells are %s and %s", under, first.ID, id)
	}
}

// TestLateOutputInANotebook: the notebook that run writes has it under its cell too.
func TestLateOutputInANotebook(t *testing.T) {
	var cells []string
	for i, src := range []string{lateFirst, lateSecond, "<-ended"} {
		cells = append(cells, fmt.Sprintf(
			`{"cell_type":"code","id":"c%d","metadata":{},"outputs":[],"execution_count":null,"source":%q}`, i, src))
	}
	list := ranNotebook(t, `{"cells":[`+strings.Join(cells, ",")+`],"metadata":{},"nbformat":4,"nbformat_minor":5}`)
	for i, want := range []string{"late\nlate\n", "second\n"} {
		outputs := list[i]["outputs"].([]any)
		if len(outputs) != 1 {
			t.Fatalf("cell %d: %v", i, outputs)
		}
		if got := ipynb.Text(outputs[0].(map[string]any)["text"]); got != want {
			t.Errorf("cell %d: %q, want %q", i, got, want)
		}
	}
}

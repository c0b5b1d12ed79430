package interp_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	_ "gotorch"
	"gotorch/interp"
	"gotorch/visualize/display"
)

// toStdout takes what the examples' cells put out.
type toStdout struct{}

func (toStdout) Stdout() io.Writer                    { return os.Stdout }
func (toStdout) Stderr() io.Writer                    { return os.Stdout }
func (toStdout) Stdin() io.Reader                     { return nil }
func (toStdout) Display(_ string, b display.Bundle)   { fmt.Println(b.Text(false)) }
func (s toStdout) Update(id string, b display.Bundle) { s.Display(id, b) }
func (toStdout) Clear(bool)                           {}

// A session runs one cell after the other. An error ends its cell alone: names and values stay.
func ExampleSession_Eval() {
	s := interp.New(interp.Options{})
	defer s.Close()
	cells := []string{
		"x := Arange(6).View(2, 3)", `fmt.Println("rows:", x.Size(0))`, "x[:, 1:] @ x[:, :2].T()", "x[9]", "x.Sum()",
	}
	for _, cell := range cells {
		values, err := s.Eval(context.Background(), cell, toStdout{})
		for _, v := range values {
			fmt.Println(v.Text)
		}
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			fmt.Println(first)
		}
	}
	// Output:
	// rows: 2
	// tensor([[ 2, 11],
	//         [ 5, 32]])
	// index: index 9 is out of bounds for dimension 0 with size 2
	// tensor(15)
}

// What can be typed at the cursor.
func ExampleSession_Complete() {
	s := interp.New(interp.Options{})
	defer s.Close()
	s.Eval(context.Background(), "x := Ones(3)", toStdout{})
	for _, c := range s.Complete("x.Cumm", len("x.Cumm")).Candidates {
		fmt.Println(c.Text)
	}
	// Output:
	// Cummax
	// Cummin
}

// A front end asks whether Enter runs what was typed, or begins another line.
func ExampleSession_IsComplete() {
	s := interp.New(interp.Options{})
	defer s.Close()
	for _, src := range []string{"for i := range 3 {", "for i := range 3 {\n}"} {
		verdict, _ := s.IsComplete(src)
		fmt.Println(verdict)
	}
	// Output:
	// incomplete
	// complete
}

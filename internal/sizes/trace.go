package sizes

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Step is a call of a program that was run for some values of the letters.
type Step struct {
	Key     string   // what was called where, with numbers left out: runs are alike while their keys are
	In      []int    // the numbers that it was given
	Tensors [][2]int // the ranges of In that are the shapes of arguments
	OutKey  string   // what came out, with numbers left out
	Out     []int    // the numbers that came out
	Error   string   // why it failed
	Data    bool     // what comes out depends on data: nothing is known from here on
}

// Trace is what a program did for some values of the letters.
type Trace struct {
	Steps  []Step // a last one with an Error ended it
	OutKey string
	Out    []int // the numbers of what the program gave
}

// Failed reports whether an error ended the run.
func (t *Trace) Failed() bool { return len(t.Steps) > 0 && t.Steps[len(t.Steps)-1].Error != "" }

// path is equal for runs that made the same calls.
func (t *Trace) path() uint64 {
	h := fnv.New64a()
	for i := range t.Steps {
		h.Write([]byte(t.Steps[i].Key + "\x00" + t.Steps[i].OutKey + "\x00"))
	}
	h.Write([]byte(t.OutKey))
	return h.Sum64()
}

// amount is a number that grows with the calls and with what they give.
func (t *Trace) amount() (n int) {
	for i := range t.Steps {
		n += 1 + len(t.Steps[i].OutKey)
	}
	return n
}

// same reports whether two runs did the same.
func (t *Trace) same(u *Trace) bool {
	return t.OutKey == u.OutKey && slices.Equal(t.Out, u.Out) &&
		slices.EqualFunc(t.Steps, u.Steps, func(a, b Step) bool {
			return a.Key == b.Key && a.OutKey == b.OutKey && slices.Equal(a.In, b.In) && slices.Equal(a.Out, b.Out) &&
				(a.Error == "") == (b.Error == "")
		})
}

// sample is a run.
type sample struct {
	v []int
	t *Trace
}

// Size is a number of a trace as an expression, or, where none was found, what was seen.
type Size struct {
	Expr  Expr
	Known bool
	Seen  []Seen // some values, where no expression holds for all
}

// Seen is a number at values of the letters.
type Seen struct {
	Values []int
	Size   int
}

// String is the expression, or ?.
func (s Size) String() string {
	if !s.Known {
		return "?"
	}
	return s.Expr.String()
}

// Guard is what has to hold for a step to be what it is.
type Guard struct {
	Step  int    // from which step on runs differ otherwise; of a program's result, the number of steps
	Conds []Cond // all of which have to hold
	Error string // how it fails where they do not, "" where no run fails
	Other bool   // where they do not, some run goes on, with other calls or shapes
	When  []int  // values of the letters where one does not hold
	// Left are values for which the conditions hold and the program differs all the same: no rule was found.
	Left Samples
}

// Found is what was found out about a program.
type Found struct {
	Main     *Trace   // the run that stands for all
	At       []int    // its values of the letters
	In, Out  [][]Size // of each step of Main
	Result   []Size
	Guards   []Guard
	Varies   int // the step from which on the number of calls depends on letters, -1 for none
	Lengths  []Seen
	Many     bool // step Varies is the same call, and how much it gives depends on letters
	NoResult bool // how many results there are varies as well
	Fails    bool // no run came to its end
	Unsteady bool // two runs with the same values differ

	Unsettled bool     // the last values that were tried still changed the rules
	Zeros     int      // how many values with a 0 among them were tried: the rules are about sizes from 1 on
	ZeroOdd   []*Trace // what they did, where the rules say otherwise
	ZeroAt    [][]int

	Runs   int   // how many different values were tried
	Agree  int   // of these, how many fulfil all conditions: all of them agree with the expressions
	Beyond int   // how many do not: all of them fail or differ
	Fresh  int   // how many were tried after the rules had been found, without finding one that differs
	Most   []int // the largest value of each letter that was tried
	Ended  bool  // time was up before all that was planned had been tried
}

// key identifies values.
func keyOf(v []int) string {
	var b strings.Builder
	for _, n := range v {
		b.WriteString(strconv.Itoa(n))
		b.WriteByte(' ')
	}
	return b.String()
}

// Values writes values of letters: B = 3, T = 1.
func Values(names []string, v []int) string {
	var parts []string
	for i, n := range names {
		parts = append(parts, fmt.Sprintf("%s = %d", n, v[i]))
	}
	return strings.Join(parts, ", ")
}

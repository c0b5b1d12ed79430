package learn

import (
	"context"
	"errors"
	"runtime"
	"time"

	"gotorch/interp/result"
	"gotorch/tensor"
)

// Runner runs Go in a session.
type Runner interface {
	Go(ctx context.Context, src string) ([]result.Value, *result.Error)
}

// memoryOfCase is how many bytes a case may take besides what is in use.
const memoryOfCase = 512 << 20

// Verdict is what the check of an exercise found.
type Verdict struct {
	Exercise string
	Cases    int // how many ran
	Failed   []int
	First    *Difference // the first case that failed, nil where all passed
	Hint     string      // of the typical mistake that was recognized
	Mistake  int         // its number, -1 where none was recognized
	Problem  string      // why no case could be run
}

// Passed reports whether all cases passed.
func (v *Verdict) Passed() bool { return v.Problem == "" && len(v.Failed) == 0 }

// Judge runs the cases of one exercise. What the solution and the typical mistakes end with is kept.
type Judge struct {
	Runner   Runner
	Exercise *Exercise

	want  []outcome
	wrong [][]outcome // by mistake, then by case; nil until it is needed
}

// Check judges the function that the session has under the exercise's name; or, where code is not empty, the one that
// the code declares. The error is that of ctx.
func (j *Judge) Check(ctx context.Context, code string) (*Verdict, *result.Error) {
	x := j.Exercise
	v := &Verdict{Exercise: x.Name, Mistake: -1}
	if err := j.solve(ctx); err != nil {
		return nil, err
	}
	got, err := j.runAll(ctx, code)
	if err != nil {
		return nil, err
	}
	faults := map[int]*fault{}
	for i, o := range got {
		if o.err != nil && (o.err.Name == "TypeError" || o.err.Name == "SyntaxError") {
			s, _ := signatureOf(x.Name, x.Solution)
			v.Problem = "There is no func " + x.Name + s.text + ": declare it in a cell, then check again."
			return v, nil
		}
		if f := compare(x, o, j.want[i]); f != nil {
			v.Failed = append(v.Failed, i)
			faults[i] = f
		}
	}
	v.Cases = len(got)
	if len(v.Failed) == 0 {
		return v, nil
	}
	first := v.Failed[0]
	v.First = difference(x, first, faults[first], j.given(ctx, first), len(v.Failed), v.Cases)
	return v, j.recognize(ctx, v, got)
}

// given is an outcome of a case that has the arguments as they are before the call. A function that returns something
// is to leave them alone, and the solution does; one that returns nothing is there to change them.
func (j *Judge) given(ctx context.Context, i int) outcome {
	x := j.Exercise
	s, _ := signatureOf(x.Name, x.Solution)
	if s.results > 0 {
		return j.want[i]
	}
	all, err := j.run(ctx, x.Cases[i:i+1], "func "+x.Name+s.text+" {\n}")
	if err != nil {
		return j.want[i]
	}
	return all[0]
}

// solve runs the solution on all cases.
func (j *Judge) solve(ctx context.Context) *result.Error {
	if j.want != nil {
		return nil
	}
	all, err := j.runAll(ctx, j.Exercise.Solution)
	j.want = all
	return err
}

// recognize finds the typical mistake that ends as the learner's function does in each case that failed.
func (j *Judge) recognize(ctx context.Context, v *Verdict, got []outcome) *result.Error {
	x := j.Exercise
	if j.wrong == nil {
		j.wrong = make([][]outcome, len(x.Wrong))
	}
	for n, m := range x.Wrong {
		if j.wrong[n] == nil {
			all, err := j.runAll(ctx, m.Code)
			if err != nil {
				return err
			}
			j.wrong[n] = all
		}
		same := true
		for _, i := range v.Failed {
			same = same && i < len(j.wrong[n]) && sameOutcome(x, got[i], j.wrong[n][i])
		}
		if same {
			v.Hint, v.Mistake = m.Hint, n
			return nil
		}
	}
	return nil
}

// runAll calls the function on all cases: at once, and if that fails, one by one, up to one that takes too long. The
// error is that of ctx.
func (j *Judge) runAll(ctx context.Context, code string) (all []outcome, err *result.Error) {
	cases := j.Exercise.Cases
	if all, err = j.run(ctx, cases, code); err == nil {
		return all, nil
	}
	all = nil
	for _, c := range cases {
		one, err := j.run(ctx, []Case{c}, code)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			one = []outcome{{err: err}}
		}
		if all = append(all, one...); err != nil && err.Name != "Panic" && err.Name != "TensorError" {
			break // too long, or no Go: the others would be the same
		}
	}
	return all, nil
}

// run calls the function on cases, within the time and the memory that a case may take.
func (j *Judge) run(ctx context.Context, cases []Case, code string) (all []outcome, err *result.Error) {
	x := j.Exercise
	defer bounded()()
	generator := tensor.DefaultGenerator()
	defer generator.SetState(generator.GetState())
	limited, cancel := context.WithTimeout(ctx, time.Duration(x.Seconds)*time.Second)
	defer cancel()
	values, err := j.Runner.Go(limited, program(x, cases, code))
	if err != nil {
		if ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
			err = &result.Error{Name: "Interrupted", Value: "it took longer than " + seconds(x.Seconds) +
				": is there a loop that does not end?"}
		}
		return nil, err
	}
	var lists [][]any
	if len(values) == 1 {
		lists, _ = values[0].V.([][]any)
	}
	s, _ := signatureOf(x.Name, x.Solution)
	for _, values := range lists {
		all = append(all, outcome{values: values, results: s.results, names: s.values})
	}
	if len(all) != len(cases) {
		return nil, &result.Error{Name: "InternalError", Value: "the cases have no values"}
	}
	return all, nil
}

func seconds(n int) string { return (time.Duration(n) * time.Second).String() }

// bounded lowers what tensors may use, until the function that it returns is called.
func bounded() (restore func()) {
	was := tensor.MemoryBudget()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	tensor.SetMemoryBudget(min(was, max(tensor.MemoryUsed(), int(m.HeapInuse))+memoryOfCase))
	return func() { tensor.SetMemoryBudget(was) }
}

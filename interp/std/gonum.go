package std

import (
	"math"
	"reflect"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Note: gonum for cells
//
// A matrix that is made has as many elements as its rows times its columns, which may be those of the arguments, and
// gonum asks for the memory without a question. The table areas has how many elements these are. Minimize calls the
// functions of a problem on goroutines of its own, where a panic would end the process: it is kept until Minimize has
// returned.

// area is how many numbers a call makes.
type area func(args []reflect.Value) float64

// areas are the functions and methods of packages mat and stat that make matrices; arguments are without a receiver.
var areas = map[string]map[string]area{
	"gonum.org/v1/gonum/mat": {
		"NewDense": sides(0, 1), "NewCDense": sides(0, 1), "NewSymDense": sides(0, 0), "NewTriDense": sides(0, 0),
		"NewBandDense": band, "NewDiagonalRect": sides(0, 1),
		"NewSymBandDense": sides(0, 1), "NewTriBandDense": sides(0, 1),
		"DenseCopyOf": own, "Formatted": own, "Det": own, "LogDet": own, "Cond": own, "Sum": own, "Norm": own,
		"Dense.ReuseAs": sides(0, 1), "Dense.Grow": sides(0, 1),
		"CDense.ReuseAs": sides(0, 1), "CDense.Grow": sides(0, 1),
		"SymDense.ReuseAsSym": sides(0, 0), "SymDense.GrowSym": sides(0, 0), "TriDense.ReuseAsTri": sides(0, 0),
		"Dense.Permutation": sides(0, 0), "Dense.CloneFrom": own, "Dense.Copy": own, "Dense.Stack": own,
		"Dense.Augment": own, "Dense.Add": own, "Dense.Sub": own, "Dense.MulElem": own, "Dense.DivElem": own,
		"Dense.Inverse": own, "Dense.Exp": own, "Dense.Pow": own, "Dense.Scale": own, "Dense.Apply": own,
		"Dense.Product": product, "Dense.Mul": product, "Dense.Kronecker": kronecker, "Dense.RankOne": outer,
		"Dense.Outer": outer, "Dense.Solve": own, "SymDense.SymRankOne": outer, "SymDense.RankTwo": outer,
		"SymDense.SymRankK": rowsSquared, "SymDense.SymOuterK": rowsSquared, "SVD.Factorize": own, "QR.Factorize": own,
		"LQ.Factorize": own, "LU.Factorize": own, "Cholesky.Factorize": own, "Eigen.Factorize": own,
		"EigenSym.Factorize": own, "VecDense.MulVec": own, "VecDense.SolveVec": own,
	},
	"gonum.org/v1/gonum/stat": {
		"CovarianceMatrix": columnsSquared, "CorrelationMatrix": columnsSquared,
		"PC.PrincipalComponents":   columnsSquared,
		"CC.CanonicalCorrelations": columnsSquared,
	},
}

func init() {
	for path, list := range areas {
		for name := range list {
			if boundary[path] == nil {
				boundary[path] = map[string][]guarded{}
			}
			boundary[path][name] = append([]guarded{{makesMatrix, 0}}, boundary[path][name]...)
		}
	}
}

// sides is the product of two numbers among the arguments.
func sides(i, j int) area {
	return func(args []reflect.Value) float64 { return float64(args[i].Int()) * float64(args[j].Int()) }
}

// band is the size of a matrix with two numbers of diagonals.
func band(args []reflect.Value) float64 {
	return float64(args[0].Int()) * (float64(args[2].Int()) + float64(args[3].Int()) + 1)
}

// shapes are the rows and columns of the matrices among the arguments.
func shapes(args []reflect.Value) (rows, columns []float64) {
	for _, a := range args {
		if a.Kind() == reflect.Slice {
			for i := range a.Len() {
				r, c := shapes([]reflect.Value{a.Index(i)})
				rows, columns = append(rows, r...), append(columns, c...)
			}
			continue
		}
		if a.Kind() != reflect.Interface && a.Kind() != reflect.Pointer || a.IsNil() {
			continue
		}
		if m, ok := a.Interface().(mat.Matrix); ok {
			if p := reflect.ValueOf(m); p.Kind() == reflect.Pointer && p.IsNil() {
				continue
			}
			r, c := m.Dims()
			rows, columns = append(rows, float64(max(r, 0))), append(columns, float64(max(c, 0)))
		}
	}
	return rows, columns
}

// own is the size of the largest argument: some matrices have more elements than memory.
func own(args []reflect.Value) (n float64) {
	rows, columns := shapes(args)
	for i := range rows {
		n = max(n, rows[i]*columns[i])
	}
	return 2 * n
}

// product is the size of the matrices that a product of several makes, at most.
func product(args []reflect.Value) (n float64) {
	rows, columns := shapes(args)
	if len(rows) == 2 {
		return max(rows[0]*columns[1], own(args)/2)
	}
	for i := range rows {
		for j := i + 1; j < len(columns); j++ {
			n = max(n, rows[i]*columns[j])
		}
	}
	return n
}

func kronecker(args []reflect.Value) float64 {
	n := 1.0
	rows, columns := shapes(args)
	for i := range rows {
		n *= rows[i] * columns[i]
	}
	return n
}

// outer is the product of the lengths of the two vectors, which stand last, or of the one.
func outer(args []reflect.Value) float64 {
	rows, _ := shapes(args)
	switch n := len(rows); n {
	case 0:
		return 0
	case 1:
		return rows[0] * rows[0]
	default:
		return rows[n-1] * rows[n-2]
	}
}

func rowsSquared(args []reflect.Value) (n float64) {
	rows, _ := shapes(args)
	for _, r := range rows {
		n = max(n, r*r)
	}
	return n
}

func columnsSquared(args []reflect.Value) (n float64) {
	_, columns := shapes(args)
	for _, c := range columns {
		n = max(n, c*c)
	}
	return n
}

// checkArea panics if a call of a function, named with its package, would make more numbers than there is memory for.
func checkArea(name string, args []reflect.Value) {
	i := strings.LastIndex(name, "/") + 1
	dot := i + strings.Index(name[i:], ".")
	if f := areas[name[:dot]][name[dot+1:]]; f != nil {
		if n := f(args); n >= 1<<17 {
			rt.Fits(name, int(min(8*n, math.MaxInt/2)))
		}
	}
}

// patchOptimize keeps the panics of a problem's functions, and bounds what is asked for.
func patchOptimize(e *env.Env, t env.Table) {
	t.Set(map[string]any{"Minimize": func(p optimize.Problem, x []float64, s *optimize.Settings,
		m optimize.Method) (*optimize.Result, error) {
		const name = "gonum.org/v1/gonum/optimize.Minimize"
		n := float64(len(x))
		switch m.(type) {
		case *optimize.BFGS, *optimize.Newton, *optimize.CmaEsChol:
			rt.Fits(name, int(min(3*8*n*n, math.MaxInt/2)))
		}
		if m == nil && (p.Grad != nil || p.Hess != nil) {
			rt.Fits(name, int(min(3*8*n*n, math.MaxInt/2)))
		}
		if s != nil && s.Concurrent > 0 {
			rt.Sized(name, s.Concurrent, 8192+24*len(x))
		}
		g := &guest{env: e}
		result, err := optimize.Minimize(g.problem(p), x, s, m)
		if g.panicked {
			panic(g.fault)
		}
		return result, err
	}})
}

// guest keeps the first panic of functions that run on goroutines of host code. There they work for the cell that
// called it, so that its end is theirs, where they wait too.
type guest struct {
	env      *env.Env
	mu       sync.Mutex
	panicked bool
	fault    any
}

// call calls f; ok is false where it, or one before it, panicked.
func (g *guest) call(f func()) (ok bool) {
	g.mu.Lock()
	over := g.panicked
	g.mu.Unlock()
	if over {
		return false
	}
	caught := func() {
		defer func() {
			if v := recover(); v != nil {
				ok = false
				g.fail(v)
			}
		}()
		ok = true
		f()
	}
	if task.Current() == nil {
		caught = g.env.Engine.Child(g.env.Streams(), caught)
	}
	caught()
	return ok
}

func (g *guest) fail(fault any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.panicked {
		g.panicked, g.fault = true, fault
	}
}

// apart calls f on a goroutine that may end, by the stop of its cell, without the one of host code.
func (g *guest) apart(f func()) bool {
	ended := make(chan bool, 1)
	go func() {
		returned, ok := false, false
		defer func() {
			if !returned {
				g.fail(rt.Fault("gonum: a function of the problem ended its goroutine"))
			}
			ended <- returned && ok
		}()
		ok = g.call(f)
		returned = true
	}()
	return <-ended
}

// problem is a problem whose functions do not panic.
func (g *guest) problem(p optimize.Problem) optimize.Problem {
	q := p
	if p.Func != nil {
		q.Func = func(x []float64) (y float64) {
			if !g.apart(func() { y = p.Func(x) }) {
				return math.NaN()
			}
			return y
		}
	}
	if p.Grad != nil {
		q.Grad = func(grad, x []float64) { g.apart(func() { p.Grad(grad, x) }) }
	}
	if p.Hess != nil {
		q.Hess = func(h *mat.SymDense, x []float64) { g.apart(func() { p.Hess(h, x) }) }
	}
	q.Status = func() (s optimize.Status, err error) {
		if !g.apart(func() {
			if p.Status != nil {
				s, err = p.Status()
			}
		}) {
			return optimize.Failure, nil
		}
		return s, err
	}
	return q
}

package yaegi

// Quirk is something that yaegi v0.16.1 does wrong, or cannot do, in core Go.
type Quirk struct {
	Name string
	Why  string // what happens, and where

	// Rewrite changes a node so that it does not happen; nil where Where says what is done instead.
	Rewrite func(*rewriter, *cursor)

	// Where names the code that handles a quirk without a rewrite: in the lowering, which knows more than the program's
	// text shows, or in the engine.
	Where string

	// Test shows it; it is empty where it takes a larger program, which the tests of package interp then have.
	Test Test
}

// Test is a program of core Go: declarations, among them func f() any, which is to return Want, or to end with that
// error.
type Test struct {
	Program string
	Want    any
}

// Quirks are applied in this order at each node, when its children have been rewritten. A test runs each program with
// its rewrite and without: one that passes without its rewrite belongs to a quirk that yaegi no longer has.
var Quirks = []Quirk{
	{
		Name:    "range over numbers and strings",
		Why:     "range over a number panics, and one over a string counts runes and not bytes",
		Rewrite: rangeBasic,
		Test: Test{`func f() any { s := 0; for i := range string("é!") { s += i }
			for i := range int(4) { s += i }; return s }`, 8},
	},
	{
		Name:    "range over a pointer to an array",
		Why:     "it is not known",
		Rewrite: rangeArrayPointer,
		Test: Test{`func f() any { a := [3]int{1, 2, 3}; p := &a; s := 0
			for _, x := range p { a[2] = 10; s += x }; return s }`, 13},
	},
	{
		Name:    "range variables",
		Why:     "the variables of a range statement are the same for all iterations, and the loop counts by them",
		Rewrite: rangeVariables,
		Test: Test{`func f() any { var fs []func() int
			for i := range []int{5, 6} { fs = append(fs, func() int { return i }) }
			n := 0; for i := range []int{5, 6, 7} { i += 2; n++; _ = i }; return fs[0]() + 10*fs[1]() + 100*n }`, 310},
	},
	{
		Name:    "loop variables",
		Why:     "the variables of a for statement are the same for all iterations",
		Rewrite: loopVariables,
		Test: Test{`func f() any { var fs []func() int
			i := 0; for ; i < 3; i++ { fs = append(fs, func() int { return i }) }
			return fs[0]() + 10*fs[1]() + 100*fs[2]() }`, 210},
	},
	{
		Name: "turns",
		Why: "goroutines that compute take turns of 10 ms each, and an interrupt waits for all of them; see " +
			"Note: turns",
		Rewrite: giveWay,
	},
	{
		Name:    "empty clause",
		Why:     "fallthrough into a clause without statements leaves the switch's state wrong",
		Rewrite: emptyClause,
	},
	{
		Name:    "list of conditions",
		Why:     "a clause with several conditions, in a switch without a value, takes them for values",
		Rewrite: conditionList,
		Test:    Test{`func f() any { x := 2; switch { case x == 1, x == 2: return "yes" }; return "no" }`, "yes"},
	},
	{
		Name:    "default in the middle",
		Why:     "a default clause comes last, wherever it stands, so that fallthrough leads elsewhere",
		Rewrite: defaultInMiddle,
		Test: Test{
			`func g(i int) (n int) { switch { case i == 0: n++; fallthrough; default: n += 5; case i == 7: n += 100 }; return n }
			func f() any { return 10000*g(0) + 100*g(1) + g(7) }`, 60600},
	},
	{
		Name:    "receiving into a variable",
		Why:     "a value that is received straight into a variable takes the variable's place and cannot be changed",
		Rewrite: received,
		Test:    Test{`func f() any { c := make(chan int, 1); c <- 1; x := <-c; p := &x; *p = 5; return x }`, 5},
	},
	{
		Name:    "sending a result",
		Why:     "a value that is sent, of a call inside a call, may be the one from before",
		Rewrite: heldSend,
	},
	{
		Name: "named results",
		Why: "named results begin with what the last call returned, where a function is called by its name in " +
			"a loop",
		Rewrite: namedResults,
		Test: Test{`func g(set bool) (r int) { if set { r = 5 }; return }
			func f() any { s := 0; for i := 0; i < 3; i++ { s = 10*s + g(i == 0) }; return s }`, 500},
	},
	{
		Name: "closure in a loop",
		Why: "when a closure returns, the place where it was made gets back what it held before: also from " +
			"another goroutine, and also if it holds the next closure by then",
		Rewrite: closureInLoop,
	},
	{
		Name: "closure for host code",
		Why: "a closure that is the argument of a host function sees the variables of later iterations, unless " +
			"it stands in parentheses",
		Rewrite: hostClosure,
	},
	{
		Name: "assigned literal",
		Why: "a bare composite literal that defines a variable in a loop gives all iterations one variable, " +
			"and one that a closure assigns to a variable around it is lost",
		Rewrite: bareLiteral,
		Test: Test{`type T struct{ n int }
			func f() any { var x T; set := func() { x = T{3} }; set(); return x.n }`, 3},
	},
	{
		Name: "dereferenced element",
		Why: "an element of a list that reads a field of *p fails to compile before the type of p is known, " +
			"unless it has an index",
		Rewrite: dereferencedElement,
		Test: Test{`type T struct{ n int }
			func f() any { p := &T{3}; x := []int{(*p).n, 4}; return x[0] }`, 3},
	},
	{
		Name: "left of a branch",
		Why: "where a literal or a name in parentheses is the first thing that is done for the left operand of " +
			"&& or ||, the branch is done in its place",
		Rewrite: leftOfBranch,
		Test: Test{`func f() any { m := map[string]int{"a": 1}; n := 0
			if (m)["a"] == 1 && n == 0 { n++ }; return n }`, 1},
	},
	{
		Name:    "shifted constant",
		Why:     "a constant without a type that is shifted by a variable is no number",
		Rewrite: shiftedConstant,
	},
	{
		Name: "shift count",
		Why: "a negative count shifts everything out and does not panic, and an unsigned sum as a count wants " +
			"operands of the type that is shifted",
		Rewrite: shiftCount,
		Test: Test{`func g(x int) int { return x }
			func f() any { n := -1; x := 1; return g(x << n) }`, "panic: runtime error: negative shift amount"},
	},
	{
		Name:    "compared references",
		Why:     "channels and pointers to structs that lead to themselves may have two types where Go has one",
		Rewrite: sameReference,
	},
	{
		Name:    "channel of one direction",
		Why:     "make asks package reflect, which makes channels of both directions only",
		Rewrite: directedChannel,
		Test:    Test{`func f() any { c := make(chan<- int, 2); c <- 1; return len(c) }`, 1},
	},

	// Quirks that are handled elsewhere.

	{Name: "defer and recover", Why: "deferred calls run under the frame's lock, so one that calls a closure hangs",
		Where: "defer.go and defer_stopped.go; core Go has no defer"},
	{Name: "select", Why: "the cases are kept in the statement: goroutines overwrite each other's",
		Where: "select.go; core Go has no select"},
	{Name: "go", Why: "a panic in a goroutine ends the process",
		Where: "runtime.go, spawn; core Go has no go statement"},
	{Name: "types in interfaces", Why: "declared types have no identity and no methods in interfaces",
		Where: "package rt; core Go has no interfaces but any"},
	{Name: "stop", Why: "what yaegi stops never runs again", Where: "stop.go"},
	{Name: "globals", Why: "every cell moves all globals to a longer list while goroutines read it",
		Where: "globals.go"},
	{Name: "trees", Why: "all that was ever compiled is kept", Where: "prune.go, forget.go"},
	{Name: "no variadic arguments", Why: "a variadic parameter without arguments is an empty slice and not nil",
		Where: "lower/call.go, callWith: it takes the parameter's type"},
	{Name: "range over channels", Why: "a range whose values are channels is taken for one over a channel",
		Where: "lower/loop.go, rangeStmt: it ranges over the indices"},
	{Name: "blank names", Why: "all blank names of a function are one variable, with the type of the first",
		Where: "lower/assign.go, drop: each has a name"},
	{Name: "variables of host packages", Why: "one of a basic type is taken for a constant",
		Where: "lower/method.go, qualified: programs have pointers to them"},
	{Name: "elements of arrays behind pointers", Why: "&p[i] does not compile where p points to an array",
		Where: "lower/expr.go, address: it is &(*p)[i]"},
	{Name: "index out of range", Why: "the error does not say which index",
		Where: "package quick, bounds.go: the step looks first"},
	{Name: "method values", Why: "a method value of a host type has the type of the method expression",
		Where: "lower/method.go, methodValue: it takes the receiver's type"},
	{Name: "(*p).f", Why: "a field of a dereferenced pointer is not found",
		Where: "lower/method.go, path: fields are found by types"},
	{Name: "exported fields", Why: "all fields of structs are exported",
		Where: "lower/types.go, structType: tags hide them from encoders; fieldName"},
	{Name: "recursive types",
		Why: "types that are laid out alike become one where they refer to themselves, and of several that lead to " +
			"each other one takes the place of all",
		Where: "lower/layout.go: the lowering lays them out, with tags that tell them apart; recursive.go"},
	{Name: "variadic functions in fields", Why: "they cannot be called with several arguments",
		Where: "lower/call.go, callWith: the arguments are a list"},
	{Name: "tensors in interfaces",
		Why:   "all methods of a type are listed wherever a value of it goes into an interface: 0.2 ms for a tensor",
		Where: "lower/convert.go, isTensor: the conversion is implicit in the text"},
	{Name: "constants", Why: "constants of other types are converted wrongly",
		Where: "lower/convert.go, literal: core Go has values in their places"},
}
